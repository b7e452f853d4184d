"""Shares of pairs over weights, which must be above 0: a search from the first vertex that ends at the second.

Vertices settle in order of distance, from the queues of exact runs (`queues`), and hand on their numbers of paths; two
paths tie when their float64 sums from the first vertex are equal, as in exact runs. A search from both ends would
settle fewer vertices but add up lengths in another order, so that ties would be others. From the second vertex shares
go back over the arcs u -> v with d[u] + w = d[v]. Where paths are more than a float64 counts, the pair is reported: the
caller has to answer by another way.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.betweenness.pairs.kernels import TAKEN, pair_of
from nearly.algorithms.betweenness.pairs.shares import add
from nearly.algorithms.betweenness.queues import NOWHERE, OPERATIONS, buckets_of, heap_of
from nearly.algorithms.betweenness.recount import HUGE
from nearly.algorithms.betweenness.weighted import clear
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1


class WeightedWays(NamedTuple):
    """The graph both ways."""

    offsets: np.ndarray
    targets: np.ndarray
    weights: np.ndarray
    in_offsets: np.ndarray
    in_targets: np.ndarray
    in_weights: np.ndarray


class Sums(NamedTuple):
    """What shares are added to: a row a worker, or one of them."""

    sums: np.ndarray
    squares: np.ndarray


@kernel(_nrt=False)
def hand_back(ways, trip, settled, target, sums):
    """Count the shares of all vertices between the pair, the last settled first; returns the arcs visited."""
    distance, sigma, part, visited = trip.distance, trip.sigma, trip.part, U0
    part[target] = 1.0
    for k in range(settled - U1):  # all but the first vertex
        v = np.uint64(trip.order[settled - U1 - k])
        if part[v] > 0.0:
            if v != target:
                add(sums, v, part[v])
            here, each = distance[v], part[v] / sigma[v]
            visited += ways.in_offsets[v + U1] - ways.in_offsets[v]
            for e in range(ways.in_offsets[v], ways.in_offsets[v + U1]):
                u = np.uint64(ways.in_targets[e])
                if distance[u] + np.float64(ways.in_weights[e]) == here and distance[u] < here:
                    part[u] += each * sigma[u]
    return visited


@cache
def sample_weighted_pairs(buckets: bool) -> Any:
    """The kernel that counts pairs low..high-1; it returns the arcs visited, and whether a float64 could count
    all paths.
    """
    lower, take, is_open = OPERATIONS[buckets]
    own = buckets_of if buckets else heap_of

    @kernel(_nrt=False)
    def settle(ways, trip, source, target):
        """Settle vertices up to the target; returns how many, the arcs visited, and whether their paths fit."""
        distance, sigma, visited, settled, largest, u = trip.distance, trip.sigma, U0, U0, 0.0, source
        sigma[source], trip.size[1] = 1.0, U0
        lower(trip, source, 0.0)
        while trip.size[0] > U0:
            u = take(trip)
            trip.order[settled] = u
            settled += U1
            here, paths = distance[u], sigma[u]
            largest = max(largest, paths)
            if u == target:
                break
            visited += ways.offsets[u + U1] - ways.offsets[u]
            for e in range(ways.offsets[u], ways.offsets[u + U1]):
                v = np.uint64(ways.targets[e])
                through = here + np.float64(ways.weights[e])
                if through < distance[v]:
                    lower(trip, v, through)
                    sigma[v] = paths
                elif through == distance[v] and is_open(trip, v):
                    sigma[v] += paths
        return settled, visited, largest < HUGE

    @kernel
    def sample(ways, trip, source, target, sums):
        settled, visited, fits = settle(ways, trip, source, target)
        if trip.order[settled - U1] == target and fits:
            visited += hand_back(ways, trip, settled, target, sums)
        reached = settled
        while trip.size[0] > U0:
            trip.order[reached] = take(trip)
            reached += U1
        clear(trip.distance, trip.order, reached, np.inf)
        clear(trip.sigma, trip.order, reached, 0.0)
        clear(trip.part, trip.order, reached, 0.0)
        if not buckets:
            clear(trip.place, trip.order, reached, NOWHERE)
        return visited, fits

    @kernel
    def some(ways, trips, worker, sums, key, low, high, stop):
        trip, mine, n = (
            own(trips, worker),
            Sums(sums.sums[worker], sums.squares[worker]),
            np.uint64(ways.offsets.size - 1),
        )
        visited, all_fit = U0, True
        for index in range(low, high):
            if going(stop):
                source, target = pair_of(key, index, n)
                arcs, fits = sample(ways, trip, source, target, mine)
                visited += arcs
                all_fit &= fits
        return visited, all_fit

    @parallel_kernel
    def run(ways, trips, sums, key, low, high, workers, stop):
        cursor, visited, misfits = np.zeros(1, np.uint64), np.zeros(workers, np.uint64), np.zeros(workers, np.uint64)
        for worker in prange(workers):
            at = low + fetch_add(cursor, U0, TAKEN)
            while at < high:
                arcs, fit = some(ways, trips, np.uint64(worker), sums, key, at, min(at + TAKEN, high), stop)
                visited[worker] += arcs
                if not fit:
                    misfits[worker] = U1
                at = low + fetch_add(cursor, U0, TAKEN)
        return visited.sum(), misfits.sum() == 0

    return run
