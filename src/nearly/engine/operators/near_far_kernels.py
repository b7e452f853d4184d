"""The near/far queue's kernels: one round of visits on one thread or on all, and the parting of the far pile.

Frontiers jump about in memory, so rows and the values of their targets are asked for some vertices ahead. The inner
loops make no arrays and are compiled without reference counting, for the reason `functor` gives. On one thread the
functor's twin without atomics does the visits.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import atomic_max, fetch_add, going
from nearly.base.intrinsics import prefetch
from nearly.base.jit import ALONE, kernel, parallel_kernel
from nearly.base.unsigned import U0, U1

CURSOR, NEAR, FAR, EDGES, ROUND = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
WAITING = np.uint32(1)  # the stamp of a vertex in the far pile; rounds have larger numbers
SERIAL = np.uint64(1 << 13)  # a round of fewer edges, or a pile of fewer vertices, is faster on one thread
BUFFER, BATCH, PIECE = np.uint64(512), np.uint64(64), np.uint64(2048)
FIRST, SECOND, THIRD = np.uint64(12), np.uint64(6), np.uint64(3)  # vertices ahead of which memory is asked for
EDGE = np.uint64(12)  # the same in arcs of one row
SHORT = np.uint64(8)  # arcs of a row whose targets are asked for before the row's turn


class Queue(NamedTuple):
    """The two piles of vertices, and what is known of them."""

    far: np.ndarray  # vertices that wait
    counters: np.ndarray  # uint64[5]: CURSOR, NEAR, FAR, EDGES, ROUND
    bound: np.ndarray  # float64[3]: the bound, its next step, the bound of the phase before
    stamp: np.ndarray  # uint32[n]: WAITING, or the last round whose near pile had the vertex


class Buffers(NamedTuple):
    """What one worker has found, before it claims room in the piles."""

    kept: np.ndarray  # near
    aside: np.ndarray  # far
    fills: np.ndarray  # uint64[3]: how many of each, and the size of the frontier


@kernel(_nrt=False)
def few_edges(offsets, items, size):
    """Whether a frontier is worth only one thread."""
    if size >= SERIAL:
        return False
    edges = U0
    for i in range(size):
        u = np.uint64(items[i])
        edges += offsets[u + U1] - offsets[u]
    return edges < SERIAL


@kernel(_nrt=False)
def ask_for_row(rows, items, i, size, values):
    """Ask for the rows of items after i: where they start, then what is there, then their targets' values."""
    if i + FIRST < size:
        offsets, targets = rows.offsets, rows.targets
        prefetch(offsets, np.uint64(items[i + FIRST]))
        start = offsets[items[i + SECOND]]
        prefetch(targets, start)
        prefetch(rows.weights, start)
        soon = np.uint64(items[i + THIRD])
        for e in range(offsets[soon], min(offsets[soon] + SHORT, offsets[soon + U1])):
            prefetch(values, np.uint64(targets[e]))


@cache
def round_alone(visits: Any, ranks: Any, copied: bool) -> Any:
    """One round on one thread; copies of a vertex go where it goes, if `copied`."""

    @kernel(_nrt=False)
    def put(v, is_near, now, near, nears, queue, fars):
        stamp = queue.stamp
        if is_near:
            if stamp[v] < now:
                stamp[v] = now
                near[nears] = v
                nears += U1
        elif stamp[v] < WAITING:
            stamp[v] = WAITING
            queue.far[fars] = v
            fars += U1
        return nears, fars

    @kernel(_nrt=False)
    def run(rows, items, size, near, queue, state):
        offsets, targets, counters, bound = rows.offsets, rows.targets, queue.counters, queue.bound[0]
        now = np.uint32(counters[ROUND])
        nears, fars, edges = U0, counters[FAR], U0
        for i in range(size):
            ask_for_row(rows, items, i, size, state[0])
            u = np.uint64(items[i])
            low, high = offsets[u], offsets[u + U1]
            edges += high - low
            for e in range(low, high):
                v = targets[e]
                if visits(state, u, v, e):
                    is_near = ranks(state, v) <= bound
                    nears, fars = put(v, is_near, now, near, nears, queue, fars)
                    if copied:
                        for j in range(state.first[v], state.first[v + U1]):
                            nears, fars = put(state.copy[j], is_near, now, near, nears, queue, fars)
        counters[NEAR], counters[FAR] = nears, fars
        counters[EDGES] += edges

    return run


