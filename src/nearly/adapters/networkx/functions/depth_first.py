"""Depth-first traversals in NetworkX's order, without a limit of depth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx

from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched
from nearly.adapters.networkx.functions.traversal import start_of
from nearly.adapters.networkx.ordered_search import Deep, deep


def _deep(G: BackendGraph, source: Any, depth_limit: int | None, sort_neighbors: Any) -> Deep:
    if depth_limit is not None or sort_neighbors is not None:
        raise NotImplementedError("the search goes all the way, in the order of insertion")
    return deep(G, None if source is None else start_of(G, source))


def _edges(G: BackendGraph, *how: Any) -> list[tuple]:
    """The edges of the search tree, as they are walked."""
    found = _deep(G, *how)
    children = found.pre[found.parent[found.pre] != found.pre]
    return list(zip(G.nodes_at(found.parent[children]), G.nodes_at(children)))


@dispatched(multigraph=True)
def dfs_edges(
    G: BackendGraph, source: Any = None, depth_limit: int | None = None, *, sort_neighbors: Any = None
) -> Iterator[tuple]:
    """See `nx.dfs_edges`."""
    return iter(_edges(G, source, depth_limit, sort_neighbors))


@dispatched(multigraph=True)
def dfs_tree(
    G: BackendGraph, source: Any = None, depth_limit: int | None = None, *, sort_neighbors: Any = None
) -> nx.DiGraph:
    """See `nx.dfs_tree`."""
    edges = _edges(G, source, depth_limit, sort_neighbors)
    tree = nx.DiGraph()
    tree.add_nodes_from(G if source is None else [source])
    tree.add_edges_from(edges)
    return tree


@dispatched(multigraph=True)
def dfs_predecessors(
    G: BackendGraph, source: Any = None, depth_limit: int | None = None, *, sort_neighbors: Any = None
) -> dict:
    """See `nx.dfs_predecessors`."""
    return {child: parent for parent, child in _edges(G, source, depth_limit, sort_neighbors)}


@dispatched(multigraph=True)
def dfs_successors(
    G: BackendGraph, source: Any = None, depth_limit: int | None = None, *, sort_neighbors: Any = None
) -> dict:
    """See `nx.dfs_successors`."""
    children: dict[Any, list] = {}
    for parent, child in _edges(G, source, depth_limit, sort_neighbors):
        children.setdefault(parent, []).append(child)
    return children


@dispatched(multigraph=True)
def dfs_preorder_nodes(
    G: BackendGraph, source: Any = None, depth_limit: int | None = None, *, sort_neighbors: Any = None
) -> Iterator[Any]:
    """See `nx.dfs_preorder_nodes`."""
    return iter(G.nodes_at(_deep(G, source, depth_limit, sort_neighbors).pre))


@dispatched(multigraph=True)
def dfs_postorder_nodes(
    G: BackendGraph, source: Any = None, depth_limit: int | None = None, *, sort_neighbors: Any = None
) -> Iterator[Any]:
    """See `nx.dfs_postorder_nodes`."""
    return iter(G.nodes_at(_deep(G, source, depth_limit, sort_neighbors).post))
