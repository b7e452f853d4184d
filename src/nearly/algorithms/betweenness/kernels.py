"""Brandes' two passes from one source, counting hops, level by level and without a float atomic.

Forward: `sigma[v]`, the number of shortest paths from the source; see `forward`. A level is pushed if it has fewer
arcs than the unseen vertices have, else pulled.
Backward: with c[v] = (1 + delta[v]) / sigma[v], the dependency of the source on u is delta[u] = sigma[u] * (sum of
c over its out-arcs to the next level). That is a sum over an array which is 0 except on one level: pulled
along out-arcs, or pushed along in-arcs on one thread where the next level has few.
A technique may ask that the way back reads only part of each long row.
Numbers of arcs alone decide which way a level goes, so the bits are the same for any number of threads.
`source_pass(True)` runs large levels on all workers, for few sources; in `over_sources` each worker takes whole
sources, for many.

Sigma is float64. Where it would overflow (a grid of 1,000 x 1,000 has 10**600 paths), a pass adds nothing, and says so.
Such sources are done again by the `huge` forms of the kernels, which `recount`: few graphs need these, so that they are
compiled apart.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.betweenness.forward import UNSEEN, desk_of, find_level, part_sum, push_level
from nearly.algorithms.betweenness.ordered import ordered_pass, places_of
from nearly.algorithms.betweenness.queues import buckets_of, heap_of
from nearly.algorithms.betweenness.recount import HUGE, Tally, recount
from nearly.algorithms.betweenness.weighted import weighted_pass
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1
from nearly.graph.csr import Arrays

RATIO = np.uint64(4)  # an arc pushed back on one thread costs as much as this many pulled by all
BATCH = np.uint64(256)  # vertices of a level that a worker takes at a time
SHORT = np.uint64(16)  # arcs of a row that is read without the preparations a long one pays for
FEW = np.uint64(1 << 14)  # arcs of a level that one thread reads before others would have begun
START, OUT, IN = np.uint64(0), np.uint64(1), np.uint64(2)


class Batch(NamedTuple):
    """The sources of one call."""

    sources: np.ndarray
    first: np.uint64  # the number of `sources[0]` among all sources
    did: np.ndarray  # uint64[sources, 2]: vertices reached and arcs visited


@kernel
def back_rows(arcs, desk, low, high, far, near, tally):
    """Dependencies of order[low:high] from the coefficients `far` of the next level; their own go into `near`."""
    offsets, targets = arcs.offsets, arcs.targets
    order, sigma, arc_sums = desk.order, desk.sigma, tally.arc_sums
    source = np.uint64(order[0])
    for i in range(low, high):
        u = np.uint64(order[i])
        first, last, total = offsets[u], offsets[u + U1], 0.0
        if arc_sums.size:
            for e in range(first, last):
                owed = far[targets[e]]
                if owed > 0.0:
                    arc_sums[e] += sigma[u] * owed
                    total += owed
        elif last - first > SHORT:
            total = part_sum(targets, first, last, far, arcs.part, source, u)
        else:
            for e in range(first, last):
                total += far[targets[e]]
        finish(u, sigma[u] * total, sigma, near, tally)


@kernel
def finish(u, delta, sigma, near, tally):
    """Add u's dependency to its sum, and leave its coefficient for the level before."""
    tally.sums[u] += delta + tally.one
    near[u] = (1.0 + delta) / sigma[u]


@cache
def pull_back(together: bool) -> Any:
    """The kernel that does `back_rows` for all of level `depth`."""

    @kernel
    def alone(arcs, desk, depth, far, near, tally, workers, stop):
        back_rows(arcs, desk, desk.levels[START, depth], desk.levels[START, depth + U1], far, near, tally)

    @parallel_kernel
    def run(arcs, desk, depth, far, near, tally, workers, stop):
        low, high = desk.levels[START, depth], desk.levels[START, depth + U1]
        cursor = np.zeros(1, np.uint64)
        for _ in prange(workers):
            i = low + fetch_add(cursor, U0, BATCH)
            while i < high and going(stop):
                back_rows(arcs, desk, i, min(i + BATCH, high), far, near, tally)
                i = low + fetch_add(cursor, U0, BATCH)

    return run if together else alone


