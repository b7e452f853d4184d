"""Queues of vertices by distance, from which a search over weights takes the next vertex. Two kinds, same operations.

`Buckets`: a ring of lists, each for a range of distances a little narrower than the least weight. Every arc leads to a
later list, so the vertices of the first list cannot improve each other: they are all final, in any order, and are never
compared. A map of bits finds the next list that is not empty. The distances of the vertices that wait differ by at
most the largest weight, so the ring needs about (largest weight / least weight) lists.
`Heap`: four children a node, for weights whose ratio is too large for a ring.

Operations, each with the memory of one worker: `lower(trip, v, through)` gives v a smaller distance and puts it in its
place, `take(trip)` removes a vertex that is final, `is_open(trip, v)` tells whether v has not been taken yet; `size[0]`
vertices wait. R. B. Dial, Communications of the ACM 12, 1969; E. A. Dinic, 1978.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nearly.algorithms.shared.weights import weight_range
from nearly.base.intrinsics import trailing_zeros
from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.graph.csr import Graph

LONGEST = 1 << 16  # lists of a ring
FARTHEST = 1 << 40  # lists that a search may pass: up to there rounding cannot put both ends of an arc into one list
TINY = 1e-300  # a smaller weight could make the number of lists per unit of distance overflow
SLACK = 1 + 2.0**-10  # by this factor a list is narrower than the least weight
NOWHERE, SETTLED = np.uint32(2**32 - 1), np.uint32(2**32 - 2)
_U4, _U6, _WORD = np.uint64(4), np.uint64(6), np.uint64(63)


class Buckets(NamedTuple):
    """One worker's memory. Between sources all is at infinity and 0, and the queue is empty."""

    distance: np.ndarray
    order: np.ndarray  # vertices as they settle
    sigma: np.ndarray
    part: np.ndarray  # (1 + delta) / sigma
    size: np.ndarray  # uint64[16]: vertices that wait; the list they were last taken from; the rest keeps workers apart
    head: np.ndarray  # uint32[ring]: the first vertex of each list, NOWHERE if empty
    after: np.ndarray  # uint32[n]: the next one of the list, or NOWHERE
    before: np.ndarray
    bits: np.ndarray  # uint64[ring / 64]: lists that are not empty
    scale: np.ndarray  # float64[1]: lists per unit of distance


class Heap(NamedTuple):
    """One worker's memory, as above."""

    distance: np.ndarray
    order: np.ndarray
    sigma: np.ndarray
    part: np.ndarray
    size: np.ndarray
    heap: np.ndarray
    place: np.ndarray  # uint32[n]: position in the heap, NOWHERE before and SETTLED after


