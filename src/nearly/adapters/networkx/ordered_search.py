"""Searches in NetworkX's order, for answers that show it: rows are taken as edges were added, ties go to the first.

`Search` is breadth first, `deep` is depth first. `Nearest` is Dijkstra's algorithm and breaks ties as NetworkX does: by
distance, then by the time of entering the queue.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.ordered_search_kernels import depth_first, in_order, nearest_first
from nearly.graph.csr import Arrays

FAR = np.iinfo(np.int64).max


class Found(NamedTuple):
    """Vertices in the order in which they were found; `parent` and `far` are beside all vertices."""

    order: np.ndarray
    parent: np.ndarray
    far: np.ndarray

    @property
    def distances(self) -> np.ndarray:
        """How far each vertex found is, in the order of finding."""
        return self.far[self.order]


class Search:
    """Breadth-first searches over one graph: along its arcs, or along the rows given."""

    def __init__(self, graph: BackendGraph, rows: tuple[np.ndarray, np.ndarray] | None = None) -> None:
        self.offsets, self.targets = (graph.offsets, graph.targets) if rows is None else rows
        n = len(graph)
        self.level, self.parent = np.full(n, -1, np.int64), np.empty(n, np.uint32)
        self.order = np.empty(n, np.uint32)
        self.count = 0

    def __call__(self, sources: Sequence[int], limit: float | None = None) -> Found:
        """Search up to `limit` hops; the arrays returned are overwritten by the next call."""
        self.level[self.order[: self.count]] = -1
        limit = FAR if limit is None or limit > FAR else int(np.ceil(limit))  # vertices nearer than this are expanded
        begin = np.array(sources, np.uint32)
        self.count = int(in_order(self.offsets, self.targets, begin, limit, self.level, self.parent, self.order))
        return Found(self.order[: self.count], self.parent, self.level)


class Deep(NamedTuple):
    """Vertices in the order of entering and in that of leaving; starts are their own parents."""

    pre: np.ndarray
    post: np.ndarray
    parent: np.ndarray


def deep(graph: BackendGraph, start: int | None = None, rows: tuple[np.ndarray, np.ndarray] | None = None) -> Deep:
    """A depth-first search from one vertex, or from all: each in turn that is not yet visited."""
    n = len(graph)
    offsets, targets = (graph.offsets, graph.targets) if rows is None else rows
    starts = np.arange(n, dtype=np.uint32) if start is None else np.array([start], np.uint32)
    parent, pre, post = np.empty(n, np.uint32), np.empty(n, np.uint32), np.empty(n, np.uint32)
    count = int(depth_first(offsets, targets, starts, parent, pre, post))
    return Deep(pre[:count], post[:count], parent)


class Nearest:
    """Dijkstra's searches over one graph by an edge attribute; distances of whole weights are whole."""

    def __init__(self, graph: BackendGraph, attribute: str | None, backwards: bool = False) -> None:
        self.whole = graph.lengths(attribute).dtype.kind == "i"
        self.rows = backward_rows(graph, attribute) if backwards else forward_rows(graph, attribute)
        self.n = len(graph)

    def __call__(self, sources: Sequence[int], cutoff: float | None = None, target: int | None = None) -> Found:
        """Search up to distance `cutoff`, or until `target` is reached."""
        far, parent = np.full(self.n, np.inf), np.empty(self.n, np.uint32)
        order = np.empty(self.n, np.uint32)
        limit, end = np.inf if cutoff is None else float(cutoff), self.n if target is None else target
        count = nearest_first(self.rows, np.array(sources, np.uint32), limit, end, far, parent, order)
        return Found(order[: int(count)], parent, whole_or_not(far, self.whole))


def forward_rows(graph: BackendGraph, attribute: str | None) -> Arrays:
    """The arcs in the order of insertion, with their lengths."""
    return Arrays(graph.offsets, graph.targets, graph.along_arcs(graph.lengths(attribute).astype(np.float64)))


def backward_rows(graph: BackendGraph, attribute: str | None) -> Arrays:
    """The arcs turned around, in the order of predecessors, with their lengths."""
    return Arrays(graph.into.offsets, graph.into.sources, forward_rows(graph, attribute).weights[graph.into.arcs])


def whole_or_not(far: np.ndarray, whole: bool) -> np.ndarray:
    """Distances as whole numbers where the weights are, then -1 for infinity."""
    return np.where(np.isfinite(far), far, -1).astype(np.int64) if whole else far


def lengths(graph: BackendGraph, found: Found) -> dict[Any, Any]:
    """Distances by node, in the order of finding."""
    return dict(zip(graph.nodes_at(found.order), found.distances.tolist()))


def paths(graph: BackendGraph, found: Found, sources: int, backwards: bool = False) -> dict[Any, list[Any]]:
    """A shortest path to each vertex found; `sources` says how many of the first are sources."""
    order = found.order.tolist()
    nodes = graph.nodes_at(found.order)
    way = {v: [node] for v, node in zip(order[:sources], nodes)}
    for v, p, node in zip(order[sources:], found.parent[found.order[sources:]].tolist(), nodes[sources:]):
        way[v] = [node, *way[p]] if backwards else [*way[p], node]
    return dict(zip(nodes, way.values()))
