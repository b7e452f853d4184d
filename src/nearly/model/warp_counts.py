"""The work of a round on a GPU, counted: memory transactions, steps, longest warps. Linear in the edges visited.

A thread takes the edges of its lane one a step, and a warp takes as many steps as its longest lane (SIMD). In step i
the lanes that still have an edge ask together for `targets`, `weights` and the values at the targets. Each of these is
one request, and takes as many transactions as there are different lines of memory among its addresses. A value in the
lane's own cluster comes from shared memory instead. Eight warps or so form a block, which is done when its longest warp
is; `HELD` adds up the steps of these over all blocks. The pieces of a row that is cut lie one behind the other, or
*strided*, every p-th edge of the row for each of its p pieces, so that neighbouring lanes read neighbouring edges
("edge-array coalescing", LB5: Tigr). Different lines are found with a small open hash table; a stamp in
each of its places says to which request the line there belongs, so that the table is never cleared.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.jit import kernel, parallel_kernel
from nearly.base.random import wrapping
from nearly.base.unsigned import U0, U1, count_up_to, piece_bounds

OFFSETS, TARGETS, WEIGHTS, VALUES, REQUESTS, STEPS, WORK, LONGEST, SHARED, HELD = range(10)
FIELDS = 10
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
    block: np.uint64  # warps of a block
    strided: bool  # whether a row's pieces take every p-th of its edges


class Lanes(NamedTuple):
    """The lanes of a warp: lane j has every step[j]-th edge from low[j] to high[j] of the vertex owner[j]."""

    low: np.ndarray
    high: np.ndarray
    step: np.ndarray
    owner: np.ndarray


class Lines(NamedTuple):
    """A hash table of memory lines; an entry counts for the request in its stamp."""

    line: np.ndarray
    stamp: np.ndarray


@wrapping
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
    """One warp of `count` lanes; returns the next unused stamp, and how many steps the warp took.

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
            low[j] += lanes.step[j]
        count = still_busy(count, lanes)
    sums[STEPS] += steps
    return now, steps


@kernel
def still_busy(count, lanes):
    """Move the lanes that have edges left to the front; returns how many there are."""
    low, high, step, owner = lanes.low, lanes.high, lanes.step, lanes.owner
    left = U0
    for j in range(count):
        if low[j] < high[j]:
            low[left], high[left], step[left], owner[left] = low[j], high[j], step[j], owner[j]
            left += U1
    return left


@kernel
def new_lanes(warp):
    """Room for the lanes of a warp."""
    return Lanes(
        np.empty(warp, np.uint64), np.empty(warp, np.uint64), np.empty(warp, np.uint64), np.empty(warp, np.uint64)
    )


@kernel
def new_lines():
    """An empty table of lines."""
    return Lines(np.empty(_TABLE, np.uint64), np.zeros(_TABLE, np.uint64))


@kernel
def set_lane(lanes, j, offsets, u, part, parts, most, strided):
    """Lane j takes part `part` of the `parts` of row u (all of it, if there is one)."""
    lanes.owner[j], lanes.step[j] = u, U1
    lanes.low[j], lanes.high[j] = offsets[u], offsets[u + U1]
    if parts > U1 and strided:
        lanes.low[j] += part
        lanes.step[j] = parts
    elif parts > U1:
        lanes.low[j] += part * most
        lanes.high[j] = min(offsets[u + U1], lanes.low[j] + most)


@kernel
def set_edge(lanes, j, e, u):
    """Lane j takes edge e of row u."""
    lanes.low[j], lanes.high[j], lanes.step[j], lanes.owner[j] = e, e + U1, U1, u


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
    blocks = (warps + access.block - U1) // access.block
    for piece in prange(pieces):
        begin, end = piece_bounds(blocks, piece, pieces)
        sums, lines, room, now, held = np.zeros(FIELDS, np.uint64), new_lines(), new_lanes(warp), U1, U0
        for w in range(begin * access.block, min(end * access.block, warps)):
            lanes = min(warp, count - w * warp)
            for j in range(lanes):
                i, part, parts = w * warp + j, U0, U1
                if first.size:
                    i = count_up_to(first, w * warp + j) - U1
                    part, parts = w * warp + j - first[i], first[i + U1] - first[i]
                u = np.uint64(items[i]) if items.size else i
                set_lane(room, j, offsets, u, part, parts, most, access.strided)
                if not seen(lines, now, u * np.uint64(8) // line):
                    sums[OFFSETS] += U1
            now += U1
            sums[REQUESTS] += U1
            now, steps = count_warp(lanes, room, targets, access, lines, now, sums)
            held = max(held, steps)
            if (w + U1) % access.block == U0 or w + U1 == warps:
                sums[HELD] += held
                sums[LONGEST] = max(sums[LONGEST], held)
                held = U0
        for k in range(FIELDS):
            out[piece, k] = sums[k]


@parallel_kernel
def count_heavy(offsets, targets, items, access, out):
    """Count long rows, a block each: its warps take turns at stretches of as many edges as a warp has lanes."""
    warp, pieces = access.warp, np.uint64(out.shape[0])
    for piece in prange(pieces):
        begin, end = piece_bounds(np.uint64(items.size), piece, pieces)
        sums, lines, room, now = np.zeros(FIELDS, np.uint64), new_lines(), new_lanes(warp), U1
        for i in range(begin, end):
            u = np.uint64(items[i])
            sums[OFFSETS] += U1
            sums[REQUESTS] += U1
            start, stretches = offsets[u], U0
            while start < offsets[u + U1]:
                lanes = min(warp, offsets[u + U1] - start)
                for j in range(lanes):
                    set_edge(room, j, start + j, u)
                now, steps = count_warp(lanes, room, targets, access, lines, now, sums)
                stretches += steps
                start += warp
            held = (stretches + access.block - U1) // access.block
            sums[HELD] += held
            sums[LONGEST] = max(sums[LONGEST], held)
        for k in range(FIELDS):
            out[piece, k] = sums[k]
