"""Betweenness against NetworkX, igraph and exact arithmetic; every policy, weights, edges, samples, certificates."""

from __future__ import annotations

import importlib
import random
from fractions import Fraction

import igraph
import networkx as nx
import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.algorithms.push_betweenness import push_dependencies
from tests.zoo import arcs_of, as_networkx, graphs, zoo

import nearly
from nearly import Graph, InvalidArgumentError, InvalidGraphError
from nearly.algorithms.betweenness import sources as summing
from nearly.algorithms.betweenness.sources import Dependencies, dependencies
from nearly.engine.operators.advance import POLICIES

small = pytest.mark.small
EVERY = ("auto", *POLICIES)
PLAIN = numba.config.DISABLE_JIT  # a thousand times slower: smaller graphs have to do
KINDS = [(norm, ends) for norm in (True, False) for ends in (True, False)]


@pytest.fixture(params=["as it is", "as if it were large"])
def both_ways(request, monkeypatch):
    """A small graph by the plain kernel for such graphs, and by the kernels for large ones."""
    if request.param != "as it is":
        monkeypatch.setattr(summing, "WORK", -1)


def simple_zoo(directed, weights=None, most=300):
    """The zoo without parallel arcs, which NetworkX would merge."""
    made = zoo(directed, weights, duplicates="first")
    if PLAIN:
        mask = np.arange(256) < 40
        made["kron-8"] = made["kron-8"].subgraph(mask)
        made["kron-8"].ids = None
    return {name: g for name, g in made.items() if g.n <= most}


def values_of(answer, n):
    return np.array([answer[v] for v in range(n)], np.float64)


def edges_of(g, answer):
    pairs = zip(g.arc_sources().tolist(), g.targets.tolist())
    return np.array([answer[pair] if pair in answer else answer[pair[::-1]] for pair in pairs], np.float64)


def same(got, wanted):
    return np.allclose(got, wanted, rtol=1e-10, atol=1e-13, equal_nan=True)


def exact_dependencies(g, source, weighted=False):
    """Brandes in whole numbers and fractions, parallel arcs counted as paths of their own."""
    arcs = [[] for _ in range(g.n)]
    for u, v, w in arcs_of(g):
        arcs[u].append((v, w if weighted else 1))
    distance, paths = {source: 0}, {source: 1}
    waiting, order = {source}, []
    while waiting:
        u = min(waiting, key=lambda v: distance[v])
        waiting.remove(u)
        order.append(u)
        for v, w in arcs[u]:
            if v not in distance or distance[u] + w < distance[v]:
                distance[v], paths[v] = distance[u] + w, paths[u]
                waiting.add(v)
            elif v not in order and distance[u] + w == distance[v]:
                paths[v] += paths[u]
    delta = dict.fromkeys(order, Fraction(0))
    for u in reversed(order):
        for v, w in arcs[u]:
            if v != u and distance[u] + w == distance[v]:
                delta[u] += Fraction(paths[u], paths[v]) * (1 + delta[v])
    return np.array([float(delta.get(v, 0)) if v != source else 0.0 for v in range(g.n)])


@small
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.usefixtures("both_ways")
def test_against_networkx(directed):
    for i, (name, g) in enumerate(simple_zoo(directed, most=300).items()):
        norm, ends = KINDS[i % 4]
        wanted = nx.betweenness_centrality(as_networkx(g), normalized=norm, endpoints=ends)
        r = nearly.betweenness(g, normalized=norm, endpoints=ends)
        assert same(r.values, values_of(wanted, g.n)), name
        assert r.guarantee == "exact", name
        assert r.certificate().ok, name
        assert r.rounds == g.n, name


@small
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("directed", [True, False])
def test_policies_on_a_graph_with_hubs(directed, policy):
    g = simple_zoo(directed)["kron-8"]
    auto = nearly.betweenness(g, sources=range(9), edges=True)
    r = nearly.betweenness(g, sources=range(9), edges=True, policy=policy, threshold=5)
    assert same(r.values, auto.values)
    assert same(r.edge_values, auto.edge_values)


