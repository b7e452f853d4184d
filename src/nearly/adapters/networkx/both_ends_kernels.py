"""The kernels of `both_ends`: serial, because the order of the vertices is part of the answer."""

from __future__ import annotations

import numpy as np

from nearly.adapters.networkx.ordered_search_kernels import sift_down, sift_up
from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1

NONE = np.uint32(0xFFFFFFFF)


@kernel
def advance_level(offsets, targets, mine, other, order, low, high):
    """Find what lies one hop from `order[low:high]`; returns (where the sides met or NONE, the new end of `order`).

    `mine[v]` is the vertex next to v on its way to this side's end, and `other[v]` the same for the other side.
    """
    tail = high
    for i in range(low, high):
        v = np.uint64(order[i])
        for e in range(offsets[v], offsets[v + U1]):
            w = np.uint64(targets[e])
            if mine[w] == NONE:
                mine[w] = np.uint32(v)
                order[tail] = np.uint32(w)
                tail += U1
            if other[w] != NONE:
                return np.uint32(w), tail
    return NONE, tail


@kernel
def meet_by_hops(forth, back, begin, end, towards, order):
    """Where searches from both ends meet (NONE if they do not), and how many vertices each has found.

    The ends stand for themselves in `towards`, which is NONE elsewhere.
    """
    ahead, behind = towards[0], towards[1]
    first, last = order[0], order[1]
    ahead[begin], first[U0] = begin, begin
    behind[end], last[U0] = end, end
    low, high, down, up = U0, U1, U0, U1
    while low < high and down < up:
        if high - low <= up - down:
            meet, tail = advance_level(forth[0], forth[1], ahead, behind, first, low, high)
            low, high = high, tail
        else:
            meet, tail = advance_level(back[0], back[1], behind, ahead, last, down, up)
            down, up = up, tail
        if meet != NONE:
            return meet, high, up
    return NONE, high, up


@kernel
def settle_next(rows, queue, seen, done, mine, other_seen):
    """Settle the nearest vertex of one side; returns (the vertex, or NONE where it was settled; length; meeting).

    `queue` is (heap, vertex, key, sizes): entries numbered as they are made, `sizes` those in the heap and those made.
    Length and meeting are of the shortest path seen among the arcs of this vertex, inf where there is none.
    """
    offsets, targets, weights = rows.offsets, rows.targets, rows.weights
    heap, vertex, key, sizes = queue
    top = heap[U0]
    sizes[U0] -= U1
    heap[U0] = heap[sizes[U0]]
    sift_down(heap, key, sizes[U0])
    v = np.uint64(vertex[top])
    best, meet = np.inf, NONE
    if done[v]:
        return NONE, best, meet
    done[v] = True
    for e in range(offsets[v], offsets[v + U1]):
        w = np.uint64(targets[e])
        through = key[top] + weights[e]
        if not done[w] and through < seen[w]:
            seen[w], mine[w] = through, np.uint32(v)
            entry = sizes[U1]
            vertex[entry], key[entry], heap[sizes[U0]] = np.uint32(w), through, entry
            sift_up(heap, key, sizes[U0])
            sizes[U0] += U1
            sizes[U1] += U1
            if through + other_seen[w] < best:
                best, meet = through + other_seen[w], np.uint32(w)
    return np.uint32(v), best, meet


@kernel
def new_queue(room, start):
    """A queue that holds one vertex at length 0."""
    heap, vertex, key = np.empty(room, np.uint64), np.empty(room, np.uint32), np.empty(room, np.float64)
    sizes = np.ones(2, np.uint64)
    heap[U0], vertex[U0], key[U0] = U0, start, 0.0
    return heap, vertex, key, sizes


@kernel
def meet_by_lengths(forth, back, begin, end, towards):
    """Where a shortest path's two halves meet (NONE if there is no path), and its length; the sides take turns."""
    n, room = np.uint64(towards.shape[1]), np.uint64(forth.targets.size) + U1
    queues = (new_queue(room, begin), new_queue(room, end))
    seen = np.full((2, n), np.inf)
    done = np.zeros((2, n), np.bool_)
    seen[0, begin], seen[1, end] = 0.0, 0.0
    towards[0, begin], towards[1, end] = begin, end
    best, meet, forwards = np.inf, NONE, True
    while queues[0][3][U0] > U0 and queues[1][3][U0] > U0:
        if forwards:
            v, length, at = settle_next(forth, queues[0], seen[0], done[0], towards[0], seen[1])
        else:
            v, length, at = settle_next(back, queues[1], seen[1], done[1], towards[1], seen[0])
        if v != NONE and done[0, v] and done[1, v]:
            return meet, best
        if length < best:
            best, meet = length, at
        forwards = not forwards
    return NONE, best
