"""R-MAT graphs: simple where asked, quadrants with the given probabilities, skewed degrees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.graph.generate_help import check_simple, close, edges_of, few, kinds, seeds, small

from nearly import generate
from nearly.base.random import permutation, permute, stream_key
from nearly.graph.generate.random_streams import LABELS
from nearly.graph.generate.rmat import PARAMETERS, alias_table


@small
@given(
    scale=st.integers(1, 6),
    factor=st.integers(0, 6),
    seed=seeds,
    directed=st.booleans(),
    permuted=st.booleans(),
    weights=kinds,
)
@few
def test_rmat_is_simple(scale, factor, seed, directed, permuted, weights):
    g = generate.rmat(scale, factor, seed, directed=directed, permute=permuted, weights=weights)
    assert g.n == 2**scale
    assert len(edges_of(g)) <= factor * g.n
    assert g.weighted == (weights is not None)
    check_simple(g)


@pytest.mark.parametrize("params", ["graph500", "gtgraph", (0.1, 0.2, 0.3, 0.4), "0.25,0.25,0.25,0.25"])
@pytest.mark.parametrize("scale", [1, 7, 13])
def test_rmat_falls_into_quadrants_with_the_given_probabilities(params, scale):
    g = generate.rmat(scale, (1 << 16) >> scale, 3, params=params, permute=False, simple=False)
    wanted = PARAMETERS.get(params) or (params if isinstance(params, tuple) else (0.25,) * 4)
    assert g.m == 1 << 16
    levels = [((g.arc_sources() >> level) & 1) * 2 + ((g.targets >> level) & 1) for level in range(scale)]
    for level, quadrants in enumerate(levels):
        assert all(close(count, g.m, p) for count, p in zip(np.bincount(quadrants, minlength=4), wanted)), level
        for other in levels[:level]:  # levels are independent of each other
            joint = np.bincount(other * 4 + quadrants, minlength=16)
            assert all(close(joint[a * 4 + b], g.m, wanted[a] * wanted[b]) for a in range(4) for b in range(4))


@small
def test_rmat_edges_are_independent_of_their_neighbours():
    from nearly.graph.generate.rmat_kernels import Descent, rmat_edges

    src, dst = np.empty((2, 2000), np.uint32)
    even = Descent(alias_table((0.25,) * 4), np.uint64(2), np.uint64(0))
    rmat_edges(np.uint64(1), np.uint64(0), np.uint64(2**24), False, even, src, dst)
    halves = [part for end in (src, dst) for part in (end >> 12, end & 4095)]
    for one in halves:
        for other in halves:
            assert close((one[:-1] == other[1:]).sum(), 1999, 1 / 4096)
            assert one is other or close((one == other).sum(), 2000, 1 / 4096)


@small
@pytest.mark.parametrize("quadrants", [*PARAMETERS.values(), (1.0, 0.0, 0.0, 0.0), (0.0, 0.3, 0.7, 0.0), (0.25,) * 4])
def test_alias_table_gives_each_cell_its_probability(quadrants):
    table = alias_table(quadrants).astype(np.int64)
    buckets, coins = np.arange(4096), 1 << 20
    units = np.zeros(4096, np.int64)
    np.add.at(units, buckets, table >> 12)
    np.add.at(units, table & 4095, coins - (table >> 12))
    one = np.array(quadrants).reshape(2, 2)
    cells = one
    for _ in range(5):
        cells = np.kron(cells, one)
    assert units.sum() == 2**32
    assert abs(units - cells.ravel() * 2**32).max() <= 1
    assert (units[cells.ravel() == 0] == 0).all()


@small
def test_rmat_permute_is_a_relabelling():
    plain, renamed = (generate.rmat(7, 8, 11, permute=permuted) for permuted in (False, True))
    new = np.arange(plain.n, dtype=np.uint64)
    permute(permutation(np.uint64(stream_key(np.uint64(11), np.uint64(LABELS))), plain.n), new)
    assert sorted(new.tolist()) == list(range(plain.n))
    assert plain.relabel(new) == renamed != plain


def test_rmat_degrees_are_skewed():
    skewed, even = generate.rmat(14), generate.rmat(14, params=(0.25, 0.25, 0.25, 0.25))
    for degrees in (skewed.out_degrees, skewed.in_degrees):
        assert degrees.max() > 30 * degrees.mean()
        assert (degrees == 0).mean() > 0.2
    assert even.out_degrees.max() < 4 * even.out_degrees.mean()
    assert np.argmax(skewed.out_degrees) != 0  # hubs are renamed away from the small numbers
    assert generate.rmat(14, permute=False).out_degrees.argmax() == 0
