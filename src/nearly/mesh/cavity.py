"""A cavity: the triangles whose circles hold a new point. It is found without changing anything, then filled.

The triangles are followed from edge to edge, depth first and counter-clockwise, so that the edges around the cavity
come out in order. No triangle can be met twice, because a cavity holds no vertex inside. There is one exception: around
an island of segments, where the point cannot see behind it. Then the search ends because the room does, and the
candidate splits a segment first.

Cavities lie in rows of 32-bit words (`Rows`): a head, then room for the triangles, then for the edges. A row begins at
word `base`. To find a cavity takes a stack, to fill it takes a ring; `one_row` makes all three for a single cavity.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba.extending import register_jitable

from nearly.base.jit import inner_kernel
from nearly.mesh.predicates import in_circle, orient
from nearly.mesh.triangle_records import (
    INSIDE,
    NOTHING,
    U0,
    U1,
    U2,
    U3,
    U4,
    U7,
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
# the kinds; RIM and MIDDLE split a segment that has one side, or two
GONE, POINT, RIM, MIDDLE, LARGE, STUCK, SEAM = (np.uint64(i) for i in range(7))


class Rows(NamedTuple):
    """Room for the cavities of many candidates, a row each."""

    words: Any  # the rows, one after the other, `row_size(room)` words each
    room: Any  # how many triangles a row has room for
    spots: Any  # two coordinates a row: the place of the new point


@register_jitable
def row_size(room):
    """Words of a row for a cavity of up to `room` triangles: head, triangles, edges."""
    return HEAD + room + room + U2


@register_jitable
def stack_size(room):
    """Words needed to follow such a cavity."""
    return room + U7


@register_jitable
def ring_size(room):
    """Words needed to fill such a cavity."""
    return U3 * (room + U7)


def one_row(room: int) -> tuple[Rows, np.ndarray, np.ndarray]:
    """A row for a cavity of up to `room` triangles, and the stack and the ring to find and fill it with."""
    most = np.uint64(room)
    words, stack, ring = (np.empty(int(size(most)), np.uint32) for size in (row_size, stack_size, ring_size))
    return Rows(words, most, np.empty(2)), stack, ring


@inner_kernel
def holds(records, xy, t, x, y):
    """Whether triangle `t`'s circle holds the point."""
    a, b, c = (
        np.uint64(records[t << U3]) << U1,
        np.uint64(records[(t << U3) + U1]) << U1,
        np.uint64(records[(t << U3) + U2]) << U1,
    )
    return in_circle(xy[a], xy[a + U1], xy[b], xy[b + U1], xy[c], xy[c + U1], x, y) > 0.0


@inner_kernel
def left_of(records, xy, h, x, y):
    """Positive where the point lies to the left of half-edge `h`, negative to the right, 0 on its line."""
    a, b = start(records, h) << U1, start(records, following(h)) << U1
    return orient(xy[a], xy[a + U1], xy[b], xy[b + U1], x, y)


@cache
def follower(inside: Callable[..., Any]) -> Any:
    """The kernel that follows a cavity, with `inside(records, xy, t, x, y)` telling what belongs to it."""

    @inner_kernel
    def follow(mesh, point, h, rows, base, stack, size):
        """Go on across half-edge `h` with a cavity that has `size` (triangles, edges) so far.

        Returns the new size, with 0 triangles where the row has no room for more.
        """
        records, xy, words, room = mesh.records, mesh.xy, rows.words, rows.room
        x, y = point
        k, b = size
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
                    words[triangles + k] = t
                    k += U1
                    stack[top] = preceding(word)
                    stack[top + U1] = following(word)
                    top += U2
                    continue
            words[edges + b] = h
            b += U1
        return k, b

    return follow


follow = follower(holds)


@inner_kernel
def from_triangle(mesh, point, t, rows, base, stack):
    """The cavity of a point that triangle `t`'s circle holds; returns whether there was room."""
    words = rows.words
    words[base + HEAD] = t
    k, b = U1, U0
    for i in range(U3):
        k, b = follow(mesh, point, (t << U2) + i, rows, base, stack, (k, b))
        if k == U0:
            return False
    words[base + TRIANGLES], words[base + EDGES] = k, b
    return True


