"""Spanning forests against a plain Kruskal (edges), NetworkX and SciPy (weight); ties, levels, certificate."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import minimum_spanning_tree
from tests.algorithms.alterations import doubled, reweighted
from tests.zoo import arcs_of, as_networkx, graphs, zoo

import nearly
from nearly import Graph
from nearly.algorithms.mst import kruskal as mst_kruskal
from nearly.engine.operators.advance import POLICIES

small = pytest.mark.small
EVERY = ("auto", *POLICIES)


def oracle(g, weights=True):
    """The arcs of the one forest that ties broken by (smaller, larger) ends leave, ascending."""
    ranked = sorted((w if weights else 1.0, min(u, v), max(u, v), u > v and not g.directed, e)
                    for e, (u, v, w) in enumerate(arcs_of(g)) if u != v)  # fmt: skip
    tree = list(range(g.n))

    def root(v):
        while tree[v] != v:
            v = tree[v]
        return v

    chosen = []
    for _, u, v, _, e in ranked:
        if root(u) != root(v):
            tree[root(u)] = root(v)
            chosen.append(e)
    return sorted(chosen)


@small
@pytest.mark.parametrize("directed", [True, False])
def test_against_kruskal_and_networkx(directed):
    for kind in (None, "int", "float", "zero"):
        for name, g in zoo(directed, kind).items():
            r = nearly.mst(g)
            assert r.edges.tolist() == oracle(g), (name, kind)
            forest = nx.minimum_spanning_edges(as_networkx(g).to_undirected(), data=True)
            if not directed:
                assert r.weight == pytest.approx(sum(d["weight"] for *_, d in forest), rel=1e-6)
            assert r.weight == pytest.approx(sum(arcs_of(g)[e][2] for e in r.edges))
            assert r.values is r.edges
            assert r.guarantee == "exact"
            assert r.certificate().ok


@small
@settings(max_examples=60, deadline=None)
@given(graphs(weights="int"), st.sampled_from(EVERY), st.booleans())
def test_random_graphs(g, policy, weights):
    assert nearly.mst(g, policy=policy, weights=weights).edges.tolist() == oracle(g, weights)


@small
@settings(max_examples=60, deadline=None)
@given(graphs(weights="int", directed=False), st.floats(0.01, 3), st.integers(0, 8), st.integers(1, 80))
def test_levels(g, level, few, samples):
    """Cuts by weight, too little room, and single weights taken alone, on graphs that would need one level."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("_LEVEL", level), ("_LAST", 0), ("_FEW", few), ("_SAMPLES", samples), ("_SPARE", 1)):
            patch.setattr(mst_kruskal, name, value)
        assert nearly.mst(g).edges.tolist() == oracle(g)


@small
@pytest.mark.parametrize("alike", [False, True])
def test_the_trace_shows_levels(monkeypatch, alike):
    monkeypatch.setattr(mst_kruskal, "_LAST", 0)
    monkeypatch.setattr(mst_kruskal, "_FEW", 64)
    g = zoo(directed=False, weights="int")["kron-8"]
    if alike:
        g = reweighted(g, np.full(g.m, 7, np.uint32))
    r = nearly.mst(g)
    assert r.rounds >= 3
    assert r.edges.tolist() == oracle(g)
    assert sum(row.frontier for row in r.trace) < g.m  # not every edge was sorted


@small
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_signs_zeros_and_the_range_of_floats(dtype):
    weights = [-1.5, 0.0, -0.0, 3e38, -3e38, 1e-40, -1e-40, 1.0, -0.0, 0.0]
    if dtype == "float64":
        weights = [w * 1e200 if abs(w) > 1e-30 else w for w in weights]
    n = len(weights) // 2
    u, v = np.triu_indices(n, 1)
    g = Graph.from_edges(u, v, weights, directed=False, negative="keep", weight_dtype=dtype)
    for policy in ("auto", "frontier") if dtype == "float32" else ("auto",):
        r = nearly.mst(g, policy=policy)
        assert r.edges.tolist() == oracle(g)
        assert r.certificate().ok


@pytest.mark.full
def test_rounds_on_wide_weights():
    g = zoo(directed=False, weights="float")["kron-8"]
    wide = reweighted(g, g.weights.astype(np.float64))
    for policy in POLICIES:
        assert nearly.mst(wide, policy=policy).edges.tolist() == oracle(wide)


@small
def test_parallel_edges_of_an_undirected_graph():
    offsets, targets = [0, 3, 6], [1, 1, 1, 0, 0, 0]
    for weights in ([3, 1, 2, 3, 1, 2], [2, 1, 1, 2, 1, 1]):
        g = Graph(offsets, targets, np.array(weights, np.uint32), directed=False)
        for policy in EVERY:
            assert nearly.mst(g, policy=policy).edges.tolist() == [1]


