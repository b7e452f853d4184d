"""Building a small graph with NumPy alone: nothing to compile, and an oracle for the kernels that build large ones.

All arcs are held at once and put in order by one stable sort, so that of parallel edges the first given stays first.
"""

from __future__ import annotations

import numpy as np

from nearly.base.errors import InvalidGraphError
from nearly.graph.csr import NO_WEIGHTS, OFFSET, Arrays, vertex_dtype
from nearly.graph.edge_source import EdgeSource


def small_arrays(source: EdgeSource, n: int, both_ways: bool, duplicates: str, drop_loops: bool) -> Arrays:
    """The arrays of a graph of `n` vertices, all edges in memory."""
    src, dst, weights = _all_edges(source)
    largest = int(max(src.max(), dst.max())) if src.size else -1
    if largest >= n:
        raise InvalidGraphError(f"vertex {largest} is out of range for n={n}; vertices are numbered 0 to n - 1")
    if both_ways:
        src, dst, weights = _mirrored(src, dst, weights)
    if drop_loops:
        stay = src != dst
        src, dst, weights = src[stay], dst[stay], None if weights is None else weights[stay]
    order = (src * np.uint64(n) + dst).argsort(kind="stable") if n < 1 << 32 else np.lexsort((dst, src))
    src, dst = src[order], dst[order]
    if weights is not None:
        weights = weights[order]
    if duplicates != "keep":
        src, dst, weights = _merged(src, dst, weights, duplicates)
    offsets = np.zeros(n + 1, OFFSET)
    np.add.at(offsets[1:], src, OFFSET.type(1))
    np.cumsum(offsets, out=offsets)
    return Arrays(offsets, dst.astype(vertex_dtype(n)), NO_WEIGHTS if weights is None else weights)


def _all_edges(source: EdgeSource) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Copies of all edges: a chunk may be overwritten once the next is asked for."""
    ends, dtype = np.uint64, source.weight_dtype
    chunks = [
        (chunk.src.astype(ends), chunk.dst.astype(ends), None if chunk.weights is None else chunk.weights.astype(dtype))
        for chunk in source.chunks()
    ]
    if len(chunks) == 1:
        return chunks[0]
    chunks.append((np.empty(0, ends), np.empty(0, ends), None if dtype is None else np.empty(0, dtype)))
    src, dst, weights = zip(*chunks)
    return np.concatenate(src), np.concatenate(dst), None if dtype is None else np.concatenate(weights)


def _mirrored(
    src: np.ndarray, dst: np.ndarray, weights: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Each edge followed by its other direction; a self-loop has one."""
    ways = np.ones((src.size, 2), bool)
    ways[:, 1] = src != dst
    stay = ways.ravel()
    both = np.stack((src, dst), axis=1)
    weights = None if weights is None else weights.repeat(2)[stay]
    return both.ravel()[stay], both[:, ::-1].ravel()[stay], weights


def _merged(
    src: np.ndarray, dst: np.ndarray, weights: np.ndarray | None, duplicates: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """One arc of each run of parallel ones, in the order of the rows."""
    new = np.ones(src.size, bool)
    np.logical_or(src[1:] != src[:-1], dst[1:] != dst[:-1], out=new[1:])
    if new.all():
        return src, dst, weights
    kept = weights
    if weights is not None:
        kept = weights[new]
        if duplicates != "first":
            run = new.cumsum() - 1
            join = np.minimum if duplicates == "min" else np.add
            with np.errstate(over="ignore"):  # `check_sums` looks at the sums
                join.at(kept, run[~new], weights[~new])  # one after the other, as the kernels do
    return src[new], dst[new], kept
