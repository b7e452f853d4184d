"""Greedy colouring by falling degree, and maximal independent sets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import networkx as nx
import numpy as np

import nearly
from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched, reported, seed_of
from nearly.algorithms.coloring import NO_COLOR, color_in_line
from nearly.engine.interruptible import stop_flag


@dispatched(directed=False)
def greedy_color(G: BackendGraph, strategy: Any = "largest_first", interchange: bool = False) -> dict:
    """See `nx.greedy_color`."""
    if strategy != "largest_first" or interchange:
        raise NotImplementedError("nodes are coloured by falling degree, without interchange")
    line = np.argsort(-G.degrees, kind="stable")
    color = np.full(len(G), NO_COLOR, np.int32)
    color_in_line(G.offsets, G.targets, line.astype(G.targets.dtype), color, stop_flag())
    return dict(zip(G.nodes_at(line), color[line].tolist()))


@dispatched(algorithm="maximal_independent_set", directed=False)
def maximal_independent_set(
    G: BackendGraph, nodes: Iterable[Any] | None = None, seed: Any = None, *, how: dict[str, Any]
) -> list:
    """See `nx.maximal_independent_set`."""
    if not len(G) or G.loops.any():
        raise NotImplementedError("NetworkX decides what a loop means")
    wanted = set(nodes or ())
    if not wanted.issubset(G):
        raise nx.NetworkXUnfeasible(f"{wanted} is not a subset of the nodes of G")
    member = np.zeros(len(G), np.bool_)
    member[G.places(wanted)] = True
    beside = np.zeros(len(G), np.bool_)
    beside[G.targets[member[G.rows]]] = True
    if (member & beside).any():
        raise nx.NetworkXUnfeasible(f"{wanted} is not an independent set of G")
    free = np.flatnonzero(~(member | beside))
    result = nearly.maximal_independent_set(G.graph.subgraph(~(member | beside)), seed=seed_of(seed), **how)
    return reported([*wanted, *G.nodes_at(free[result.values])], result)
