"""Breadth-first traversals in NetworkX's order, and what can be reached."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any

import networkx as nx
import numpy as np

from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched
from nearly.adapters.networkx.ordered_search import Found, Search


def start_of(G: BackendGraph, node: Any) -> int:
    """The number of the node from which a search starts."""
    place = G.place(node)
    if place is None:
        raise nx.NetworkXError(f"The node {node} is not in the {'digraph' if G.directed else 'graph'}.")
    return place


def _tree(G: BackendGraph, source: Any, reverse: bool, depth_limit: int | None, neighbours: Any) -> list[tuple]:
    """The edges of the search tree, as they are found."""
    if neighbours is not None:
        raise NotImplementedError("neighbours are taken in the order of insertion")
    if reverse and G.directed:
        raise NotImplementedError("the order in which arcs into a node were added is not kept")
    found = Search(G)([start_of(G, source)], depth_limit)
    children = found.order[1:]
    return list(zip(G.nodes_at(found.parent[children]), G.nodes_at(children)))


@dispatched(multigraph=True)
def generic_bfs_edges(
    G: BackendGraph, source: Any, neighbors: Any = None, depth_limit: int | None = None
) -> Iterator[tuple]:
    """See `nx.generic_bfs_edges`."""
    return iter(_tree(G, source, False, depth_limit, neighbors))


@dispatched(multigraph=True)
def bfs_edges(
    G: BackendGraph, source: Any, reverse: bool = False, depth_limit: int | None = None, sort_neighbors: Any = None
) -> Iterator[tuple]:
    """See `nx.bfs_edges`."""
    return iter(_tree(G, source, reverse, depth_limit, sort_neighbors))


@dispatched(multigraph=True)
def bfs_tree(
    G: BackendGraph, source: Any, reverse: bool = False, depth_limit: int | None = None, sort_neighbors: Any = None
) -> nx.DiGraph:
    """See `nx.bfs_tree`."""
    edges = _tree(G, source, reverse, depth_limit, sort_neighbors)
    tree = nx.DiGraph()
    tree.add_node(source)
    tree.add_edges_from(edges)
    return tree


@dispatched(multigraph=True)
def bfs_predecessors(
    G: BackendGraph, source: Any, depth_limit: int | None = None, sort_neighbors: Any = None
) -> Iterator[tuple]:
    """See `nx.bfs_predecessors`."""
    return ((child, parent) for parent, child in _tree(G, source, False, depth_limit, sort_neighbors))


@dispatched(multigraph=True)
def bfs_successors(
    G: BackendGraph, source: Any, depth_limit: int | None = None, sort_neighbors: Any = None
) -> Iterator[tuple]:
    """See `nx.bfs_successors`."""
    edges = _tree(G, source, False, depth_limit, sort_neighbors)
    if not edges:
        return iter([(source, [])])
    return ((parent, [child for _, child in pairs]) for parent, pairs in groupby(edges, itemgetter(0)))


@dispatched(multigraph=True)
def bfs_layers(G: BackendGraph, sources: Any) -> Iterator[list]:
    """See `nx.bfs_layers`."""
    return iter(_layers(G, [sources] if sources in G else list(set(sources))))


def _layers(G: BackendGraph, sources: list) -> list[list]:
    for node in sources:
        if node not in G:
            raise nx.NetworkXError(f"The node {node} is not in the graph.")
    found = Search(G)(G.places(sources).tolist())
    nodes = G.nodes_at(found.order)
    cuts = [0, *(np.flatnonzero(np.diff(found.distances)) + 1).tolist(), len(nodes)]
    return [nodes[low:high] for low, high in pairwise(cuts)] if nodes else []


@dispatched(multigraph=True)
def descendants_at_distance(G: BackendGraph, source: Any, distance: int) -> set:
    """See `nx.descendants_at_distance`."""
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    layers = _layers(G, [source])
    return set(layers[distance]) if distance in range(len(layers)) else set()


@dispatched(multigraph=True)
def descendants(G: BackendGraph, source: Any) -> set:
    """See `nx.descendants`."""
    return _others(G, Search(G)([start_of(G, source)]))


@dispatched(multigraph=True)
def ancestors(G: BackendGraph, source: Any) -> set:
    """See `nx.ancestors`."""
    return _others(G, Search(G, G.graph.reverse.arrays[:2])([start_of(G, source)]))


def _others(G: BackendGraph, found: Found) -> set:
    return set(G.nodes_at(found.order[1:]))
