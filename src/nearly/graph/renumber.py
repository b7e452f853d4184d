"""A graph's arcs under other vertex numbers, perhaps with added arcs; each arc keeps the number it had.

Transforms build their graphs from these. The builder sorts the arcs into rows once, whatever they carry: here an arc
carries its number in place of a weight, so that weights, and the way back, are looked up by that number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.jit import parallel_kernel
from nearly.base.unsigned import piece_bounds
from nearly.graph.build import from_source
from nearly.graph.csr import Graph
from nearly.graph.edge_source import CHUNK, ArcSource, Chunk


class NumberedRows(NamedTuple):
    """Rows in which every arc has a number: its own in the given graph, those added counting on from there."""

    offsets: np.ndarray
    targets: np.ndarray
    numbers: np.ndarray  # unsigned


def renumbered(
    graph: Graph, place: np.ndarray, n: int, src: np.ndarray | None = None, dst: np.ndarray | None = None
) -> NumberedRows:
    """The graph's arcs between the `n` vertices they have now, with arcs from `src` to `dst` (old numbers) added.

    Rows ascend; parallel arcs keep their order, added ones coming last.

    Examples
    --------
    >>> g = Graph.from_edges([0, 0, 1], [1, 2, 2])
    >>> rows = renumbered(g, np.array([2, 1, 0], np.uint32), 3, np.array([2]), np.array([0]))
    >>> rows.offsets.tolist(), rows.targets.tolist(), rows.numbers.tolist()
    ([0, 1, 2, 4], [2, 0, 0, 1], [3, 2, 1, 0])
    """
    number = graph.arrays.targets.dtype
    none = np.empty(0, number)
    added = (none, none) if src is None or dst is None else (src.astype(number), dst.astype(number))
    offsets, targets, numbers = from_source(_Numbered(graph, place, *added), n, True, "keep").arrays
    return NumberedRows(offsets, targets, numbers.view(f"u{numbers.itemsize}"))


class _Numbered:
    """The arcs as edges for the builder, which moves the bits of a weight whatever they mean."""

    def __init__(self, graph: Graph, place: np.ndarray, src: np.ndarray, dst: np.ndarray) -> None:
        self.arcs, self.place, self.src, self.dst = ArcSource(graph), place, src, dst

    @property
    def edges(self) -> int:
        return self.arcs.edges + self.src.size

    @property
    def weight_dtype(self) -> np.dtype:
        return np.dtype(np.uint32 if self.edges < 2**32 else np.float64)

    def chunks(self) -> Iterator[Chunk]:
        low, number = 0, np.dtype(f"u{self.weight_dtype.itemsize}")
        for old_src, old_dst in self._ends():
            src, dst = (np.empty(old_src.size, self.place.dtype) for _ in range(2))
            look_up(self.place, old_src, src)
            look_up(self.place, old_dst, dst)
            numbers = np.arange(low, low + src.size, dtype=number)
            low += src.size
            yield Chunk(src, dst, numbers.view(self.weight_dtype))

    def _ends(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for chunk in self.arcs.chunks():
            yield chunk.src, chunk.dst
        for low in range(0, self.src.size, CHUNK):
            yield self.src[low : low + CHUNK], self.dst[low : low + CHUNK]


PIECES = 64


@parallel_kernel
def look_up(values, numbers, found):
    """`values[numbers]` into `found`."""
    for piece in prange(PIECES):
        low, high = piece_bounds(numbers.size, piece, PIECES)
        for i in range(low, high):
            found[i] = values[numbers[i]]
