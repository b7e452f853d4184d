"""The builder's kernels: edges in any order become CSR rows, without a comparison sort or an atomic scatter.

Vertices are cut into buckets of consecutive rows, sized so that one bucket's arcs stay in cache.

1. `bucket_sizes` counts the arcs of each bucket, per piece of the chunk;
2. `scatter` moves each arc (target, row within its bucket, weight) to its bucket's region of the final
   arrays; pieces write to disjoint places computed from the counts, so the order of the input is kept;
3. `sort_buckets` orders each bucket by (row, target): least significant digit first, in cache, stable;
4. `merge_rows` applies the policies for parallel edges and self-loops inside each row.

Memory traffic is about 30 bytes an arc for a graph without weights; beyond the final arrays it needs 2 bytes an
arc (the row within the bucket) and one bucket per thread. Weights travel as plain bits (uint32 or
uint64), so that one compilation serves integers and floats.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1, count_up_to, piece_bounds

PIECES = 16  # a chunk is cut into so many pieces; fixed, so that nothing depends on the thread count
DIGIT = 11  # bits a sorting pass looks at: 2,048 counters stay in the first-level cache
FIRST, MIN, SUM, KEEP = 0, 1, 2, 3


class BucketedArcs(NamedTuple):
    """The arcs of all buckets, each bucket's side by side."""

    targets: np.ndarray  # where an arc leads
    rows: np.ndarray  # its row within the bucket
    bits: np.ndarray  # its weight as plain bits; of length 0 where there are no weights


class SortedRows(NamedTuple):
    """The arcs again when they are in order: rows of these degrees, one behind the other."""

    degrees: np.ndarray
    targets: np.ndarray
    weights: np.ndarray  # of length 0 where there are none


class Merging(NamedTuple):
    """What becomes of parallel edges and self-loops."""

    duplicates: int  # FIRST, MIN, SUM or KEEP
    drop_loops: bool


@parallel_kernel
def bucket_sizes(src, dst, n, shift, both_ways, sizes):
    """Arcs per (piece, bucket) into `sizes`; returns the largest endpoint. Endpoints beyond n are not counted."""
    pieces = sizes.shape[0]
    largest = np.zeros(pieces, np.uint64)
    for p in prange(pieces):
        mine, top = sizes[p], U0
        for b in range(np.uint64(mine.size)):
            mine[b] = U0
        low, high = piece_bounds(src.size, p, pieces)
        for i in range(low, high):
            u, v = np.uint64(src[i]), np.uint64(dst[i])
            top = max(top, max(u, v))
            if u < n and v < n:
                mine[u >> shift] += U1
                if both_ways and u != v:
                    mine[v >> shift] += U1
        largest[p] = top
    top = U0
    for p in range(pieces):
        top = max(top, largest[p])
    return top


@kernel
def reserve(sizes, cursors):
    """Turn counts per (piece, bucket) into positions, after what `cursors` already hold; advances `cursors`."""
    for b in range(np.uint64(sizes.shape[1])):
        at = cursors[b]
        for p in range(np.uint64(sizes.shape[0])):
            count = sizes[p, b]
            sizes[p, b] = at
            at += count
        cursors[b] = at


@parallel_kernel
def scatter(src, dst, weights, shift, both_ways, places, arcs):
    """Move every arc to its bucket's region, at the places `reserve` computed."""
    pieces = places.shape[0]
    for p in prange(pieces):
        low, high = piece_bounds(src.size, p, pieces)
        scatter_piece(src[low:high], dst[low:high], weights[low:high], shift, both_ways, places[p], arcs)


@kernel
def scatter_piece(src, dst, weights, shift, both_ways, place, arcs):
    """One piece. Stores into the fields of a tuple are safe here; inside a `prange` numba may lose them."""
    targets, rows, bits = arcs.targets, arcs.rows, arcs.bits
    weighted, mask = bits.size > 0, (U1 << shift) - U1
    for i in range(np.uint64(src.size)):
        u, v = np.uint64(src[i]), np.uint64(dst[i])
        at = place[u >> shift]
        place[u >> shift] = at + U1
        targets[at] = v
        rows[at] = u & mask
        if weighted:
            bits[at] = weights[i]
        if both_ways and u != v:
            at = place[v >> shift]
            place[v >> shift] = at + U1
            targets[at] = u
            rows[at] = v & mask
            if weighted:
                bits[at] = weights[i]


