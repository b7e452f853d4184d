"""Measures over all pairs of nodes in hops: eccentricities, closeness, efficiency; 64 searches run at a time."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import networkx as nx
import numpy as np

from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched
from nearly.adapters.networkx.hop_sums import HopSums, hop_sums


def _plain(*others: Any) -> None:
    """Refuse weights, given distances and other ways to compute; NetworkX answers those."""
    if any(other is not None and other is not False for other in others):
        raise NotImplementedError("only hops are counted, from scratch")


def _eccentricities(G: BackendGraph) -> np.ndarray:
    sums = hop_sums(G.graph)
    _require_connected(G, sums)
    return sums.farthest


def _require_connected(G: BackendGraph, sums: HopSums) -> None:
    if not sums.all_reached:
        what = "digraph is not strongly connected" if G.directed else "graph is not connected"
        raise nx.NetworkXError(f"Found infinite path length because the {what}")


@dispatched(multigraph=True)
def eccentricity(G: BackendGraph, v: Any = None, sp: Any = None, weight: str | None = None) -> Any:
    """See `nx.eccentricity`."""
    _plain(sp, weight)
    if v is None:
        return G.by_node(_eccentricities(G))
    places = G.bunch(v)
    sums = hop_sums(G.graph, places)
    _require_connected(G, sums)
    if v in G:
        return int(sums.farthest[0])
    return dict(zip(G.nodes_at(places), sums.farthest.tolist()))


@dispatched(multigraph=True)
def diameter(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: str | None = None) -> int:
    """See `nx.diameter`."""
    return _extreme(G, max, e, usebounds, weight)


@dispatched(multigraph=True)
def radius(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: str | None = None) -> int:
    """See `nx.radius`."""
    return _extreme(G, min, e, usebounds, weight)


@dispatched(multigraph=True)
def periphery(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: str | None = None) -> list:
    """See `nx.periphery`."""
    return _at_extreme(G, max, e, usebounds, weight)


@dispatched(multigraph=True)
def center(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: str | None = None) -> list:
    """See `nx.center`."""
    return _at_extreme(G, min, e, usebounds, weight)


def _extreme(G: BackendGraph, which: Any, *others: Any) -> int:
    _plain(*others)
    return which(_eccentricities(G).tolist())


def _at_extreme(G: BackendGraph, which: Any, *others: Any) -> list:
    _plain(*others)
    if not len(G):
        raise NotImplementedError("a graph without nodes has no extremes")
    far = _eccentricities(G)
    return G.nodes_at(np.flatnonzero(far == which(far.tolist())))


@dispatched(multigraph=True)
def closeness_centrality(G: BackendGraph, u: Any = None, distance: str | None = None, wf_improved: bool = True) -> Any:
    """See `nx.closeness_centrality`."""
    _plain(distance)
    if u is not None and u not in G:
        raise nx.NodeNotFound(f"Source {u} is not in G")
    sums = hop_sums(G.graph.reverse, None if u is None else G.places([u]))
    others = sums.reached - 1.0
    values = np.divide(others, sums.total, out=np.zeros(others.size), where=sums.total > 0)
    if wf_improved and len(G) > 1:
        values *= others / (len(G) - 1)
    return float(values[0]) if u is not None else G.by_node(values)


@dispatched(multigraph=True)
def harmonic_centrality(
    G: BackendGraph, nbunch: Any = None, distance: str | None = None, sources: Iterable[Any] | None = None
) -> dict:
    """See `nx.harmonic_centrality`."""
    _plain(distance, sources)
    if nbunch is None:
        return G.by_node(hop_sums(G.graph.reverse).inverse)
    places = G.bunch(nbunch)
    return dict(zip(G.nodes_at(places), hop_sums(G.graph.reverse, places).inverse.tolist()))


@dispatched(directed=False, multigraph=True)
def global_efficiency(G: BackendGraph) -> float:
    """See `nx.global_efficiency`."""
    pairs = len(G) * (len(G) - 1)
    return float(hop_sums(G.graph).inverse.sum()) / pairs if pairs else 0


@dispatched(multigraph=True)
def harmonic_diameter(G: BackendGraph, sp: Any = None, *, weight: str | None = None) -> float:
    """See `nx.harmonic_diameter`."""
    _plain(sp, weight)
    inverse = float(hop_sums(G.graph).inverse.sum())
    if inverse:
        return len(G) * (len(G) - 1) / inverse
    return math.inf if len(G) > 1 else math.nan


@dispatched(multigraph=True)
def wiener_index(G: BackendGraph, weight: str | None = None) -> float:
    """See `nx.wiener_index`."""
    _plain(weight)
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    sums = hop_sums(G.graph)
    if not sums.all_reached:
        return math.inf
    total = int(sums.total.sum())
    return total if G.directed else total / 2


@dispatched(multigraph=True)
def barycenter(G: BackendGraph, weight: str | None = None, attr: str | None = None, sp: Any = None) -> list:
    """See `nx.barycenter`."""
    _plain(weight, attr, sp)
    if not len(G):
        raise NotImplementedError("a graph without nodes has no centre")
    sums = hop_sums(G.graph)
    if not sums.all_reached:
        raise nx.NetworkXNoPath(
            f"Input graph {G} is disconnected, so every induced subgraph has infinite barycentricity."
        )
    return G.nodes_at(np.flatnonzero(sums.total == sums.total.min()))