@small
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize(("weights", "work"), [(None, summing.WORK), (None, -1), ("int", -1), ("float", -1)])
def test_vertices_and_edges(monkeypatch, directed, weights, work):
    monkeypatch.setattr(summing, "WORK", work)
    weight = None if weights is None else "weight"
    for name, g in simple_zoo(directed, weights).items():
        other = as_networkx(g)
        for norm, ends in KINDS[:: 3 if g.n > 100 else 1]:
            r = nearly.betweenness(g, normalized=norm, endpoints=ends, edges=True, weights=weights is not None)
            wanted = nx.betweenness_centrality(other, normalized=norm, endpoints=ends, weight=weight)
            assert same(r.values, values_of(wanted, g.n)), (name, norm, ends)
            on_edges = nx.edge_betweenness_centrality(other, normalized=norm, weight=weight)
            assert same(r.edge_values, edges_of(g, on_edges)), (name, norm, ends)
            assert r.certificate().ok


@small
@pytest.mark.parametrize(("norm", "ends"), KINDS)
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.usefixtures("both_ways")
def test_chosen_sources_scale_as_networkx_scales_its_sample(directed, norm, ends):
    g = simple_zoo(directed)["kron-8"]
    for k in (1, 2, 7, 20):
        sample = random.Random(5).sample(list(range(g.n)), k)
        wanted = nx.betweenness_centrality(as_networkx(g), k=k, seed=5, normalized=norm, endpoints=ends)
        r = nearly.betweenness(g, sources=sample, normalized=norm, endpoints=ends, edges=True)
        assert same(r.values, np.nan_to_num(values_of(wanted, g.n)))  # NetworkX has no number for an only source
        on_edges = nx.edge_betweenness_centrality(as_networkx(g), k=k, seed=5, normalized=norm)
        assert same(r.edge_values, edges_of(g, on_edges))
        assert (r.guarantee, r.sources.tolist(), r.rounds) == ("heuristic", sample, k)
        assert r.certificate().ok


@small
@pytest.mark.usefixtures("both_ways")
def test_random_sources():
    g = simple_zoo(False)["kron-8"]
    r = nearly.betweenness(g, sources=20, seed=3)
    assert np.unique(r.sources).size == 20
    assert r.guarantee == "estimated"
    assert r.certificate().ok
    assert 0 < r.certificate().bound <= 1
    assert same(r.values, nearly.betweenness(g, sources=r.sources).values)
    assert np.array_equal(r.values, nearly.betweenness(g, sources=20, seed=3).values)
    assert not np.array_equal(r.sources, nearly.betweenness(g, sources=20, seed=4).sources)
    assert np.abs(r.values - nearly.betweenness(g).values).max() <= r.certificate().bound
    everyone = nearly.betweenness(g, sources=g.n)
    assert (everyone.guarantee, everyone.sources) == ("exact", None)


@small
@settings(max_examples=10 if PLAIN else 40, deadline=None)
@given(graphs(), st.sampled_from((*EVERY, "as if it were large")), st.sampled_from(KINDS))
def test_random_graphs(g, policy, kind):
    with pytest.MonkeyPatch.context() as patch:
        if policy == "as if it were large":
            patch.setattr(summing, "WORK", -1)
            policy = "auto"
        r = nearly.betweenness(g, policy=policy, normalized=kind[0], endpoints=kind[1])
    wanted = nx.betweenness_centrality(as_networkx(g), normalized=kind[0], endpoints=kind[1])
    assert same(r.values, values_of(wanted, g.n))


@small
@settings(max_examples=10 if PLAIN else 30, deadline=None)
@given(graphs(weights="float"), st.booleans())
def test_random_weighted_graphs(g, ends):
    r = nearly.betweenness(g, weights=True, endpoints=ends)
    wanted = nx.betweenness_centrality(as_networkx(g), weight="weight", endpoints=ends)
    assert same(r.values, values_of(wanted, g.n))