@cache
def round_together(visits: Any, ranks: Any, copied: bool) -> Any:
    """One round on all workers, each with a buffer per pile; copies as in `round_alone`."""

    @kernel(_nrt=False)
    def put(v, is_near, now, near, queue, mine, nears, fars):
        stamp = queue.stamp
        if is_near:
            if stamp[v] < now and atomic_max(stamp, v, now) < now:
                mine.kept[nears] = v
                nears += U1
                if nears == BUFFER:
                    nears = flush(mine.kept, nears, near, queue.counters, NEAR)
        elif stamp[v] < WAITING and atomic_max(stamp, v, WAITING) < WAITING:
            mine.aside[fars] = v
            fars += U1
            if fars == BUFFER:
                fars = flush(mine.aside, fars, queue.far, queue.counters, FAR)
        return nears, fars

    @kernel(_nrt=False)
    def expand(rows, items, low, high, near, queue, state, mine):
        """Visit the rows of items[low:high]; returns how many arcs they have."""
        offsets, targets, bound, size = rows.offsets, rows.targets, queue.bound[0], mine.fills[2]
        now = np.uint32(queue.counters[ROUND])
        nears, fars, edges = mine.fills[0], mine.fills[1], U0
        for i in range(low, high):
            ask_for_row(rows, items, i, size, state[0])
            u = np.uint64(items[i])
            first, last = offsets[u], offsets[u + U1]
            edges += last - first
            for e in range(first, last):
                prefetch(state[0], np.uint64(targets[min(e + EDGE, last - U1)]))
                v = targets[e]
                if visits(state, u, v, e):
                    is_near = ranks(state, v) <= bound
                    nears, fars = put(v, is_near, now, near, queue, mine, nears, fars)
                    if copied:
                        for j in range(state.first[v], state.first[v + U1]):
                            nears, fars = put(state.copy[j], is_near, now, near, queue, mine, nears, fars)
        mine.fills[0], mine.fills[1] = nears, fars
        return edges

    @parallel_kernel
    def run(rows, items, size, near, queue, state, workers, stop):
        counters, far = queue.counters, queue.far
        batch = max(U1, min(BATCH, size // np.uint64(workers * 16)))
        for _ in prange(workers):
            fills = np.zeros(3, np.uint64)
            fills[2] = size
            mine = Buffers(np.empty(BUFFER, near.dtype), np.empty(BUFFER, far.dtype), fills)
            edges = U0
            start = fetch_add(counters, CURSOR, batch)
            while start < size and going(stop):
                edges += expand(rows, items, start, min(start + batch, size), near, queue, state, mine)
                start = fetch_add(counters, CURSOR, batch)
            flush(mine.kept, mine.fills[0], near, counters, NEAR)
            flush(mine.aside, mine.fills[1], far, counters, FAR)
            fetch_add(counters, EDGES, edges)

    return run


@kernel(_nrt=False)
def flush(kept, fill, pile, counters, which):
    """Claim room in `pile` for what waits in `kept`; returns how much waits then: nothing."""
    at = fetch_add(counters, which, fill)
    for j in range(fill):
        pile[at + j] = kept[j]
    return U0


@cache
def parting(ranks: Any) -> Any:
    """The kernel that parts the far pile: ranks beyond the bound stay, stale ones go, the rest is near.

    Returns the least rank that stays.
    """

    @kernel(_nrt=False)
    def part(queue, low, high, near, nears, state):
        """Items [low, high): what stays moves to the front. Returns its end, the near pile's, the least that stays."""
        far, bound, stale = queue.far, queue.bound[0], queue.bound[2]
        least, end = np.inf, low
        for i in range(low, high):
            v = far[i]
            rank = ranks(state, v)
            if rank > bound:
                far[end] = v
                end += U1
                least = min(least, rank)
            elif not rank <= stale:  # which is not a number at first: then nothing is stale
                near[nears] = v
                nears += U1
        return end, nears, least

    @parallel_kernel
    def part_together(queue, near, state, workers):
        far, counters = queue.far, queue.counters
        size = counters[FAR]
        pieces = (size + PIECE - U1) // PIECE
        ends, leasts = np.empty(pieces, np.uint64), np.empty(pieces, np.float64)
        counters[CURSOR] = counters[NEAR] = U0
        for _ in prange(workers):
            kept = np.empty(PIECE, near.dtype)
            piece = fetch_add(counters, CURSOR, U1)
            while piece < pieces:
                low, high = piece * PIECE, min((piece + U1) * PIECE, size)
                ends[piece], fill, leasts[piece] = part(queue, low, high, kept, U0, state)
                flush(kept, fill, near, counters, NEAR)
                piece = fetch_add(counters, CURSOR, U1)
        end = ends[0]
        for piece in range(U1, pieces):
            for i in range(piece * PIECE, ends[piece]):
                far[end] = far[i]
                end += U1
        counters[FAR] = end
        least = np.inf
        for piece in range(pieces):
            least = min(least, leasts[piece])
        return least

    @kernel
    def run(queue, near, state, workers):
        counters = queue.counters
        if ALONE or counters[FAR] < SERIAL:
            counters[FAR], counters[NEAR], least = part(queue, U0, counters[FAR], near, U0, state)
            return least
        return part_together(queue, near, state, workers)

    return run
