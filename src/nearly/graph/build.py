"""From edges to a `Graph`: policies, checks, and the two-pass pipeline over an edge source.

Pass one counts how many arcs fall into each bucket of rows, pass two moves them there; then buckets are
sorted and parallel edges merged in place (see `build_kernels.py`). The source is read twice and never
held, so that files and generators build within about 1.6 times the final size. A small graph is built by NumPy alone
(`build_small.py`), without anything to compile; once a large one has loaded the kernels, they build all but the tiny.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nearly.base.arguments import as_array, choice, flag, whole_number
from nearly.base.errors import InvalidGraphError
from nearly.base.memory import require
from nearly.base.progress import Progress, silent
from nearly.base.threads import kernel_threads
from nearly.graph.build_small import small_arrays
from nearly.graph.csr import NO_WEIGHTS, OFFSET, Arrays, Graph, vertex_dtype
from nearly.graph.edge_source import SMALL, ArraySource, EdgeSource
from nearly.graph.edge_weights import check_sums, checked_weights, room_for_sums
from nearly.graph.names import Labels
from nearly.graph.validate import whole_numbers

if TYPE_CHECKING:
    from nearly.graph.build_kernels import BucketedArcs

_BUCKET_ARCS = 1 << 16  # arcs a bucket should hold: 6 bytes each stay in the second-level cache
TINY = 1 << 11  # edges that NumPy sorts in less time than the kernels take to begin
_MOST_BUCKETS = 1 << 11
_ROW_BITS = 16  # a row's number within its bucket is a uint16


POLICIES = {"keep": 3, "first": 0, "min": 1, "sum": 2}  # for parallel edges, as the kernels number them


_kernels_loaded = False


class _Plan(NamedTuple):
    """How the rows of a graph are cut into buckets, and whether each edge gives arcs both ways."""

    n: int
    both_ways: bool
    shift: np.uint64  # the number of low bits of a vertex that number it within its bucket
    buckets: int


def from_edges(
    src: Any,
    dst: Any,
    weights: Any = None,
    n: int | None = None,
    directed: bool = True,
    duplicates: str | None = None,
    self_loops: str = "keep",
    **weight_policies: Any,
) -> Graph:
    """See `Graph.from_edges`; `weight_policies` are those of `checked_weights`."""
    flag("directed", directed)
    choice("duplicates", duplicates, (None, *POLICIES))
    src, dst = _endpoints(src, "src"), _endpoints(dst, "dst")
    if src.size != dst.size:
        raise InvalidGraphError(f"src and dst must be of one length, not {src.size} and {dst.size}")
    largest = int(max(src.max(), dst.max())) + 1 if src.size else 0
    n = _vertex_count(n, largest)
    dtype = vertex_dtype(n)
    src, dst = np.ascontiguousarray(src, dtype), np.ascontiguousarray(dst, dtype)
    if weights is not None:
        weights = as_array("weights", weights)
        if weights.shape != src.shape:
            raise InvalidGraphError(f"weights must be of the edges' length {src.size}, not {weights.shape}")
        weights, keep = checked_weights(weights, **weight_policies)
        if keep is not None:
            src, dst = src[keep], dst[keep]
        weights = room_for_sums(weights, duplicates)
    return from_source(ArraySource(src, dst, weights), n, directed, duplicates, self_loops)


def from_converted(src: np.ndarray, dst: np.ndarray, weights: np.ndarray | None, n: int, directed: bool) -> Graph:
    """The graph of the edges that an object of another library was turned into."""
    try:
        return from_edges(src, dst, weights, n, directed)
    except InvalidGraphError as error:  # the policies it speaks of are keywords of `from_edges` only
        raise InvalidGraphError(str(error).replace("; pass ", "; use Graph.from_edges with ")) from None


def from_source(
    source: EdgeSource,
    n: int,
    directed: bool = True,
    duplicates: str | None = None,
    self_loops: str = "keep",
    ids: Labels = None,
    progress: Progress = silent,
    ascending: bool = False,
) -> Graph:
    """Build a graph of `n` vertices from anything that can hand out its edges twice.

    `ascending` promises that each vertex's targets come in ascending order, which saves most of the sorting.
    """
    global _kernels_loaded
    weight_dtype = source.weight_dtype
    usual = "first" if weight_dtype is None else "min"
    duplicates = choice("duplicates", usual if duplicates is None else duplicates, tuple(POLICIES))
    drop_loops = choice("self_loops", self_loops, ("keep", "drop")) == "drop"
    if source.edges < (TINY if _kernels_loaded else SMALL):
        most = source.edges * (1 if directed else 2)
        require(40 * most + 8 * (n + 1), f"a graph of {n:,} vertices and {most:,} arcs")
        progress("counting", source.edges, source.edges)
        arrays = small_arrays(source, n, not directed, duplicates, drop_loops)
        check_sums(arrays.weights, duplicates)
        progress("placing", source.edges, source.edges)
        return Graph._trusted(arrays, directed, ids)
    from nearly.graph import build_kernels as kernels

    _kernels_loaded = True
    merging = kernels.Merging(POLICIES[duplicates], drop_loops)
    plan = _bucket_plan(n, source.edges, both_ways=not directed)
    with kernel_threads(work=source.edges) as workers:
        starts = _count(source, plan, progress)
        arcs = _allocate(n, int(starts[-1]), weight_dtype)
        _place(source, plan, starts, arcs, progress)
        offsets = np.zeros(n + 1, OFFSET)
        digits, width = (0, 1) if ascending else _digit_plan(n)
        progress("sorting", 0, None)
        kernels.sort_buckets(
            starts, plan.shift, digits, np.uint64(width), arcs, offsets[1:], np.zeros(1, np.uint64), workers
        )
        targets, bits = arcs.targets, arcs.bits
        del arcs  # and with it the row of each arc, which `offsets` now tell
        if duplicates != "keep" or drop_loops:
            kept = np.zeros(plan.buckets, np.uint64)
            rows = kernels.SortedRows(offsets[1:], targets, bits if weight_dtype is None else bits.view(weight_dtype))
            kernels.merge_rows(starts, plan.shift, rows, merging, kept, np.zeros(1, np.uint64), workers)
            size = pack_left((targets, bits) if bits.size else (targets,), starts[:-1], kept)
            del rows
            targets.resize(size, refcheck=False)
            if bits.size:
                bits.resize(size, refcheck=False)
    np.cumsum(offsets, out=offsets)
    weights = NO_WEIGHTS if weight_dtype is None else bits.view(weight_dtype)
    check_sums(weights, duplicates)
    return Graph._trusted(Arrays(offsets, targets, weights), directed, ids)


def _endpoints(values: Any, name: str) -> np.ndarray:
    array = whole_numbers(values, name)
    if array.dtype.kind == "i" and array.size and array.min() < 0:
        raise InvalidGraphError(f"{name} holds the negative vertex {array.min()}; vertices are numbered from 0")
    return array


def _vertex_count(n: int | None, least: int) -> int:
    n = least if n is None else whole_number("n", n, 0)
    if n < least:
        raise InvalidGraphError(f"vertex {least - 1} is out of range for n={n}; vertices are numbered 0 to n - 1")
    require(8 * (n + 1), f"a graph of {n} vertices (compact the ids if most do not occur)")
    return n


def _bucket_plan(n: int, edges: int, both_ways: bool) -> _Plan:
    arcs = edges * (2 if both_ways else 1)
    wanted = min(max(arcs // _BUCKET_ARCS, 1), _MOST_BUCKETS)
    shift = min(max(-(-n // wanted) - 1, 0).bit_length(), _ROW_BITS)
    return _Plan(n, both_ways, np.uint64(shift), max(-(-n >> shift), 1) if n else 1)


def _digit_plan(n: int) -> tuple[int, int]:
    """How many sorting passes over a target, and how many bits each."""
    from nearly.graph.build_kernels import DIGIT

    bits = max(n - 1, 1).bit_length()
    digits = -(-bits // DIGIT)
    return digits, -(-bits // digits)


def _count(source: EdgeSource, plan: _Plan, progress: Progress) -> np.ndarray:
    """Where each bucket's region starts; behind the last one, the number of arcs."""
    from nearly.graph import build_kernels as kernels

    totals = np.zeros(plan.buckets + 1, np.uint64)
    sizes = np.empty((kernels.PIECES, plan.buckets), np.uint64)
    n, done = plan.n, 0
    for chunk in source.chunks():
        if chunk.src.size:
            largest = kernels.bucket_sizes(chunk.src, chunk.dst, np.uint64(n), plan.shift, plan.both_ways, sizes)
            if largest >= n:
                raise InvalidGraphError(f"vertex {largest} is out of range for n={n}; vertices are numbered 0 to n - 1")
            totals[1:] += sizes.sum(axis=0)
        done += chunk.src.size
        progress("counting", done, source.edges)
    return np.cumsum(totals, dtype=np.uint64)


