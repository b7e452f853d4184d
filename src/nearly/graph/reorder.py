"""The same graph under other numbers: relabelling by a permutation, and the part of it under a mask."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.graph.build import ArcSource, from_source
from nearly.graph.csr import Graph
from nearly.graph.source import Chunk


class _MappedSource(ArcSource):
    """A graph's arcs under new vertex numbers; arcs with an unmapped end are left out."""

    def __init__(self, graph: Graph, new: np.ndarray, kept: np.ndarray | None = None) -> None:
        super().__init__(graph)
        self.new, self.kept = new, kept

    def chunks(self) -> Iterator[Chunk]:
        for src, dst, weights in super().chunks():
            if self.kept is not None:
                stay = self.kept[src] & self.kept[dst]
                src, dst, weights = src[stay], dst[stay], None if weights is None else weights[stay]
            yield Chunk(self.new[src], self.new[dst], weights)


def relabel(graph: Graph, permutation: Any) -> Graph:
    """The same graph with vertex `v` renamed `permutation[v]`; original ids move along.

    Examples
    --------
    >>> relabel(Graph.from_edges([0], [1], n=3), [2, 0, 1]).arc_sources().tolist()
    [2]
    """
    new = np.asarray(permutation)
    if new.shape != (graph.n,) or (graph.n and new.dtype.kind not in "iu"):
        raise InvalidArgumentError(
            f"permutation must hold {graph.n} whole numbers, not shape {new.shape} of {new.dtype}"
        )
    seen = np.zeros(graph.n, bool)
    if graph.n and new.min() >= 0 and new.max() < graph.n:
        seen[new] = True
    if not seen.all():
        raise InvalidArgumentError(f"permutation must hold each number from 0 to {graph.n - 1} once")
    ids = None
    if graph.ids is not None:
        ids = np.empty_like(graph.ids)
        ids[new] = graph.ids
    source = _MappedSource(graph, new.astype(graph.arrays.targets.dtype))
    return _rebuilt(source, graph.n, graph.directed, ids)


def subgraph(graph: Graph, mask: Any) -> Graph:
    """The graph on the vertices where `mask` is true, renumbered in order; `ids` say which they were.

    Examples
    --------
    >>> subgraph(Graph.from_edges([0, 1], [1, 2]), [False, True, True]).ids.tolist()
    [1, 2]
    """
    mask = np.asarray(mask)
    if mask.dtype != bool or mask.shape != (graph.n,):
        raise InvalidArgumentError(f"mask must hold {graph.n} booleans, not shape {mask.shape} of {mask.dtype}")
    new = (np.cumsum(mask) - 1).astype(graph.arrays.targets.dtype)
    kept = np.flatnonzero(mask)
    ids = kept if graph.ids is None else graph.ids[kept]
    return _rebuilt(_MappedSource(graph, new, mask), kept.size, graph.directed, ids)


def _rebuilt(source: ArcSource, n: int, directed: bool, ids: np.ndarray | None) -> Graph:
    """A graph from arcs that are already both ways where it is undirected."""
    built = from_source(source, n, True, "keep", ids=ids)
    return built if directed else Graph._trusted(built.arrays, False, built.ids)
