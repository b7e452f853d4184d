"""Clusters: edges added, disjoint clusters side by side, iterating them by themselves, and what stays exact."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.algorithms.questions import ask, same
from tests.zoo import arcs_of, graphs

import nearly
from nearly import ClusterLocality, Graph
from nearly.engine.applied import apply
from nearly.engine.technique import Task
from nearly.engine.transform.clusters import Clusters, are_clusters
from nearly.engine.transform.graph_map import NO_ARC
from nearly.techniques.cluster_locality import automatic_threshold, clustering, clusters_of

small = pytest.mark.small
EXACT = ("sssp", "scc", "mst", "connected_components")


def communities(seed: int = 1, weights: str | None = None, directed: bool = False) -> Graph:
    """Twenty communities of twelve."""
    rng = np.random.default_rng(seed)
    near = np.kron(np.eye(20), np.ones((12, 12))) * 0.6 + 0.005
    src, dst = np.nonzero(np.triu(rng.random(near.shape) < near, 1))
    turned = directed & (rng.random(src.size) < 0.5)
    src, dst = np.where(turned, dst, src), np.where(turned, src, dst)
    drawn = {None: None, "int": rng.integers(1, 9, src.size), "float": rng.random(src.size) + 0.1}[weights]
    return Graph.from_edges(src, dst, drawn, n=240, directed=directed)


def new_edges(g: Graph, moved) -> set[tuple[int, int]]:
    back = np.argsort(moved.place)
    arcs = zip(arcs_of(moved.graph), moved.arcs.tolist())
    return {(int(back[u]), int(back[v])) for (u, v, _), e in arcs if e == int(NO_ARC)}


@small
@settings(max_examples=40, deadline=None)
@given(graphs())
def test_coefficients_are_networkx_ones(g):
    view = g.symmetrized()
    lcc, simple = clustering(view)
    plain = nx.Graph((u, v) for u, v, _ in arcs_of(view) if u != v)
    expected = nx.clustering(plain)
    assert lcc == pytest.approx([expected.get(v, 0) for v in range(g.n)])
    assert simple.tolist() == [v in plain and plain.degree[v] > 1 for v in range(g.n)]


@small
def test_the_first_case_joins_neighbours_that_share_neighbours():
    """0 has neighbours 1 to 4 on a path: 3 of 6 pairs are joined; 1-3 and 2-4 share 2 and 3, 1-4 shares nobody."""
    g = Graph.from_edges([0, 0, 0, 0, 1, 2, 3], [1, 2, 3, 4, 2, 3, 4], directed=False)
    lifted = ClusterLocality(threshold=0.6, margin=0.15, max_added=0.2).transform(g, Task("bfs"))
    assert new_edges(g, lifted) == {(1, 3), (3, 1)}  # four of six are enough; room for one edge
    assert lifted.report["vertices lifted"] == 1
    left = ClusterLocality(threshold=0.6, margin=0.05, max_added=0.2).transform(g, Task("bfs"))
    assert left.report["vertices lifted"] == 0


@small
def test_the_second_case_joins_the_least_connected_neighbours():
    """3 has the highest coefficient (4 of 6 pairs of 0, 1, 2, 4); of its neighbours 4 knows the fewest, then 1."""
    g = Graph.from_edges([0, 0, 0, 0, 0, 1, 1, 2, 3], [1, 2, 3, 4, 5, 2, 3, 3, 4], directed=False)
    moved = ClusterLocality(threshold=0.4, margin=0, max_added=0.12).transform(g, Task("bfs"))
    assert new_edges(g, moved) == {(4, 1), (1, 4)}


@small
def test_arcs_follow_directed_paths():
    """1 -> 0 -> 2 -> 3 -> 0: an arc joins 1 and 2 only from 1 to 2."""
    g = Graph.from_edges([1, 0, 2, 3], [0, 2, 3, 0], weights=[5, 7, 1, 1])
    moved = ClusterLocality(threshold=0.9, margin=0.9, max_added=1.0).transform(g, Task("sssp"))
    assert new_edges(g, moved) == {(1, 2)} | (new_edges(g, moved) & {(3, 2)})
    weights = {(u, v): w for u, v, w in arcs_of(moved.graph)}
    assert weights[int(moved.place[1]), int(moved.place[2])] == 12


@small
def test_arcs_may_ignore_directions():
    """2 <- 0 -> 1: nothing leads from 1 to 2 or back, but they have a neighbour in common."""
    g = Graph.from_edges([0, 0, 1, 3], [1, 2, 3, 0], weights=[5, 7, 1, 1])
    free = ClusterLocality(threshold=0.9, margin=0.9, max_added=1.0, paths="any")
    moved = free.transform(g, Task("sssp"))
    assert {(1, 2), (2, 1)} <= new_edges(g, moved)
    weights = {(u, v): w for u, v, w in arcs_of(moved.graph)}
    assert weights[int(moved.place[1]), int(moved.place[2])] == 12
    assert nearly.sssp(g, 2, approx=free).values[1] == 12  # which could not be reached


@settings(max_examples=40, deadline=None)
@given(st.data(), st.sampled_from([None, "int"]))
def test_ignoring_directions_gives_lower_bounds(data, weights):
    g = data.draw(graphs(weights=weights))
    free = ClusterLocality(threshold=0.3, margin=0.3, max_added=1.0, max_cluster=6, paths="any")
    for algorithm in EXACT:
        exact, got = ask(algorithm, g), ask(algorithm, g, approx=free)
        if algorithm in ("mst", "connected_components"):
            assert (got.guarantee, same(algorithm, exact, got)) == ("exact", True)
        else:
            assert got.guarantee == "lower bound"
            assert (got.values <= exact.values).all() if algorithm == "sssp" else got.count <= exact.count
        assert got.certificate().ok


@pytest.mark.parametrize(("directed", "paths"), [(True, "directed"), (True, "any"), (False, "directed")])
def test_the_cap_holds(directed, paths):
    g = communities(directed=directed)
    for share in (0.0, 0.005, 0.05):
        lift = ClusterLocality(threshold=0.7, margin=0.4, max_added=share, paths=paths)
        moved = lift.transform(g, Task("bfs"))
        assert moved.report["arcs added"] <= share * g.m
        assert (moved.report["arcs added"] > 0) == (share > 0)
        assert moved.extra_space <= share


@small
@settings(max_examples=40, deadline=None)
@given(graphs(), st.floats(0, 1), st.integers(2, 9))
def test_clusters_are_disjoint_connected_and_side_by_side(g, threshold, most):
    view = g.symmetrized()
    lcc, simple = clustering(view)
    high = (lcc >= threshold) & simple
    grown = clusters_of(view, lcc, high, most)
    assert sorted(grown.place.tolist()) == list(range(g.n))
    assert grown.depths.size == grown.starts.size - 1
    plain = nx.Graph((int(grown.place[u]), int(grown.place[v])) for u, v, _ in arcs_of(view))
    for low, end in zip(grown.starts[:-1].tolist(), grown.starts[1:].tolist()):
        assert 2 <= end - low <= most
        assert nx.is_connected(plain.subgraph(range(low, end)))
        assert high[np.argsort(grown.place)[low]]
    rest = np.argsort(grown.place)[int(grown.starts[-1]) :]
    assert (np.diff(rest) > 0).all()
    assert are_clusters(Clusters(grown.starts, 4 * grown.depths).packed(), g.n)


@small
def test_damaged_clusters_are_noticed():
    good = Clusters(np.array([0, 3, 5], np.uint64), np.array([4, 4], np.uint64)).packed()
    assert are_clusters(good, 5)
    assert not are_clusters(good, 4)
    assert not are_clusters(good[:-1], 5)
    assert not are_clusters(good.astype(np.int64), 5)
    assert not are_clusters(good[[0, 2, 1, 3, 4]], 5)


@small
def test_automatic_choices_are_reported():
    g = communities()
    lcc, simple = clustering(g)
    moved = ClusterLocality().transform(g, Task("bfs"))
    assert moved.report["threshold"] == pytest.approx((1 + lcc[simple].mean()) / 2)
    assert automatic_threshold(np.zeros(3), np.zeros(3, bool)) == 1.0
    starts, times = Clusters.unpacked(moved.clusters)
    assert moved.report["clusters"] == times.size == starts.size - 1 > 0
    assert moved.report["most iterations"] == times.max() >= 4
    assert ClusterLocality(iterations=0).transform(g, Task("bfs")).clusters is None


@settings(max_examples=40, deadline=None)
@given(st.data(), st.sampled_from([None, "int"]), st.sampled_from(["auto", "topology"]))
def test_distances_components_and_forests_never_change(data, weights, policy):
    g = data.draw(graphs(weights=weights))
    much = ClusterLocality(threshold=0.3, margin=0.3, max_added=1.0, max_cluster=6)
    for algorithm in EXACT:
        exact, got = ask(algorithm, g, policy=policy), ask(algorithm, g, policy=policy, approx=much)
        assert got.guarantee == "exact"
        assert same(algorithm, exact, got)
        assert got.certificate().ok


@pytest.mark.parametrize("policy", ["auto", "topology"])
@pytest.mark.parametrize("directed", [True, False])
def test_without_arcs_added_nothing_changes(policy, directed):
    g = communities(weights="int", directed=directed)
    only = ClusterLocality(threshold=0.4, max_added=0)
    for algorithm in ClusterLocality.guarantees:
        exact, got = ask(algorithm, g, policy=policy), ask(algorithm, g, policy=policy, approx=only)
        if algorithm == "pagerank":
            assert np.abs(exact.values - got.values).sum() < 1e-6
        else:
            assert same(algorithm, exact, got)
        assert got.guarantee == exact.guarantee
        assert got.certificate().ok


@pytest.mark.parametrize("how", [{}, {"weights": False}, {"dangling": "leak"}, {"norm": "max", "tol": 1e-10}])
def test_ranks_converge_to_the_same_fixed_point(how):
    for directed in (True, False):
        g = communities(weights="float", directed=directed)
        exact = nearly.pagerank(g, **{"tol": 1e-12, **how})
        got = nearly.pagerank(g, approx=ClusterLocality(threshold=0.4, max_added=0), **{"tol": 1e-12, **how})
        assert np.abs(exact.values - got.values).sum() <= exact.bound + got.bound
        assert got.bound < 1e-6
        assert got.certificate().ok
        if not how:
            plain = nearly.pagerank(g, tol=1e-12, policy="topology")
            assert got.rounds < plain.rounds  # inside clusters ranks settle by themselves


def test_searches_take_fewer_rounds_and_may_be_cut_short():
    g = nearly.generate.smallworld(3000, 10, 0.02, seed=1)
    moved = ClusterLocality(threshold=0.3, max_added=0)
    exact, got = (nearly.bfs(g, 0, policy="topology", max_rounds=1000, approx=t) for t in (None, moved))
    assert np.array_equal(exact.values, got.values)
    assert got.rounds < exact.rounds
    cut = nearly.bfs(g, 0, policy="topology", max_rounds=2, approx=moved)
    assert cut.guarantee == "upper bound"
    assert cut.certificate().ok


@small
def test_clusters_survive_only_what_keeps_the_numbers():
    g = communities(weights="int")
    task = Task("sssp")
    first = [ClusterLocality(threshold=0.4)]
    assert apply([*first, nearly.RoundWeights()], g, g, task).map.clusters is not None
    assert apply([*first, nearly.NormalizeDegrees(similarity=0)], g, g, task).map.clusters is None
