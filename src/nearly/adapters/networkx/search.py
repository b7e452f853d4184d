"""Searches that NetworkX's answers show the order of: rows are taken as edges were added, ties go to who came first.

`Search` is breadth first, `deep` is depth first, `Nearest` is Dijkstra's algorithm with NetworkX's own tie-breaking: by
distance, then by the time of entering the queue.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from nearly.adapters.networkx.graph import BackendGraph
from nearly.adapters.networkx.search_kernels import depth_first, in_order, nearest_first

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
    """Breadth-first searches over one graph, `backwards` against the arcs (then rows ascend)."""

    def __init__(self, graph: BackendGraph, backwards: bool = False) -> None:
        turned = backwards and graph.directed
        self.offsets, self.targets = graph.graph.reverse.arrays[:2] if turned else (graph.offsets, graph.targets)
        n = len(graph)
        self.level, self.parent = np.full(n, -1, np.int64), np.empty(n, np.uint32)
        self.order = np.empty(n, np.uint32)
        self.count = 0

    def __call__(self, sources: Sequence[int], limit: float | None = None) -> Found:
        """Search up to `limit` hops; what it returns is good until the next call."""
        self.level[self.order[: self.count]] = -1
        limit = FAR if limit is None or limit > FAR else int(np.ceil(limit))  # who is nearer looks on
        begin = np.array(sources, np.uint32)
        self.count = int(in_order(self.offsets, self.targets, begin, limit, self.level, self.parent, self.order))
        return Found(self.order[: self.count], self.parent, self.level)


class Deep(NamedTuple):
    """Vertices in the order of entering and in that of leaving; starts are their own parents."""

    pre: np.ndarray
    post: np.ndarray
    parent: np.ndarray


def deep(graph: BackendGraph, start: int | None = None) -> Deep:
    """A depth-first search from one vertex, or from every vertex in turn that is not yet visited."""
    n = len(graph)
    starts = np.arange(n, dtype=np.uint32) if start is None else np.array([start], np.uint32)
    parent, pre, post = np.empty(n, np.uint32), np.empty(n, np.uint32), np.empty(n, np.uint32)
    count = int(depth_first(graph.offsets, graph.targets, starts, parent, pre, post))
    return Deep(pre[:count], post[:count], parent)


class Nearest:
    """Dijkstra's searches over one graph by an edge attribute; distances of whole weights are whole."""

    def __init__(self, graph: BackendGraph, attribute: str | None) -> None:
        lengths = graph.lengths(attribute)
        self.whole = lengths.dtype.kind == "i"
        self.offsets, self.targets = graph.offsets, graph.targets
        self.weights = graph.along_arcs(lengths.astype(np.float64))
        self.n = len(graph)

    def __call__(self, sources: Sequence[int], cutoff: float | None = None, target: int | None = None) -> Found:
        """Search up to distance `cutoff`, or until `target` is reached."""
        far, parent = np.full(self.n, np.inf), np.empty(self.n, np.uint32)
        order = np.empty(self.n, np.uint32)
        count = nearest_first(
            self.offsets, self.targets, self.weights, np.array(sources, np.uint32),
            np.inf if cutoff is None else float(cutoff), self.n if target is None else target, far, parent, order,
        )  # fmt: skip
        return Found(order[: int(count)], parent, whole_or_not(far, self.whole))


def whole_or_not(far: np.ndarray, whole: bool) -> np.ndarray:
    """Distances as whole numbers where the weights are, then -1 for infinity."""
    return np.where(np.isfinite(far), far, -1).astype(np.int64) if whole else far


def lengths(graph: BackendGraph, found: Found) -> dict[Any, Any]:
    """Distances by node, in the order of finding."""
    return dict(zip(graph.nodes_at(found.order), found.distances.tolist()))


def paths(graph: BackendGraph, found: Found, sources: int, backwards: bool = False) -> dict[Any, list[Any]]:
    """A shortest path to each vertex found, of which the first so many are sources."""
    order = found.order.tolist()
    nodes = graph.nodes_at(found.order)
    way = {v: [node] for v, node in zip(order[:sources], nodes)}
    for v, p, node in zip(order[sources:], found.parent[found.order[sources:]].tolist(), nodes[sources:]):
        way[v] = [node, *way[p]] if backwards else [*way[p], node]
    return dict(zip(nodes, way.values()))
