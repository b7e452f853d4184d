"""Betweenness of nodes and edges; the sources that NetworkX would draw are drawn here in the same way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import nearly
from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched, reported
from nearly.adapters.networkx.graph_conversion import everything
from nearly.adapters.networkx.ordered_search import Search
from nearly.adapters.networkx.ordered_search_kernels import pass_back


@dispatched(algorithm="betweenness", multigraph=True)
def betweenness_centrality(
    G: BackendGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: str | None = None,
    endpoints: bool = False,
    seed: Any = None,
    *,
    how: dict[str, Any],
) -> dict:
    """See `nx.betweenness_centrality`."""
    if not len(G):
        return {}
    result = _sampled(G, None if k == len(G) else k, weight, seed, how, normalized=normalized, endpoints=endpoints)
    values = result.values
    if k == 1 and not endpoints and len(G) > 2:  # NetworkX divides by the pairs from other sources, which are none
        values = values.copy()
        values[result.sources] = np.nan
    return reported(G.by_node(values), result)


@dispatched(algorithm="betweenness")
def edge_betweenness_centrality(
    G: BackendGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: str | None = None,
    seed: Any = None,
    *,
    how: dict[str, Any],
) -> dict:
    """See `nx.edge_betweenness_centrality`."""
    if not G.targets.size:
        return {}
    result = _sampled(G, k, weight, seed, how, normalized=normalized, edges=True)
    values = np.empty(G.edges.size)
    values[G.edge_of] = result.edge_values
    return reported(dict(zip(G.pairs(everything(G)), values.tolist())), result)


def _sampled(G: BackendGraph, k: int | None, weight: str | None, seed: Any, how: dict, **what: Any) -> Any:
    sources = None if k is None else G.places(seed.sample(list(G), k))
    return nearly.betweenness(G.weighted(weight), sources=sources, weights=weight is not None, **what, **how)


@dispatched(multigraph=True)
def betweenness_centrality_subset(
    G: BackendGraph, sources: Iterable[Any], targets: Iterable[Any], normalized: bool = False, weight: str | None = None
) -> dict:
    """See `nx.betweenness_centrality_subset`."""
    named = list(map(G.place, sources))
    begins = [place for place in named if place is not None]
    if weight is not None or len(begins) < len(named):
        raise NotImplementedError("paths are counted in hops, from nodes of the graph")
    search, total = Search(G), np.zeros(len(G))
    wanted = np.zeros(len(G))
    wanted[G.places(targets)] = 1.0
    for begin in begins:
        found, share = search([begin]), np.zeros(len(G))
        pass_back(G.offsets, G.targets, found.order, found.far, wanted, np.zeros(len(G)), share)
        share[begin] = 0.0
        total += share
    others = len(G) - 1
    if others >= 2:
        total *= 1 / (others * (others - 1)) if normalized else 1.0 if G.directed else 0.5
    return G.by_node(total)
