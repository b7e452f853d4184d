"""Topological order, and longest paths; the order is NetworkX's, generation by generation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import networkx as nx
import numpy as np

from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched
from nearly.algorithms.topological_sort import sort_vertices
from nearly.base.jit import kernel
from nearly.base.unsigned import U1

_CYCLE = "Graph contains a cycle or graph changed during iteration"


def in_generations(G: BackendGraph) -> tuple[np.ndarray, np.ndarray]:
    """The generation of each vertex, and those that are not behind a cycle in order."""
    if not G.is_directed():
        raise nx.NetworkXError("Topological sort not defined on undirected graphs.")
    generation, order = np.empty(len(G), np.int64), np.empty(len(G), np.uint32)
    count = int(sort_vertices(G.offsets, G.targets, generation, order, np.zeros(1, np.uint32)))
    return generation, order[:count]


def _generations(G: BackendGraph) -> Iterator[list]:
    """The generations; an error comes where NetworkX has it, after the last that can be had."""
    generation, found = in_generations(G)
    ends = np.flatnonzero(np.diff(generation[found])) + 1
    yield from (G.nodes_at(some) for some in np.split(found, ends) if some.size)
    if found.size < len(G):
        raise nx.NetworkXUnfeasible(_CYCLE)


@dispatched(multigraph=True)
def topological_generations(G: BackendGraph) -> Iterator[list]:
    """See `nx.topological_generations`."""
    return _generations(G)


@dispatched(multigraph=True)
def topological_sort(G: BackendGraph) -> Iterator[Any]:
    """See `nx.topological_sort`."""
    return chain.from_iterable(_generations(G))


def _longest(G: BackendGraph, weight: str, default_weight: float, topo_order: Any) -> tuple[list[int], np.ndarray]:
    """The places along a longest path, and the lengths of arcs in the order of insertion."""
    if not G.directed or topo_order is not None:
        raise NotImplementedError("the order is that of the generations of a directed graph")
    column = G.column(weight)
    if column is None and default_weight != 1:
        raise NotImplementedError("edges without weights count 1")
    _, order = in_generations(G)
    if order.size < len(G):
        raise nx.NetworkXUnfeasible(_CYCLE)
    into, lengths = G.into, G.along_arcs(G.weights(weight).astype(np.float64))
    far, before = np.empty(len(G)), np.empty(len(G), np.uint32)
    longest_into(into.offsets, into.sources, lengths[into.arcs], order, far, before)
    way = [int(order[np.argmax(far[order])])]
    while before[way[-1]] != way[-1]:
        way.append(int(before[way[-1]]))
    return way[::-1], far


@kernel
def longest_into(offsets, sources, lengths, order, far, before):
    """The length of the longest way to each vertex, in topological order, the first of several; 0 begins anew."""
    for i in range(np.uint64(order.size)):
        v = np.uint64(order[i])
        best, tail = -np.inf, v
        for e in range(offsets[v], offsets[v + U1]):
            u = np.uint64(sources[e])
            if far[u] + lengths[e] > best:
                best, tail = far[u] + lengths[e], u
        far[v], before[v] = (best, np.uint32(tail)) if best >= 0.0 else (0.0, np.uint32(v))


@dispatched()
def dag_longest_path(
    G: BackendGraph, weight: str = "weight", default_weight: float = 1, topo_order: Any = None
) -> list:
    """See `nx.dag_longest_path`."""
    return G.nodes_at(np.array(_longest(G, weight, default_weight, topo_order)[0])) if len(G) else []


@dispatched()
def dag_longest_path_length(G: BackendGraph, weight: str = "weight", default_weight: float = 1) -> float:
    """See `nx.dag_longest_path_length`."""
    if not len(G):
        return 0
    way, far = _longest(G, weight, default_weight, None)
    return int(far[way[-1]]) if G.weights(weight).dtype.kind == "i" or len(way) == 1 else float(far[way[-1]])
