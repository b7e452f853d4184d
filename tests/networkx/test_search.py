"""Searches on graphs large enough for several batches, deep heaps and many ties."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path

import nearly
from nearly.adapters.networkx.hop_sums import hop_sums


@pytest.mark.parametrize("directed", [False, True])
def test_hop_sums_are_those_of_one_search_a_source(directed):
    rng = np.random.default_rng(3)
    g = nearly.Graph.from_edges(*rng.integers(0, 1100, (2, 6000)), n=1100, directed=directed)  # enough for two threads
    far = shortest_path(g.to_scipy(), unweighted=True)
    reached = np.isfinite(far)
    near = np.where(reached, far, 0.0)
    sums = hop_sums(g)
    assert np.array_equal(sums.reached, reached.sum(axis=1))
    assert np.array_equal(sums.total, near.sum(axis=1))
    assert np.array_equal(sums.farthest, near.max(axis=1))
    np.testing.assert_allclose(sums.inverse, np.divide(1, near, out=np.zeros_like(near), where=near > 0).sum(axis=1))
    assert sums.all_reached == bool(reached.all())
    some = rng.permutation(1100)[:70]
    assert np.array_equal(hop_sums(g, some).total, sums.total[some])


@pytest.fixture(scope="module", params=[False, True], ids=["undirected", "directed"])
def large(request):
    G = nx.gnm_random_graph(600, 4000, seed=4, directed=request.param)
    nx.set_edge_attributes(G, {e: (7 * i) % 5 for i, e in enumerate(G.edges)}, "weight")  # ties, and weights of 0
    G.__networkx_cache__ = None
    return G


def test_dijkstra_ties_and_order(large):
    ours, theirs = (nx.single_source_dijkstra(large, 3, backend=b) for b in ("nearly", "networkx"))
    assert [list(part.items()) for part in ours] == [list(part.items()) for part in theirs]
    ours, theirs = (nx.multi_source_dijkstra(large, [9, 5, 7], backend=b) for b in ("nearly", "networkx"))
    assert [list(part.items()) for part in ours] == [list(part.items()) for part in theirs]


@pytest.mark.parametrize("name", ["bfs_edges", "dfs_edges", "dfs_postorder_nodes", "bfs_layers"])
def test_traversals_go_networkx_s_way(large, name):
    ours, theirs = (list(getattr(nx, name)(large, 3, backend=b)) for b in ("nearly", "networkx"))
    assert ours == theirs


def test_components_come_in_networkx_s_order():
    D = nx.gnm_random_graph(500, 700, seed=5, directed=True)
    D.__networkx_cache__ = None
    for name in ("strongly_connected_components", "weakly_connected_components", "attracting_components"):
        ours, theirs = (list(getattr(nx, name)(D, backend=b)) for b in ("nearly", "networkx"))
        assert ours == theirs


@pytest.mark.parametrize("name", ["minimum_spanning_edges", "maximum_spanning_edges"])
def test_spanning_edges_tie_as_networkx_s(name):
    G = nx.gnm_random_graph(400, 3000, seed=6)
    nx.set_edge_attributes(G, {e: (7 * i) % 5 - 2 for i, e in enumerate(G.edges)}, "weight")
    G.__networkx_cache__ = None
    ours, theirs = (list(getattr(nx, name)(G, backend=b)) for b in ("nearly", "networkx"))
    assert ours == theirs
