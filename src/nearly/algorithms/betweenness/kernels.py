"""Brandes' two passes from one source, counting hops, level by level and without a float atomic.

Forward: `sigma[v]`, the number of shortest paths from the source; see `betweenness_forward`. A level is pushed
where its arcs are fewer than those of the unseen vertices, and pulled else.
Backward: with c[v] = (1 + delta[v]) / sigma[v], the dependency of the source on u is delta[u] = sigma[u] * (sum of
c over its out-arcs to the next level). That is a sum over an array which is 0 except on one level: pulled
along out-arcs, or pushed along in-arcs on one thread where the next level has few.
A technique may have the way back read only part of each long row.
Which way a level goes depends on arcs alone: the same bits for any number of threads. `source_pass(True)` runs large
levels on all workers, for few sources; `over_sources` gives every worker whole sources, for many.

Sigma is float64. Where it would overflow (a grid of 1,000 x 1,000 has 10**600 paths) the source is done again by
`recount` (in `betweenness_paths`).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import prange

from nearly.algorithms.betweenness.forward import UNSEEN, desk_of, find_level, part_sum, push_level
from nearly.algorithms.betweenness.queues import buckets_of, heap_of
from nearly.algorithms.betweenness.recount import HUGE, recount
from nearly.algorithms.betweenness.weighted import weighted_pass
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1

RATIO = np.uint64(4)  # an arc pushed back on one thread costs as much as so many pulled by all
BATCH = np.uint64(256)  # vertices of a level that a worker takes at a time
SHORT = np.uint64(16)  # arcs of a row that is read without the preparations a long one pays for
START, OUT, IN = np.uint64(0), np.uint64(1), np.uint64(2)


@kernel
def back_rows(offsets, targets, part, source, order, low, high, sigma, far, near, sums, arc_sums, one):
    """Dependencies of order[low:high] from the coefficients `far` of the next level; their own go into `near`."""
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
            total = part_sum(targets, first, last, far, part, source, u)
        else:
            for e in range(first, last):
                total += far[targets[e]]
        finish(u, sigma[u] * total, sigma, near, sums, one)


@kernel
def finish(u, delta, sigma, near, sums, one):
    """Book u's dependency, and leave its coefficient for the level before."""
    sums[u] += delta + one
    near[u] = (1.0 + delta) / sigma[u]


@cache
def pull_back(together: bool) -> Any:
    """The kernel that does `back_rows` for a whole level."""

    @kernel
    def alone(arcs, desk, low, high, far, near, sums, arc_sums, one, workers, stop):
        offsets, targets, part, order, sigma = arcs.offsets, arcs.targets, arcs.part, desk.order, desk.sigma
        source = np.uint64(order[0])
        back_rows(offsets, targets, part, source, order, low, high, sigma, far, near, sums, arc_sums, one)

    @parallel_kernel
    def run(arcs, desk, low, high, far, near, sums, arc_sums, one, workers, stop):
        offsets, targets, part, order, sigma = arcs.offsets, arcs.targets, arcs.part, desk.order, desk.sigma
        source, cursor = np.uint64(order[0]), np.zeros(1, np.uint64)
        for _ in prange(workers):
            i = low + fetch_add(cursor, U0, BATCH)
            while i < high and going(stop):
                upto = min(i + BATCH, high)
                back_rows(offsets, targets, part, source, order, i, upto, sigma, far, near, sums, arc_sums, one)
                i = low + fetch_add(cursor, U0, BATCH)

    return run if together else alone


@kernel
def push_back(arcs, desk, depth, low, high, end, far, near, sums, one):
    """`back_rows` for level `depth`, order[low:high], by pushing from the next, order[high:end], along in-arcs."""
    offsets, targets, order, level = arcs.in_offsets, arcs.in_targets, desk.order, desk.level
    for i in range(high, end):
        v = np.uint64(order[i])
        part = far[v]
        for e in range(offsets[v], offsets[v + U1]):
            u = np.uint64(targets[e])
            if level[u] == depth:
                near[u] += part
    for i in range(low, high):
        u = np.uint64(order[i])
        finish(u, desk.sigma[u] * near[u], desk.sigma, near, sums, one)


