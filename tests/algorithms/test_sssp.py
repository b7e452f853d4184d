"""SSSP against NetworkX and SciPy under every policy; overflow, parents, certificate, bad arguments, repeated runs."""

from __future__ import annotations

import math
import pickle

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import dijkstra
from tests.zoo import arcs_of, as_networkx, graphs, zoo

import nearly
from nearly import Graph, InvalidArgumentError
from nearly.algorithms.shared import length_search
from nearly.engine.operators.advance import POLICIES

EVERY = ("auto", *POLICIES)
small = pytest.mark.small


def oracle(g, source):
    lengths = nx.single_source_dijkstra_path_length(as_networkx(g), source)
    return np.array([lengths.get(v, math.inf) for v in range(g.n)])


def random_graph(rng, weights):
    n, m = int(rng.integers(2, 60)), int(rng.integers(1, 200))
    drawn = {"int": rng.integers(0, 50, m), "float": rng.random(m), "none": None}[weights]
    return Graph.from_edges(rng.integers(0, n, m), rng.integers(0, n, m), drawn, n=n, directed=bool(rng.integers(2)))


@small
@pytest.mark.parametrize("weights", [None, "int", "float", "zero"])
def test_against_networkx(weights):
    for directed in (True, False):
        for name, g in zoo(directed, weights).items():
            for source in {0, g.n - 1} & set(range(g.n)):
                r = nearly.sssp(g, source)
                expected = oracle(g, source)
                if weights == "float":
                    assert r.values.dtype == np.float32
                    np.testing.assert_allclose(r.values, expected, rtol=1e-5, err_msg=name)
                else:
                    assert r.values.dtype == np.float64
                    assert r.values.tolist() == expected.tolist(), (name, source)
                assert r.guarantee == "exact"
                assert r.certificate().ok, (name, source)


@small
@settings(max_examples=60, deadline=None)
@given(graphs(weights="int"), st.sampled_from(EVERY), st.data())
def test_random_graphs(g, policy, data):
    source = data.draw(st.integers(0, g.n - 1))
    r = nearly.sssp(g, source, policy=policy)
    assert r.values.tolist() == oracle(g, source).tolist()
    parents = r.parents.tolist()
    for v, p in enumerate(parents):
        assert (p == -1) == (v == source or math.isinf(r.values[v]))
        if p >= 0:
            assert any(r.values[p] + w == r.values[v] for u, t, w in arcs_of(g) if (u, t) == (p, v))
            hops = 0
            while v != source:  # zero-weight cycles must not trap the way back
                v, hops = parents[v], hops + 1
                assert hops <= g.n


@small
def test_float_answers_are_the_same_bits_under_every_policy():
    rng = np.random.default_rng(5)
    for weight_dtype in ("float32", "float64"):
        src, dst = rng.integers(0, 300, 2000), rng.integers(0, 300, 2000)
        g = Graph.from_edges(src, dst, rng.random(2000), weight_dtype=weight_dtype)
        answers = [nearly.sssp(g, 0, policy=p, threads=t).values for p in EVERY for t in (1, 2)]
        assert all(a.dtype == weight_dtype and np.array_equal(a, answers[0]) for a in answers)
        np.testing.assert_allclose(answers[0], oracle(g, 0), rtol=1e-5 if weight_dtype == "float32" else 1e-12)


@small
@pytest.mark.parametrize("delta", ["auto", 0.001, 1, np.float32(7.5), 1e300])
def test_delta_changes_nothing_but_the_order(delta):
    for g in zoo(True, "int").values():
        if g.n:
            assert nearly.sssp(g, 0, delta=delta).values.tolist() == oracle(g, 0).tolist()


@small
@pytest.mark.parametrize("policy", EVERY)
def test_paths_longer_than_32_bits(policy):
    big = 2**32 - 1
    g = Graph.from_edges([0, 1, 2, 0, 4], [1, 2, 3, 4, 5], [big - 5, 5, 7, big, 0], n=7)
    r = nearly.sssp(g, 0, policy=policy)
    assert r.values.tolist() == [0, big - 5, big, big + 7, big, big, math.inf]
    assert r.guarantee == "exact"
    assert r.certificate().ok