@inner_kernel
def from_segment(mesh, point, h, rows, base, stack):
    """The cavity of a point on the segment of half-edge `h`, on both its sides; returns whether there was room."""
    words = rows.words
    k, b, sides = U0, U0, U1
    words[base + SECOND] = NOTHING
    other = across(mesh.records, h)
    if other != NOTHING:
        sides = U2
    for side in range(sides):
        if side == U1:
            h = other & INSIDE
            words[base + SECOND] = b
        if k >= rows.room:
            return False
        words[base + HEAD + k] = h >> U2
        k += U1
        for g in (following(h), preceding(h)):
            k, b = follow(mesh, point, g, rows, base, stack, (k, b))
            if k == U0:
                return False
    words[base + TRIANGLES], words[base + EDGES] = k, b
    return True


@inner_kernel
def from_inside(mesh, point, rows, base):
    """POINT if the point lies strictly to the left of every edge of the cavity, so that all new triangles are sound.

    Else STUCK; SEAM if an edge is the seam of a block (see `nearly.mesh.plan`).
    """
    records, xy, owner, words = mesh.records, mesh.xy, mesh.owner, rows.words
    edges, kind = base + HEAD + rows.room, POINT
    for i in range(np.uint64(words[base + EDGES])):
        h = np.uint64(words[edges + i])
        if across(records, h) >= WALL and owner[h] <= 0:
            return SEAM
        if left_of(records, xy, h, point[0], point[1]) <= 0.0:
            kind = STUCK
    return kind


@inner_kernel
def _save_edges(mesh, rows, base, ring):
    """Copy the cavity's edges to the ring: start, word across, owner of each; returns where the last one ends."""
    records, words = mesh.records, rows.words
    edges, last = base + HEAD + rows.room, U0
    for i in range(np.uint64(words[base + EDGES])):
        h = np.uint64(words[edges + i])
        word = across(records, h)
        ring[U3 * i], ring[U3 * i + U1] = start(records, h), word
        if word >= WALL:
            ring[U3 * i + U2] = mesh.owner[h]
        last = start(records, following(h))
    return last


@inner_kernel
def fill(mesh, rows, base, v, free, ring):
    """Replace the cavity's triangles by those around vertex `v`: one an edge, in the old places and then from `free`.

    The head's KIND says whether the circle of edges is closed (POINT), open because the split segment has one
    side (RIM), or closed with two halves of a segment in it (MIDDLE). New triangle i is (a_i, a_i+1, v). `ring` is
    room for three words an edge. The new triangles' numbers replace the old ones in the row (running over into the
    place of the edges, which are copied first). Returns how many triangles were made.
    """
    records, owner, words = mesh.records, mesh.owner, rows.words
    k, b = np.uint64(words[base + TRIANGLES]), np.uint64(words[base + EDGES])
    kind, segment = np.uint64(words[base + KIND]), words[base + SEGMENT]
    triangles = base + HEAD
    last = _save_edges(mesh, rows, base, ring)
    for i in range(k, b):
        words[triangles + i] = free + i - k
    for i in range(b):
        t, following_one = np.uint64(words[triangles + i]), i + U1 if i + U1 < b else U0
        at, h = t << U3, t << U2
        records[at] = ring[U3 * i]
        records[at + U1] = last if i + U1 == b else ring[U3 * (i + U1)]
        records[at + U2] = v
        join(records, h, np.uint64(ring[U3 * i + U1]))
        if ring[U3 * i + U1] >= WALL:
            owner[h] = ring[U3 * i + U2]
        h_next = (np.uint64(words[triangles + following_one]) << U2) + U2
        if following_one == U0 and kind == RIM:
            records[at + U4 + U1] = NOTHING
            records[place(h_next) + U4] = NOTHING
            owner[h + U1], owner[h_next] = segment, segment
        elif kind == MIDDLE and (following_one == U0 or following_one == np.uint64(words[base + SECOND])):
            join(records, h + U1, h_next | WALL)
            owner[h + U1], owner[h_next] = segment, segment
        else:
            join(records, h + U1, h_next)
    return b