@kernel
def push_back(arcs, desk, depth, far, near, tally):
    """`back_rows` for all of level `depth`, by pushing from the next level along in-arcs."""
    offsets, targets = arcs.in_offsets, arcs.in_targets
    order, level, levels = desk.order, desk.level, desk.levels
    low, high, end = levels[START, depth], levels[START, depth + U1], levels[START, depth + U1 + U1]
    here = np.uint32(depth)
    for i in range(high, end):
        v = np.uint64(order[i])
        part = far[v]
        for e in range(offsets[v], offsets[v + U1]):
            u = np.uint64(targets[e])
            if level[u] == here:
                near[u] += part
    for i in range(low, high):
        u = np.uint64(order[i])
        finish(u, desk.sigma[u] * near[u], desk.sigma, near, tally)


@kernel
def measure(arcs, desk, depth, low, high):
    """Note where level `depth` starts and how many arcs it has; returns its largest sigma."""
    order, sigma, levels = desk.order, desk.sigma, desk.levels
    offsets, in_offsets = arcs.offsets, arcs.in_offsets
    out, into, largest = U0, U0, 0.0
    for i in range(low, high):
        v = np.uint64(order[i])
        out += offsets[v + U1] - offsets[v]
        into += in_offsets[v + U1] - in_offsets[v]
        largest = max(largest, sigma[v])
    levels[START, depth], levels[OUT, depth], levels[IN, depth] = low, out, into
    levels[START, depth + U1] = high
    return largest


@kernel
def spread(values, order, low, high, at):
    """Copy `values` of order[low:high] to `at`."""
    for i in range(low, high):
        at[order[i]] = values[order[i]]


@kernel
def clear(values, order, low, high):
    """Zeros for order[low:high]."""
    for i in range(low, high):
        values[order[i]] = 0.0


@kernel
def forget(desk, reached):
    """Make the vertices reached unseen again."""
    for i in range(reached):
        v = np.uint64(desk.order[i])
        desk.level[v], desk.sigma[v] = UNSEEN, 0.0


@cache
def forward_pass(together: bool) -> Any:
    """The kernel for levels and sigma; it returns (depth, vertices reached, arcs visited, whether sigma fits)."""
    find = find_level(together)

    @kernel
    def forward(arcs, desk, source, workers, stop):
        n, unseen = np.uint64(desk.level.size), np.uint64(arcs.in_targets.size)
        desk.level[source], desk.sigma[source], desk.order[0] = np.uint32(0), 1.0, source
        low, high, depth, visited = U0, U1, U0, U0
        largest = measure(arcs, desk, depth, low, high)
        while low < high and going(stop):
            out = desk.levels[OUT, depth]
            unseen -= desk.levels[IN, depth]
            depth += U1
            if out < n:  # too few for a pass over all vertices
                end = push_level(arcs, desk, np.uint32(depth), low, high)
                visited += out
            else:
                push = out <= unseen
                if not push:
                    spread(desk.sigma, desk.order, low, high, desk.near)
                end = find(arcs, desk, np.uint32(depth), low, high, push, workers, stop)
                if not push:
                    clear(desk.near, desk.order, low, high)
                visited += min(out, unseen)
            low, high = high, end
            largest = max(largest, measure(arcs, desk, depth, low, high))
        return depth, high, visited, largest < HUGE

    return forward


@cache
def source_pass(together: bool, huge: bool = False) -> Any:
    """The kernel that adds one source's dependencies to a tally; it returns (vertices reached, arcs visited).

    Where there are too many paths it adds nothing and returns 0 vertices; the `huge` form is for such sources.
    """
    return _recounting(together) if huge else _in_floats(together)