def differ(trials, seed):
    rng = np.random.default_rng(seed)
    for _ in range(trials):
        n = int(rng.integers(1, 50))
        src, dst = rng.integers(0, n, (2, int(rng.integers(0, 4 * n))))
        weights = rng.integers(1, 6, src.size) if rng.integers(2) else rng.random(src.size).astype(np.float32) + 1
        g = Graph.from_edges(src, dst, weights, n=n, directed=False)  # no zeros: SciPy takes them for missing edges
        matrix = csr_array(
            (g.weights.astype(np.float64), g.targets.astype(np.int32), g.offsets.astype(np.int32)), (n, n)
        )
        for policy in ("auto", "frontier"):
            r = nearly.mst(g, policy=policy)
            assert r.weight == pytest.approx(float(minimum_spanning_tree(matrix).sum()))
            assert r.certificate().ok


def test_against_scipy():
    differ(150, 1)


@pytest.mark.full
def test_against_scipy_at_length():
    differ(3000, 2)


@small
@settings(max_examples=30, deadline=None)
@given(graphs(weights="float", directed=False), st.sampled_from(EVERY))
def test_metamorphic(g, policy):
    r = nearly.mst(g, policy=policy)
    scaled = reweighted(g, g.weights * np.float32(4))
    assert nearly.mst(scaled, policy=policy).edges.tolist() == r.edges.tolist()
    assert nearly.mst(scaled, policy=policy).weight == 4 * r.weight
    union = nearly.mst(doubled(g), policy=policy)
    assert union.edges.tolist() == [*r.edges, *(r.edges + g.m)]


def test_threads_agree_on_a_large_grid():
    g = nearly.generate.grid(600, 500, weights="float")
    one = nearly.mst(g, threads=1)
    assert one.certificate().ok
    for _ in range(4):
        assert np.array_equal(nearly.mst(g, threads=2).edges, one.edges)
    assert np.array_equal(nearly.mst(g, policy="frontier").edges, one.edges)


@small
def test_max_rounds_gives_part_of_the_forest():
    g = zoo(directed=False, weights="int")["grid"]
    exact = nearly.mst(g)
    for policy in EVERY:
        r = nearly.mst(g, policy=policy, max_rounds=1)
        assert (r.rounds, r.guarantee) == (1, "lower bound")
        assert 0 < r.edges.size < exact.edges.size
        assert set(r.edges.tolist()) < set(exact.edges.tolist())
        assert r.certificate().ok
    left_out = np.setdiff1d(np.flatnonzero(g.arc_sources() < g.targets), exact.edges)[:1]
    wrong = nearly.mst(g, max_rounds=1)
    wrong.values = left_out
    wrong.weight = float(g.weights[left_out].sum())
    assert not wrong.certificate().ok
    negative = reweighted(g, -g.weights.astype(np.float32))
    assert nearly.mst(negative, max_rounds=1).guarantee == "heuristic"
    assert nearly.mst(negative, max_rounds=1).certificate().ok


@small
def test_the_certificate_finds_wrong_forests():
    g = zoo(directed=False, weights="int")["kron-8"]
    r = nearly.mst(g)
    right = r.edges.copy()
    arcs = np.flatnonzero(g.arc_sources() < g.targets)
    others = np.setdiff1d(arcs, right)

    def verdict(edges):
        r.values = np.asarray(edges)
        r.weight = float(g.weights[r.values[(r.values >= 0) & (r.values < g.m)]].sum())
        return r.certificate().ok

    assert verdict(right)
    assert not verdict(right[1:])  # does not span
    assert not verdict(np.sort(np.r_[right, others[:1]]))  # closes a cycle
    assert not verdict(right[::-1])
    assert not verdict([-1])
    assert not verdict([g.m])
    heavy = others[np.argmax(g.weights[others])]
    u, v = g.arc_sources()[heavy], g.targets[heavy]
    tree = nx.Graph((int(g.arc_sources()[e]), int(g.targets[e]), {"arc": e}) for e in right)
    path = nx.shortest_path(tree, int(u), int(v))
    light = min((tree[a][b]["arc"] for a, b in pairwise(path)), key=lambda e: g.weights[e])
    assert g.weights[light] < g.weights[heavy]
    assert not verdict(np.sort([*(e for e in right if e != light), heavy]))  # spans, but is not the lightest
    r.values = right
    r.weight = 1.0
    assert not r.certificate().ok
