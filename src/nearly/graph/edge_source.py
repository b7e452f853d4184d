"""Where edges come from: anything that can hand out its edges in chunks, twice, in the same order.

Arrays, files and counter-based generators all qualify, so that one builder (count, then place)
serves them all without ever holding a second copy of the edges. So does a graph itself, whose arcs are edges again
when another graph is made of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from nearly.base.threads import kernel_threads

if TYPE_CHECKING:
    from nearly.graph.csr import Graph

SMALL = 1 << 17  # edges; NumPy sorts as many in less time than kernels take to load
CHUNK = 1 << 22  # edges a chunk: small enough for buffers, large enough to keep all threads busy


class Chunk(NamedTuple):
    """Some edges: endpoints of one unsigned type (uint32 or uint64), and weights of a kernel type or None."""

    src: np.ndarray
    dst: np.ndarray
    weights: np.ndarray | None


def part_of(edges: Chunk, which: slice | np.ndarray) -> Chunk:
    """Some of the edges: a slice, or those where a mask is true."""
    return Chunk(edges.src[which], edges.dst[which], None if edges.weights is None else edges.weights[which])


def each_once(arcs: Chunk) -> Chunk:
    """Of an undirected graph's arcs those that stand for an edge: from its smaller end."""
    return part_of(arcs, arcs.src <= arcs.dst)


class EdgeSource(Protocol):
    """Edges that can be read more than once."""

    @property
    def edges(self) -> int:
        """How many edges all chunks hold together (for progress; may be an estimate)."""

    @property
    def weight_dtype(self) -> np.dtype | None:
        """uint32, float32 or float64; None where there are no weights."""

    def chunks(self) -> Iterator[Chunk]:
        """The edges in order, the same at every call. A chunk may be overwritten once the next is asked for."""


class ArraySource:
    """Edges that lie in memory."""

    def __init__(self, src: np.ndarray, dst: np.ndarray, weights: np.ndarray | None = None) -> None:
        self.src, self.dst, self.weights = src, dst, weights

    @property
    def edges(self) -> int:
        return self.src.size

    @property
    def weight_dtype(self) -> np.dtype | None:
        return None if self.weights is None else self.weights.dtype

    def chunks(self) -> Iterator[Chunk]:
        edges = Chunk(self.src, self.dst, self.weights)
        for low in range(0, self.src.size, CHUNK):
            yield part_of(edges, slice(low, low + CHUNK))


class ArcSource:
    """The arcs of a graph as edges again, turned round if `turned`, in row order."""

    def __init__(self, graph: Graph, turned: bool = False) -> None:
        self.graph, self.turned = graph, turned

    @property
    def edges(self) -> int:
        return self.graph.m

    @property
    def weight_dtype(self) -> np.dtype | None:
        return self.graph.arrays.weights.dtype if self.graph.weighted else None

    def chunks(self) -> Iterator[Chunk]:
        _, targets, weights = self.graph.arrays
        for low in range(0, self.graph.m, CHUNK):
            high = min(low + CHUNK, self.graph.m)
            rows = rows_of_arcs(self.graph, low, high)
            ends = targets[low:high]
            src, dst = (ends, rows) if self.turned else (rows, ends)
            yield Chunk(src, dst, weights[low:high] if self.graph.weighted else None)


def rows_of_arcs(graph: Graph, low: int, high: int) -> np.ndarray:
    """The row of each arc from low to high."""
    offsets, targets, _ = graph.arrays
    if graph.m < SMALL:
        return np.repeat(np.arange(graph.n, dtype=targets.dtype), graph.out_degrees.view(np.int64))[low:high]
    from nearly.graph.build_kernels import expand_rows

    rows = np.empty(high - low, targets.dtype)
    with kernel_threads(work=high - low):
        expand_rows(offsets, np.uint64(low), np.uint64(high), rows)
    return rows
