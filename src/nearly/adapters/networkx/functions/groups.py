"""Measures of what single nodes or groups of nodes reach: reaching centrality, and closeness and degree of groups."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import networkx as nx
import numpy as np

from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched
from nearly.adapters.networkx.hop_sums import hop_sums
from nearly.adapters.networkx.ordered_search import Search


def _reaching(G: BackendGraph, weight: Any, places: np.ndarray | None) -> np.ndarray:
    """Of the other nodes the share that a node reaches; undirected, each counts one over its hops."""
    if weight is not None:
        raise NotImplementedError("paths are counted in hops")
    if not G.targets.size:
        raise nx.NetworkXError("Size of G must be positive")
    if len(G) == 1:
        raise nx.NetworkXError("local_reaching_centrality of a single node with self-loop not well-defined")
    sums = hop_sums(G.graph, places)
    return (sums.reached - 1 if G.directed else sums.inverse) / (len(G) - 1)


@dispatched()
def global_reaching_centrality(G: BackendGraph, weight: str | None = None, normalized: bool = True) -> float:
    """See `nx.global_reaching_centrality`."""
    local = _reaching(G, weight, None)
    return float((local.max() - local).sum()) / (len(G) - 1)


@dispatched()
def local_reaching_centrality(
    G: BackendGraph, v: Any, paths: Any = None, weight: str | None = None, normalized: bool = True
) -> float:
    """See `nx.local_reaching_centrality`."""
    if paths is not None or v not in G:
        raise NotImplementedError("paths are found here, from nodes of the graph")
    return float(_reaching(G, weight, G.places([v]))[0])


def _members(G: BackendGraph, S: Iterable[Any]) -> np.ndarray:
    group = list(S)
    places = G.places(group)
    if not group or places.size < len(group):
        raise NotImplementedError("NetworkX decides what nodes twice, other nodes, or none mean")
    return places


@dispatched(multigraph=True)
def group_closeness_centrality(G: BackendGraph, S: Iterable[Any], weight: str | None = None) -> float:
    """See `nx.group_closeness_centrality`."""
    if weight is not None:
        raise NotImplementedError("paths are counted in hops")
    places = _members(G, S)
    rows = G.graph.reverse.arrays[:2] if G.directed else None
    total = int(Search(G, rows)(places.tolist()).distances.sum())
    return (len(G) - places.size) / total if total else 0


def _degree(G: BackendGraph, S: Collection[Any], tails: np.ndarray, heads: np.ndarray) -> float:
    """Of the nodes outside a group the share that an arc joins to it."""
    inside, beside = np.zeros(len(G), np.bool_), np.zeros(len(G), np.bool_)
    inside[_members(G, S)] = True
    beside[heads[inside[tails]]] = True
    return int(np.count_nonzero(beside & ~inside)) / (len(G) - len(S))


@dispatched(multigraph=True)
def group_degree_centrality(G: BackendGraph, S: Collection[Any]) -> float:
    """See `nx.group_degree_centrality`."""
    return _degree(G, S, G.rows, G.targets)


@dispatched(multigraph=True)
def group_out_degree_centrality(G: BackendGraph, S: Collection[Any]) -> float:
    """See `nx.group_out_degree_centrality`."""
    return _degree(G, S, G.rows, G.targets)


@dispatched(multigraph=True)
def group_in_degree_centrality(G: BackendGraph, S: Collection[Any]) -> float:
    """See `nx.group_in_degree_centrality`."""
    return _degree(G, S, G.targets, G.rows)


@dispatched(directed=False)
def schultz_index(G: BackendGraph, weight: str | None = None) -> float:
    """See `nx.schultz_index`."""
    if weight is not None:
        raise NotImplementedError("paths are counted in hops")
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    sums = hop_sums(G.graph)
    return int(np.dot(sums.total, G.degrees)) * 2 / 2 if sums.all_reached else float("inf")
