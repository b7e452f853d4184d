"""The Delaunay triangulation of points, by inserting one after the other into cavities.

The plane outside the convex hull is covered by ghost triangles: each joins a hull edge with a vertex at infinity,
numbered n, so that a point outside is inserted like one inside. A ghost's "circle" is the half plane beyond its edge,
and the open edge itself. All decisions are exact, so any points will do that do not all lie on one line.
"""

from __future__ import annotations

import numpy as np

from nearly.base.jit import inner_kernel, kernel
from nearly.mesh.cavity import EDGES, HEAD, KIND, POINT, TRIANGLES, fill, follower, holds, left_of
from nearly.mesh.predicates import turn
from nearly.mesh.triangle_records import (
    NOTHING,
    U0,
    U1,
    U2,
    U3,
    across,
    following,
    join,
    start,
)

SAME = np.uint64((1 << 32) - 2)  # the point is already there


@inner_kernel
def _between(xy, a, b, x, y):
    """Whether a point on the line through a and b lies strictly between them."""
    ax, ay, bx, by = xy[a << U1], xy[(a << U1) + U1], xy[b << U1], xy[(b << U1) + U1]
    if ax != bx:
        return (ax < x) != (bx < x) and x != ax and x != bx
    return (ay < y) != (by < y) and y != ay and y != by


@inner_kernel
def _holds_or_faces(records, xy, t, x, y):
    """Whether triangle `t`'s circle, or a ghost's half plane, holds the point."""
    infinity = np.uint64(xy.size >> 1)
    at = t << U3
    for i in range(U3):
        if np.uint64(records[at + i]) == infinity:
            h = following((t << U2) + i)
            side = left_of(records, xy, h, x, y)
            return side > 0.0 or (side == 0.0 and _between(xy, start(records, h), start(records, following(h)), x, y))
    return holds(records, xy, t, x, y)


_follow = follower(_holds_or_faces)


@inner_kernel
def _first_three(xy, order):
    """Bring three points that are not on one line to the front of `order`; returns whether there are any."""
    n = np.uint64(order.size)
    a, found = np.uint64(order[0]), U1
    for i in range(U1, n):
        c = np.uint64(order[i])
        if found == U1:
            fits = xy[a << U1] != xy[c << U1] or xy[(a << U1) + U1] != xy[(c << U1) + U1]
        else:
            fits = turn(xy, a, np.uint64(order[1]), c) != 0.0
        if fits:
            order[i], order[found] = order[found], order[i]
            found += U1
            if found == U3:
                return True
    return False


@kernel
def begin(xy, order, records):
    """The first triangle and its three ghosts; returns whether there is one, its corners coming first in `order`."""
    if not _first_three(xy, order):
        return False
    infinity = np.uint64(xy.size >> 1)
    a, b, c = np.uint64(order[0]), np.uint64(order[1]), np.uint64(order[2])
    if turn(xy, a, b, c) < 0.0:
        b, c = c, b
    corners = (a, b, c)
    for i in range(U3):
        records[i] = corners[i]
    for i in range(U3):
        ghost = i + U1
        records[ghost << U3] = corners[(i + U1) % U3]
        records[(ghost << U3) + U1] = corners[i]
        records[(ghost << U3) + U2] = infinity
        join(records, i, ghost << U2)
    for i in range(U3):  # ghosts meet at infinity: half-edge 1 leads there, half-edge 2 back
        before = (i + U2) % U3 + U1
        join(records, ((i + U1) << U2) + U1, (before << U2) + U2)
    return True


@inner_kernel
def locate(records, xy, t, x, y):
    """Walk from triangle `t` to one that holds the point, or to a ghost that faces it; `SAME` if it is a vertex."""
    infinity = np.uint64(xy.size >> 1)
    came = NOTHING
    while True:
        h0 = t << U2
        crossed = False
        zeros = 0
        for i in range(U3):
            if np.uint64(records[(t << U3) + i]) == infinity:
                if came != NOTHING:
                    return t  # a hull edge was crossed on the way here
                t, crossed = across(records, following(h0 + i)) >> U2, True  # from a ghost: into the hull
                break
        if crossed:
            continue
        for i in range(U3):
            h = h0 + i
            if h == came:
                continue
            side = left_of(records, xy, h, x, y)
            if side < 0.0:
                came = across(records, h)
                t, crossed = came >> U2, True
                break
            zeros += side == 0.0
        if not crossed:
            if zeros > 0:
                for i in range(U3):
                    v = np.uint64(records[(t << U3) + i]) << U1
                    if xy[v] == x and xy[v + U1] == y:
                        return SAME
            return t


@kernel
def insert(mesh, vertices, count, last, rows, stack, ring):
    """Insert vertices in order; returns how many it did, how many triangles there are, and where it was last.

    It stops early when a cavity needs more room. A point that is there already is passed over.
    """
    records, xy, words = mesh.records, mesh.xy, rows.words
    for done in range(np.uint64(vertices.size)):
        v = np.uint64(vertices[done])
        x, y = xy[v << U1], xy[(v << U1) + U1]
        t = locate(records, xy, last, x, y)
        if t == SAME:
            continue
        last = t
        words[HEAD] = t
        k, b = U1, U0
        for i in range(U3):
            k, b = _follow(mesh, (x, y), (t << U2) + i, rows, U0, stack, (k, b))
            if k == U0:
                return done, count, last
        words[TRIANGLES], words[EDGES], words[KIND] = k, b, POINT
        fill(mesh, rows, U0, v, count, ring)
        count += b - k
    return np.uint64(vertices.size), count, last