def _in_floats(together: bool) -> Any:
    forward, back, back_alone = forward_pass(together), pull_back(together), pull_back(False)

    @kernel
    def backward(arcs, desk, depth, tally, workers, stop):
        levels, far, near, visited = desk.levels, desk.far, desk.near, U0
        last = U0 if tally.arc_sums.size else U1  # the source's own dependency is of no use, but those of its arcs are
        while depth > last and going(stop):
            depth -= U1
            if levels[IN, depth + U1] * RATIO < levels[OUT, depth] and tally.arc_sums.size == 0:
                push_back(arcs, desk, depth, far, near, tally)
                visited += levels[IN, depth + U1]
            elif levels[OUT, depth] < FEW:
                back_alone(arcs, desk, depth, far, near, tally, workers, stop)
                visited += levels[OUT, depth]
            else:
                back(arcs, desk, depth, far, near, tally, workers, stop)
                visited += levels[OUT, depth]
            clear(far, desk.order, levels[START, depth + U1], levels[START, depth + U1 + U1])
            far, near = near, far
        clear(far, desk.order, levels[START, depth], levels[START, depth + U1])
        return visited

    @kernel
    def run(arcs, desk, source, tally, workers, stop):
        before = tally.sums[source]
        depth, reached, visited, fits = forward(arcs, desk, source, workers, stop)
        if fits and going(stop):
            visited += backward(arcs, desk, depth, tally, workers, stop)
            tally.sums[source] = before + tally.one * (np.float64(reached) - 1.0)
        forget(desk, reached)
        return reached if fits else U0, visited

    return run


def _recounting(together: bool) -> Any:
    forward = forward_pass(together)

    @kernel
    def run(arcs, desk, source, tally, workers, stop):
        _, reached, visited, _ = forward(arcs, desk, source, workers, stop)
        if going(stop):
            rows = Arrays(arcs.offsets, arcs.targets, arcs.weights)
            recount(rows, desk.level, desk.order, reached, tally, desk.order[:0])
            tally.sums[source] += tally.one * (np.float64(reached) - 1.0)
        forget(desk, reached)
        return reached, visited

    return run


@kernel
def in_order(rows, places, source, tally, workers, stop):
    """`ordered_pass` as one of several passes."""
    return ordered_pass(rows, places, source, tally, stop)


@cache
def over_sources(weighted: bool, buckets: bool, huge: bool = False, ordered: bool = False) -> Any:
    """The kernel in which each worker takes whole sources, with a desk of its own (`desks`: one row a worker).

    The i-th source of all adds to row `i % slots` of the tally, and a row belongs to one worker at a time: what is
    added in which order does not depend on the number of workers.
    """
    if weighted:
        one_source, own = weighted_pass(buckets, huge), buckets_of if buckets else heap_of
    else:
        one_source, own = (in_order, places_of) if ordered else (source_pass(False, huge), desk_of)

    @kernel
    def take(arcs, desks, worker, batch, i, tally, slot, stop):
        row = Tally(tally.sums[slot], tally.arc_sums[slot], tally.one)
        source, did = np.uint64(batch.sources[i]), batch.did
        did[i, 0], did[i, 1] = one_source(arcs, own(desks, worker), source, row, 1, stop)

    @parallel_kernel
    def run(arcs, desks, batch, tally, cursor, workers, stop):
        slots, count, first = np.uint64(tally.sums.shape[0]), np.uint64(batch.sources.size), batch.first
        for worker in prange(workers):
            slot = fetch_add(cursor, U0, U1)
            while slot < slots:
                i = (slot + slots - first % slots) % slots
                while i < count and going(stop):
                    take(arcs, desks, np.uint64(worker), batch, i, tally, slot, stop)
                    i += slots
                slot = fetch_add(cursor, U0, U1)

    return run
