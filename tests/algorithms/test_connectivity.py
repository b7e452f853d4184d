"""Cut vertices, bridges, biconnected components, topological order and sides, against NetworkX and igraph."""

from __future__ import annotations

import igraph
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from tests.zoo import as_networkx, graphs, zoo

import nearly
from nearly import Graph, InvalidArgumentError

small = pytest.mark.small
both_kinds = pytest.mark.parametrize("directed", [True, False])


def simple(g):
    made = as_networkx(g).to_undirected()
    made.remove_edges_from(list(nx.selfloop_edges(made)))
    return made


def arcs(g):
    return list(zip(g.arc_sources().tolist(), g.targets.tolist()))


def check_connectivity(g):
    oracle = simple(g)
    points = nearly.articulation_points(g)
    assert points.vertices.tolist() == sorted(nx.articulation_points(oracle))
    assert points.count == points.values.sum()
    found = nearly.bridges(g)
    expected = {tuple(sorted(pair)) for pair in nx.bridges(oracle)}
    assert {tuple(pair) for pair in found.pairs.tolist()} == expected
    assert found.count == len(expected) == len(found.edges)
    assert found.values.tolist() == [tuple(sorted(arc)) in expected for arc in arcs(g)]
    parts = nearly.biconnected_components(g)
    assert sorted(part.tolist() for part in parts.components) == sorted(map(sorted, nx.biconnected_components(oracle)))
    assert parts.count == len(parts.components)
    assert parts.largest == max(map(len, parts.components), default=0)
    number = {frozenset(e): c for c, es in enumerate(nx.biconnected_component_edges(oracle)) for e in es}
    pairs = {(ours, number.get(frozenset(arc), -1)) for arc, ours in zip(arcs(g), parts.values.tolist())}
    assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
    assert all((a < 0) == (b < 0) for a, b in pairs)
    assert points.certificate().ok
    assert found.certificate().ok
    assert parts.certificate().ok


@small
@both_kinds
def test_connectivity_of_the_zoo(directed):
    for g in zoo(directed).values():
        check_connectivity(g)


@small
@settings(max_examples=80, deadline=None)
@given(graphs())
def test_connectivity_of_random_graphs(g):
    check_connectivity(g)


@small
def test_parallel_edges_are_no_bridge():
    src, dst = [0, 0, 1, 2], [1, 1, 2, 3]
    g = Graph.from_edges(src, dst, directed=False, duplicates="keep")
    r = nearly.bridges(g)
    assert r.pairs.tolist() == [[1, 2], [2, 3]]
    assert r.certificate().ok
    assert nearly.bridges(Graph.from_edges(src, dst, duplicates="keep")).count == 3  # arcs of a directed graph
    assert nearly.articulation_points(g).vertices.tolist() == [1, 2]


@small
def test_the_two_directions_of_an_edge_are_one_bridge():
    r = nearly.bridges(Graph.from_edges([0, 1, 2], [1, 0, 1]))
    assert r.values.tolist() == [True, True, True]
    assert r.edges.tolist() == [0, 2]
    assert r.pairs.tolist() == [[0, 1], [1, 2]]


def test_large_graphs_agree_with_igraph():
    road = nearly.generate.grid(700, 600, seed=1)
    rng = np.random.default_rng(2)
    arcs = np.flatnonzero((road.arc_sources() < road.targets) & (rng.random(road.m) < 0.62))
    sparse = Graph.from_edges(road.arc_sources()[arcs], road.targets[arcs], n=road.n, directed=False)
    for g in (nearly.generate.rmat(15, 4, seed=2, directed=False), sparse):
        once = g.arc_sources() < g.targets
        theirs = igraph.Graph(n=g.n, edges=np.stack([g.arc_sources()[once], g.targets[once]], 1).astype(np.int64))
        assert nearly.articulation_points(g).vertices.tolist() == sorted(theirs.articulation_points())
        ends = np.array(theirs.get_edgelist())[theirs.bridges()]
        assert sorted(map(tuple, ends.tolist())) == sorted(map(tuple, nearly.bridges(g).pairs.tolist()))
        parts = nearly.biconnected_components(g)
        assert sorted(map(tuple, map(sorted, theirs.biconnected_components()))) == sorted(
            tuple(p.tolist()) for p in parts.components
        )
        assert parts.certificate().ok


