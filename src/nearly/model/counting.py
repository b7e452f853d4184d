"""What a round does on a GPU, counted: memory transactions, steps, the longest warp. Linear in the edges visited.

A thread takes a lane's edges one a step, and a warp takes as many steps as its longest lane (SIMD). In step i the lanes
that still have an edge ask together for `targets`, `weights` and the values at the targets: one request each, and as
many transactions as there are different lines of memory among the addresses. A value in the lane's own cluster comes
from shared memory instead. Distinct lines are found with a small open hash table per request.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1, piece_bounds

OFFSETS, TARGETS, WEIGHTS, VALUES, REQUESTS, STEPS, WORK, LONGEST, SHARED = range(9)
FIELDS = 9
NOBODY = np.uint64(2**64 - 1)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_TABLE = np.uint64(4096)  # at least four times the lanes of the widest warp
_SHIFT = np.uint64(52)


@kernel
def seen(table, stamps, now, line):
    """Whether this request has asked for the line already; from now on it has."""
    at = (line * _MIX) >> _SHIFT
    while stamps[at] == now:
        if table[at] == line:
            return True
        at = (at + U1) & (_TABLE - U1)
    stamps[at], table[at] = now, line
    return False


@kernel
def count_warp(lanes, low, high, owner, targets, cluster, line, sizes, weighted, table, stamps, now, sums):
    """One warp: lane j has edges [low[j], high[j]) of vertex owner[j]; returns the next unused stamp.

    Lanes that are done are taken out of the arrays, so that the work is in the edges, not in the idle lanes.
    """
    four, steps = np.uint64(4), U0
    lanes = still_busy(lanes, low, high, owner)
    while lanes:
        requests = U1
        for j in range(lanes):
            if not seen(table, stamps, now, low[j] * four // line):
                sums[TARGETS] += U1
                if weighted:
                    sums[WEIGHTS] += U1  # beside the targets, of the same size: the same lines
        now += U1
        for k in range(np.uint64(sizes.size)):
            for j in range(lanes):
                v = np.uint64(targets[low[j]])
                if cluster.size and cluster[v] != NOBODY and cluster[v] == cluster[owner[j]]:
                    sums[SHARED] += U1
                elif not seen(table, stamps, now, v * sizes[k] // line):
                    sums[VALUES] += U1
            now += U1
            requests += U1
        sums[REQUESTS] += requests + U1 if weighted else requests
        sums[WORK] += lanes
        steps += U1
        for j in range(lanes):
            low[j] += U1
        lanes = still_busy(lanes, low, high, owner)
    sums[STEPS] += steps
    sums[LONGEST] = max(sums[LONGEST], steps)
    return now


@kernel
def still_busy(lanes, low, high, owner):
    """Move the lanes that have edges left to the front; how many they are."""
    left = U0
    for j in range(lanes):
        if low[j] < high[j]:
            low[left], high[left], owner[left] = low[j], high[j], owner[j]
            left += U1
    return left


@parallel_kernel
def count_rows(offsets, targets, items, first, most, cluster, warp, line, sizes, weighted, pieces, out):
    """Rows of `items` (none: all), in pieces of at most `most` edges (`first`: where an item's pieces start)."""
    count = np.uint64(items.size) if items.size else np.uint64(offsets.size - 1)
    if first.size:
        count = first[first.size - 1]
    warps = (count + warp - U1) // warp
    for piece in prange(np.uint64(pieces)):
        begin, end = piece_bounds(warps, piece, pieces)
        sums = np.zeros(FIELDS, np.uint64)
        table, stamps = np.empty(_TABLE, np.uint64), np.zeros(_TABLE, np.uint64)
        low, high, owner = np.empty(warp, np.uint64), np.empty(warp, np.uint64), np.empty(warp, np.uint64)
        now = U1
        for w in range(begin, end):
            lanes = min(warp, count - w * warp)
            for j in range(lanes):
                i, part = w * warp + j, U0
                if first.size:
                    i = np.uint64(np.searchsorted(first, w * warp + j, side="right")) - U1
                    part = w * warp + j - first[i]
                u = np.uint64(items[i]) if items.size else i
                owner[j] = u
                low[j] = offsets[u] + part * most
                high[j] = min(offsets[u + U1], low[j] + most) if first.size else offsets[u + U1]
                if not seen(table, stamps, now, u * np.uint64(8) // line):
                    sums[OFFSETS] += U1
            now += U1
            sums[REQUESTS] += U1
            now = count_warp(lanes, low, high, owner, targets, cluster, line, sizes, weighted, table, stamps, now, sums)
        for k in range(FIELDS):
            out[piece, k] = sums[k]


@parallel_kernel
def count_heavy(offsets, targets, items, cluster, warp, line, sizes, weighted, pieces, out):
    """Long rows, a block each: its warps take turns at stretches of as many edges as a warp has lanes."""
    for piece in prange(np.uint64(pieces)):
        begin, end = piece_bounds(np.uint64(items.size), piece, pieces)
        sums = np.zeros(FIELDS, np.uint64)
        table, stamps = np.empty(_TABLE, np.uint64), np.zeros(_TABLE, np.uint64)
        low, high, owner = np.empty(warp, np.uint64), np.empty(warp, np.uint64), np.empty(warp, np.uint64)
        now = U1
        for i in range(begin, end):
            u = np.uint64(items[i])
            sums[OFFSETS] += U1
            sums[REQUESTS] += U1
            start = offsets[u]
            while start < offsets[u + U1]:
                lanes = min(warp, offsets[u + U1] - start)
                for j in range(lanes):
                    low[j], high[j], owner[j] = start + j, start + j + U1, u
                now = count_warp(
                    lanes, low, high, owner, targets, cluster, line, sizes, weighted, table, stamps, now, sums
                )
                start += warp
        for k in range(FIELDS):
            out[piece, k] = sums[k]
