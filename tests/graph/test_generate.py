"""Generators: exact counts and structure, probabilities within five standard deviations, determinism."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.graph.generate_help import close, few, seeds, small

from nearly import Graph, generate
from nearly.graph.generate import numbered_edges

# one call of each generator, small but of more than one block
SAMPLES = {
    "rmat": lambda **k: generate.rmat(9, 8, **k),
    "rmat undirected": lambda **k: generate.rmat(9, 8, directed=False, weights="int", **k),
    "rmat multigraph": lambda **k: generate.rmat(9, 8, simple=False, **k),
    "random": lambda **k: generate.random(700, 5000, **k),
    "random undirected": lambda **k: generate.random(700, 5000, directed=False, weights="float", **k),
    "random multigraph": lambda **k: generate.random(700, 5000, simple=False, **k),
    "grid": lambda **k: generate.grid(40, 50, **k),
    "smallworld": lambda **k: generate.smallworld(1000, 6, 0.3, **k),
    "geometric": lambda **k: generate.geometric(800, 0.07, weights="distance", **k),
    "planted_partition": lambda **k: generate.planted_partition(8, 80, 0.2, 0.01, **k),
}
# seed 1 of each: a seed means one graph, in every version, compiled or not
FINGERPRINTS = {
    "rmat": "112264da5a4b5d4268cd2ab127238f26",
    "rmat undirected": "36933a9405b79071ca4d23e3144c5391",
    "rmat multigraph": "3719e5fc665ba2bba160480a79989201",
    "random": "1dce6469c99fd31f79adfecba8d6b65f",
    "random undirected": "0642ce0f0b3cd1fcd511663b4242bccd",
    "random multigraph": "b439da0bf4c2073addc81aea0e1cff3e",
    "grid": "d588f4bdaa0e93c5124e8c870586c6f0",
    "smallworld": "8abf037c362cdd41b00b265b8917bcf0",
    "geometric": "fe1d275278cdf855e17b4fa3e9599f83",
    "planted_partition": "f7e3e41f856502b3c4232efb8d45d119",
}
each = pytest.mark.parametrize("make", SAMPLES.values(), ids=SAMPLES)


@each
def test_same_seed_same_graph_whatever_the_threads_and_chunks(make, monkeypatch, on_threads):
    on_threads(1)
    one = make(seed=5)
    on_threads(2)
    two = make(seed=5)
    monkeypatch.setattr(numbered_edges, "CHUNK", 778)  # cuts through the edges of one vertex
    assert one == two == make(seed=5)
    assert one.fingerprint == two.fingerprint
    assert make(seed=6) != one != make(seed=2**64 - 1)
    one.validate()


@small
@pytest.mark.parametrize("name", SAMPLES)
def test_seeds_keep_their_graphs(name):
    assert SAMPLES[name]().fingerprint == FINGERPRINTS[name]


@small
@each
def test_wide_vertices_make_the_same_graph(make, monkeypatch):
    narrow = make()
    monkeypatch.setattr("nearly.graph.csr_arrays.NARROW_VERTICES", 100)
    wide = make()
    assert wide.arrays.targets.dtype == np.uint64
    assert narrow.arrays.targets.dtype == np.uint32
    assert np.array_equal(wide.targets, narrow.targets)
    assert np.array_equal(wide.offsets, narrow.offsets)
    assert (narrow.weights is None and wide.weights is None) or np.array_equal(wide.weights, narrow.weights)


@each
def test_progress_counts_up_and_may_stop_the_work(make):
    seen = []
    make(progress=lambda stage, done, total: seen.append((stage, done, total)))
    finished = {stage: (done, total) for stage, done, total in seen}
    assert finished["counting"][0] == finished["counting"][1] > 0
    assert finished["placing"] == finished["counting"]

    def stop(stage, done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(progress=stop)


@small
@given(low=st.integers(0, 2**32 - 1), width=st.integers(0, 2**20), seed=seeds, directed=st.booleans())
@few
def test_weights_lie_in_their_range_and_agree_both_ways(low, width, seed, directed):
    g = generate.random(12, 30, directed=directed)
    high = min(low + width, 2**32 - 1)
    whole = generate.with_weights(g, "int", low, high, seed)
    assert whole.weights.dtype == np.uint32
    assert low <= whole.weights.min() <= whole.weights.max() <= high
    real = generate.with_weights(g, "float", low, high, seed)
    assert real.weights.dtype == np.float32
    assert np.float32(low) <= real.weights.min() <= real.weights.max() <= np.float32(high)
    for weighted in (whole, real):
        weighted.validate()
        assert np.shares_memory(weighted.targets, g.targets)
        assert np.shares_memory(weighted.offsets, g.offsets)


@small
def test_weights_belong_to_the_edge_not_to_its_place():
    some, all_of_them = generate.random(40, 200, directed=False), generate.random(40, comb(40, 2), directed=False)
    table = {}
    for u, v, w in zip(
        all_of_them.arc_sources().tolist(), all_of_them.targets.tolist(), generate.with_weights(all_of_them).weights
    ):
        table[u, v] = w
    weights = generate.with_weights(some).weights
    assert [table[u, v] for u, v in zip(some.arc_sources().tolist(), some.targets.tolist())] == weights.tolist()
    one_way = Graph.from_edges([0, 1] * 30, [1, 0] * 30, n=2)
    there, back = generate.with_weights(one_way, high=10**6).weights
    assert there != back


def test_weights_are_uniform():
    g = generate.random(2000, 50_000)
    counts = np.bincount(generate.with_weights(g, "int", 1, 10).weights, minlength=11)
    assert counts[0] == 0
    assert all(close(count, g.m, 0.1) for count in counts[1:])
    real = generate.with_weights(g, "float", 2, 4).weights
    assert all(close(count, g.m, 0.1) for count in np.histogram(real, 10, (2, 4))[0])
