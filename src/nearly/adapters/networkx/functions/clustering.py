"""Triangles and clustering coefficients of undirected graphs, without weights."""

from __future__ import annotations

from typing import Any

import numpy as np

import nearly
from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched, has_budget, refuse_budget, reported
from nearly.base.errors import InvalidArgumentError


def _of(G: BackendGraph, nodes: Any, values: np.ndarray) -> Any:
    """One node's value, or values by node for all or some of them; none is the whole number 0."""
    if nodes is None:
        return dict(zip(G.labels, (value or 0 for value in values.tolist())))
    if nodes in G:
        return values[G.place(nodes)].item() or 0
    places = G.bunch(nodes)
    return dict(zip(G.nodes_at(places), (value or 0 for value in values[places].tolist())))


@dispatched(algorithm="triangle_count", directed=False)
def triangles(G: BackendGraph, nodes: Any = None, *, how: dict[str, Any]) -> Any:
    """See `nx.triangles`."""
    refuse_budget("triangles", how, "nearly.triangle_count(graph, max_error=...) gives the total")
    result = nearly.triangle_count(G.graph, **how)
    return reported(_of(G, nodes, result.values), result)


def _coefficients(G: BackendGraph, weight: str | None, how: dict[str, Any]) -> Any:
    if weight is not None:
        raise NotImplementedError("clustering coefficients are those without weights")
    return nearly.clustering_coefficient(G.graph, **how)


@dispatched(algorithm="clustering_coefficient", directed=False)
def clustering(G: BackendGraph, nodes: Any = None, weight: str | None = None, *, how: dict[str, Any]) -> Any:
    """See `nx.clustering`."""
    refuse_budget("clustering", how, "nx.average_clustering and nx.transitivity take one")
    result = _coefficients(G, weight, how)
    return reported(_of(G, nodes, result.values), result)


@dispatched(algorithm="clustering_coefficient", directed=False)
def average_clustering(
    G: BackendGraph, nodes: Any = None, weight: str | None = None, count_zeros: bool = True, *, how: dict[str, Any]
) -> float:
    """See `nx.average_clustering`."""
    if nodes in G:
        raise NotImplementedError("the average is over several nodes")
    if has_budget(how) and (nodes is not None or not count_zeros):
        raise InvalidArgumentError("an average within a budget is over all nodes; leave out nodes and count_zeros")
    result = _coefficients(G, weight, how)
    if has_budget(how) and len(G):
        return reported(float(result.average), result)
    values = result.values if nodes is None else result.values[G.bunch(nodes)]
    if not count_zeros:
        values = values[values > 0]
    if not values.size:
        raise ZeroDivisionError("division by zero")
    return reported(float(values.mean()), result)


@dispatched(algorithm="clustering_coefficient", directed=False)
def transitivity(G: BackendGraph, *, how: dict[str, Any]) -> float:
    """See `nx.transitivity`."""
    result = _coefficients(G, None, how)
    return reported(float(result.transitivity) if result.transitivity or has_budget(how) else 0, result)