def _allocate(n: int, m: int, weight_dtype: np.dtype | None) -> BucketedArcs:
    """The final targets and, as plain bits, weights; and beside them room for the rows."""
    from nearly.graph.build_kernels import BucketedArcs

    dtype = vertex_dtype(n)
    width = 0 if weight_dtype is None else weight_dtype.itemsize
    require(m * (dtype.itemsize + width + 2) + 8 * (n + 1), f"a graph of {n:,} vertices and {m:,} arcs")
    bits = np.empty(m if width else 0, np.uint64 if width == 8 else np.uint32)
    return BucketedArcs(np.empty(m, dtype), np.empty(m, np.uint16), bits)


def _place(source: EdgeSource, plan: _Plan, starts: np.ndarray, arcs: BucketedArcs, progress: Progress) -> None:
    """Every arc into its bucket's region, in the order of the source."""
    from nearly.graph import build_kernels as kernels

    cursors = starts[:-1].copy()
    places = np.empty((kernels.PIECES, cursors.size), np.uint64)
    n, done = np.uint64(plan.n), 0
    for chunk in source.chunks():
        if chunk.src.size:
            weights = arcs.bits if chunk.weights is None else chunk.weights.view(arcs.bits.dtype)
            largest = kernels.bucket_sizes(chunk.src, chunk.dst, n, plan.shift, plan.both_ways, places)
            kernels.reserve(places, cursors)
            if largest >= plan.n or (cursors > starts[1:]).any():
                raise InvalidGraphError(
                    "the source gave other edges when read a second time; it must not change meanwhile"
                )
            kernels.scatter(chunk.src, chunk.dst, weights, plan.shift, plan.both_ways, places, arcs)
        done += chunk.src.size
        progress("placing", done, source.edges)
    if not np.array_equal(cursors, starts[1:]):
        raise InvalidGraphError("the source gave fewer edges when read a second time; it must not change meanwhile")


def pack_left(arrays: tuple[np.ndarray, ...], starts: np.ndarray, counts: np.ndarray) -> int:
    """Move what lies in `counts` places from each of `starts` on next to what comes before; returns how much it is."""
    to = 0
    for start, count in zip(starts.tolist(), counts.tolist()):
        if to != start:
            for array in arrays:
                array[to : to + count] = array[start : start + count]
        to += count
    return to