@small
def test_a_long_way_beside_a_short_one_is_no_overflow():
    g = Graph.from_edges([0, 1, 0], [1, 2, 2], [2**32 - 2, 9, 3])
    assert nearly.sssp(g, 0).values.tolist() == [0, 2**32 - 2, 3]


@small
def test_float32_paths_beyond_its_range_are_found_in_float64():
    g = Graph.from_edges([0, 1], [1, 2], [3e38, 3e38], weight_dtype="float32")
    r = nearly.sssp(g, 0)
    assert r.values.dtype == np.float64
    np.testing.assert_allclose(r.values, [0, 3e38, 6e38], rtol=1e-6)


@small
def test_weights_false_counts_hops():
    for g in zoo(True, "int").values():
        if g.n:
            levels = nearly.bfs(g, 0).values
            r = nearly.sssp(g, 0, weights=False)
            assert r.values.tolist() == np.where(levels < 0, np.inf, levels).tolist()
            assert r.certificate().ok


@small
@pytest.mark.parametrize("policy", EVERY)
@pytest.mark.parametrize("weights", ["int", "float"])
def test_max_rounds_gives_an_upper_bound_that_depends_on_nothing_else(policy, weights):
    g = zoo(True, weights)["kron-8"]
    source = int(np.argmax(g.out_degrees))
    exact = nearly.sssp(g, source).values
    cut = [nearly.sssp(g, source, policy=policy, threads=t, max_rounds=2) for t in (1, 2) for _ in range(3)]
    for r in cut:
        assert (r.guarantee, r.rounds) == ("upper bound", 2)
        assert np.array_equal(r.values, cut[0].values)
        assert r.certificate().ok
    reference = np.full(g.n, np.inf)  # Bellman-Ford, two rounds
    reference[source] = 0
    for _ in range(2):
        before = reference.copy()
        for u, v, w in arcs_of(g):
            reference[v] = min(reference[v], before[u] + w)
    np.testing.assert_allclose(cut[0].values, reference, rtol=1e-6)
    assert (cut[0].values >= exact).all()
    assert not np.array_equal(cut[0].values, exact)


@small
def test_metamorphic():
    rng = np.random.default_rng(3)
    for trial in range(20):
        g = random_graph(rng, ("int", "float")[trial % 2])
        source = int(rng.integers(g.n))
        values = nearly.sssp(g, source).values
        scaled = Graph(g.offsets, g.targets, g.weights * g.weights.dtype.type(4), directed=g.directed)
        assert np.array_equal(nearly.sssp(scaled, source).values, values * 4)
        more = Graph(np.append(g.offsets, [g.m, g.m]), g.targets, g.weights, directed=g.directed)
        assert nearly.sssp(more, source).values.tolist() == [*values.tolist(), math.inf, math.inf]


def differential(trials, seed):
    rng = np.random.default_rng(seed)
    for trial in range(trials):
        g = random_graph(rng, ("int", "float", "none")[trial % 3])
        source = int(rng.integers(g.n))
        matrix = g.to_scipy().astype(np.float64)
        if g.weighted and (g.weights == 0).any():  # SciPy drops zeros it is given, NetworkX does not
            expected = oracle(g, source)
        else:
            expected = dijkstra(matrix, indices=source)
        policy = EVERY[trial % len(EVERY)]
        np.testing.assert_allclose(
            nearly.sssp(g, source, policy=policy).values, expected, rtol=1e-5, err_msg=str(trial)
        )


@small
def test_against_scipy_and_networkx():
    differential(150, 11)


@pytest.mark.full
def test_against_scipy_and_networkx_many():
    differential(3000, 12)


