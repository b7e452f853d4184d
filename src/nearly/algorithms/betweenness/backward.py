"""The way back of Brandes' algorithm in hops: dependencies, from the deepest level to the source.

With c[v] = (1 + delta[v]) / sigma[v], the dependency of the source on u is delta[u] = sigma[u] * (sum of c over
its out-arcs to the next level). Where the way there has noted these arcs, the sum goes over the notes. Elsewhere it is
a sum over an array which is 0 except on one level: pulled along out-arcs, or pushed along in-arcs on one thread where
the next level has few. A technique may ask that long rows are read in part only. Small levels are done by the calling
thread: on long graphs most are.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import prange

from nearly.algorithms.betweenness.forward import part_sum
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1

RATIO = np.uint64(4)  # an arc pushed back on one thread costs as much as this many pulled by all
BATCH = np.uint64(256)  # vertices of a level that a worker takes at a time
SHORT = np.uint64(16)  # arcs of a row that is read without the preparations a long one pays for
FEW = np.uint64(1 << 14)  # arcs of a level that one thread reads before others would have begun
START, OUT, NOTED = np.uint64(0), np.uint64(1), np.uint64(2)


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


@kernel
def back_noted(desk, low, high, far, near, tally):
    """`back_rows` along the arcs noted."""
    order, sigma, onward, starts = desk.order, desk.sigma, desk.onward, desk.starts
    for i in range(low, high):
        u, total = np.uint64(order[i]), 0.0
        for j in range(starts[i], starts[i + U1]):
            total += far[onward[j]]
        finish(u, sigma[u] * total, sigma, near, tally)


@kernel
def back_some(arcs, desk, depth, low, high, far, near, tally):
    """Dependencies of order[low:high], which are of level `depth`."""
    if desk.levels[NOTED, depth]:
        back_noted(desk, low, high, far, near, tally)
    else:
        back_rows(arcs, desk, low, high, far, near, tally)


@cache
def pull_back(together: bool) -> Any:
    """The kernel for all of level `depth`."""

    @kernel
    def alone(arcs, desk, depth, far, near, tally, workers, stop):
        back_some(arcs, desk, depth, desk.levels[START, depth], desk.levels[START, depth + U1], far, near, tally)

    @parallel_kernel
    def run(arcs, desk, depth, far, near, tally, workers, stop):
        low, high = desk.levels[START, depth], desk.levels[START, depth + U1]
        cursor = np.zeros(1, np.uint64)
        for _ in prange(workers):
            i = low + fetch_add(cursor, U0, BATCH)
            while i < high and going(stop):
                back_some(arcs, desk, depth, i, min(i + BATCH, high), far, near, tally)
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
def arcs_into(arcs, desk, depth):
    """How many arcs lead to vertices of a level."""
    offsets, order, total = arcs.in_offsets, desk.order, U0
    for i in range(desk.levels[START, depth], desk.levels[START, depth + U1]):
        v = np.uint64(order[i])
        total += offsets[v + U1] - offsets[v]
    return total


@kernel
def clear(values, order, low, high):
    """Zeros for order[low:high]."""
    for i in range(low, high):
        values[order[i]] = 0.0


@cache
def backward_pass(together: bool) -> Any:
    """The kernel for all dependencies of a source; it returns the arcs visited."""
    alone, back = pull_back(False), pull_back(together)

    @kernel
    def backward(arcs, desk, depth, tally, workers, stop):
        levels, far, near, visited = desk.levels, desk.far, desk.near, U0
        last = U0 if tally.arc_sums.size else U1  # the source's own dependency is of no use, but those of its arcs are
        while depth > last and going(stop):
            depth -= U1
            out, pushed = levels[OUT, depth], U0
            if levels[NOTED, depth]:
                out = desk.starts[levels[START, depth + U1]] - desk.starts[levels[START, depth]]
            elif tally.arc_sums.size == 0:
                pushed = arcs_into(arcs, desk, depth + U1)
            if out <= FEW:
                alone(arcs, desk, depth, far, near, tally, workers, stop)
            elif pushed > U0 and pushed * RATIO < out:
                push_back(arcs, desk, depth, far, near, tally)
                out = pushed
            else:
                back(arcs, desk, depth, far, near, tally, workers, stop)
            visited += out
            clear(far, desk.order, levels[START, depth + U1], levels[START, depth + U1 + U1])
            far, near = near, far
        clear(far, desk.order, levels[START, depth], levels[START, depth + U1])
        return visited

    return backward
