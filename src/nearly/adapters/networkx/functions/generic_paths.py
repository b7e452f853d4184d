"""`shortest_path`, `shortest_path_length` and `average_shortest_path_length`: which search they mean."""

from __future__ import annotations

from typing import Any

import networkx as nx

from nearly.adapters.networkx import hop_sums
from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched
from nearly.adapters.networkx.functions import hops, weighted_paths
from nearly.adapters.networkx.ordered_search import lengths, paths


def _check(method: str) -> None:
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")


@dispatched(multigraph=True)
def shortest_path(
    G: BackendGraph, source: Any = None, target: Any = None, weight: str | None = None, method: str = "dijkstra"
) -> Any:
    """See `nx.shortest_path`."""
    _check(method)
    if weight is not None and method != "dijkstra":
        raise NotImplementedError("which of several paths is shown depends on the method")
    if source is not None and target is not None:
        if weight is None:
            return hops.bidirectional_shortest_path(G, source, target)
        return weighted_paths.bidirectional_dijkstra(G, source, target, weight)[1]
    if source is None and target is None:
        return (
            hops.all_pairs_shortest_path(G)
            if weight is None
            else weighted_paths.all_pairs_dijkstra_path(G, weight=weight)
        )
    if source is None:
        if weight is None:
            return hops.single_target_shortest_path(G, target)
        found = weighted_paths.towards(G, target, weight)
        return paths(G, found, 1, backwards=True)
    if weight is None:
        return hops.single_source_shortest_path(G, source)
    return weighted_paths.single_source_dijkstra_path(G, source, weight=weight)


@dispatched(multigraph=True)
def shortest_path_length(
    G: BackendGraph, source: Any = None, target: Any = None, weight: str | None = None, method: str = "dijkstra"
) -> Any:
    """See `nx.shortest_path_length`."""
    _check(method)
    if source is None and target is None:
        if weight is None:
            return hops.all_pairs_shortest_path_length(G)
        return weighted_paths.all_pairs_dijkstra_path_length(G, weight=weight)
    if source is not None and target is not None:
        if weight is None:
            return hops.hops_between(G, source, target)
        return weighted_paths.dijkstra_path_length(G, source, target, weight=weight)
    if source is None and weight is None:
        return hops.single_target_shortest_path_length(G, target)
    if source is None:
        return lengths(G, weighted_paths.towards(G, target, weight))
    if weight is None:
        return hops.single_source_shortest_path_length(G, source)
    return weighted_paths.single_source_dijkstra_path_length(G, source, weight=weight)


@dispatched(multigraph=True)
def average_shortest_path_length(G: BackendGraph, weight: str | None = None, method: str | None = None) -> float:
    """See `nx.average_shortest_path_length`."""
    n = len(G)
    if weight is not None or method not in (None, "unweighted"):
        raise NotImplementedError("only hops are counted")
    if n == 0:
        raise nx.NetworkXPointlessConcept("the null graph has no paths, thus there is no average shortest path length")
    if n == 1:
        return 0
    sums = hop_sums.hop_sums(G.graph)
    if not sums.all_reached:
        raise nx.NetworkXError(f"Graph is not {'strongly ' if G.directed else ''}connected.")
    return int(sums.total.sum()) / (n * (n - 1))
