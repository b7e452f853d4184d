"""Brandes' passes where levels of hops do not do: over weights, and where the number of paths overflows.

`weighted_pass` settles vertices in order of distance with a four-way heap. Two paths tie when their float64
sums are equal, as in NetworkX. An arc u -> v is tight when d[u] + w = d[v] and v settles after u; dependencies
are summed over tight arcs in the opposite order.
`recount` needs distances and an order only, counts paths with an exponent of their own, and is the plainest form of the
algorithm: it stands in where float64 overflows, and certificates recompute with it.

U. Brandes, "A faster algorithm for betweenness centrality", Journal of Mathematical Sociology 25, 2001.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.algorithms.paths import length
from nearly.base.atomics import going
from nearly.base.jit import kernel
from nearly.graph.partition import U0, U1

TOP, DOWN = 2.0**256, 2.0**-512  # `recount` keeps a count as mantissa / DOWN**exponent, the mantissa at most TOP
HUGE = 1e290  # a larger sigma, times a degree, could overflow
_U4 = np.uint64(4)
NOWHERE, SETTLED = np.uint32(2**32 - 1), np.uint32(2**32 - 2)


@kernel
def join(mantissa, exponent, v, u):
    """Add u's count to v's."""
    more = mantissa[u]
    if exponent[u] > exponent[v]:
        mantissa[v] = mantissa[v] * DOWN if exponent[u] == exponent[v] + 1 else 0.0
        exponent[v] = exponent[u]
    elif exponent[u] < exponent[v]:
        more = more * DOWN if exponent[u] == exponent[v] - 1 else 0.0
    mantissa[v] += more
    if mantissa[v] > TOP:
        mantissa[v] *= DOWN
        exponent[v] += 1


@kernel
def share_of(mantissa, exponent, u, v):
    """u's count over v's, which is at least as large."""
    steps = exponent[v] - exponent[u]
    ratio = mantissa[u] / mantissa[v]
    if steps == 0:
        return ratio
    return ratio * DOWN if steps == 1 else 0.0


@kernel
def recount(offsets, targets, weights, distance, order, reached, sums, arc_sums, one, of):
    """Add the dependencies of source order[0], whose distances and order of settling are known.

    `of` says which vertex each one is a copy of, or itself; it is empty where there are no copies.
    """
    n = distance.size
    place, delta = np.full(n, reached, np.uint64), np.zeros(n, np.float64)
    mantissa, exponent = np.zeros(n, np.float64), np.zeros(n, np.int64)
    for i in range(reached):
        place[order[i]] = i
    source = counted(of, np.uint64(order[0]))
    mantissa[source] = 1.0
    for i in range(reached):
        u = np.uint64(order[i])
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if place[v] > i and np.float64(distance[u]) + length(weights, e) == np.float64(distance[v]):
                join(mantissa, exponent, v, counted(of, u))
    for k in range(reached):
        i = reached - U1 - k
        u = np.uint64(order[i])
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if place[v] > i and np.float64(distance[u]) + length(weights, e) == np.float64(distance[v]):
                part = share_of(mantissa, exponent, counted(of, u), v) * (1.0 + delta[v])
                delta[counted(of, u)] += part
                if arc_sums.size:
                    arc_sums[e] += part
    for i in range(reached):
        u = np.uint64(order[i])
        if u != source and counted(of, u) == u:
            sums[u] += delta[u] + one


@kernel
def counted(of, u):
    """The vertex that u counts for."""
    return np.uint64(of[u]) if of.size else u


class Road(NamedTuple):
    """The graph with its weights, for `weighted_pass`."""

    offsets: np.ndarray
    targets: np.ndarray
    weights: np.ndarray


class Queue(NamedTuple):
    """One worker's memory. Between sources all is at infinity, nowhere and 0."""

    distance: np.ndarray
    place: np.ndarray  # uint32[n]: position in the heap, NOWHERE before and SETTLED after
    heap: np.ndarray
    order: np.ndarray
    sigma: np.ndarray
    part: np.ndarray  # (1 + delta) / sigma


@kernel
def queue_of(queues, worker):
    """One worker's row of the queues."""
    return Queue(
        queues.distance[worker], queues.place[worker], queues.heap[worker],
        queues.order[worker], queues.sigma[worker], queues.part[worker],
    )  # fmt: skip


