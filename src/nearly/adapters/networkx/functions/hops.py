"""Shortest paths that count hops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

import nearly
from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.both_ends import hops_both_ends
from nearly.adapters.networkx.dispatch import dispatched, has_budget, reported
from nearly.adapters.networkx.ordered_search import Search, lengths, paths


def _end(G: BackendGraph, node: Any, role: str, no: str = "is not") -> int:
    place = G.place(node)
    if place is None:
        raise nx.NodeNotFound(f"{role} {node} {no} in G")
    return place


@dispatched(algorithm="bfs", multigraph=True)
def single_source_shortest_path_length(
    G: BackendGraph, source: Any, cutoff: float | None = None, *, how: dict[str, Any]
) -> dict:
    """See `nx.single_source_shortest_path_length`."""
    begin = _end(G, source, "Source")
    if "approx" not in how and not has_budget(how):  # NetworkX lists nodes as they are found
        return lengths(G, Search(G)([begin], cutoff))
    result = nearly.bfs(G.graph, begin, **how)
    return reported(within(G, result.values, np.inf if cutoff is None else cutoff), result)


def within(G: BackendGraph, distances: np.ndarray, cutoff: float) -> dict:
    """Distances by node from the nearest on, as far as they are from 0 to `cutoff`."""
    near = np.flatnonzero((distances >= 0) & (distances <= cutoff) & np.isfinite(distances))
    near = near[np.argsort(distances[near], kind="stable")]
    return dict(zip(G.nodes_at(near), distances[near].tolist()))


@dispatched(multigraph=True)
def single_target_shortest_path_length(G: BackendGraph, target: Any, cutoff: float | None = None) -> dict:
    """See `nx.single_target_shortest_path_length`."""
    return lengths(G, Search(G, G.into[:2])([_end(G, target, "Target")], cutoff))


@dispatched(multigraph=True)
def all_pairs_shortest_path_length(G: BackendGraph, cutoff: float | None = None) -> Iterator[tuple[Any, dict]]:
    """See `nx.all_pairs_shortest_path_length`."""
    search = Search(G)
    return ((node, lengths(G, search([v], cutoff))) for v, node in enumerate(G))


@dispatched(multigraph=True)
def single_source_shortest_path(G: BackendGraph, source: Any, cutoff: float | None = None) -> dict:
    """See `nx.single_source_shortest_path`."""
    return paths(G, Search(G)([_end(G, source, "Source", "not")], cutoff), 1)


@dispatched(multigraph=True)
def single_target_shortest_path(G: BackendGraph, target: Any, cutoff: float | None = None) -> dict:
    """See `nx.single_target_shortest_path`."""
    return paths(G, Search(G, G.into[:2])([_end(G, target, "Target", "not")], cutoff), 1, backwards=True)


@dispatched(multigraph=True)
def all_pairs_shortest_path(G: BackendGraph, cutoff: float | None = None) -> Iterator[tuple[Any, dict]]:
    """See `nx.all_pairs_shortest_path`."""
    search = Search(G)
    return ((node, paths(G, search([v], cutoff), 1)) for v, node in enumerate(G))


def _between(G: BackendGraph, source: Any, target: Any) -> list[int] | None:
    """The places along a path of fewest hops; None if there is none."""
    return hops_both_ends(G, _end(G, source, "Source"), _end(G, target, "Target"))


def _no_path(source: Any, target: Any) -> nx.NetworkXNoPath:
    return nx.NetworkXNoPath(f"No path between {source} and {target}.")


@dispatched(multigraph=True)
def bidirectional_shortest_path(G: BackendGraph, source: Any, target: Any) -> list:
    """See `nx.bidirectional_shortest_path`."""
    way = _between(G, source, target)
    if way is None:
        raise _no_path(source, target)
    return G.nodes_at(np.array(way))


@dispatched(multigraph=True)
def has_path(G: BackendGraph, source: Any, target: Any) -> bool:
    """See `nx.has_path`."""
    return _between(G, source, target) is not None


def hops_between(G: BackendGraph, source: Any, target: Any) -> int:
    """The number of hops from one node to another."""
    way = _between(G, source, target)
    if way is None:
        raise _no_path(source, target)
    return len(way) - 1


@dispatched(directed=False, multigraph=True)
def efficiency(G: BackendGraph, u: Any, v: Any) -> float:
    """See `nx.efficiency`."""
    way = _between(G, u, v)
    return 0 if way is None else 1 / (len(way) - 1)
