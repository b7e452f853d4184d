"""Measures that only look at degrees or at single edges, and simple properties of the whole graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

import nearly
from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched


def _centrality(G: BackendGraph, degrees: np.ndarray) -> dict:
    """Degrees over the number of other nodes."""
    if len(G) <= 1:
        return dict.fromkeys(G, 1)
    return G.by_node(degrees * (1.0 / (len(G) - 1.0)))


@dispatched()
def degree_centrality(G: BackendGraph) -> dict:
    """See `nx.degree_centrality`."""
    return _centrality(G, G.degrees)


@dispatched()
def in_degree_centrality(G: BackendGraph) -> dict:
    """See `nx.in_degree_centrality`."""
    return _centrality(G, G.in_degrees)


@dispatched()
def out_degree_centrality(G: BackendGraph) -> dict:
    """See `nx.out_degree_centrality`."""
    return _centrality(G, G.out_degrees)


@dispatched(multigraph=True)
def isolates(G: BackendGraph) -> Iterator[Any]:
    """See `nx.isolates`."""
    return iter(G.nodes_at(np.flatnonzero(G.degrees == 0)))


@dispatched(multigraph=True)
def number_of_isolates(G: BackendGraph) -> int:
    """See `nx.number_of_isolates`."""
    return int(np.count_nonzero(G.degrees == 0))


@dispatched()
def number_of_selfloops(G: BackendGraph) -> int:
    """See `nx.number_of_selfloops`."""
    return int(np.count_nonzero(G.loops))


@dispatched()
def overall_reciprocity(G: BackendGraph) -> float:
    """See `nx.overall_reciprocity`."""
    if not G.targets.size:
        raise nx.NetworkXError("Not defined for empty graphs")
    if not G.directed:
        return 0.0
    loops = int(np.count_nonzero(G.loops))
    undirected = (G.graph.symmetrized().m + loops) // 2
    return (G.targets.size - undirected) * 2 / G.targets.size


@dispatched()
def reciprocity(G: BackendGraph, nodes: Any = None) -> Any:
    """See `nx.reciprocity`."""
    if not G.directed:
        raise NotImplementedError("NetworkX says that undirected graphs have none")
    if nodes is None:
        return overall_reciprocity(G)
    places, totals = G.bunch(nodes), G.degrees.tolist()
    pairs = G.rows.astype(np.int64) * len(G) + G.targets
    back = G.targets.astype(np.int64) * len(G) + G.rows
    both = np.bincount(G.rows[np.isin(pairs, back)], minlength=len(G)).tolist()
    shares = [2 * both[v] / totals[v] if totals[v] else None for v in places.tolist()]
    if nodes not in G:
        return dict(zip(G.nodes_at(places), shares))
    if shares[0] is None:
        raise nx.NetworkXError("Not defined for isolated nodes.")
    return shares[0]


@dispatched()
def is_tree(G: BackendGraph) -> bool:
    """See `nx.is_tree`."""
    if not len(G):
        raise nx.exception.NetworkXPointlessConcept("G has no nodes.")
    return G.edges.size == len(G) - 1 and nearly.connected_components(G.graph).count == 1


@dispatched()
def is_forest(G: BackendGraph) -> bool:
    """See `nx.is_forest`."""
    if not len(G):
        raise nx.exception.NetworkXPointlessConcept("G has no nodes.")
    return G.edges.size == len(G) - nearly.connected_components(G.graph).count


@dispatched(multigraph=True)
def is_directed_acyclic_graph(G: BackendGraph) -> bool:
    """See `nx.is_directed_acyclic_graph`."""
    return G.directed and not G.loops.any() and nearly.scc(G.graph).count == len(G)
