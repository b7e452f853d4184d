"""From edges to a `Graph`: policies, checks, and the two-pass pipeline over an edge source.

Pass one counts how many arcs fall into each bucket of rows, pass two moves them there; then buckets are
sorted and parallel edges merged in place (see `partition.py`). The source is read twice and never
held, so that files and generators build within about 1.6 times the final size.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from nearly.base.errors import InvalidArgumentError, InvalidGraphError
from nearly.base.memory import require
from nearly.base.progress import Progress, silent
from nearly.base.threads import kernel_threads
from nearly.graph.csr import NO_WEIGHTS, OFFSET, Arrays, Graph, vertex_dtype
from nearly.graph.source import CHUNK, ArraySource, Chunk, EdgeSource

_BUCKET_ARCS = 1 << 16  # arcs a bucket should hold: 6 bytes each stay in the second-level cache
_MOST_BUCKETS = 1 << 11
_ROW_BITS = 16  # a row's number within its bucket is a uint16
_WEIGHT_TYPES = ("uint32", "float32", "float64")


def from_edges(
    src: Any,
    dst: Any,
    weights: Any = None,
    n: int | None = None,
    directed: bool = True,
    duplicates: str | None = None,
    self_loops: str = "keep",
    negative: str = "reject",
    nan: str = "reject",
    weight_dtype: Any = None,
) -> Graph:
    """See `Graph.from_edges`."""
    src, dst = _endpoints(src, "src"), _endpoints(dst, "dst")
    if src.size != dst.size:
        raise InvalidGraphError(f"src and dst must be of one length, not {src.size} and {dst.size}")
    largest = int(max(src.max(), dst.max())) + 1 if src.size else 0
    n = _vertex_count(n, largest)
    dtype = vertex_dtype(n)
    src, dst = np.ascontiguousarray(src, dtype), np.ascontiguousarray(dst, dtype)
    if weights is not None:
        weights = np.asarray(weights)
        if weights.shape != src.shape:
            raise InvalidGraphError(f"weights must be of the edges' length {src.size}, not {weights.shape}")
        weights, keep = checked_weights(weights, negative, nan, weight_dtype)
        if keep is not None:
            src, dst = src[keep], dst[keep]
        weights = _room_for_sums(weights, duplicates)
    return from_source(ArraySource(src, dst, weights), n, directed, duplicates, self_loops)


def from_source(
    source: EdgeSource,
    n: int,
    directed: bool = True,
    duplicates: str | None = None,
    self_loops: str = "keep",
    ids: np.ndarray | None = None,
    progress: Progress = silent,
    ascending: bool = False,
) -> Graph:
    """Build a graph of `n` vertices from anything that can hand out its edges twice.

    `ascending` promises that each vertex's targets come in ascending order, which saves most of the sorting.
    """
    from nearly.graph import build_kernels as partition

    policy = _policy(duplicates, source.weight_dtype is not None)
    drop_loops = _one_of("self_loops", self_loops, ("keep", "drop")) == "drop"
    shift, buckets = _bucket_plan(n, source.edges * (1 if directed else 2))
    weighted = source.weight_dtype is not None
    with kernel_threads(work=source.edges) as workers:
        starts, m = _count(source, n, shift, buckets, not directed, progress)
        targets, bits = _allocate(n, m, source.weight_dtype)
        rows = np.empty(m, np.uint16)
        _place(source, n, shift, not directed, starts, targets, rows, bits, progress)
        offsets = np.zeros(n + 1, OFFSET)
        digits, width = (0, 1) if ascending else _digit_plan(n)
        progress("sorting", 0, None)
        partition.sort_buckets(
            starts, np.uint64(n), shift, digits, np.uint64(width), targets, rows, bits, weighted,
            offsets[1:], np.zeros(1, np.uint64), workers,
        )  # fmt: skip
        del rows
        weights = NO_WEIGHTS if source.weight_dtype is None else bits.view(source.weight_dtype)
        if policy != partition.KEEP or drop_loops:
            kept = np.zeros(buckets, np.uint64)
            values = bits if not weighted else weights
            partition.merge_rows(
                starts, np.uint64(n), shift, targets, values, weighted, policy, drop_loops,
                offsets[1:], kept, np.zeros(1, np.uint64), workers,
            )  # fmt: skip
            size = _close_gaps(starts, kept, (targets, bits) if weighted else (targets,))
            del weights, values
            targets.resize(size, refcheck=False)
            if weighted:
                bits.resize(size, refcheck=False)
            weights = NO_WEIGHTS if source.weight_dtype is None else bits.view(source.weight_dtype)
    np.cumsum(offsets, out=offsets)
    return Graph._trusted(Arrays(offsets, targets, weights), directed, ids)


def checked_weights(
    weights: np.ndarray, negative: str = "reject", nan: str = "reject", dtype: Any = None
) -> tuple[np.ndarray, np.ndarray | None]:
    """Weights of a kernel type, and the mask of edges that stay where some are dropped."""
    _one_of("negative", negative, ("reject", "keep"))
    _one_of("nan", nan, ("reject", "drop"))
    if dtype is not None and np.dtype(dtype).name not in _WEIGHT_TYPES:
        raise InvalidArgumentError(f"weight_dtype must be one of {', '.join(_WEIGHT_TYPES)}, not {dtype!r}")
    if weights.dtype.kind not in "buif":
        raise InvalidGraphError(f"weights must be numbers, not {weights.dtype}")
    keep = None
    if weights.dtype.kind == "f" and not np.isfinite(weights).all():
        finite = np.isfinite(weights)
        if nan == "reject":
            at = int(np.argmin(finite))
            raise InvalidGraphError(
                f"the weight of edge {at} is {weights[at]}; pass nan='drop' to leave such edges out"
            )
        keep, weights = finite, weights[finite]
    low = weights.min() if weights.size else 0
    if low < 0 and negative == "reject":
        at = int(np.argmin(weights))
        raise InvalidGraphError(f"edge {at} has the negative weight {weights[at]}; pass negative='keep' to allow it")
    return _as_kernel_type(weights, low, dtype), keep


def _as_kernel_type(weights: np.ndarray, low: Any, dtype: Any) -> np.ndarray:
    high = weights.max() if weights.size else 0
    whole = weights.dtype.kind in "bui"
    if dtype is None:
        fits = low >= 0 and high < 2**32
        dtype = (
            np.uint32
            if whole and fits
            else np.float64
            if whole and max(abs(int(low)), int(high)) > 2**24
            else np.float32
        )
    if np.dtype(dtype) == np.uint32 and (low < 0 or high >= 2**32 or (not whole and (weights % 1).any())):
        raise InvalidGraphError("weight_dtype='uint32' needs whole numbers from 0 to 4294967295")
    with np.errstate(over="ignore"):  # a decimal a little above the largest float32 still rounds to it
        largest = np.float32(max(abs(float(low)), abs(float(high))))
    if np.dtype(dtype) == np.float32 and not np.isfinite(largest):
        raise InvalidGraphError("a weight is too large for float32; pass weight_dtype='float64'")
    return np.ascontiguousarray(weights, dtype)


def _room_for_sums(weights: np.ndarray, duplicates: str | None) -> np.ndarray:
    """Whole-number weights that are to be summed must not overflow."""
    if duplicates == "sum" and weights.dtype == np.uint32 and int(weights.sum(dtype=np.uint64)) >= 2**32:
        return weights.astype(np.float64)
    return weights


def _endpoints(values: Any, name: str) -> np.ndarray:
    array = np.asarray(values)
    if array.ndim != 1:
        raise InvalidGraphError(f"{name} must be one-dimensional, not of shape {array.shape}")
    if array.size == 0:
        return np.empty(0, np.uint32)
    if array.dtype.kind not in "iu":
        raise InvalidGraphError(f"{name} must hold whole numbers, not {array.dtype}")
    if array.dtype.kind == "i" and array.min() < 0:
        raise InvalidGraphError(f"{name} holds the negative vertex {array.min()}; vertices are numbered from 0")
    return array


def _vertex_count(n: int | None, least: int) -> int:
    if n is None:
        n = least
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 0:
        raise InvalidArgumentError(f"n must be a whole number of at least 0, not {n!r}")
    if n < least:
        raise InvalidGraphError(f"vertex {least - 1} is out of range for n={n}; vertices are numbered 0 to n - 1")
    require(8 * (int(n) + 1), f"a graph of {n} vertices (compact the ids if most do not occur)")
    return int(n)


def _policy(duplicates: str | None, weighted: bool) -> int:
    from nearly.graph import build_kernels as partition

    codes = {"keep": partition.KEEP, "first": partition.FIRST, "min": partition.MIN, "sum": partition.SUM}
    return codes[_one_of("duplicates", duplicates or ("min" if weighted else "first"), tuple(codes))]


def _one_of(name: str, value: Any, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise InvalidArgumentError(f"{name} must be one of {', '.join(allowed)}, not {value!r}")
    return value


def _bucket_plan(n: int, arcs: int) -> tuple[np.uint64, int]:
    """The number of low bits of a vertex that number it within its bucket, and the number of buckets."""
    wanted = min(max(arcs // _BUCKET_ARCS, 1), _MOST_BUCKETS)
    shift = min(max(-(-n // wanted) - 1, 0).bit_length(), _ROW_BITS)
    return np.uint64(shift), max(-(-n >> shift), 1) if n else 1


def _digit_plan(n: int) -> tuple[int, int]:
    """How many sorting passes over a target, and how many bits each."""
    from nearly.graph.build_kernels import DIGIT

    bits = max(n - 1, 1).bit_length()
    digits = -(-bits // DIGIT)
    return digits, -(-bits // digits)


def _count(
    source: EdgeSource, n: int, shift: np.uint64, buckets: int, both_ways: bool, progress: Progress
) -> tuple[np.ndarray, int]:
    """Where each bucket's region starts, and the number of arcs."""
    from nearly.graph import build_kernels as partition

    totals = np.zeros(buckets + 1, np.uint64)
    sizes = np.empty((partition.PIECES, buckets), np.uint64)
    done = 0
    for chunk in source.chunks():
        if chunk.src.size:
            largest = partition.bucket_sizes(chunk.src, chunk.dst, np.uint64(n), shift, both_ways, sizes)
            if largest >= n:
                raise InvalidGraphError(f"vertex {largest} is out of range for n={n}; vertices are numbered 0 to n - 1")
            totals[1:] += sizes.sum(axis=0)
        done += chunk.src.size
        progress("counting", done, source.edges)
    starts = np.cumsum(totals, dtype=np.uint64)
    return starts, int(starts[-1])