def test_a_path_of_a_million_vertices_overflows_nothing():
    n = 1_000_000
    g = Graph.from_edges(np.arange(n - 1), np.arange(1, n), directed=False)
    assert nearly.bridges(g).count == n - 1
    assert nearly.articulation_points(g).count == n - 2
    assert nearly.biconnected_components(g).count == n - 1


def check_order(g):
    r, oracle = nearly.topological_sort(g), as_networkx(g)
    dag = g.directed and nx.is_directed_acyclic_graph(oracle)
    assert r.is_dag == nearly.is_dag(g) == (dag or g.m == 0)
    assert r.certificate().ok
    if dag:
        generation = {v: i for i, some in enumerate(nx.topological_generations(oracle)) for v in some}
        assert r.values.tolist() == [generation[v] for v in range(g.n)]
        place = np.empty(g.n, np.int64)
        place[r.order] = np.arange(g.n)
        assert all(place[u] < place[v] for u, v in arcs(g))
        assert r.cycle.size == 0
    else:
        behind = {v for part in nx.strongly_connected_components(nx.DiGraph(oracle)) for v in part if len(part) > 1}
        behind |= set(nx.nodes_with_selfloops(oracle))
        behind |= {w for v in behind for w in nx.descendants(oracle, v)}
        assert set(np.flatnonzero(r.values < 0).tolist()) == behind
        assert r.order.size == g.n - len(behind)


@small
@both_kinds
def test_orders_of_the_zoo(directed):
    for g in zoo(directed).values():
        check_order(g)


@small
@settings(max_examples=80, deadline=None)
@given(graphs(), graphs(directed=True))
def test_orders_of_random_graphs(g, other):
    check_order(g)
    src, dst = other.arc_sources().astype(np.int64), other.targets.astype(np.int64)
    check_order(Graph.from_edges(np.minimum(src, dst)[src != dst], np.maximum(src, dst)[src != dst], n=other.n))


@small
def test_a_wrong_cycle_or_order_is_noticed():
    r = nearly.topological_sort(Graph.from_edges([0, 1, 2, 2], [1, 2, 1, 3]))
    r.cycle = np.array([0, 1])
    assert not r.certificate().ok
    r = nearly.topological_sort(zoo()["path"])
    r.order = r.order[::-1]
    assert not r.certificate().ok
    with pytest.raises(InvalidArgumentError, match=r"is_dag needs a nearly\.Graph"):
        nearly.is_dag(3)


def check_sides(g):
    r, oracle = nearly.bipartite(g), as_networkx(g).to_undirected()
    assert r.is_bipartite == nx.is_bipartite(oracle)
    assert r.certificate().ok
    assert r.values.dtype == np.int8
    if r.is_bipartite:
        assert r.odd_cycle.size == 0
        assert all(r.values[u] != r.values[v] for u, v in arcs(g))
        assert all(r.values[min(part)] == 0 for part in nx.connected_components(oracle))
    else:
        assert len(r.odd_cycle) % 2 == 1
        assert all(oracle.has_edge(u, v) for u, v in zip(r.odd_cycle, np.roll(r.odd_cycle, 1)))
        r.odd_cycle = np.append(r.odd_cycle, r.odd_cycle[:1])
        assert not r.certificate().ok


@small
@both_kinds
def test_sides_in_the_zoo(directed):
    for g in zoo(directed).values():
        check_sides(g)


@small
@settings(max_examples=100, deadline=None)
@given(graphs(most=12))
def test_sides_of_random_graphs(g):
    check_sides(g)
    src, dst = g.arc_sources().astype(np.int64), g.targets.astype(np.int64)
    check_sides(Graph.from_edges(src, dst + g.n, n=2 * g.n, directed=g.directed))
