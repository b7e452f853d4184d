"""Edge lists, .csv edge lists and Matrix Market: lines of numbers under a header that lets them be read back equal.

An undirected edge is written once. Real weights are written with the fewest digits that name them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from nearly.base.progress import Progress, silent
from nearly.graph.build import ArcSource
from nearly.graph.csr import Graph
from nearly.graph.read.header import describe
from nearly.graph.source import Chunk

_LINES = 1 << 18  # edges formatted at once


def write_text(graph: Graph, file: BinaryIO, progress: Progress, separator: bytes = b"\t", names: bool = False) -> None:
    """An edge list; `names` puts the columns' names before the edges."""
    comments, ids = describe(graph)
    file.writelines(f"# {comment}\n".encode() for comment in comments)
    if names:
        file.write(separator.join((b"source", b"target", b"weight")[: 3 if graph.weighted else 2]) + b"\n")
    for src, dst, weights in edge_chunks(graph, progress):
        if ids is not None:
            src, dst = ids[src.astype(np.int64)], ids[dst.astype(np.int64)]
        file.write(_lines(src, dst, weights, separator))


def write_mtx(graph: Graph, file: BinaryIO, progress: Progress) -> None:
    """A Matrix Market file: `symmetric` (the lower triangle) where the graph is undirected."""
    field = "pattern" if not graph.weighted else "integer" if graph.arrays.weights.dtype == np.uint32 else "real"
    file.write(f"%%MatrixMarket matrix coordinate {field} {'general' if graph.directed else 'symmetric'}\n".encode())
    file.writelines(f"% {comment}\n".encode() for comment in describe(graph, dense=True)[0])
    file.write(f"{graph.n} {graph.n} {edge_count(graph)}\n".encode())
    one = np.uint64(1)
    for src, dst, weights in edge_chunks(graph, progress):
        # edges come with the smaller end first, the lower triangle wants it second
        row, column = (src, dst) if graph.directed else (dst, src)
        file.write(_lines(row.astype(np.uint64) + one, column.astype(np.uint64) + one, weights, b" "))


def edge_count(graph: Graph) -> int:
    """How many edges are written: an undirected one counts once."""
    if graph.directed:
        return graph.m
    return sum(src.size for src, _, _ in edge_chunks(graph))


def edge_chunks(graph: Graph, progress: Progress = silent) -> Iterator[Chunk]:
    """The edges in row order, an undirected one once, from its smaller end."""
    done = 0
    for chunk in ArcSource(graph).chunks():
        for low in range(0, chunk.src.size, _LINES):
            src, dst = chunk.src[low : low + _LINES], chunk.dst[low : low + _LINES]
            weights = None if chunk.weights is None else chunk.weights[low : low + _LINES]
            if not graph.directed:
                once = src <= dst
                src, dst, weights = src[once], dst[once], None if weights is None else weights[once]
            yield Chunk(src, dst, weights)
            done += min(_LINES, chunk.src.size - low)
            progress("writing", done, graph.m)


def _lines(src: np.ndarray, dst: np.ndarray, weights: np.ndarray | None, separator: bytes) -> memoryview:
    from nearly.graph.write.text_kernels import LONGEST_NUMBER, format_edges

    words = np.empty((0, 0), np.uint8)
    if weights is not None and weights.size:
        texts = weight_texts(weights)
        words = texts.view(np.uint8).reshape(weights.size, texts.dtype.itemsize)
    out = np.empty(src.size * (2 * LONGEST_NUMBER + words.shape[1] + 3), np.uint8)
    size = format_edges(src.astype(np.uint64), dst.astype(np.uint64), words, ord(separator), out)
    return out.data[: int(size)]


def weight_texts(weights: np.ndarray) -> np.ndarray:
    """Each weight in the fewest digits that read back as the same number."""
    texts = weights.astype(np.bytes_)
    if weights.dtype == np.float32:
        # readers go through a double, which can land on the edge between two floats: spell those out in full
        wrong = np.flatnonzero(texts.astype(np.float64).astype(np.float32) != weights)
        texts[wrong] = weights[wrong].astype(np.float64).astype(np.bytes_)
    return texts
