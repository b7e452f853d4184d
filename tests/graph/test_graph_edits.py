"""Graphs made from a graph by leaving out and adding vertices and edges, against NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.zoo import as_networkx, graphs, zoo

import nearly
from nearly import Graph, InvalidArgumentError

pytestmark = pytest.mark.small


def edges(g):
    """The arcs under the original ids, with weights."""
    names = np.arange(g.n) if g.ids is None else g.ids
    weights = np.ones(g.m) if g.weights is None else g.weights
    return sorted(zip(names[g.arc_sources()].tolist(), names[g.targets].tolist(), weights.tolist()))


def arcs_of_networkx(made):
    directed = made if made.is_directed() else made.to_directed()
    return sorted((u, v, w) for u, v, w in directed.edges(data="weight"))


@settings(max_examples=80, deadline=None)
@given(graphs(weights="int"), st.data())
def test_subgraph_and_ego(g, data):
    oracle = as_networkx(g)
    some = data.draw(st.lists(st.integers(0, g.n - 1)))
    for chosen in (some, np.isin(np.arange(g.n), some)):
        made = nearly.subgraph(g, chosen)
        assert made.ids.tolist() == sorted(set(some))
        assert edges(made) == arcs_of_networkx(oracle.subgraph(some))
        assert (made.directed, made.weights.dtype) == (g.directed, g.weights.dtype)
        made.validate()
    v, radius = data.draw(st.integers(0, g.n - 1)), data.draw(st.integers(0, 4))
    near = nearly.ego(g, v, radius)
    expected = nx.ego_graph(oracle, v, radius)
    assert near.ids.tolist() == sorted(expected)
    assert edges(near) == arcs_of_networkx(expected)
    near.validate()


def test_a_small_part_of_a_large_graph_is_the_same_by_either_way():
    g = nearly.generate.with_weights(nearly.generate.rmat(10, 8, seed=1), "float", 1, 9, 1)
    mask = np.zeros(g.n, bool)
    mask[np.argsort(g.out_degrees)[-200:-100]] = True
    assert nearly.subgraph(g, np.flatnonzero(mask)) == g.subgraph(mask)


@settings(max_examples=80, deadline=None)
@given(graphs(weights="int"), st.data())
def test_edges_go_and_come(g, data):
    pairs = data.draw(st.lists(st.tuples(st.integers(0, g.n - 1), st.integers(0, g.n - 1)), max_size=12))
    src, dst = [u for u, _ in pairs], [v for _, v in pairs]
    oracle = as_networkx(g)
    oracle.remove_edges_from(pairs)
    less = nearly.remove_edges(g, src, dst)
    assert edges(less) == arcs_of_networkx(oracle)
    less.validate()
    more = nearly.add_edges(less, src, dst, np.full(len(pairs), 4))
    oracle.add_edges_from(pairs, weight=4)
    assert edges(more) == arcs_of_networkx(oracle)
    assert (more.directed, more.weights.dtype, more.n) == (g.directed, g.weights.dtype, g.n)
    more.validate()
    oracle.remove_edges_from(list(nx.selfloop_edges(oracle)))
    assert edges(nearly.remove_self_loops(more)) == arcs_of_networkx(oracle)


@pytest.mark.parametrize("directed", [True, False])
def test_largest_component(directed):
    for name, g in zoo(directed, "int").items():
        made = nearly.largest_component(g)
        parts = list(nx.connected_components(as_networkx(g).to_undirected()))
        best = max(parts, key=lambda part: (len(part), -min(part)), default=set())
        assert (sorted(best) if made.ids is None else made.ids.tolist()) == sorted(best), name
        assert made.directed == directed


def test_ids_and_names_stay():
    g = Graph.from_networkx(nx.Graph([("a", "b"), ("b", "c"), ("c", "d")]))
    assert nearly.subgraph(g, ["d", "c"]).ids.tolist() == ["c", "d"]
    assert nearly.ego(g, "a", 2).ids.tolist() == ["a", "b", "c"]
    less = nearly.remove_edges(g, ["c"], ["b"])
    assert (less.ids.tolist(), less.m) == (["a", "b", "c", "d"], 4)
    more = nearly.add_edges(less, ["a"], ["d"])
    assert (more.ids.tolist(), more.m) == (["a", "b", "c", "d"], 6)
    with pytest.raises(InvalidArgumentError, match="vertices: no vertex is called 'x'"):
        nearly.subgraph(g, ["x"])
    with pytest.raises(InvalidArgumentError, match="src 4 is not a vertex of this graph"):
        nearly.add_edges(g, [4], [0])


def test_new_vertices_and_parallel_edges():
    g = nearly.add_edges(Graph.from_edges([0], [1]), [0, 5], [1, 0], duplicates="keep")
    assert (g.n, edges(g)) == (6, [(0, 1, 1.0), (0, 1, 1.0), (5, 0, 1.0)])
    assert nearly.remove_edges(g, [0], [1]).m == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: nearly.subgraph(g, [7]), "vertices holds 7, which is no vertex of this graph of 7"),
        (lambda g: nearly.subgraph(g, [-1]), "vertices holds -1"),
        (lambda g: nearly.subgraph(g, [0.5]), "vertices must be indices, names or a mask of 7 booleans"),
        (lambda g: nearly.subgraph(g, [True, False]), "vertices must be indices"),
        (lambda g: nearly.ego(g, 0, -1), "radius must be a whole number of at least 0"),
        (lambda g: nearly.ego(g, [0, 1]), "v must be one vertex"),
        (lambda g: nearly.remove_edges(g, [0], [1, 2]), "src and dst must be equally long"),
        (lambda g: nearly.add_edges(g, [0], [2], [1.0]), "has no weights, nor can new edges"),
        (lambda g: nearly.add_edges(zoo(weights="int")["path"], [0], [2]), "needs weights for the new edges"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(InvalidArgumentError, match=message):
        call(zoo()["path"])
