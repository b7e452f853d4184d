"""The forward pass of Brandes' algorithm in hops: the next level, and how many shortest paths reach it.

Three ways to find a level, all without float atomics and with the same result for any number of threads:
- `push_level`, for a small level: its vertices hand sigma on along their arcs, through a queue, on one thread.
- `push_range`, for a large one: first all targets of a range get their sums, then the unseen ones keep them.
- `pull_rows`: every unseen vertex adds up `near` over its in-arcs, where `near` is sigma on the current level and 0
  elsewhere.
The vertices of a level are listed in ascending order, or in the order of the one queue.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.shared.row_search import first_from
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import SUM_ORDER_FREE, kernel, parallel_kernel
from nearly.base.random import below, draw
from nearly.base.unsigned import U0, U1

UNSEEN = np.uint32(2**32 - 1)
WHOLE = np.uint64(1 << 32)
FEW = np.uint64(64)  # arcs of a row that are always read
U32 = np.uint64(32)


class Arcs(NamedTuple):
    """The graph both ways, and which part of long rows the way back reads. Flat: `prange` takes no nested tuples."""

    offsets: np.ndarray  # the graph's rows
    targets: np.ndarray
    weights: np.ndarray  # empty
    in_offsets: np.ndarray  # those of its reverse
    in_targets: np.ndarray
    cuts: np.ndarray  # balanced pieces of the in-rows
    part: np.ndarray  # uint64[2]: the key of the draw, and the share that is read, in units of 2**-32; WHOLE for all


class Desk(NamedTuple):
    """One worker's memory. Between sources all is unseen and 0."""

    level: np.ndarray  # uint32[n], UNSEEN where not reached
    order: np.ndarray  # the reached vertices, level after level
    levels: np.ndarray  # uint64[3, n + 2]: where each level starts in `order`, its out-arcs, its in-arcs
    found: np.ndarray  # vertices each piece found, before they are put together
    sigma: np.ndarray  # float64[n], shortest paths from the source
    near: np.ndarray  # float64[n], 0 except on one level
    far: np.ndarray  # the same; on the way back `near` is for the current level, `far` for the next


@kernel
def desk_of(desks, worker):
    """One worker's row of the desks."""
    return Desk(
        desks.level[worker], desks.order[worker], desks.levels[worker], desks.found[worker],
        desks.sigma[worker], desks.near[worker], desks.far[worker],
    )  # fmt: skip


@kernel
def push_level(arcs, desk, depth, low, high):
    """The next level from order[low:high], which hand on their sigma; returns where it ends."""
    offsets, targets = arcs.offsets, arcs.targets
    level, order, sigma = desk.level, desk.order, desk.sigma
    fill = high
    for i in range(low, high):
        u = np.uint64(order[i])
        paths = sigma[u]
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if level[v] == UNSEEN:
                level[v] = depth
                sigma[v] = paths
                order[fill] = v
                fill += U1
            elif level[v] == depth:
                sigma[v] += paths
    return fill


@kernel(fastmath=SUM_ORDER_FREE)
def row_sum(targets, low, high, values):
    """The sum of `values` over the targets of a row."""
    total = 0.0
    for e in range(low, high):
        total += values[targets[e]]
    return total


@kernel
def part_sum(targets, low, high, values, part, source, u):
    """`row_sum`, estimated for a long row from a stretch of it; source and vertex draw where the stretch begins."""
    size = high - low
    take = max((size * part[1]) >> U32, FEW)
    if take >= size:
        return row_sum(targets, low, high, values)
    begin = low + below(draw(draw(part[0], source), u), size)
    over = begin + take - min(begin + take, high)  # the stretch goes on at the row's beginning
    total = row_sum(targets, begin, begin + take - over, values) + row_sum(targets, low, low + over, values)
    return total * (np.float64(size) / np.float64(take))


@kernel
def pull_rows(arcs, desk, depth, begin, end):
    """Unseen vertices of begin..end-1 with a neighbour on the current level join the next; returns how many."""
    offsets, targets = arcs.in_offsets, arcs.in_targets
    level, near, sigma, found = desk.level, desk.near, desk.sigma, desk.found
    fill = begin
    for v in range(begin, end):
        if level[v] == UNSEEN:
            total = row_sum(targets, offsets[v], offsets[v + U1], near)
            if total > 0.0:
                level[v] = depth
                sigma[v] = total
                found[fill] = v
                fill += U1
    return fill - begin


@kernel
def push_range(arcs, desk, depth, low, high, begin, end):
    """As `push_level` for the targets begin..end-1 alone; returns how many of them join the next level.

    All targets get their sums first. Without a test of the level on each arc, a branch that cannot be predicted, an
    arc costs a quarter of the time.
    """
    offsets, targets = arcs.offsets, arcs.targets
    level, order, near, sigma, found = desk.level, desk.order, desk.near, desk.sigma, desk.found
    n = np.uint64(level.size)
    for i in range(low, high):
        u = np.uint64(order[i])
        first, last, paths = offsets[u], offsets[u + U1], sigma[u]
        if begin > U0:
            first = first_from(targets, first, last, begin)
        if end < n:
            last = first_from(targets, first, last, end)
        for e in range(first, last):
            near[targets[e]] += paths
    fill = begin
    for v in range(begin, end):
        if near[v] > 0.0:
            if level[v] == UNSEEN:
                level[v] = depth
                sigma[v] = near[v]
                found[fill] = v
                fill += U1
            near[v] = 0.0
    return fill - begin


@cache
def find_level(together: bool) -> Any:
    """The kernel that finds a large level: pushed, each worker to targets of its own, or pulled by balanced pieces."""

    @kernel
    def alone(arcs, desk, depth, low, high, push, workers, stop):
        found, order, cuts, fill = desk.found, desk.order, arcs.cuts, high
        pieces = U1 if push else np.uint64(cuts.size - 1)
        for p in range(pieces):
            if not going(stop):
                break
            if push:
                begin, count = U0, push_range(arcs, desk, depth, low, high, U0, np.uint64(order.size))
            else:
                begin, count = cuts[p], pull_rows(arcs, desk, depth, cuts[p], cuts[p + U1])
            for i in range(count):
                order[fill + i] = found[begin + i]
            fill += count
        return fill

    @parallel_kernel
    def run(arcs, desk, depth, low, high, push, workers, stop):
        found, order = desk.found, desk.order
        cuts = even_cuts(np.uint64(order.size), np.uint64(workers)) if push else arcs.cuts
        pieces = np.uint64(cuts.size - 1)
        ends, cursor = np.zeros(cuts.size, np.uint64), np.zeros(2, np.uint64)
        for _ in prange(workers):
            p = fetch_add(cursor, U0, U1)
            while p < pieces and going(stop):
                if push:
                    count = push_range(arcs, desk, depth, low, high, cuts[p], cuts[p + U1])
                else:
                    count = pull_rows(arcs, desk, depth, cuts[p], cuts[p + U1])
                ends[p + U1] = count
                p = fetch_add(cursor, U0, U1)
        ends[0] = high
        for p in range(pieces):
            ends[p + U1] += ends[p]
        for _ in prange(workers):
            p = fetch_add(cursor, U1, U1)
            while p < pieces:
                for i in range(ends[p + U1] - ends[p]):
                    order[ends[p] + i] = found[cuts[p] + i]
                p = fetch_add(cursor, U1, U1)
        return ends[pieces]

    return run if together else alone


@kernel
def even_cuts(n, pieces):
    """n vertices in equal pieces."""
    cuts = np.empty(pieces + U1, np.uint64)
    for p in range(pieces + U1):
        cuts[p] = n * p // pieces
    return cuts
