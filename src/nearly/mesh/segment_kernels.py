"""Segments become edges: the edges that cross a segment are flipped away. Then outside and holes are carved out.

`some[v]` is a half-edge that starts at vertex v; turning around v from there reaches every triangle at v.
"""

from __future__ import annotations

import numpy as np

from nearly.base.jit import inner_kernel, kernel
from nearly.mesh.cavity import left_of
from nearly.mesh.flips import flip
from nearly.mesh.predicates import turn
from nearly.mesh.triangle_records import INSIDE, NOTHING, U0, U1, U2, U3, WALL, across, following, preceding, start

DONE, CROSSES = 0, 1


@kernel
def start_somewhere(records, count, some):
    """Fill `some`; vertices without triangles keep what they have."""
    for t in range(np.uint64(count)):
        for i in range(U3):
            some[start(records, (t << U2) + i)] = (t << U2) + i


@inner_kernel
def side(xy, a, b, c):
    """Where c lies, seen from a towards b: 1 left, -1 right, 0 on the line."""
    return np.sign(turn(xy, a, b, c))


@inner_kernel
def _turn(records, h, first, back):
    """The next half-edge that starts where `h` does: leftwards, from the boundary rightwards of `first`; or NOTHING."""
    if not back:
        word = across(records, preceding(h))
        if word != NOTHING:
            h = word & INSIDE
            return (NOTHING, back) if h == first else (h, back)
        h, back = first, True
    word = across(records, h)
    return (NOTHING, back) if word == NOTHING else (following(word & INSIDE), back)


@inner_kernel
def edge_between(records, some, a, b):
    """A half-edge between a and b, in either direction, or NOTHING."""
    first = np.uint64(some[a])
    h, back = first, False
    while h != NOTHING:
        if start(records, following(h)) == b:
            return h
        if start(records, preceding(h)) == b:
            return preceding(h)
        h, back = _turn(records, h, first, back)
    return NOTHING


@inner_kernel
def _ahead(xy, a, b, c):
    """Whether c, on the line through a and b, lies on b's side of a."""
    a, b, c = a << U1, b << U1, c << U1
    return (xy[b] - xy[a]) * (xy[c] - xy[a]) + (xy[b + U1] - xy[a + U1]) * (xy[c + U1] - xy[a + U1]) > 0.0


@inner_kernel
def _look(records, xy, some, a, b):
    """From a towards b: the vertex the line meets first and NOTHING, or NOTHING and the half-edge it crosses first."""
    first = np.uint64(some[a])
    h, back = first, False
    while h != NOTHING:
        p, q = start(records, following(h)), start(records, preceding(h))
        at_p, at_q = side(xy, a, b, p), side(xy, a, b, q)
        if at_p == 0 and _ahead(xy, a, b, p):
            return p, NOTHING
        if at_q == 0 and _ahead(xy, a, b, q):
            return q, NOTHING
        if at_p < 0 < at_q:
            return NOTHING, following(h)
        h, back = _turn(records, h, first, back)
    return NOTHING, NOTHING


@inner_kernel
def _crossed(records, xy, a, b, h, pairs):
    """List the edges that the line from a to b crosses, from `h` on, until it meets a vertex.

    Returns that vertex and how many edges, or NOTHING if one of them is a wall.
    """
    n = U0
    while True:
        word = across(records, h)
        if word >= WALL:
            return NOTHING, n
        pairs[U2 * n], pairs[U2 * n + U1] = start(records, h), start(records, following(h))
        n += U1
        r = start(records, preceding(word))
        turn = side(xy, a, b, r)
        if turn == 0:
            return r, n
        h = following(word) if turn > 0 else preceding(word)


@inner_kernel
def _flip_away(records, owner, xy, some, a, b, pairs, n):
    """Flip the n listed edges, one after the other and again, until none crosses the line from a to b.

    The list is a ring: an edge that cannot be flipped yet goes to its end.
    """
    room, head = np.uint64(pairs.size >> 1), U0
    while n > U0:
        p, q = np.uint64(pairs[U2 * head]), np.uint64(pairs[U2 * head + U1])
        head = head + U1 if head + U1 < room else U0
        n -= U1
        h = edge_between(records, some, p, q)
        g = across(records, h)
        r, s = start(records, preceding(h)), start(records, preceding(g))
        if side(xy, r, s, p) * side(xy, r, s, q) < 0:
            flip(records, owner, h)
            for e in (h, following(h), preceding(h), g, following(g), preceding(g)):
                some[start(records, e)] = e
            p, q = r, s
            if p in (a, b) or q in (a, b) or side(xy, a, b, p) * side(xy, a, b, q) >= 0:
                continue
        tail = (head + n) % room
        pairs[U2 * tail], pairs[U2 * tail + U1] = p, q
        n += U1


@kernel
def add_segment(records, owner, xy, some, a, b, number, pairs):
    """Make the line from a to b walls, in pieces where it meets vertices; returns DONE or CROSSES (another wall)."""
    while a != b:
        end, h = _look(records, xy, some, a, b)
        if end == NOTHING:
            if h == NOTHING:
                return CROSSES
            end, n = _crossed(records, xy, a, b, h, pairs)
            if end == NOTHING:
                return CROSSES
            _flip_away(records, owner, xy, some, a, end, pairs, n)
        h = edge_between(records, some, a, end)
        word = across(records, h)
        if owner[h] == 0:
            owner[h] = number
            records[(h << U1) - (h & U3) + np.uint64(4)] = word | WALL
            if word != NOTHING:
                owner[word] = number
                records[(word << U1) - (word & U3) + np.uint64(4)] = h | WALL
        a = end
    return DONE


@kernel
def triangle_at(records, xy, count, x, y):
    """A triangle that holds the point, or NOTHING."""
    for t in range(np.uint64(count)):
        inside = True
        for i in range(U3):
            inside = inside and left_of(records, xy, (t << U2) + i, x, y) >= 0.0
        if inside:
            return t
    return NOTHING


@kernel
def beyond_hull(records, owner, count, stack):
    """The triangles at edges with nothing across them that are no segments; returns how many."""
    n = 0
    for t in range(np.uint64(count)):
        for i in range(U3):
            h = (t << U2) + i
            if across(records, h) == NOTHING and owner[h] == 0:
                stack[n] = t
                n += 1
                break
    return n


@kernel
def spread(records, stack, n, outside):
    """Mark the listed triangles, and all that are reached from them without crossing a wall, as outside."""
    for k in range(n):
        outside[stack[k]] = True
    while n > 0:
        n -= 1
        t = np.uint64(stack[n])
        for i in range(U3):
            word = across(records, (t << U2) + i)
            if word < WALL and not outside[word >> U2]:
                outside[word >> U2] = True
                stack[n] = word >> U2
                n += 1
