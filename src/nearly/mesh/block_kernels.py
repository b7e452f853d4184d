"""What blocks of a mesh need beside the serial scheme: seams between them, and one mesh again afterwards.

A seam is an edge between triangles of different blocks. It is made a wall, so that no cavity crosses it; what it was is
kept in its owner (see `nearly.mesh.plan`). New points and triangles of a block have places of their own, with gaps
after them. When all blocks are done, the places move together, and `tidy` renumbers what refers to them.

The loops go from `low` to `high`, so that threads can share them: each triangle writes only to its own record.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nearly.base.jit import kernel
from nearly.mesh.rules import too_near
from nearly.mesh.triangle_records import BAD, FLAGS, INSIDE, NOTHING, QUEUED, U0, U1, U2, U3, U4, WALL, across, place


class Moved(NamedTuple):
    """Where points and triangles are that were made in places of their own; those made earlier are where they were."""

    points: Any  # the new number of each point from the first new one on
    triangles: Any  # and of each triangle
    first_point: Any
    first_triangle: Any


@kernel
def raise_seams(records, owner, blocks, low, high):
    """Make every edge to a triangle of another block a wall: no segment's (owner 0), or a segment's with minus sign."""
    for t in range(np.uint64(low), np.uint64(high)):
        for i in range(U3):
            h = (t << U2) + i
            word = across(records, h)
            if word != NOTHING and blocks[(word & INSIDE) >> U2] != blocks[t]:
                records[place(h) + U4] = word | WALL
                owner[h] = -owner[h] if word >= WALL else 0  # what no wall belongs to may be anything


@kernel
def strips(records, xy, direction, limits, blocks, low, high):
    """For each triangle the strip that its first vertex lies in; `limits` are where, in this direction, strips end."""
    for t in range(np.uint64(low), np.uint64(high)):
        v = np.uint64(records[t << U3]) << U1
        along, strip = direction[0] * xy[v] + direction[1] * xy[v + U1], 0
        while strip < limits.size and along >= limits[strip]:
            strip += 1
        blocks[t] = strip


@kernel
def tidy(mesh, moved, left, low, high):
    """Lower the seams, renumber what has moved, and list in `left` what is left to do.

    These are the triangles that are bad, or a corner of which is too near to the segment across from it. Returns how
    many there are.
    """
    records, xy, owner = mesh.records, mesh.xy, mesh.owner
    points, triangles, first_point, first_triangle = moved
    listed = 0
    for t in range(np.uint64(low), np.uint64(high)):
        at, flags = t << U3, np.uint64(records[(t << U3) + FLAGS])
        wanted, walls = flags & BAD != U0, U0
        if flags & QUEUED:
            records[at + FLAGS] = flags & ~QUEUED
        for i in range(U3):
            v, word = np.uint64(records[at + i]), np.uint64(records[at + U4 + i])
            if v >= first_point:
                records[at + i] = points[v - first_point]
            if word == NOTHING:
                walls |= U1 << i
                continue
            other, rest = (word & INSIDE) >> U2, word & (WALL | U3)
            if other >= first_triangle:
                other = np.uint64(triangles[other - first_triangle])
                records[at + U4 + i] = (other << U2) + rest
            if rest >= WALL:
                h = (t << U2) + i
                if owner[h] == 0:
                    records[at + U4 + i] = (other << U2) + (rest ^ WALL)
                else:
                    walls |= U1 << i
                    owner[h] = abs(owner[h])
        for i in range(U3 if walls else U0):
            if walls & (U1 << i):
                a, b, c = records[at + i], records[at + (i + U1) % U3], np.uint64(records[at + (i + U2) % U3]) << U1
                wanted |= too_near(xy, np.uint64(a), np.uint64(b), xy[c], xy[c + U1])
        if wanted:
            left[listed] = t
            listed += 1
    return listed
