"""Shortest paths that count hops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

import nearly
from nearly.adapters.networkx.backend_graph import BackendGraph
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
    return lengths(G, Search(G, backwards=True)([_end(G, target, "Target")], cutoff))


@dispatched(multigraph=True)
def all_pairs_shortest_path_length(G: BackendGraph, cutoff: float | None = None) -> Iterator[tuple[Any, dict]]:
    """See `nx.all_pairs_shortest_path_length`."""
    search = Search(G)
    return ((node, lengths(G, search([v], cutoff))) for v, node in enumerate(G))


@dispatched(multigraph=True)
def single_source_shortest_path(G: BackendGraph, source: Any, cutoff: float | None = None) -> dict:
    """See `nx.single_source_shortest_path`."""
    return paths(G, Search(G)([_end(G, source, "Source", "not")], cutoff), 1)


@dispatched(directed=False, multigraph=True)
def single_target_shortest_path(G: BackendGraph, target: Any, cutoff: float | None = None) -> dict:
    """See `nx.single_target_shortest_path`."""
    return paths(G, Search(G)([_end(G, target, "Target", "not")], cutoff), 1, backwards=True)


@dispatched(multigraph=True)
def all_pairs_shortest_path(G: BackendGraph, cutoff: float | None = None) -> Iterator[tuple[Any, dict]]:
    """See `nx.all_pairs_shortest_path`."""
    search = Search(G)
    return ((node, paths(G, search([v], cutoff), 1)) for v, node in enumerate(G))


@dispatched(multigraph=True)
def has_path(G: BackendGraph, source: Any, target: Any) -> bool:
    """See `nx.has_path`."""
    begin, end = _end(G, source, "Source"), _end(G, target, "Target")
    return bool(Search(G)([begin]).far[end] >= 0)


def hops_between(G: BackendGraph, source: Any, target: Any) -> int:
    """The number of hops from one node to another."""
    begin, end = _end(G, source, "Source"), _end(G, target, "Target")
    hops = int(Search(G)([begin]).far[end])
    if hops < 0:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return hops