@parallel_kernel
def sort_buckets(starts, shift, digits, width, arcs, degrees, cursor, workers):
    """Order each bucket by (row, target), stable; `digits` = 0 where targets already ascend in input order."""
    targets, rows, bits = arcs.targets, arcs.rows, arcs.bits
    n, weighted = np.uint64(degrees.size), bits.size > 0
    for _ in prange(workers):
        counters = np.empty(max(U1 << width, U1 << shift), np.uint64)
        bucket = fetch_add(cursor, U0, U1)
        while bucket < np.uint64(starts.size - 1):
            low, high = starts[bucket], starts[bucket + U1]
            first_row = bucket << shift
            here = degrees[first_row : min(first_row + (U1 << shift), n)]
            weights = bits[low:high] if weighted else bits
            sort_bucket(targets[low:high], rows[low:high], weights, digits, width, counters, here)
            bucket = fetch_add(cursor, U0, U1)


@kernel
def sort_bucket(targets, rows, bits, digits, width, counters, degrees):
    """One bucket: a pass per digit of the target, then one by row, which also gives the rows' degrees."""
    size, weighted = np.uint64(targets.size), bits.size > 0
    other_targets, other_rows = np.empty_like(targets), np.empty_like(rows)
    other_bits = np.empty_like(bits)
    a_t, a_r, a_w, b_t, b_r, b_w = targets, rows, bits, other_targets, other_rows, other_bits
    digit = (U1 << width) - U1
    for step in range(digits + 1):
        by_row = step == digits
        drop = np.uint64(step) * width
        used = np.uint64(degrees.size) if by_row else U1 << width
        for k in range(used):
            counters[k] = U0
        for i in range(size):
            counters[np.uint64(a_r[i]) if by_row else (np.uint64(a_t[i]) >> drop) & digit] += U1
        at = U0
        for k in range(used):
            count = counters[k]
            if by_row:
                degrees[k] = count
            counters[k] = at
            at += count
        for i in range(size):
            key = np.uint64(a_r[i]) if by_row else (np.uint64(a_t[i]) >> drop) & digit
            to = counters[key]
            counters[key] = to + U1
            b_t[to] = a_t[i]
            if not by_row:
                b_r[to] = a_r[i]
            if weighted:
                b_w[to] = a_w[i]
        a_t, b_t = b_t, a_t
        a_r, b_r = b_r, a_r
        a_w, b_w = b_w, a_w
    if digits % 2 == 0:  # an odd number of passes ended in the spare arrays
        for i in range(size):
            targets[i] = a_t[i]
            if weighted:
                bits[i] = a_w[i]


@parallel_kernel
def merge_rows(starts, shift, rows, merging, kept, cursor, workers):
    """Apply the policies inside each bucket, in place: what stays moves to the bucket's front, `kept[b]` counts it."""
    n = np.uint64(rows.degrees.size)
    for _ in prange(workers):
        bucket = fetch_add(cursor, U0, U1)
        while bucket < np.uint64(starts.size - 1):
            end_row = min((bucket + U1) << shift, n)
            kept[bucket] = merge_bucket(starts[bucket], bucket << shift, end_row, rows, merging)
            bucket = fetch_add(cursor, U0, U1)


@kernel
def merge_bucket(start, first_row, end_row, rows, merging):
    """One bucket's rows; updates their degrees and returns how many arcs stay."""
    degrees, targets, weights = rows.degrees, rows.targets, rows.weights
    policy, drop_loops, weighted = merging.duplicates, merging.drop_loops, weights.size > 0
    read = write = np.uint64(start)
    for u in range(first_row, end_row):
        row = write
        for i in range(read, read + degrees[u]):
            v = targets[i]
            if drop_loops and v == u:
                continue
            if policy != KEEP and write > row and targets[write - U1] == v:
                if weighted and policy == MIN:
                    weights[write - U1] = min(weights[write - U1], weights[i])
                elif weighted and policy == SUM:
                    weights[write - U1] += weights[i]
                continue
            targets[write] = v
            if weighted:
                weights[write] = weights[i]
            write += U1
        read += degrees[u]
        degrees[u] = write - row
    return write - np.uint64(start)


@parallel_kernel
def expand_rows(offsets, low, high, rows):
    """The row of each arc in `[low, high)` into `rows`."""
    pieces = 64
    for p in prange(pieces):
        first, last = piece_bounds(high - low, p, pieces)
        if first < last:
            arc, end = low + first, low + last
            u = count_up_to(offsets, arc) - U1
            while arc < end:
                stop = min(offsets[u + U1], end)
                for e in range(arc, stop):
                    rows[e - low] = u
                arc = max(arc, stop)
                u += U1
