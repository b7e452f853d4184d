"""The work of a round on a GPU, counted: memory transactions, steps, the longest warp. Linear in the edges visited.

A thread takes the edges of its lane one a step, and a warp takes as many steps as its longest lane (SIMD). In step i
the lanes that still have an edge ask together for `targets`, `weights` and the values at the targets. Each of these is
one request, and takes as many transactions as there are different lines of memory among its addresses. A value in the
lane's own cluster comes from shared memory instead. Different lines are found with a small open hash table; a stamp in
each of its places says to which request the line there belongs, so that the table is never cleared.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1, count_up_to, piece_bounds

OFFSETS, TARGETS, WEIGHTS, VALUES, REQUESTS, STEPS, WORK, LONGEST, SHARED = range(9)
FIELDS = 9
NO_CLUSTER = np.uint64(2**64 - 1)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_TABLE = np.uint64(4096)  # at least four times the lanes of the widest warp
_SHIFT = np.uint64(52)


class Access(NamedTuple):
    """What a kernel reads for each edge, and how the device reads it."""

    cluster: np.ndarray  # of every vertex, NO_CLUSTER for none; empty if the graph has no clusters
    warp: np.uint64  # threads that run in step
    line: np.uint64  # bytes of one transaction
    sizes: np.ndarray  # bytes of each value at the target
    weighted: bool  # whether weights are read too


class Lanes(NamedTuple):
    """The lanes of a warp: lane j has the edges from low[j] to high[j] of the vertex owner[j]."""

    low: np.ndarray
    high: np.ndarray
    owner: np.ndarray


class Lines(NamedTuple):
    """A hash table of memory lines; an entry counts for the request in its stamp."""

    line: np.ndarray
    stamp: np.ndarray


@kernel
def seen(lines, now, line):
    """Whether the request `now` has asked for the line already; afterwards it has."""
    at = (line * _MIX) >> _SHIFT
    while lines.stamp[at] == now:
        if lines.line[at] == line:
            return True
        at = (at + U1) & (_TABLE - U1)
    lines.stamp[at], lines.line[at] = now, line
    return False


@kernel
def count_warp(count, lanes, targets, access, lines, now, sums):
    """One warp of `count` lanes; returns the next unused stamp.

    Lanes that are done are taken out of the arrays, so that the time goes into edges, not into idle lanes.
    """
    low, cluster, sizes = lanes.low, access.cluster, access.sizes
    four, steps = np.uint64(4), U0
    count = still_busy(count, lanes)
    while count:
        requests = U1
        for j in range(count):
            if not seen(lines, now, low[j] * four // access.line):
                sums[TARGETS] += U1
                if access.weighted:
                    sums[WEIGHTS] += U1  # of the same size as the targets, at the same places: as many lines
        now += U1
        for k in range(np.uint64(sizes.size)):
            for j in range(count):
                v = np.uint64(targets[low[j]])
                if cluster.size and cluster[v] != NO_CLUSTER and cluster[v] == cluster[lanes.owner[j]]:
                    sums[SHARED] += U1
                elif not seen(lines, now, v * sizes[k] // access.line):
                    sums[VALUES] += U1
            now += U1
            requests += U1
        sums[REQUESTS] += requests + U1 if access.weighted else requests
        sums[WORK] += count
        steps += U1
        for j in range(count):
            low[j] += U1
        count = still_busy(count, lanes)
    sums[STEPS] += steps
    sums[LONGEST] = max(sums[LONGEST], steps)
    return now


@kernel
def still_busy(count, lanes):
    """Move the lanes that have edges left to the front; returns how many there are."""
    low, high, owner = lanes.low, lanes.high, lanes.owner
    left = U0
    for j in range(count):
        if low[j] < high[j]:
            low[left], high[left], owner[left] = low[j], high[j], owner[j]
            left += U1
    return left


@parallel_kernel
def count_rows(offsets, targets, items, first, most, access, out):
    """Count the rows of `items` (none: all), in pieces of at most `most` edges (`first`: where an item's pieces start).

    The work is cut into as many pieces as `out` has rows; each writes its sums into one.
    """
    count = np.uint64(items.size) if items.size else np.uint64(offsets.size - 1)
    if first.size:
        count = first[first.size - 1]
    warp, line, pieces = access.warp, access.line, np.uint64(out.shape[0])
    warps = (count + warp - U1) // warp
    for piece in prange(pieces):
        begin, end = piece_bounds(warps, piece, pieces)
        sums = np.zeros(FIELDS, np.uint64)
        lines = Lines(np.empty(_TABLE, np.uint64), np.zeros(_TABLE, np.uint64))
        low, high, owner = np.empty(warp, np.uint64), np.empty(warp, np.uint64), np.empty(warp, np.uint64)
        now = U1
        for w in range(begin, end):
            lanes = min(warp, count - w * warp)
            for j in range(lanes):
                i, part = w * warp + j, U0
                if first.size:
                    i = count_up_to(first, w * warp + j) - U1
                    part = w * warp + j - first[i]
                u = np.uint64(items[i]) if items.size else i
                owner[j] = u
                low[j] = offsets[u] + part * most
                high[j] = min(offsets[u + U1], low[j] + most) if first.size else offsets[u + U1]
                if not seen(lines, now, u * np.uint64(8) // line):
                    sums[OFFSETS] += U1
            now += U1
            sums[REQUESTS] += U1
            now = count_warp(lanes, Lanes(low, high, owner), targets, access, lines, now, sums)
        for k in range(FIELDS):
            out[piece, k] = sums[k]


@parallel_kernel
def count_heavy(offsets, targets, items, access, out):
    """Count long rows, a block each: its warps take turns at stretches of as many edges as a warp has lanes."""
    warp, pieces = access.warp, np.uint64(out.shape[0])
    for piece in prange(pieces):
        begin, end = piece_bounds(np.uint64(items.size), piece, pieces)
        sums = np.zeros(FIELDS, np.uint64)
        lines = Lines(np.empty(_TABLE, np.uint64), np.zeros(_TABLE, np.uint64))
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
                now = count_warp(lanes, Lanes(low, high, owner), targets, access, lines, now, sums)
                start += warp
        for k in range(FIELDS):
            out[piece, k] = sums[k]
