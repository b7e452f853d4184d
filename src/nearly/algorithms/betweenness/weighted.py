"""Brandes' two passes from one source over weights, which must be above 0.

Forward: vertices settle in order of distance, from a queue of one of two kinds (`queues`), and hand on their numbers
of paths. Two paths tie when their float64 sums are equal, as in NetworkX.
Backward: in the opposite order, over the arcs u -> v with d[u] + w = d[v]. The `part` of a vertex is 0 until its turn,
so the order of two vertices need not be compared. Where numbers of paths would overflow, a pass adds nothing, and the
`huge` form of the kernel, which uses `recount` instead, does the source again.
Kernels take the rows of a graph with weights, `graph.arrays`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from nearly.algorithms.betweenness.queues import NOWHERE, OPERATIONS
from nearly.algorithms.betweenness.recount import HUGE, recount
from nearly.base.atomics import going
from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1


@cache
def settle_all(buckets: bool) -> Any:
    """The kernel for distances, paths and the order of settling.

    It returns (vertices reached, arcs visited, whether numbers of paths are far from an overflow).
    """
    lower, take, is_open = OPERATIONS[buckets]

    @kernel(_nrt=False)
    def run(rows, trip, source, stop):
        distance, order, sigma, size = trip.distance, trip.order, trip.sigma, trip.size
        offsets, targets, weights = rows
        sigma[source], size[1] = 1.0, U0
        lower(trip, source, 0.0)
        settled, visited, largest = U0, U0, 0.0
        while size[0] > U0 and going(stop):
            u = take(trip)
            order[settled] = u
            settled += U1
            here, paths = distance[u], sigma[u]
            largest = max(largest, paths)
            visited += offsets[u + U1] - offsets[u]
            for e in range(offsets[u], offsets[u + U1]):
                v = np.uint64(targets[e])
                through = here + np.float64(weights[e])
                if through < distance[v]:
                    lower(trip, v, through)
                    sigma[v] = paths
                elif through == distance[v] and is_open(trip, v):
                    sigma[v] += paths
        return settled, visited, largest < HUGE

    return run


@kernel(_nrt=False)
def add_dependencies(rows, trip, reached, tally):
    """The way back."""
    offsets, targets, weights = rows
    sums, arc_sums, one = tally
    distance, order, sigma, part = trip.distance, trip.order, trip.sigma, trip.part
    for k in range(reached):
        u = np.uint64(order[reached - U1 - k])
        total, here = 0.0, distance[u]
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            owed = part[v]  # read in any case: selecting costs a third of a branch that cannot be predicted
            owed = owed if here + np.float64(weights[e]) == distance[v] else 0.0
            total += owed
            if arc_sums.size:
                arc_sums[e] += sigma[u] * owed
        delta = sigma[u] * total
        part[u] = (1.0 + delta) / sigma[u]
        if k + U1 < reached:
            sums[u] += delta + one


@kernel
def recount_dependencies(rows, trip, reached, tally):
    """The way back where there are more paths than a float64 can count."""
    recount(rows, trip.distance, trip.order, reached, tally, trip.order[:0])


@kernel(_nrt=False)
def clear(values, order, reached, empty):
    """`empty` for the vertices reached; if these are more than half, for all vertices: one sweep is faster then."""
    if reached > np.uint64(values.size // 2):
        for v in range(np.uint64(values.size)):
            values[v] = empty
    else:
        for i in range(reached):
            values[order[i]] = empty


@cache
def weighted_pass(buckets: bool, huge: bool = False) -> Any:
    """The kernel that adds one source's dependencies to a tally; as those of `source_pass`, over weights."""
    settle, add = settle_all(buckets), recount_dependencies if huge else add_dependencies

    @kernel
    def run(rows, trip, source, tally, workers, stop):
        reached, visited, fits = settle(rows, trip, source, stop)
        if (huge or fits) and going(stop):
            add(rows, trip, reached, tally)
            tally.sums[source] += tally.one * (np.float64(reached) - 1.0)
        clear(trip.distance, trip.order, reached, np.inf)
        clear(trip.sigma, trip.order, reached, 0.0)
        clear(trip.part, trip.order, reached, 0.0)
        if not buckets:
            clear(trip.place, trip.order, reached, NOWHERE)
        return reached if huge or fits else U0, visited + visited

    return run
