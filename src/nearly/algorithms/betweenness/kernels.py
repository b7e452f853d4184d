"""Brandes' two passes from one source, counting hops, level by level and without a float atomic.

Forward: `sigma[v]`, the number of shortest paths from the source; see `forward`. A large level is pushed if it has
fewer arcs than are left, else pulled. Backward: the dependencies; see `backward`.
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

from nearly.algorithms.betweenness.backward import NOTED, OUT, START, backward_pass, clear
from nearly.algorithms.betweenness.forward import UNSEEN, desk_of, find_level, push_level, push_noted
from nearly.algorithms.betweenness.queues import buckets_of, heap_of
from nearly.algorithms.betweenness.recount import HUGE, Tally, recount
from nearly.algorithms.betweenness.weighted import weighted_pass
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1
from nearly.graph.csr import Arrays


class Batch(NamedTuple):
    """The sources of one call."""

    sources: np.ndarray
    first: np.uint64  # the number of `sources[0]` among all sources
    did: np.ndarray  # uint64[sources, 2]: vertices reached and arcs visited


@kernel
def measure(arcs, desk, depth, low, high):
    """Note where level `depth` starts and how many arcs it has; returns its largest sigma."""
    order, sigma, levels, offsets = desk.order, desk.sigma, desk.levels, arcs.offsets
    out, largest = U0, 0.0
    for i in range(low, high):
        v = np.uint64(order[i])
        out += offsets[v + U1] - offsets[v]
        largest = max(largest, sigma[v])
    levels[START, depth], levels[OUT, depth], levels[NOTED, depth] = low, out, U0
    levels[START, depth + U1] = high
    return largest


@kernel
def spread(values, order, low, high, at):
    """Copy `values` of order[low:high] to `at`."""
    for i in range(low, high):
        at[order[i]] = values[order[i]]


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
        low, high, depth, visited, noted = U0, U1, U0, U0, U0
        largest = measure(arcs, desk, depth, low, high)
        while low < high and going(stop):
            out = desk.levels[OUT, depth]
            unseen = unseen - out if unseen > out else U0
            depth += U1
            if noted + out < np.uint64(desk.onward.size) and out < n:
                desk.levels[NOTED, depth - U1] = U1
                end, noted = push_noted(arcs, desk, np.uint32(depth), low, high, noted)
                visited += out
            elif out < n:  # too few for a pass over all vertices
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
    forward, backward = forward_pass(together), backward_pass(together)

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


@cache
def over_sources(weighted: bool, buckets: bool, huge: bool = False) -> Any:
    """The kernel in which each worker takes whole sources, with a desk of its own (`desks`: one row a worker).

    The i-th source of all adds to row `i % slots` of the tally, and a row belongs to one worker at a time: what is
    added in which order does not depend on the number of workers.
    """
    one_source = weighted_pass(buckets, huge) if weighted else source_pass(False, huge)
    own = (buckets_of if buckets else heap_of) if weighted else desk_of

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