def make_trips(graph: Graph, count: int, *, buckets: bool | None = None) -> Buckets | Heap:
    """Memory for `count` workers, one row each; `buckets` chooses the kind, None by the graph's weights."""
    shape, (least, largest) = (count, graph.n), weight_range(graph)
    base = (
        np.full(shape, np.inf), np.empty(shape, graph.arrays.targets.dtype), np.zeros(shape), np.zeros(shape),
        np.zeros((count, 16), np.uint64),
    )  # fmt: skip
    lists = largest / least * SLACK + 3 if least > TINY else np.inf
    if buckets is None:
        buckets = lists <= LONGEST and lists * graph.n <= FARTHEST
    after = np.full(shape, NOWHERE, np.uint32)
    if not buckets:
        return Heap(*base, np.empty(shape, np.uint32), after)
    ring = 1 << max(math.ceil(math.log2(lists)), 6)
    head, bits = np.full((count, ring), NOWHERE, np.uint32), np.zeros((count, ring // 64), np.uint64)
    return Buckets(*base, head, after, np.empty_like(after), bits, np.full((count, 1), SLACK / least))


@kernel
def buckets_of(trips, worker):
    """One worker's row."""
    return Buckets(
        trips.distance[worker], trips.order[worker], trips.sigma[worker], trips.part[worker], trips.size[worker],
        trips.head[worker], trips.after[worker], trips.before[worker], trips.bits[worker], trips.scale[worker],
    )  # fmt: skip


@kernel
def heap_of(trips, worker):
    """One worker's row."""
    return Heap(
        trips.distance[worker], trips.order[worker], trips.sigma[worker], trips.part[worker], trips.size[worker],
        trips.heap[worker], trips.place[worker],
    )  # fmt: skip


@kernel(_nrt=False)
def list_of(trip, distance):
    """The place in the ring of a distance."""
    return np.uint64(distance * trip.scale[0]) & np.uint64(trip.head.size - 1)


@kernel(_nrt=False)
def lower_bucket(trip, v, through):
    """`lower`: v moves to the list of its new distance."""
    distance, head, after, before = trip.distance, trip.head, trip.after, trip.before
    to = list_of(trip, through)
    if distance[v] < np.inf:
        at = list_of(trip, distance[v])
        if at == to:
            distance[v] = through
            return
        unlink(trip, at, v)
    else:
        trip.size[0] += U1
    distance[v] = through
    first = head[to]
    head[to], after[v], before[v] = np.uint32(v), first, NOWHERE
    if first == NOWHERE:
        trip.bits[to >> _U6] |= U1 << (to & _WORD)
    else:
        before[first] = np.uint32(v)


@kernel(_nrt=False)
def unlink(trip, at, v):
    """Take v out of its list."""
    head, after, before = trip.head, trip.after, trip.before
    ahead, behind = before[v], after[v]
    if ahead != NOWHERE:
        after[ahead] = behind
    else:
        head[at] = behind
        if behind == NOWHERE:
            trip.bits[at >> _U6] &= ~(U1 << (at & _WORD))
    if behind != NOWHERE:
        before[behind] = ahead


@kernel(_nrt=False)
def take_bucket(trip):
    """`take`: the first vertex of the first list that is not empty."""
    head, bits = trip.head, trip.bits
    at = trip.size[1]
    if head[at] == NOWHERE:
        word = at >> _U6
        found = bits[word] >> (at & _WORD)
        if found != U0:
            at += trailing_zeros(found)
        else:
            words = np.uint64(bits.size - 1)
            word = (word + U1) & words
            while bits[word] == U0:
                word = (word + U1) & words
            at = (word << _U6) + trailing_zeros(bits[word])
        trip.size[1] = at
    v = np.uint64(head[at])
    unlink(trip, at, v)
    trip.size[0] -= U1
    return v


@kernel(_nrt=False)
def open_bucket(trip, v):
    """`is_open`: always; arcs of a taken vertex lead to later lists, so a vertex that ties was not taken yet."""
    return True


@kernel(_nrt=False)
def lower_heap(trip, v, through):
    """`lower`: v moves up in the heap."""
    trip.distance[v] = through
    place = trip.place[v]
    if place == NOWHERE:
        i = trip.size[0]
        trip.size[0] += U1
    else:
        i = np.uint64(place)
    sift_up(trip.heap, trip.place, trip.distance, i, v)


@kernel(_nrt=False)
def take_heap(trip):
    """`take`: the vertex at the top of the heap."""
    heap, place = trip.heap, trip.place
    v = np.uint64(heap[0])
    place[v] = SETTLED
    size = trip.size[0] - U1
    trip.size[0] = size
    if size > U0:
        sift_down(heap, place, trip.distance, size, np.uint64(heap[size]))
    return v


@kernel(_nrt=False)
def open_heap(trip, v):
    """`is_open`: whether v has not been taken."""
    return trip.place[v] != SETTLED


@kernel(_nrt=False)
def sift_up(heap, place, distance, i, v):
    """Move v, which belongs at position i or nearer the top, up to its place."""
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
def sift_down(heap, place, distance, size, v):
    """Put v at the top and move it down to its place among `size`."""
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


# (lower, take, is_open), by whether the queue is made of buckets
OPERATIONS = {True: (lower_bucket, take_bucket, open_bucket), False: (lower_heap, take_heap, open_heap)}
