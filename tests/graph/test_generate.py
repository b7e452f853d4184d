"""Generators: exact counts and structure, probabilities within five standard deviations, determinism."""

from __future__ import annotations

from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nearly
from nearly import Graph, generate
from nearly.base.random import permutation, permute, stream_key
from nearly.graph import csr
from nearly.graph.generate import streaming
from nearly.graph.generate.rmat import PARAMETERS, alias_table
from nearly.graph.generate.streams import LABELS

seeds = st.integers(0, 2**64 - 1)
kinds = st.sampled_from([None, "int", "float"])
few = settings(max_examples=25, deadline=None)

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
small = pytest.mark.small


@pytest.fixture
def on_threads():
    yield nearly.set_threads
    nearly.set_threads(None)


def edges_of(g):
    """The edges as a sorted list of pairs, each undirected one once."""
    pairs = zip(g.arc_sources().tolist(), g.targets.tolist())
    return [(u, v) for u, v in pairs if g.directed or u <= v]


def check_simple(g):
    g.validate()
    pairs = edges_of(g)
    assert all(u != v for u, v in pairs)
    assert len(set(pairs)) == len(pairs)


def close(count, trials, p):
    """Whether a binomial count is within five standard deviations of its mean."""
    return abs(count - trials * p) <= 5 * sqrt(trials * p * (1 - p)) + 1e-9


@each
def test_same_seed_same_graph_whatever_the_threads_and_chunks(make, monkeypatch, on_threads):
    on_threads(1)
    one = make(seed=5)
    on_threads(2)
    two = make(seed=5)
    monkeypatch.setattr(streaming, "CHUNK", 778)  # cuts through the edges of one vertex
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
    monkeypatch.setattr(csr, "NARROW_VERTICES", 100)
    wide = make()
    assert wide.targets.dtype == np.uint64
    assert narrow.targets.dtype == np.uint32
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
    from nearly.graph.generate.rmat_kernels import rmat_edges

    src, dst = np.empty((2, 2000), np.uint32)
    even = alias_table((0.25,) * 4)
    rmat_edges(np.uint64(1), np.uint64(0), np.uint64(2**24), np.uint64(2), np.uint64(0), False, even, src, dst)
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


@small
@given(data=st.data(), n=st.integers(1, 30), seed=seeds, directed=st.booleans(), weights=kinds)
@few
def test_random_has_exactly_m_distinct_edges(data, n, seed, directed, weights):
    possible = n * (n - 1) if directed else comb(n, 2)
    m = data.draw(st.integers(0, possible))
    g = generate.random(n, m, seed, directed=directed, weights=weights)
    assert (g.n, len(edges_of(g))) == (n, m)
    check_simple(g)


@small
@pytest.mark.parametrize("n", [2, 3, 10, 11])
def test_random_with_all_possible_edges_is_complete(n):
    assert edges_of(generate.random(n, n * (n - 1))) == [(u, v) for u in range(n) for v in range(n) if u != v]
    undirected = generate.random(n, comb(n, 2), directed=False)
    assert edges_of(undirected) == [(u, v) for u in range(n) for v in range(u + 1, n)]


def test_random_makes_every_graph_equally_often(on_threads):
    on_threads(1)  # for so little work a second thread costs more than it gives
    counts = {}
    for seed in range(600):
        key = tuple(edges_of(generate.random(4, 2, seed, directed=False)))
        counts[key] = counts.get(key, 0) + 1
    assert len(counts) == comb(6, 2)
    assert sum((c - 40) ** 2 / 40 for c in counts.values()) < 14 + 5 * sqrt(28)


def test_random_degrees_have_the_right_variance():
    g = generate.random(20_000, 200_000, 9)
    for degrees in (g.out_degrees, g.in_degrees):
        assert abs(((degrees - 10.0) ** 2).sum() / 10 - g.n) < 5 * sqrt(2 * g.n)


@small
def test_random_multigraph_keeps_everything():
    g = generate.random(5, 400, simple=False)
    assert g.m == 400
    assert all(close(d, 400, 0.2) for d in [*g.out_degrees.tolist(), *g.in_degrees.tolist()])
    assert any(u == v for u, v in edges_of(g))


@small
@given(rows=st.integers(1, 8), cols=st.integers(1, 8), seed=seeds, delete=st.floats(0, 1), weights=kinds)
@few
def test_grid_joins_lattice_neighbours_only(rows, cols, seed, delete, weights):
    g = generate.grid(rows, cols, seed, delete=delete, weights=weights)
    lattice = {(v, v + 1) for v in range(rows * cols) if (v + 1) % cols} | {
        (v, v + cols) for v in range((rows - 1) * cols)
    }
    pairs = edges_of(g)
    assert g.n == rows * cols
    assert set(pairs) <= lattice
    assert delete > 0 or len(pairs) == len(lattice)
    assert delete < 1 or not pairs
    assert g.out_degrees.max() <= 4
    check_simple(g)


