"""A cavity: the triangles whose circles hold a new point; found without changing anything, then filled around it.

The triangles are followed from edge to edge, depth first and counter-clockwise, so that the edges around the cavity
come out in order. No triangle can be met twice: a cavity holds no vertex inside. (Around an island of segments
it might, where the point cannot see behind it; then the search ends because the room does, and whoever asked
splits a segment first.)

A cavity lives in a flat array of 32-bit words: a head, then room for the triangles, then for the edges.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from nearly.mesh.light import light
from nearly.mesh.predicates import in_circle, orient
from nearly.mesh.records import (
    INSIDE,
    NOTHING,
    U0,
    U1,
    U2,
    U3,
    U4,
    WALL,
    across,
    following,
    join,
    place,
    preceding,
    start,
)

# the head's words: how many triangles and edges, what is to be done, at which edge the second half of a split
# segment begins, the segment, when the cavity was found, and the bad triangle or segment it is for
TRIANGLES, EDGES, KIND, SECOND, SEGMENT, FOUND, ROOT = (np.uint64(i) for i in range(7))
HEAD = np.uint64(8)
GONE, POINT, RIM, MIDDLE, LARGE, STUCK = (np.uint64(i) for i in range(6))  # RIM, MIDDLE: a segment with one, two sides


@light
def holds(records, xy, t, x, y):
    """Whether triangle `t`'s circle holds the point."""
    a, b, c = (
        np.uint64(records[t << U3]) << U1,
        np.uint64(records[(t << U3) + U1]) << U1,
        np.uint64(records[(t << U3) + U2]) << U1,
    )
    return in_circle(xy[a], xy[a + U1], xy[b], xy[b + U1], xy[c], xy[c + U1], x, y) > 0.0


@cache
def follower(inside: Callable[..., Any]) -> Any:
    """The kernel that follows a cavity, with `inside(records, xy, t, x, y)` telling what belongs to it."""

    @light
    def follow(records, xy, x, y, h, cavity, base, room, stack, k, b):
        """Go on across half-edge `h` of a cavity of k triangles and b edges so far; returns both, k = 0 if no room."""
        triangles = base + HEAD
        edges = triangles + room
        stack[0] = h
        top = U1
        while top > U0:
            top -= U1
            h = np.uint64(stack[top])
            word = across(records, h)
            if word < WALL:
                t = word >> U2
                if inside(records, xy, t, x, y):
                    if k >= room:
                        return U0, b
                    cavity[triangles + k] = t
                    k += U1
                    stack[top] = preceding(word)
                    stack[top + U1] = following(word)
                    top += U2
                    continue
            cavity[edges + b] = h
            b += U1
        return k, b

    return follow


follow = follower(holds)


@light
def from_triangle(records, xy, x, y, t, cavity, base, room, stack):
    """The cavity of a point that triangle `t`'s circle holds; returns whether there was room."""
    cavity[base + HEAD] = t
    k, b = U1, U0
    for i in range(U3):
        k, b = follow(records, xy, x, y, (t << U2) + i, cavity, base, room, stack, k, b)
        if k == U0:
            return False
    cavity[base + TRIANGLES], cavity[base + EDGES] = k, b
    return True


@light
def from_segment(records, xy, x, y, h, cavity, base, room, stack):
    """The cavity of a point on the segment of half-edge `h`, on both its sides; returns whether there was room."""
    k, b, sides = U0, U0, U1
    cavity[base + SECOND] = NOTHING
    other = across(records, h)
    if other != NOTHING:
        sides = U2
    for side in range(sides):
        if side == U1:
            h = other & INSIDE
            cavity[base + SECOND] = b
        if k >= room:
            return False
        cavity[base + HEAD + k] = h >> U2
        k += U1
        for g in (following(h), preceding(h)):
            k, b = follow(records, xy, x, y, g, cavity, base, room, stack, k, b)
            if k == U0:
                return False
    cavity[base + TRIANGLES], cavity[base + EDGES] = k, b
    return True


@light
def sees_all(records, xy, x, y, cavity, base, room):
    """Whether the point lies strictly to the left of every edge of the cavity, so that all new triangles are sound."""
    edges = base + HEAD + room
    for i in range(np.uint64(cavity[base + EDGES])):
        h = np.uint64(cavity[edges + i])
        a, b = start(records, h) << U1, start(records, following(h)) << U1
        if orient(xy[a], xy[a + U1], xy[b], xy[b + U1], x, y) <= 0.0:
            return False
    return True


@light
def fill(records, owner, cavity, base, room, v, free, ring):
    """Replace the cavity's triangles by those around vertex `v`: one an edge, in the old places and then from `free`.

    `cavity[base + KIND]` says whether the circle of edges is closed (POINT), open because the split segment has one
    side (RIM), or closed with two halves of a segment in it (MIDDLE). New triangle i is (a_i, a_i+1, v). `ring` is
    room for three words an edge. The new triangles' numbers replace the old ones in the cavity (running over into the
    place of the edges, which are copied first).
    """
    k, b = np.uint64(cavity[base + TRIANGLES]), np.uint64(cavity[base + EDGES])
    kind, segment = np.uint64(cavity[base + KIND]), cavity[base + SEGMENT]
    triangles, edges = base + HEAD, base + HEAD + room
    last = U0
    for i in range(b):
        h = np.uint64(cavity[edges + i])
        word = across(records, h)
        ring[U3 * i], ring[U3 * i + U1] = start(records, h), word
        if word >= WALL:
            ring[U3 * i + U2] = owner[h]
        last = start(records, following(h))
    for i in range(k, b):
        cavity[triangles + i] = free + i - k
    for i in range(b):
        t, following_one = np.uint64(cavity[triangles + i]), i + U1 if i + U1 < b else U0
        at, h = t << U3, t << U2
        records[at] = ring[U3 * i]
        records[at + U1] = last if i + U1 == b else ring[U3 * (i + U1)]
        records[at + U2] = v
        join(records, h, np.uint64(ring[U3 * i + U1]))
        if ring[U3 * i + U1] >= WALL:
            owner[h] = ring[U3 * i + U2]
        h_next = (np.uint64(cavity[triangles + following_one]) << U2) + U2
        if following_one == U0 and kind == RIM:
            records[at + U4 + U1] = NOTHING
            records[place(h_next) + U4] = NOTHING
            owner[h + U1], owner[h_next] = segment, segment
        elif kind == MIDDLE and (following_one == U0 or following_one == np.uint64(cavity[base + SECOND])):
            join(records, h + U1, h_next | WALL)
            owner[h + U1], owner[h_next] = segment, segment
        else:
            join(records, h + U1, h_next)
    return b
