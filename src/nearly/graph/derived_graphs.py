"""Graphs made from a graph: turned round, symmetrised, relabelled by a permutation, or cut down to some vertices.

All but the last hand the graph's arcs to the builder as edges (`ArcSource`), changed on the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.base.memory import require
from nearly.base.threads import kernel_threads
from nearly.graph.attributes import carry
from nearly.graph.build import from_source
from nearly.graph.csr import NO_WEIGHTS, Arrays, Graph
from nearly.graph.edge_source import CHUNK, ArcSource, Chunk
from nearly.graph.names import Labels, taken
from nearly.graph.subgraph_kernels import copy_rows, count_rows

_FEW = 8  # where rows have this many times fewer arcs than there are vertices, nothing is made for all vertices


def reversed_graph(graph: Graph) -> Graph:
    """Every arc turned round; parallel arcs stay."""
    made = from_source(ArcSource(graph, turned=True), graph.n, True, "keep", ids=graph.labels, ascending=True)
    return carry(graph, made)


def symmetrized_graph(graph: Graph) -> Graph:
    """The undirected view: both arcs of everything, duplicates merged."""
    return carry(graph, from_source(ArcSource(graph), graph.n, directed=False, ids=graph.labels))


def count_targets(graph: Graph) -> np.ndarray:
    """How many arcs enter each vertex."""
    counts = np.zeros(graph.n, np.uint64)
    targets = graph.arrays.targets
    for low in range(0, graph.m, CHUNK):
        counts += np.bincount(targets[low : low + CHUNK].astype(np.int64), minlength=graph.n).astype(np.uint64)
    return counts


class _MappedSource(ArcSource):
    """A graph's arcs under new vertex numbers."""

    def __init__(self, graph: Graph, new: np.ndarray) -> None:
        super().__init__(graph)
        self.new = new

    def chunks(self) -> Iterator[Chunk]:
        for chunk in super().chunks():
            yield Chunk(self.new[chunk.src], self.new[chunk.dst], chunk.weights)


def relabel(graph: Graph, permutation: Any) -> Graph:
    """See `Graph.relabel`."""
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
    ids: Labels = None
    old = np.empty(graph.n, np.int64)
    old[new] = np.arange(graph.n)
    if graph.labels is not None:
        ids = taken(graph.labels, old)
    source = _MappedSource(graph, new.astype(graph.arrays.targets.dtype))
    return carry(graph, _rebuilt(source, graph.n, graph.directed, ids), old)


def subgraph(graph: Graph, mask: Any) -> Graph:
    """See `Graph.subgraph`."""
    mask = np.asarray(mask)
    if mask.dtype != bool or mask.shape != (graph.n,):
        raise InvalidArgumentError(f"mask must hold {graph.n} booleans, not shape {mask.shape} of {mask.dtype}")
    return induced(graph, np.flatnonzero(mask), mask)


def induced(graph: Graph, kept: np.ndarray, mask: np.ndarray | None = None) -> Graph:
    """The graph on the vertices `kept`, int64, ascending and each once; `mask` tells the same where there is one."""
    carried = graph.weighted or graph.edge_columns is not None
    offsets = graph.arrays.offsets
    few = mask is None and _FEW * int((offsets[kept + 1] - offsets[kept]).sum()) <= graph.n
    begins, ends, arcs = _few_rows(graph, kept) if few else _many_rows(graph, kept, mask, carried)
    made = Arrays(begins, ends, graph.arrays.weights[arcs] if graph.weighted else NO_WEIGHTS)
    part = Graph._trusted(made, graph.directed, taken(graph.labels, kept))
    return carry(graph, part, kept, arcs.astype(np.int64) if carried else None)


def arcs_of(graph: Graph, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The arcs of these rows one after the other, and how many each row has."""
    begin, end = graph.arrays.offsets[rows].astype(np.int64), graph.arrays.offsets[rows + 1].astype(np.int64)
    sizes = end - begin
    before = np.cumsum(sizes) - sizes
    return np.repeat(begin - before, sizes) + np.arange(sizes.sum()), sizes


def _few_rows(graph: Graph, kept: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What stays of few rows, in time in proportion to them: (begin of each row, ends, arcs)."""
    arcs, sizes = arcs_of(graph, kept)
    targets = graph.arrays.targets[arcs]
    new = np.searchsorted(kept, targets)
    stays = np.append(kept, -1)[new] == targets
    before = np.concatenate([np.zeros(1, np.uint64), np.cumsum(stays, dtype=np.uint64)])
    begins = before[np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])]
    return begins, new[stays].astype(targets.dtype), arcs[stays]


def _many_rows(
    graph: Graph, kept: np.ndarray, mask: np.ndarray | None, carried: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What stays of rows, by all workers: (begin of each row, ends, arcs, none of them if they are not `carried`)."""
    if mask is None:
        mask = np.zeros(graph.n, np.bool_)
        mask[kept] = True
    offsets, targets, weights = graph.arrays
    rows, begins = (offsets, targets), np.zeros(kept.size + 1, offsets.dtype)
    with kernel_threads(work=graph.m + graph.n) as workers:
        count_rows(rows, kept, mask, begins[1:], np.zeros(1, np.uint64), workers)
        np.cumsum(begins, out=begins)
        size = int(begins[-1])
        require(size * (targets.itemsize + (8 + weights.itemsize) * carried), "a subgraph")
        new, ends = (np.cumsum(mask) - 1).astype(targets.dtype), np.empty(size, targets.dtype)
        arcs = np.empty(size if carried else 0, np.uint64)
        copy_rows(rows, kept, mask, new, begins, (ends, arcs), np.zeros(1, np.uint64), workers)
    return begins, ends, arcs


def _rebuilt(source: ArcSource, n: int, directed: bool, ids: Labels) -> Graph:
    """A graph from arcs that are already both ways where it is undirected."""
    built = from_source(source, n, True, "keep", ids=ids)
    return built if directed else Graph._trusted(built.arrays, False, built.labels)
