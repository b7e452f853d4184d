"""Edges as lines of numbers, for the writers of all text formats.

An undirected edge is written once. Real weights are written with the fewest digits that name them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nearly.base.progress import Progress, silent
from nearly.graph.csr import Graph
from nearly.graph.edge_source import ArcSource, Chunk, each_once, part_of
from nearly.graph.io.split_fields import quoted
from nearly.graph.names import Names

_LINES = 1 << 18  # edges formatted at once


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
            part = part_of(chunk, slice(low, low + _LINES))
            yield part if graph.directed else each_once(part)
            done += min(_LINES, chunk.src.size - low)
            progress("writing", done, graph.m)


def edge_lines(src: np.ndarray, dst: np.ndarray, weights: np.ndarray | None, separator: bytes) -> memoryview:
    """The text of some edges, a line each."""
    from nearly.graph.io.format_kernels import LONGEST_NUMBER, format_edges

    words = np.empty((0, 0), np.uint8)
    if weights is not None and weights.size:
        texts = weight_texts(weights)
        words = texts.view(np.uint8).reshape(weights.size, texts.dtype.itemsize)
    out = np.empty(src.size * (2 * LONGEST_NUMBER + words.shape[1] + 3), np.uint8)
    size = format_edges(src.astype(np.uint64), dst.astype(np.uint64), words, ord(separator), out)
    return out.data[: int(size)]


def named_lines(names: Names, src: np.ndarray, dst: np.ndarray, weights: np.ndarray | None, separator: bytes) -> bytes:
    """The same between names, in quotes where they need them."""
    ends, places = np.unique(np.concatenate([src, dst]), return_inverse=True)
    words = [quoted(name) for name in names.taken(ends).array.tolist()]
    begin, end = ([words[v] for v in part] for part in np.split(places.ravel(), [src.size]))
    between = separator.decode()
    if weights is None:
        return "".join(f"{u}{between}{v}\n" for u, v in zip(begin, end)).encode()
    texts = weight_texts(weights).astype(str).tolist()
    return "".join(f"{u}{between}{v}{between}{w}\n" for u, v, w in zip(begin, end, texts)).encode()


def weight_texts(weights: np.ndarray) -> np.ndarray:
    """Each weight in the fewest digits that read back as the same number."""
    texts = weights.astype(np.bytes_)
    if weights.dtype == np.float32:
        # readers go through a double, which can land on the edge between two floats: spell those out in full
        wrong = np.flatnonzero(texts.astype(np.float64).astype(np.float32) != weights)
        texts[wrong] = weights[wrong].astype(np.float64).astype(np.bytes_)
    return texts