def _allocate(n: int, m: int, weight_dtype: np.dtype | None) -> tuple[np.ndarray, np.ndarray]:
    """The final targets and, as plain bits, weights."""
    dtype = vertex_dtype(n)
    width = 0 if weight_dtype is None else weight_dtype.itemsize
    require(m * (dtype.itemsize + width + 2) + 8 * (n + 1), f"a graph of {n:,} vertices and {m:,} arcs")
    return np.empty(m, dtype), np.empty(m if width else 0, np.uint64 if width == 8 else np.uint32)


def _place(
    source: EdgeSource,
    n: int,
    shift: np.uint64,
    both_ways: bool,
    starts: np.ndarray,
    targets: np.ndarray,
    rows: np.ndarray,
    bits: np.ndarray,
    progress: Progress,
) -> None:
    from nearly.graph import build_kernels as partition

    cursors = starts[:-1].copy()
    places = np.empty((partition.PIECES, cursors.size), np.uint64)
    done = 0
    for chunk in source.chunks():
        if chunk.src.size:
            weights = bits if chunk.weights is None else chunk.weights.view(bits.dtype)
            largest = partition.bucket_sizes(chunk.src, chunk.dst, np.uint64(n), shift, both_ways, places)
            partition.reserve(places, cursors)
            if largest >= n or (cursors > starts[1:]).any():
                raise InvalidGraphError(
                    "the source gave other edges when read a second time; it must not change meanwhile"
                )
            partition.scatter(
                chunk.src, chunk.dst, weights, chunk.weights is not None, shift, both_ways, places, targets, rows, bits
            )  # fmt: skip
        done += chunk.src.size
        progress("placing", done, source.edges)
    if not np.array_equal(cursors, starts[1:]):
        raise InvalidGraphError("the source gave fewer edges when read a second time; it must not change meanwhile")


