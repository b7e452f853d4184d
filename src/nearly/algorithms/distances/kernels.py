"""Distances of pairs by searches from both ends: level by level in hops, nearest first by weights.

In hops the side with fewer arcs to look at goes one level on; the first vertex that both sides have seen is half-way.
By weights the side that will have looked at fewer arcs goes on, until the nearest ones of both together are as far
apart as the best way found. A distance that is known to be attained ends a search that cannot find less. Workers take
pairs; what one pair gives does not depend on the others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.shared.length_sums import DONE, OUT, Desk, rise, take_first
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, light_kernel, parallel_kernel
from nearly.base.unsigned import U0, U1

_SHARE = np.uint64(16)  # pairs taken at once


class Ways(NamedTuple):
    """Rows of the graph, and of its reverse."""

    offsets: np.ndarray
    targets: np.ndarray
    weights: np.ndarray
    back_offsets: np.ndarray
    back_targets: np.ndarray
    back_weights: np.ndarray


class Sides(NamedTuple):
    """What a worker searches with in hops, from either side."""

    stamp: np.ndarray  # uint32[2, n]: the pair for which a vertex was seen
    queue: np.ndarray  # uint32[2, n]


class Pairs(NamedTuple):
    """What is asked and answered."""

    sources: np.ndarray
    targets: np.ndarray
    values: np.ndarray  # float64: a distance that is attained, or inf; then the distance


@kernel
def go_on(offsets, targets, sides, side, begin, end, now):
    """Search one level on; (end of the queue, arcs of the vertices found, whether the other side was met)."""
    stamp, queue = sides
    fill, arcs, other = end, U0, U1 - side
    for i in range(begin, end):
        u = np.uint64(queue[side, i])
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if stamp[other, v] == now:
                return fill, arcs, True
            if stamp[side, v] != now:
                stamp[side, v] = now
                queue[side, fill] = v
                fill += U1
                arcs += offsets[v + U1] - offsets[v]
    return fill, arcs, False


@light_kernel
def hops_between(ways, sides, s, t, now, most):
    """The number of hops from s to t; `most` where there is no shorter way."""
    offsets, targets, _, back_offsets, back_targets, _ = ways
    if s == t:
        return 0.0
    sides.stamp[0, s], sides.stamp[1, t] = now, now
    sides.queue[0, 0], sides.queue[1, 0] = s, t
    begin, end, back_begin, back_end = U0, U1, U0, U1
    arcs, back_arcs = offsets[s + U1] - offsets[s], back_offsets[t + U1] - back_offsets[t]
    depth, met = 0.0, False
    while begin < end and back_begin < back_end and depth + 1.0 < most:
        if arcs <= back_arcs:
            fill, arcs, met = go_on(offsets, targets, sides, U0, begin, end, now)
            begin, end = end, fill
        else:
            fill, back_arcs, met = go_on(back_offsets, back_targets, sides, U1, back_begin, back_end, now)
            back_begin, back_end = back_end, fill
        depth += 1.0
        if met:
            return depth
    return most


@kernel
def forget(desk, count, size):
    """Set the places of the vertices reached, and of those still in the heap, to OUT."""
    for i in range(count):
        desk.place[desk.order[i]] = OUT
    for i in range(size):
        desk.place[desk.heap[i]] = OUT


@light_kernel
def step(offsets, targets, weights, desk, other, size, count, best):
    """Settle the nearest vertex of one side; (size of its heap, shortest way found).

    A vertex that the other side has not settled is at least as far from its end as the nearest one waiting there. Where
    a way through it would be no shorter than the shortest one found, it is not waited for.
    """
    u, beyond = np.uint64(take_first(desk, size)), other.far[other.heap[0]]
    size -= U1
    desk.order[count] = u
    for e in range(offsets[u], offsets[u + U1]):
        v, through = np.uint64(targets[e]), desk.far[u] + np.float64(weights[e])
        if other.place[v] != OUT:
            best = min(best, through + other.far[v])
        if through + beyond >= best:
            continue
        if desk.place[v] == OUT:
            desk.far[v], desk.heap[size] = through, v
            size += U1
            rise(desk, size - U1)
        elif desk.place[v] != DONE and through < desk.far[v]:
            desk.far[v] = through
            rise(desk, np.uint64(desk.place[v]))
    return size, best


@light_kernel
def length_between(ways, desk, other, s, t, most):
    """The length of the shortest path from s to t; `most` where there is no shorter one."""
    offsets, targets, weights, back_offsets, back_targets, back_weights = ways
    if s == t:
        return 0.0
    desk.heap[0], desk.far[s], desk.place[s] = s, 0.0, 0
    other.heap[0], other.far[t], other.place[t] = t, 0.0, 0
    size, back_size, count, back_count, best = U1, U1, U0, U0, most
    arcs, back_arcs = U0, U0
    while size > U0 and back_size > U0:
        u, v = np.uint64(desk.heap[0]), np.uint64(other.heap[0])
        if desk.far[u] + other.far[v] >= best:
            break
        onwards, backwards = arcs + offsets[u + U1] - offsets[u], back_arcs + back_offsets[v + U1] - back_offsets[v]
        if onwards <= backwards:
            arcs = onwards
            size, best = step(offsets, targets, weights, desk, other, size, count, best)
            count += U1
        else:
            back_arcs = backwards
            back_size, best = step(back_offsets, back_targets, back_weights, other, desk, back_size, back_count, best)
            back_count += U1
    forget(desk, count, size)
    forget(other, back_count, back_size)
    return best


@kernel
def some_in_hops(ways, sides, pairs, cursor, stop):
    """Pairs one after the other, as long as there are any."""
    sources, targets, values = pairs
    low = fetch_add(cursor, U0, _SHARE)
    while low < np.uint64(sources.size) and going(stop):
        for i in range(low, min(low + _SHARE, np.uint64(sources.size))):
            values[i] = hops_between(ways, sides, sources[i], targets[i], np.uint32(i + U1), values[i])
        low = fetch_add(cursor, U0, _SHARE)
    return U0


@kernel
def some_by_weights(ways, desk, other, pairs, cursor, stop):
    """The same by weights."""
    sources, targets, values = pairs
    low = fetch_add(cursor, U0, _SHARE)
    while low < np.uint64(sources.size) and going(stop):
        for i in range(low, min(low + _SHARE, np.uint64(sources.size))):
            values[i] = length_between(ways, desk, other, sources[i], targets[i], values[i])
        low = fetch_add(cursor, U0, _SHARE)
    return U0


@parallel_kernel
def all_in_hops(ways, sides, pairs, cursor, stop):
    """All pairs in hops; `sides` has a row for each worker."""
    workers = sides.stamp.shape[0]
    done = np.zeros(workers, np.uint64)
    for w in prange(workers):
        done[w] = some_in_hops(ways, Sides(sides.stamp[w], sides.queue[w]), pairs, cursor, stop)


@parallel_kernel
def all_by_weights(ways, desks, pairs, cursor, stop):
    """All pairs by weights; `desks` has two rows for each worker."""
    workers = desks.heap.shape[0] // 2
    done = np.zeros(workers, np.uint64)
    for w in prange(workers):
        a, b = 2 * w, 2 * w + 1
        desk = Desk(desks.heap[a], desks.place[a], desks.far[a], desks.order[a])
        other = Desk(desks.heap[b], desks.place[b], desks.far[b], desks.order[b])
        done[w] = some_by_weights(ways, desk, other, pairs, cursor, stop)


@kernel
def intervals(away, back, sources, targets, least, low, high):
    """Bounds on the distances of pairs, by those from landmarks (`away`) and to them (`back`), a row a vertex.

    An arc is at least `least` long.
    """
    for i in range(np.uint64(sources.size)):
        s, t = sources[i], targets[i]
        below, above = least, np.inf
        for k in range(np.uint64(away.shape[1])):
            to_s, to_t = np.float64(away[s, k]), np.float64(away[t, k])
            from_s, from_t = np.float64(back[s, k]), np.float64(back[t, k])
            above = min(above, from_s + to_t)
            if to_s < np.inf:
                below = max(below, to_t - to_s)
            if from_t < np.inf:
                below = max(below, from_s - from_t)
        if s == t:
            below, above = 0.0, 0.0
        low[i], high[i] = below, above