@small
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.usefixtures("both_ways")
def test_parallel_arcs_are_paths_of_their_own(weighted):
    src, dst = [0, 0, 0, 1, 2, 2, 1, 3], [1, 1, 2, 3, 3, 3, 1, 4]
    g = Graph.from_edges(src, dst, [2, 2, 1, 1, 2, 2, 1, 3], duplicates="keep")
    wanted = sum(exact_dependencies(g, s, weighted) for s in range(g.n))
    for policy in EVERY if not weighted else ("auto",):
        r = nearly.betweenness(g, normalized=False, policy=policy, weights=weighted)
        assert same(r.values, wanted)
    weights = [2.0, 2.0, 1.0, 1.0, 2.0, 2.0, 1.0, 3.0] if weighted else None
    other = igraph.Graph(g.n, list(zip(src, dst)), directed=True)
    assert same(wanted, other.betweenness(weights=weights))


def diamonds(count, weights=False):
    """So many diamonds in a row: 2**count shortest paths from end to end."""
    top = 3 * np.arange(count)
    src = np.concatenate([top, top, top + 1, top + 2])
    dst = np.concatenate([top + 1, top + 2, top + 3, top + 3])
    return Graph.from_edges(src, dst, np.ones(src.size) if weights else None, directed=False)


@pytest.mark.parametrize("policy", [*EVERY, "weights"])
@pytest.mark.usefixtures("both_ways")
def test_more_paths_than_a_float_holds(policy):
    weighted = policy == "weights"
    g = diamonds(1100, weighted)  # 2**1100 is beyond float64
    wanted = np.zeros(g.n)
    rest = g.n - 1 - np.arange(g.n)
    wanted[::3] = rest[::3]  # every path to what is behind leads through
    wanted[1::3] = wanted[2::3] = rest[2::3] / 2
    r = nearly.betweenness(
        g, sources=[0], normalized=False, endpoints=True, policy="auto" if weighted else policy, weights=weighted
    )
    got = r.values * 2 / g.n - 1
    got[0] = wanted[0]
    assert np.allclose(got, wanted, rtol=1e-9)
    assert r.certificate().ok


def test_sources_with_too_many_paths_leave_the_others_as_they_are():
    g = diamonds(970)  # from the ends too many paths lead to the other end, from the middle they do not
    made, ends = [0, 3 * 485, g.n - 1, 7], [[s] for s in (0, 3 * 485, g.n - 1, 7)]
    assert same(dependencies(g, made), sum(dependencies(g, one) for one in ends))
    assert np.array_equal(dependencies(g, made), dependencies(g, made, threads=2))


@small
def test_scaled_weights_change_nothing():
    g = simple_zoo(True, "int")["kron-8"]
    heavier = Graph(g.offsets, g.targets, g.weights.astype(np.float64) * 2**20)
    by_weight = [nearly.betweenness(h, sources=range(20), weights=True).values for h in (g, heavier)]
    assert np.array_equal(*by_weight)


@small
@pytest.mark.usefixtures("both_ways")
def test_a_union_adds_and_isolated_vertices_change_nothing():
    a, b = simple_zoo(False)["grid"], simple_zoo(False)["star"]
    src = np.concatenate([a.arc_sources(), b.arc_sources() + a.n])
    dst = np.concatenate([a.targets, b.targets + a.n])
    both = Graph.from_edges(src, dst, n=a.n + b.n + 5, directed=False)
    parts = [nearly.betweenness(g, normalized=False).values for g in (a, b)]
    assert same(nearly.betweenness(both, normalized=False).values, np.concatenate([*parts, np.zeros(5)]))