def test_grid_deletes_the_share_asked_for():
    g = generate.grid(100, 120, 4, delete=0.3)
    all_edges = 100 * 119 + 99 * 120
    assert close(all_edges - g.m // 2, all_edges, 0.3)
    assert g.weights.min() >= 1
    assert g.weights.max() <= 255


@small
@given(data=st.data(), n=st.integers(3, 40), p=st.floats(0, 1), seed=seeds, weights=kinds)
@few
def test_smallworld_always_has_n_k_half_edges(data, n, p, seed, weights):
    k = 2 * data.draw(st.integers(1, (n - 1) // 2))
    g = generate.smallworld(n, k, p, seed, weights=weights)
    assert g.m == n * k
    assert g.out_degrees.min() >= (k // 2)
    check_simple(g)


@small
def test_smallworld_from_lattice_to_random():
    n, half = 500, 3
    lattice = {tuple(sorted((v, (v + j) % n))) for v in range(n) for j in range(1, half + 1)}
    assert set(edges_of(generate.smallworld(n, 2 * half, 0))) == lattice
    kept = len(lattice & set(edges_of(generate.smallworld(n, 2 * half, 0.25, 7))))
    assert close(kept, n * half, 0.75)
    rewired = generate.smallworld(n, 2 * half, 1, 7)
    assert not lattice & set(edges_of(rewired))
    gaps = np.array([min(v - u, n - v + u) for u, v in edges_of(rewired)])
    assert close((gaps <= 125).sum(), gaps.size, (125 - half) / (249.5 - half))  # far ends are anywhere


@small
@pytest.mark.parametrize("n", [1, 2, 60])
@pytest.mark.parametrize("radius", [0, 1e-12, 0.02, 0.1, 0.25, 1 / 3, 0.5, 0.9, 1.5])
def test_geometric_is_brute_force(n, radius):
    g = generate.geometric(n, radius, 3, weights="distance")
    xy = generate.geometric_points(n, 3)
    assert ((xy >= 0) & (xy < 1)).all()
    squared = ((xy[:, None] - xy[None]) ** 2).sum(axis=2)
    assert edges_of(g) == [(u, v) for u in range(n) for v in range(u + 1, n) if squared[u, v] <= radius * radius]
    assert np.allclose(g.weights, np.sqrt(squared)[g.arc_sources(), g.targets], rtol=1e-6)
    check_simple(g)


@pytest.mark.parametrize("kind", [None, "int", "float"])
def test_geometric_of_many_cells_is_brute_force(kind):
    g = generate.geometric(1500, 0.03, 8, weights=kind)
    xy = generate.geometric_points(1500, 8)
    near = ((xy[:, None] - xy[None]) ** 2).sum(axis=2) <= 0.03 * 0.03
    np.fill_diagonal(near, False)
    assert np.array_equal(np.argwhere(near), np.column_stack([g.arc_sources(), g.targets]))
    for axis in (0, 1):
        assert all(close(count, 1500, 0.1) for count in np.bincount((xy[:, axis] * 10).astype(int)))


@small
@given(communities=st.integers(1, 6), size=st.integers(1, 7), p_in=st.floats(0, 1), p_out=st.floats(0, 1), seed=seeds)
@few
def test_planted_partition_is_simple(communities, size, p_in, p_out, seed):
    g = generate.planted_partition(communities, size, p_in, p_out, seed)
    assert g.n == communities * size
    check_simple(g)
    inside = [u // size == v // size for u, v in edges_of(g)]
    pairs = communities * comb(size, 2)
    assert p_in > 0 or not any(inside)
    assert p_out > 0 or all(inside)
    assert p_in < 1 or sum(inside) == pairs
    assert p_out < 1 or len(inside) - sum(inside) == comb(g.n, 2) - pairs


def test_planted_partition_has_the_given_densities():
    g = generate.planted_partition(10, 60, 0.3, 0.02, 5)
    labels = generate.planted_labels(10, 60)
    inside = sum(int(labels[u] == labels[v]) for u, v in edges_of(g))
    assert close(inside, 10 * comb(60, 2), 0.3)
    assert close(g.m // 2 - inside, comb(10, 2) * 3600, 0.02)
    blocks = np.zeros((10, 10), int)
    np.add.at(blocks, (g.arc_sources() // 60, g.targets // 60), 1)
    across = blocks[np.triu_indices(10, 1)]
    assert all(close(count, 3600, 0.02) for count in across)
    assert all(close(count // 2, comb(60, 2), 0.3) for count in np.diag(blocks))


@small
def test_planted_labels_are_the_smallest_members():
    assert generate.planted_labels(3, 4).tolist() == [0] * 4 + [4] * 4 + [8] * 4


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