@small
def test_the_certificate_finds_a_wrong_distance():
    r = nearly.sssp(zoo(True, "int")["path"], 0)
    assert r.certificate().ok
    right = r.values[3]
    for wrong in (right - 1, right + 1, math.inf):
        r.values[3] = wrong
        assert not r.certificate().ok
    r.values[3] = right
    r.values[0] = 1
    assert not r.certificate().ok


@small
def test_bad_arguments():
    g = zoo(True, "int")["path"]
    for delta in (0, -1, math.nan, math.inf, "wide", True, None):
        with pytest.raises(InvalidArgumentError, match="delta must be 'auto' or a"):
            nearly.sssp(g, 0, delta=delta)
    negative = Graph.from_edges([0, 1], [1, 2], [1.0, -2.5], negative="keep")
    for policy in EVERY:
        with pytest.raises(InvalidArgumentError, match=r"-2\.5; shift or drop negative weights, or pass weights=False"):
            nearly.sssp(negative, 0, policy=policy)
    assert nearly.sssp(negative, 0, weights=False).values.tolist() == [0, 1, 2]


@small
@pytest.mark.parametrize("threads", [1, 2])
def test_entries_that_find_no_room_are_made_up_for(threads):
    """Every vertex in the middle shortens the way to all at the end, which wait: 40,000 entries in room for 21,000."""
    middle, end = 20, 2000
    first, last = np.arange(1, middle + 1), np.arange(middle + 1, middle + end + 1)
    src = np.concatenate([np.zeros(middle, np.int64), np.repeat(first, end)])
    dst = np.concatenate([first, np.tile(last, middle)])
    weight = np.concatenate([first, np.repeat(10_000 - 150 * first, end) + np.tile(last, middle)])
    g = Graph.from_edges(src, dst, weight, n=middle + end + 3)
    expected = dijkstra(g.to_scipy().astype(np.float64), indices=0).tolist()
    for delta in (0.5, 1, 100):
        assert nearly.sssp(g, 0, delta=delta, threads=threads).values.tolist() == expected


@small
def test_searches_leave_no_trace_in_the_memory_they_share():
    rng = np.random.default_rng(8)
    g = Graph.from_edges(np.arange(400) // 2, np.arange(400), rng.integers(1, 9, 400), n=5000)
    expected = [oracle(g, source).tolist() for source in (0, 3, 90, 150)]
    for _ in range(2):
        assert [nearly.sssp(g, source).values.tolist() for source in (0, 3, 90, 150)] == expected
    assert g.__dict__["_work_memory"]
    assert not pickle.loads(pickle.dumps(g)).__dict__.get("_work_memory")


@pytest.fixture
def soon_together(monkeypatch):
    """Other threads are taken in by searches that are not long yet."""
    monkeypatch.setattr(length_search, "_LONG", np.uint64(1 << 15))


def test_sixty_runs_on_a_large_graph_agree(soon_together):
    g = nearly.generate.grid(520, 520, seed=3)
    rng = np.random.default_rng(1)
    half = rng.integers(1, 1000, g.m).astype(np.uint32)
    g = Graph(g.offsets, g.targets, half, directed=True)
    assert g.n >= 250_000
    reference = dijkstra(g.to_scipy().astype(np.float64), indices=7)
    for run in range(60):
        r = nearly.sssp(g, 7, threads=1 + run % 2, policy="auto" if run % 6 else "frontier")
        assert np.array_equal(r.values, reference), run
    assert r.certificate().ok


def test_sixty_runs_on_a_skewed_graph_agree(soon_together):
    g = nearly.generate.rmat(scale=18, edge_factor=8, seed=2)
    w = np.random.default_rng(2).random(g.m).astype(np.float32)
    g = Graph(g.offsets, g.targets, w, directed=True)
    source = int(np.argmax(g.out_degrees))
    first = nearly.sssp(g, source, threads=1, policy="frontier").values
    for run in range(60):
        assert np.array_equal(nearly.sssp(g, source, threads=2, delta=10.0 ** (run % 3 - 1)).values, first), run
