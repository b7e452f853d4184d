"""The kernels of `pilots`: a ball of vertices around one, and the arcs among them. Serial: balls are small."""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1

OUTSIDE = np.uint32(2**32 - 1)
_INSIDE = np.uint32(0)


@kernel
def grow_ball(offsets, targets, starts, many, fan, order, place):
    """Fill `order` breadth-first from the first `many` of `starts`, then from the next where that has come to its end.

    A vertex of many neighbours brings in about `fan` to 2 `fan` of them, evenly spread over its row.

    `place` is OUTSIDE everywhere, and 0 for what is in the ball afterwards. Returns how many vertices there are.
    """
    size, count, done, begin = np.uint64(order.size), U0, U0, U0
    while count < size:
        if done == count or begin < many:
            while begin < np.uint64(starts.size) and place[starts[begin]] != OUTSIDE:
                begin += U1
            if begin == np.uint64(starts.size):
                if done == count:
                    break
                many = U0
                continue
            place[starts[begin]] = _INSIDE
            order[count] = starts[begin]
            count += U1
            begin += U1
            continue
        u = np.uint64(order[done])
        done += U1
        e, end = offsets[u], offsets[u + U1]
        step = max(U1, (end - e) // fan)
        while e < end and count < size:
            v = targets[e]
            e += step
            if place[v] == OUTSIDE:
                place[v] = _INSIDE
                order[count] = v
                count += U1
    return count


@kernel
def arcs_inside(offsets, targets, vertices, place, rows, ends, picked):
    """The arcs among `vertices`, whose new numbers are in `place`: row bounds, ends, and which arcs they are."""
    count = U0
    rows[0] = U0
    for i in range(np.uint64(vertices.size)):
        u = np.uint64(vertices[i])
        for e in range(offsets[u], offsets[u + U1]):
            new = place[targets[e]]
            if new != OUTSIDE:
                ends[count] = new
                picked[count] = e
                count += U1
        rows[i + U1] = count
    return count
