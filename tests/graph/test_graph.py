"""The Graph type: what it promises about its arrays, views, identity and memory."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nearly import Graph, InvalidArgumentError, InvalidGraphError

pytestmark = pytest.mark.small


@pytest.fixture
def chain():
    return Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[5, 6, 7])


def test_views_are_read_only(chain):
    for array in (chain.offsets, chain.targets, chain.weights, chain.out_degrees, chain.in_degrees):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_read_only_arrays_have_the_type_kernels_were_compiled_for(chain):
    again = Graph(chain.offsets, chain.targets, chain.weights)
    assert again == chain
    for array, old in zip(again.arrays, (chain.offsets, chain.targets, chain.weights)):
        assert array.flags.writeable  # to numba
        assert np.shares_memory(array, old)
        assert not old.flags.writeable


def test_degrees_and_reverse(chain):
    assert chain.out_degrees.tolist() == [1, 1, 1, 0]
    assert chain.in_degrees.tolist() == [0, 1, 1, 1]
    assert chain.reverse.targets.tolist() == [0, 1, 2]
    assert chain.reverse.weights.tolist() == [5, 6, 7]
    assert chain.reverse.reverse is chain
    assert Graph._trusted(chain.arrays, True).reverse.in_degrees.tolist() == [1, 1, 1, 0]


def test_symmetrized_merges_and_keeps_self_loops():
    g = Graph.from_edges([0, 1, 2, 2], [1, 0, 2, 1], weights=[4, 3, 9, 1])
    s = g.symmetrized()
    assert not s.directed
    assert list(zip(s.arc_sources().tolist(), s.targets.tolist(), s.weights.tolist())) == [
        (0, 1, 3), (1, 0, 3), (1, 2, 1), (2, 1, 1), (2, 2, 9),
    ]  # fmt: skip
    assert s.symmetrized() is s
    assert s.reverse is s


def test_memory_per_arc():
    n, m = 1000, 50_000
    rng = np.random.default_rng(1)
    src, dst = rng.integers(0, n, (2, m))
    plain = Graph.from_edges(src, dst, n=n, duplicates="keep")
    weighted = Graph.from_edges(src, dst, rng.random(m), n=n, duplicates="keep")
    assert plain.nbytes <= 4.3 * m + 8 * n
    assert weighted.nbytes <= 8.3 * m + 8 * n


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**31), st.booleans(), st.booleans())
def test_relabel_there_and_back(seed, directed, weighted):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 30))
    src, dst = rng.integers(0, n, (2, 60))
    g = Graph.from_edges(src, dst, rng.integers(0, 9, 60) if weighted else None, n=n, directed=directed)
    p = rng.permutation(n)
    moved = g.relabel(p)
    moved.validate()
    assert np.array_equal(moved.out_degrees[p], g.out_degrees)
    assert moved.relabel(np.argsort(p)) == g


def test_subgraph_remembers_where_it_came_from():
    g = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], weights=[1, 2, 3, 4], directed=False)
    part = g.subgraph(np.array([True, True, False, True]))
    part.validate()
    assert part.ids.tolist() == [0, 1, 3]
    assert list(zip(part.arc_sources().tolist(), part.targets.tolist(), part.weights.tolist())) == [
        (0, 1, 1), (0, 2, 4), (1, 0, 1), (2, 0, 4),
    ]  # fmt: skip
    assert part.subgraph(np.array([False, True, True])).ids.tolist() == [1, 3]


def test_relabel_moves_the_original_ids():
    g = Graph([0, 1, 1], [1], ids=[70, 80]).relabel([1, 0])
    assert g.ids.tolist() == [80, 70]


@pytest.mark.parametrize("bad", [[0, 0], [0, 2], [0], [-1, 0], [0.0, 1.0]])
def test_what_is_not_a_permutation_is_refused(bad):
    with pytest.raises(InvalidArgumentError, match="permutation must hold"):
        Graph.from_edges([0], [1]).relabel(bad)


@pytest.mark.parametrize("bad", [[True], [1, 0], np.ones((2, 1), bool)])
def test_what_is_not_a_mask_is_refused(bad):
    with pytest.raises(InvalidArgumentError, match="mask must hold 2 booleans"):
        Graph.from_edges([0], [1]).subgraph(bad)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (([], []), "at least one"),
        (([0, 2, 1], [0, 1]), "must not fall"),
        (([1, 2], [0, 0]), "run from 0 to the number of targets 2"),
        (([0, 1], [0, 0]), "run from 0 to the number of targets 2"),
        (([0, 1], [1]), r"targets\[0\]=1 is out of range: the graph has 1 vertices"),
        (([0, 1], [2**40]), r"targets\[0\]=1099511627776 is out of range"),
        (([0, 1], [-1]), "negative vertex -1"),
        (([0, 2, 2], [1, 0]), "targets of vertex 0 must ascend"),
        (([0, 1], [0], [1, 2]), "weights must be of the arcs' number 1"),
        (([0, 1], [0], [np.nan]), "the weight of edge 0 is nan"),
        (([0.0, 1.0], [0]), "offsets must hold whole numbers"),
        (([[0, 1]], [0]), "one-dimensional"),
    ],
)
def test_bad_arrays_are_refused(arrays, message):
    with pytest.raises(InvalidGraphError, match=message):
        Graph(*arrays)


def test_validate_finds_a_missing_mirror_arc():
    with pytest.raises(InvalidGraphError, match="no mirror image"):
        Graph([0, 1, 1], [1], directed=False).validate()
    with pytest.raises(InvalidGraphError, match="differ in weight"):
        Graph([0, 1, 2], [1, 0], [1, 2], directed=False).validate()
    Graph([0, 2, 4], [1, 1, 0, 0], [1, 2, 2, 1], directed=False).validate()


def test_lazily_checked_arrays_are_checked_before_use():
    from nearly.graph.csr import NO_WEIGHTS, Arrays

    arrays = Arrays(np.array([0, 1], np.uint64), np.array([7], np.uint32), NO_WEIGHTS)
    g = Graph._trusted(arrays, True, checked=False)
    assert (g.n, g.m) == (1, 1)
    with pytest.raises(InvalidGraphError, match="out of range"):
        _ = g.targets


def test_identity(chain):
    same = Graph.from_edges([2, 1, 0], [3, 2, 1], weights=[7, 6, 5])
    other = Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[5, 6, 8])
    assert chain == same
    assert hash(chain) == hash(same)
    assert chain != other
    assert chain.fingerprint != other.fingerprint
    assert chain != Graph.from_edges([0, 1, 2], [1, 2, 3])
    assert chain != "chain"
    undirected = Graph._trusted(chain.arrays, False)
    assert chain.fingerprint != undirected.fingerprint


def test_fingerprint_is_the_same_in_another_process(chain):
    code = "from nearly import Graph; print(Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[5, 6, 7]).fingerprint)"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert printed == chain.fingerprint


def test_repr_says_what_it_is(chain):
    assert repr(chain) == "<nearly.Graph directed: 4 vertices, 3 arcs, uint32 weights, 64 B>"