def _close_gaps(starts: np.ndarray, kept: np.ndarray, arrays: tuple[np.ndarray, ...]) -> int:
    """Move each bucket's kept arcs left, next to the bucket before; returns how many there are in all."""
    to = 0
    for start, count in zip(starts[:-1].tolist(), kept.tolist()):
        if to != start:
            for array in arrays:
                array[to : to + count] = array[start : start + count]
        to += count
    return to


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
        from nearly.graph.build_kernels import expand_rows

        offsets, targets, weights = self.graph.arrays
        for low in range(0, self.graph.m, CHUNK):
            high = min(low + CHUNK, self.graph.m)
            rows = np.empty(high - low, targets.dtype)
            expand_rows(offsets, np.uint64(low), np.uint64(high), rows)
            ends = targets[low:high]
            src, dst = (ends, rows) if self.turned else (rows, ends)
            yield Chunk(src, dst, weights[low:high] if self.graph.weighted else None)


def reversed_graph(graph: Graph) -> Graph:
    """Every arc turned round; parallel arcs stay."""
    return from_source(ArcSource(graph, turned=True), graph.n, True, "keep", ids=graph.ids, ascending=True)


def symmetrized_graph(graph: Graph) -> Graph:
    """The undirected view: both arcs of everything, duplicates merged."""
    return from_source(ArcSource(graph), graph.n, directed=False, ids=graph.ids)


def count_targets(graph: Graph) -> np.ndarray:
    """How many arcs enter each vertex."""
    counts = np.zeros(graph.n, np.uint64)
    targets = graph.arrays.targets
    for low in range(0, graph.m, CHUNK):
        counts += np.bincount(targets[low : low + CHUNK].astype(np.int64), minlength=graph.n).astype(np.uint64)
    return counts