@small
@pytest.mark.usefixtures("both_ways")
def test_the_sum_over_all_vertices_is_the_sum_of_distances():
    g = simple_zoo(True)["kron-8"]
    inner = sum(d - 1 for _, row in nx.all_pairs_shortest_path_length(as_networkx(g)) for d in row.values() if d)
    assert nearly.betweenness(g, normalized=False).values.sum() == pytest.approx(inner, rel=1e-12)


@small
@pytest.mark.usefixtures("both_ways")
def test_dependencies_of_a_batch():
    g = simple_zoo(False)["kron-8"]
    sources = [3, 20, 17, 9, 1, 2, 4, 5, 6, 30]
    for batch in (sources[:2], sources):
        assert same(dependencies(g, batch), sum(push_dependencies(g, s) for s in batch))
        assert same(dependencies(g, batch), sum(exact_dependencies(g, s) for s in batch))


@small
@pytest.mark.usefixtures("both_ways")
def test_stopped_early():
    g = simple_zoo(False)["grid"]
    exact = nearly.betweenness(g).values
    r = nearly.betweenness(g, max_rounds=20)
    assert (r.guarantee, r.rounds, r.sources.tolist()) == ("lower bound", 20, list(range(20)))
    assert (r.values <= exact + 1e-15).all()
    assert r.certificate().ok
    assert nearly.betweenness(g, sources=30, max_rounds=10).guarantee == "estimated"


@small
@pytest.mark.parametrize("options", [{}, {"sources": 20}, {"sources": [1, 2, 3]}, {"weights": True}, {"max_rounds": 9}])
def test_the_certificate_finds_wrong_values(options):
    g = simple_zoo(False, "int")["grid"]
    r = nearly.betweenness(g, **options)
    right = r.values
    assert r.certificate().ok
    for wrong in (right * 1.01, np.where(np.arange(g.n) == 30, right + 1e-6, right), np.zeros(g.n)):
        r.values = wrong
        assert not r.certificate().ok


def test_the_certificate_of_many_sources_is_a_sample(monkeypatch):
    g = nearly.generate.rmat(scale=10, edge_factor=8, seed=1)
    r = nearly.betweenness(g, sources=400)
    check = importlib.import_module("nearly.algorithms.betweenness.certificate")
    monkeypatch.setattr(check, "_WORK", 120 * 4 * (g.n + g.m + 1))
    found = r.certificate()
    assert found.ok
    assert "120 of 400" in found.claim
    right = r.values
    for wrong in (right * 0.1, right + 0.9):
        r.values = wrong
        assert not r.certificate().ok


@small
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sources": 0}, "sources must be a number from 1 to 7"),
        ({"sources": 8}, "sources must be a number from 1 to 7"),
        ({"sources": True}, "sources must be None"),
        ({"sources": 2.5}, "sources must be None"),
        ({"sources": []}, "sources must name at least one vertex"),
        ({"sources": [7]}, "each once, from 0 to 6"),
        ({"sources": [1, 1]}, "each once"),
        ({"sources": [-1]}, "from 0 to 6"),
        ({"sources": [0.5]}, "sources must be None"),
        ({"sources": [[0]]}, "sources must be None"),
        ({"normalized": 1}, "normalized must be True or False"),
        ({"endpoints": None}, "endpoints must be True or False"),
        ({"edges": "yes"}, "edges must be True or False"),
        ({"weights": 2}, "weights must be True or False"),
        ({"weights": True, "policy": "split"}, "by weights has policy 'auto' only"),
    ],
)
def test_bad_arguments(options, message):
    with pytest.raises(InvalidArgumentError, match=message):
        nearly.betweenness(simple_zoo(True, "int")["path"], **options)


@small
def test_weights_must_be_above_zero():
    g = Graph.from_edges([0, 1], [1, 2], weights=[1, 0])
    with pytest.raises(InvalidGraphError, match="weights above 0"):
        nearly.betweenness(g, weights=True)
    assert nearly.betweenness(g, normalized=False).values.tolist() == [0, 1, 0]


