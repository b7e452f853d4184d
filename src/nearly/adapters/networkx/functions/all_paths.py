"""All shortest paths: the predecessors of each node on its shortest paths, in the order in which NetworkX finds them.

A search settles vertices in order. The arcs of shortest paths are those whose end is as far as their start and their
length together; a node's predecessors come in the order of settling, and nodes in the order in which they are first
seen. Both are sorts of those arcs. Walking back from a target is NetworkX's own code.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np
from networkx.algorithms.shortest_paths.generic import _build_paths_from_predecessors as walked_back

from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched
from nearly.adapters.networkx.ordered_search import Found, Nearest, Search, lengths


def _begin(G: BackendGraph, source: Any, says: str) -> int:
    place = G.place(source)
    if place is None:
        raise nx.NodeNotFound(says.format(source))
    return place


def _predecessors(G: BackendGraph, found: Found, tight: np.ndarray, seen: np.ndarray) -> dict[Any, list]:
    """The predecessors by node; `tight` are the arcs of shortest paths, `seen` those that may first show a node."""
    turn = np.full(len(G), found.order.size, np.int64)
    turn[found.order] = np.arange(found.order.size)
    by_turn = seen[np.argsort(turn[G.rows[seen]], kind="stable")]
    heads, first = np.unique(np.append(found.order[0], G.targets[by_turn]), return_index=True)
    rank = np.empty(len(G), np.int64)
    rank[heads[np.argsort(first)]] = np.arange(heads.size)
    tails, ends = G.rows[tight], rank[G.targets[tight]]
    sort = np.lexsort((turn[tails], ends))
    nodes = G.nodes_at(tails[sort])
    cuts = np.zeros(heads.size + 1, np.int64)
    np.cumsum(np.bincount(ends, minlength=heads.size), out=cuts[1:])
    stops = cuts.tolist()
    labels = G.nodes_at(heads[np.argsort(first)])
    return {node: nodes[low:high] for node, low, high in zip(labels, stops, stops[1:])}


def by_hops(G: BackendGraph, source: Any, cutoff: float | None = None) -> tuple[dict[Any, list], Found]:
    """Predecessors by hops; a cutoff of 0 is none, and the first level is always searched."""
    begin = _begin(G, source, "Source {} not in G")
    found = Search(G)([begin], max(cutoff, 1) if cutoff else None)
    level = found.far
    tight = np.flatnonzero((level[G.rows] >= 0) & (level[G.targets] == level[G.rows] + 1))
    return _predecessors(G, found, tight, tight), found


def by_lengths(G: BackendGraph, source: Any, cutoff: float | None, weight: str | None) -> tuple[dict[Any, list], Found]:
    """Predecessors by weights that are not negative."""
    begin = _begin(G, source, "Node {} is not found in the graph")
    nearest = Nearest(G, weight)
    found = nearest([begin], cutoff)
    settled = np.zeros(len(G), np.bool_)
    settled[found.order] = True
    far = np.where(settled, found.far, np.inf).astype(np.float64)
    through = far[G.rows] + nearest.rows.weights
    inside = np.flatnonzero(settled[G.rows] & settled[G.targets] & (through <= (np.inf if cutoff is None else cutoff)))
    return _predecessors(G, found, inside[through[inside] == far[G.targets[inside]]], inside), found


def _which(G: BackendGraph, source: Any, weight: str | None, method: str) -> dict[Any, list]:
    if weight is None:
        return by_hops(G, source)[0]
    if method == "bellman-ford":
        raise NotImplementedError("the order of paths depends on the method")
    if method != "dijkstra":
        raise ValueError(f"method not supported: {method}")
    return by_lengths(G, source, None, weight)[0]


@dispatched(multigraph=True)
def predecessor(
    G: BackendGraph, source: Any, target: Any = None, cutoff: float | None = None, return_seen: bool | None = None
) -> Any:
    """See `nx.predecessor`."""
    before, found = by_hops(G, source, cutoff)
    if target is None:
        return (before, lengths(G, found)) if return_seen else before
    place = G.place(target)
    own = before.get(target, [])
    hops = -1 if place is None else int(found.far[place])
    return (own, hops) if return_seen else own


@dispatched(multigraph=True)
def dijkstra_predecessor_and_distance(
    G: BackendGraph, source: Any, cutoff: float | None = None, weight: str | None = "weight"
) -> tuple[dict, dict]:
    """See `nx.dijkstra_predecessor_and_distance`."""
    before, found = by_lengths(G, source, cutoff, weight)
    return before, lengths(G, found)


@dispatched(multigraph=True)
def all_shortest_paths(
    G: BackendGraph, source: Any, target: Any, weight: str | None = None, method: str = "dijkstra"
) -> Iterator[list]:
    """See `nx.all_shortest_paths`."""
    return walked_back({source}, target, _which(G, source, weight, method))


@dispatched(multigraph=True)
def single_source_all_shortest_paths(
    G: BackendGraph, source: Any, weight: str | None = None, method: str = "dijkstra"
) -> Iterator[tuple[Any, list]]:
    """See `nx.single_source_all_shortest_paths`."""
    before = _which(G, source, weight, method)
    return ((node, list(walked_back({source}, node, before))) for node in before)


@dispatched(multigraph=True)
def all_pairs_all_shortest_paths(
    G: BackendGraph, weight: str | None = None, method: str = "dijkstra"
) -> Iterator[tuple[Any, dict]]:
    """See `nx.all_pairs_all_shortest_paths`."""
    return ((node, dict(single_source_all_shortest_paths(G, node, weight, method))) for node in G)
