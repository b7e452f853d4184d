"""Spanning trees of least or largest weight, with Kruskal's ties as NetworkX has them.

Edges of equal weight come in the order of `G.edges`. So the forest is found on ranks, which are all different, and
there is only one; with `approx` it is found on the weights themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

import nearly
from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched, reported
from nearly.adapters.networkx.edge_columns import kernel_type
from nearly.adapters.networkx.graph_conversion import edge_attributes, with_edges
from nearly.engine.result import Result


def _forest(
    G: BackendGraph, sign: int, algorithm: str, weight: str, ignore_nan: bool, how: dict[str, Any]
) -> tuple[np.ndarray, Result]:
    """The forest's edges, lightest first (heaviest, if `sign` is -1)."""
    if algorithm != "kruskal" or ignore_nan:
        raise NotImplementedError("ties are Kruskal's, and NaN is no weight")
    weights = sign * G.weights(weight)
    order = np.argsort(weights, kind="stable")
    rank = np.empty(order.size, np.uint32)
    rank[order] = np.arange(order.size, dtype=np.uint32)
    by_weight = how.get("approx") or how.get("allow") in ("estimated", "heuristic")  # errors are shares of weights
    result = nearly.mst(G.with_weights(kernel_type(weights) if by_weight else rank), **how)
    return order[np.sort(rank[G.edge_of[result.edges]])], result


def _listed(G: BackendGraph, chosen: np.ndarray, result: Result, data: bool) -> Iterator[tuple]:
    """Edges as pairs of nodes, or with their attributes."""
    pairs = G.pairs(chosen)
    if data:
        return reported(((u, v, d) for (u, v), d in zip(pairs, edge_attributes(G, chosen))), result)
    return reported(iter(pairs), result)


@dispatched(algorithm="mst", directed=False)
def kruskal_mst_edges(
    G: BackendGraph,
    minimum: bool,
    weight: str = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
    partition: str | None = None,
    *,
    how: dict[str, Any],
) -> Iterator[tuple]:
    """See `networkx.algorithms.tree.mst.kruskal_mst_edges`."""
    if partition is not None:
        raise NotImplementedError("all edges are open to choice")
    return _listed(G, *_forest(G, 1 if minimum else -1, "kruskal", weight, ignore_nan, how), data)


def _extreme(name: str, sign: int) -> None:
    """Register `<name>_spanning_edges` and `<name>_spanning_tree`."""

    @dispatched(name=f"{name}_spanning_edges", algorithm="mst", directed=False)
    def edges(
        G: BackendGraph,
        algorithm: str = "kruskal",
        weight: str = "weight",
        keys: bool = True,
        data: bool = True,
        ignore_nan: bool = False,
        *,
        how: dict[str, Any],
    ) -> Iterator[tuple]:
        return _listed(G, *_forest(G, sign, algorithm, weight, ignore_nan, how), data)

    @dispatched(name=f"{name}_spanning_tree", algorithm="mst", directed=False)
    def tree(
        G: BackendGraph,
        weight: str = "weight",
        algorithm: str = "kruskal",
        ignore_nan: bool = False,
        *,
        how: dict[str, Any],
    ) -> nx.Graph:
        chosen, result = _forest(G, sign, algorithm, weight, ignore_nan, how)
        return reported(with_edges(G, chosen), result)


_extreme("minimum", 1)
_extreme("maximum", -1)