@small
def test_an_unweighted_graph_has_no_weights_to_use():
    g = simple_zoo(True)["grid"]
    assert np.array_equal(nearly.betweenness(g, weights=True).values, nearly.betweenness(g).values)


@pytest.mark.usefixtures("both_ways")
def test_against_igraph_on_random_graphs():
    differential(range(120))


@pytest.mark.full
def test_against_igraph_on_many_random_graphs():
    differential(range(120, 2500))


def differential(seeds):
    for seed in seeds:
        rng = np.random.default_rng(seed)
        n, directed, weighted = int(rng.integers(1, 60)), bool(seed % 2), bool(seed % 3)
        m = int(rng.integers(0, 4 * n))
        src, dst = rng.integers(0, n, m), rng.integers(0, n, m)
        g = Graph.from_edges(src, dst, rng.integers(1, 5, m) if weighted else None, n=n, directed=directed)
        arcs = [arc for arc in arcs_of(g) if directed or arc[0] <= arc[1]]
        other = igraph.Graph(n, [arc[:2] for arc in arcs], directed=directed)
        lengths = [float(w) for *_, w in arcs] if weighted else None
        r = nearly.betweenness(g, weights=weighted, normalized=False, edges=True)
        assert same(r.values, other.betweenness(weights=lengths)), seed
        on_edges = dict(zip((arc[:2] for arc in arcs), other.edge_betweenness(weights=lengths)))
        assert same(r.edge_values, edges_of(g, on_edges)), seed


def test_few_sources_give_the_same_bits_on_any_number_of_threads():
    g = nearly.generate.rmat(scale=18, edge_factor=4, seed=1)
    one, two, again = (nearly.betweenness(g, sources=3, threads=t) for t in (1, 2, 2))
    assert np.array_equal(one.values, two.values)
    assert np.array_equal(two.values, again.values)
    first = nearly.betweenness(g, sources=one.sources[:1], normalized=False, endpoints=True).values * 2 / g.n
    assert np.isfinite(first).all()


def test_large_graphs_agree_with_a_push_version():
    g = nearly.generate.rmat(scale=17, edge_factor=8, seed=2)
    for source in (0, g.n // 2, int(np.argmax(g.out_degrees))):
        assert np.allclose(dependencies(g, [source]), push_dependencies(g, source), rtol=1e-9)


def test_dependencies_on_a_large_grid_sum_to_distances():
    g = nearly.generate.grid(700, 700, seed=1)  # 10**400 paths from corner to corner
    for source in (0, g.n // 2 + 350):
        hops = nearly.bfs(g, source).values
        assert dependencies(g, [source]).sum() == pytest.approx((hops[hops > 0] - 1).sum(), rel=1e-9)


def test_all_sources_of_a_small_graph_are_worth_all_threads(monkeypatch):
    module, seen = importlib.import_module("nearly.algorithms.betweenness"), []

    def noted(run, *args, **keywords):
        seen.append(run.threads)
        return Dependencies(run, *args, **keywords)

    monkeypatch.setattr(module, "Dependencies", noted)
    for side in (30, 3):
        nearly.betweenness(nearly.generate.grid(side, side))
    assert seen == [min(nearly.get_threads(), 2), 1]


def test_only_what_may_take_long_is_run_aside(monkeypatch):
    """Work from a few given sources is counted as such; see `nearly.base.aside`."""
    from nearly.engine import algorithm

    g = nearly.generate.random(2000, 8000, seed=1, directed=False)
    sent = []
    monkeypatch.setattr(algorithm, "aside", lambda body, look: sent.append(1) or body())
    exact = nearly.betweenness(g)
    assert len(sent) == 1
    for sources in ([5], (5, 6), np.array([7])):
        nearly.betweenness(g, sources=sources)
    assert len(sent) == 1
    assert np.allclose(nearly.betweenness(g, sources=np.arange(g.n)).values, exact.values)
    assert len(sent) == 2
