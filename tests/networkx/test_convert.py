"""Conversion: nothing is lost, rows keep their order, and what is not a number is left to NetworkX."""

from __future__ import annotations

from decimal import Decimal

import hypothesis
import hypothesis.strategies as st
import networkx as nx
import numpy as np
import pytest

from nearly.adapters.networkx.graph_conversion import convert_from_nx, convert_to_nx

KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
LABELS = {
    "in order": lambda v: v,
    "reversed": lambda v: 9 - v,
    "spread": lambda v: v**5,
    "names": str,
    "pairs": lambda v: (v, "x"),
    "mixed": lambda v: v if v % 2 else float(v) + 0.5,
}


@pytest.mark.parametrize("label", LABELS)
@hypothesis.settings(max_examples=15, deadline=None)
@hypothesis.given(
    kind=st.sampled_from(KINDS),
    nodes=st.lists(st.integers(0, 9), max_size=10),
    edges=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=20),
)
def test_there_and_back(label, kind, nodes, edges):
    name = LABELS[label]
    G = kind(title="t")
    G.add_nodes_from((name(v), {"v": v}) for v in nodes)
    G.add_edges_from((name(u), name(v), {"weight": u + v}) for u, v in edges)
    g = convert_from_nx(G, preserve_edge_attrs=True, preserve_node_attrs=True, preserve_graph_attrs=True, name="k_core")
    assert nx.utils.graphs_equal(convert_to_nx(g), G)
    assert list(g) == list(G)
    assert g.pairs(np.arange(g.edges.size)) == [(u, v) for u, v in nx.Graph(G).edges] or G.is_directed()
    for v, node in enumerate(G):
        row = g.targets[int(g.offsets[v]) : int(g.offsets[v + 1])]
        assert g.nodes_at(row) == list(G._adj[node])
    g.graph.validate()
    assert g.graph.m == sum(len(row) for row in G._adj.values())


def test_weights_follow_their_edges():
    G = nx.Graph()
    G.add_weighted_edges_from([(2, 0, 1.5), (0, 1, 2.5), (2, 1, 3.5), (1, 1, 4.5)])
    G.add_edge(0, 3)
    g = convert_from_nx(G, edge_attrs={"weight": 1})
    w = g.weighted("weight")
    place = dict(enumerate(G))
    for u, v, weight in zip(w.arc_sources().tolist(), w.targets.tolist(), w.weights.tolist()):
        assert weight == G[place[u]][place[v]].get("weight", 1)
    for u, v, weight in zip(g.rows.tolist(), g.targets.tolist(), g.along_arcs(g.weights("weight")).tolist()):
        assert weight == G[place[u]][place[v]].get("weight", 1)
    assert nx.utils.edges_equal(convert_to_nx(g).edges(data="weight"), G.edges(data="weight", default=1))


def test_an_attribute_nobody_has_is_no_weight():
    g = convert_from_nx(nx.path_graph(3), edge_attrs={"weight": 1})
    assert not g.weighted("weight").weighted
    assert g.weights("weight").tolist() == [1, 1]
    assert convert_from_nx(nx.path_graph(3), edge_attrs={"weight": 7}).weights("weight").tolist() == [7, 7]


@pytest.mark.parametrize("value", [None, "3", Decimal(3), float("nan"), float("inf"), 2**60, 2**70, [1], 1j])
def test_what_is_no_plain_number_is_left_to_networkx(value):
    G = nx.Graph()
    G.__networkx_cache__ = None  # a failure would be kept too
    G.add_edge(0, 1, weight=value)
    G.add_edge(1, 2, weight=1)
    g = convert_from_nx(G, edge_attrs={"weight": 1})
    with pytest.raises(NotImplementedError, match="weight"):
        g.weighted("weight")
    with pytest.raises(NotImplementedError):
        nx.pagerank(G, backend="nearly")
    assert nx.connected_components(G, backend="nearly")  # which asks for no weights


def test_views_convert_as_what_they_show():
    G = nx.gnm_random_graph(20, 60, seed=1)
    for view in (G.subgraph(range(3, 12)), nx.restricted_view(G, [4], [(5, 6)]), nx.to_directed(G)):
        assert nx.utils.graphs_equal(convert_to_nx(convert_from_nx(view)), view.copy())
    D = nx.gnm_random_graph(20, 60, seed=1, directed=True).reverse(copy=False)
    assert nx.utils.graphs_equal(convert_to_nx(convert_from_nx(D)), D.copy())


def test_what_counts_as_a_node():
    named, numbered = convert_from_nx(nx.Graph([("a", "b")])), convert_from_nx(nx.path_graph(3))
    assert [node in named for node in ("a", "c", [1])] == [True, False, False]
    assert [node in numbered for node in (2, 2.0, 3, None, "a")] == [True, True, False, False, False]
    assert named.places(["b", "z", "a", "b"]).tolist() == [1, 0]
    with pytest.raises(TypeError):
        numbered.place([1])


def test_classes_that_make_up_their_neighbours_are_left_to_networkx():
    class Complement(nx.Graph):
        def __getitem__(self, node):
            return dict.fromkeys(set(self) - set(self._adj[node]) - {node})

    with pytest.raises(NotImplementedError, match="Complement"):
        convert_from_nx(Complement([(0, 1), (1, 2)]))

    class Renamed(nx.DiGraph):
        pass

    assert convert_from_nx(Renamed([(0, 1)])).targets.tolist() == [1]