@kernel(_nrt=False)
def sift_up(queue, i, v):
    """Move v, which belongs at position i or nearer the top, up to its place."""
    distance, place, heap = queue.distance, queue.place, queue.heap
    while i > U0:
        above = (i - U1) // _U4
        u = np.uint64(heap[above])
        if distance[u] <= distance[v]:
            break
        heap[i] = u
        place[u] = i
        i = above
    heap[i] = v
    place[v] = i


@kernel(_nrt=False)
def sift_down(queue, size, v):
    """Put v at the top and move it down to its place among `size`."""
    distance, place, heap = queue.distance, queue.place, queue.heap
    i = U0
    while i * _U4 + U1 < size:
        best = i * _U4 + U1
        for child in range(best + U1, min(best + _U4, size)):
            if distance[heap[child]] < distance[heap[best]]:
                best = child
        u = np.uint64(heap[best])
        if distance[v] <= distance[u]:
            break
        heap[i] = u
        place[u] = i
        i = best
    heap[i] = v
    place[v] = i


@kernel(_nrt=False)
def settle_all(road, queue, source, stop):
    """Distances, paths and the order of settling; returns how many were reached, and the arcs visited."""
    distance, place, heap, order, sigma = queue.distance, queue.place, queue.heap, queue.order, queue.sigma
    distance[source], sigma[source], heap[0], place[source] = 0.0, 1.0, source, np.uint32(0)
    size, settled, visited = U1, U0, U0
    while size > U0 and going(stop):
        u = np.uint64(heap[0])
        size -= U1
        place[u] = SETTLED
        if size > U0:
            sift_down(queue, size, np.uint64(heap[size]))
        order[settled] = u
        settled += U1
        visited += road.offsets[u + U1] - road.offsets[u]
        for e in range(road.offsets[u], road.offsets[u + U1]):
            v = np.uint64(road.targets[e])
            if place[v] == SETTLED:
                continue
            through = distance[u] + np.float64(road.weights[e])
            if through < distance[v]:
                distance[v], sigma[v] = through, sigma[u]
                if place[v] == NOWHERE:
                    sift_up(queue, size, v)
                    size += U1
                else:
                    sift_up(queue, np.uint64(place[v]), v)
            elif through == distance[v]:
                sigma[v] += sigma[u]
    return settled, visited


@kernel(_nrt=False)
def add_dependencies(road, queue, reached, sums, arc_sums, one):
    """The way back: `part` is 0 for all that settled before u, so that no order has to be looked at."""
    distance, order, sigma, part = queue.distance, queue.order, queue.sigma, queue.part
    for k in range(reached):
        u = np.uint64(order[reached - U1 - k])
        total = 0.0
        for e in range(road.offsets[u], road.offsets[u + U1]):
            v = np.uint64(road.targets[e])
            if part[v] > 0.0 and distance[u] + np.float64(road.weights[e]) == distance[v]:
                total += part[v]
                if arc_sums.size:
                    arc_sums[e] += sigma[u] * part[v]
        delta = sigma[u] * total
        part[u] = (1.0 + delta) / sigma[u]
        if k + U1 < reached:
            sums[u] += delta + one


@kernel
def weighted_pass(road, queue, source, sums, arc_sums, endpoints, workers, stop):
    """Add one source's dependencies to `sums`; as the kernels of `source_pass`, over weights."""
    reached, visited = settle_all(road, queue, source, stop)
    one, largest = (1.0 if endpoints else 0.0), 0.0
    for i in range(reached):
        largest = max(largest, queue.sigma[queue.order[i]])
    if going(stop) and largest < HUGE:
        add_dependencies(road, queue, reached, sums, arc_sums, one)
    elif going(stop):
        none = queue.order[:0]
        recount(
            road.offsets, road.targets, road.weights, queue.distance, queue.order, reached, sums, arc_sums, one, none
        )
    sums[source] += one * (np.float64(reached) - 1.0)
    for i in range(reached):
        v = queue.order[i]
        queue.distance[v], queue.place[v], queue.sigma[v], queue.part[v] = np.inf, NOWHERE, 0.0, 0.0
    return reached, visited + visited