@kernel
def measure(arcs, desk, depth, low, high):
    """Note where level `depth` starts and how many arcs it has; returns its largest sigma."""
    order, sigma, levels = desk.order, desk.sigma, desk.levels
    out, into, largest = U0, U0, 0.0
    for i in range(low, high):
        v = np.uint64(order[i])
        out += arcs.offsets[v + U1] - arcs.offsets[v]
        into += arcs.in_offsets[v + U1] - arcs.in_offsets[v]
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


@cache
def source_pass(together: bool) -> Any:
    """The kernel that adds one source's dependencies to `sums` (and `arc_sums`, unless empty).

    With `endpoints` a path counts for its ends too. Returns (vertices reached, arcs visited).
    """
    find, back = find_level(together), pull_back(together)

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

    @kernel
    def backward(arcs, desk, depth, sums, arc_sums, one, workers, stop):
        levels, far, near, visited = desk.levels, desk.far, desk.near, U0
        last = U0 if arc_sums.size else U1  # the source's own dependency is of no use, its arcs' are
        while depth > last and going(stop):
            depth -= U1
            low, high, end = levels[START, depth], levels[START, depth + U1], levels[START, depth + U1 + U1]
            if levels[IN, depth + U1] * RATIO < levels[OUT, depth] and arc_sums.size == 0:
                push_back(arcs, desk, np.uint32(depth), low, high, end, far, near, sums, one)
                visited += levels[IN, depth + U1]
            else:
                back(arcs, desk, low, high, far, near, sums, arc_sums, one, workers, stop)
                visited += levels[OUT, depth]
            clear(far, desk.order, high, end)
            far, near = near, far
        clear(far, desk.order, levels[START, depth], levels[START, depth + U1])
        return visited

    @kernel
    def run(arcs, desk, source, sums, arc_sums, endpoints, workers, stop):
        before = sums[source]
        depth, reached, visited, fits = forward(arcs, desk, source, workers, stop)
        one = 1.0 if endpoints else 0.0
        if going(stop) and fits:
            visited += backward(arcs, desk, depth, sums, arc_sums, one, workers, stop)
        elif going(stop):
            recount(
                arcs.offsets, arcs.targets, arcs.in_offsets[:0], desk.level, desk.order, reached, sums, arc_sums, one,
                desk.order[:0],
            )  # fmt: skip
        sums[source] = before + one * (np.float64(reached) - 1.0)
        for i in range(reached):
            v = np.uint64(desk.order[i])
            desk.level[v], desk.sigma[v] = UNSEEN, 0.0
        return reached, visited

    return run


@cache
def over_sources(weighted: bool, buckets: bool) -> Any:
    """The kernel in which each worker takes whole sources, with a desk of its own (`desks`: one row a worker).

    The i-th source of all adds to `sums[i % slots]`, and a slot belongs to one worker at a time: what is added
    in which order does not depend on the number of workers. `first` is the number of `sources[0]` among all;
    `did` takes (vertices reached, arcs visited) per source.
    """
    one_source = weighted_pass(buckets) if weighted else source_pass(False)
    own = (buckets_of if buckets else heap_of) if weighted else desk_of

    @kernel
    def take(arcs, desks, worker, source, sums, arc_sums, endpoints, did, stop):
        did[0], did[1] = one_source(arcs, own(desks, worker), source, sums, arc_sums, endpoints, 1, stop)

    @parallel_kernel
    def run(arcs, desks, sources, first, sums, arc_sums, endpoints, did, cursor, workers, stop):
        slots, count = np.uint64(sums.shape[0]), np.uint64(sources.size)
        for worker in prange(workers):
            slot = fetch_add(cursor, U0, U1)
            while slot < slots:
                i = (slot + slots - first % slots) % slots
                while i < count and going(stop):
                    source = np.uint64(sources[i])
                    take(arcs, desks, np.uint64(worker), source, sums[slot], arc_sums[slot], endpoints, did[i], stop)
                    i += slots
                slot = fetch_add(cursor, U0, U1)

    return run
