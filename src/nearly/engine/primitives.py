"""Data-parallel primitives (MG1): scan, load-balanced search, segmented reduction, compaction, transform.

All cut their input into a fixed number of pieces and combine partial results in order, so that the
answer does not depend on the number of threads. Small inputs run in one piece: a parallel region
costs microseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import prange

from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1, piece_bounds
from nearly.engine.functor import functor

PIECES = 64
_SERIAL = 1 << 14  # items below which one piece is faster than many


@kernel
def pieces_for(size):
    """How many pieces to cut `size` items into."""
    return 1 if size < _SERIAL else PIECES


@parallel_kernel
def scan(values, out):
    """Exclusive prefix sum of `values` into `out`, one longer; returns the total."""
    size = np.uint64(values.size)
    pieces = pieces_for(size)
    sums = np.zeros(pieces + 1, np.uint64)
    for p in prange(pieces):
        low, high = piece_bounds(size, p, pieces)
        total = U0
        for i in range(low, high):
            total += np.uint64(values[i])
        sums[p + 1] = total
    for p in range(pieces):
        sums[p + 1] += sums[p]
    for p in prange(pieces):
        low, high = piece_bounds(size, p, pieces)
        at = sums[p]
        for i in range(low, high):
            out[i] = at
            at += np.uint64(values[i])
    out[size] = sums[pieces]
    return sums[pieces]


@kernel
def load_balanced_search(offsets, position):
    """The segment that holds `position`: the last i with offsets[i] <= position (empty segments are passed over)."""
    low, high = U0, np.uint64(offsets.size - 1)
    while low + U1 < high:
        middle = (low + high) >> U1
        if offsets[middle] <= position:
            low = middle
        else:
            high = middle
    return low


@kernel
def balanced_cuts(offsets, pieces):
    """Cut the rows of a CSR into `pieces` of about equal arcs plus rows; independent of the number of threads."""
    rows, arcs = np.uint64(offsets.size - 1), offsets[offsets.size - 1]
    cuts = np.empty(pieces + 1, np.uint64)
    for p in range(np.uint64(pieces + 1)):
        goal = (rows + arcs) * p // np.uint64(pieces)
        low, high = U0, rows
        while low < high:
            middle = (low + high) >> U1
            if offsets[middle] + middle < goal:
                low = middle + U1
            else:
                high = middle
        cuts[p] = low
    return cuts


@cache
def segmented_reduce(combine: Callable[[Any, Any], Any]) -> Any:
    """The kernel `reduce(values, offsets, start, out)`: out[i] is `start` combined with the values of segment i."""
    join = functor(combine)

    @parallel_kernel
    def reduce(values, offsets, start, out):
        cuts = balanced_cuts(offsets, PIECES)
        for p in prange(PIECES):
            for i in range(cuts[p], cuts[p + 1]):
                total = start
                for j in range(offsets[i], offsets[i + U1]):
                    total = join(total, values[j])
                out[i] = total

    return reduce


@parallel_kernel
def compact(items, keep, out):
    """The items whose `keep` is true, in order, into `out`; returns how many."""
    size = np.uint64(items.size)
    pieces = pieces_for(size)
    sums = np.zeros(pieces + 1, np.uint64)
    for p in prange(pieces):
        low, high = piece_bounds(size, p, pieces)
        total = U0
        for i in range(low, high):
            if keep[i]:
                total += U1
        sums[p + 1] = total
    for p in range(pieces):
        sums[p + 1] += sums[p]
    for p in prange(pieces):
        low, high = piece_bounds(size, p, pieces)
        at = sums[p]
        for i in range(low, high):
            if keep[i]:
                out[at] = items[i]
                at += U1
    return sums[pieces]


@cache
def transform(function: Callable[..., Any]) -> Any:
    """The kernel `apply(state, items, count)`: `function(state, item)` for each item, or for 0..count-1 without any."""
    each = functor(function)

    @parallel_kernel
    def apply(state, items, count):
        pieces = pieces_for(count)
        for p in prange(pieces):
            low, high = piece_bounds(count, p, pieces)
            for i in range(low, high):
                each(state, np.uint64(items[i]) if items.size else i)

    return apply
