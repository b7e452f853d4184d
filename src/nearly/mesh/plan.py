"""One step of refinement: what is to be done about a bad triangle or a segment, worked out before anything is changed.

A plan is a cavity with a head (see `nearly.mesh.cavity`) and the new point's place. The same plans are made and
carried out one after the other by the serial scheme and many at a time by the others.

Where blocks of the mesh are refined apart (`nearly.mesh.block_driver`), their seams are walls that belong to no segment
(an owner of 0) or to one that is not to be touched (a negative owner). A cavity that meets one has no plan: SEAM.
"""

from __future__ import annotations

import numpy as np

from nearly.base.jit import inner_kernel
from nearly.mesh.cavity import (
    EDGES,
    GONE,
    HEAD,
    KIND,
    LARGE,
    MIDDLE,
    POINT,
    RIM,
    ROOT,
    SEAM,
    SEGMENT,
    STUCK,
    TRIANGLES,
    fill,
    from_inside,
    from_segment,
    from_triangle,
    holds,
    left_of,
    row_size,
)
from nearly.mesh.rules import badness, mending_point, splitting_point, too_near
from nearly.mesh.triangle_records import BAD, FLAGS, NOTHING, U0, U1, U2, U3, WALL, across, following, preceding, start

SPLIT, MEND = np.uint64(0), np.uint64(1)  # what roots are: half-edges of segments, or triangles
NEAR = np.uint64(7)  # a kind that no plan ends with: the point would be too near to a segment


@inner_kernel
def plan(mesh, rules, root, what, rows, i, stack):
    """Plan for a root into row i: the kind goes to the head, the new point's place to the row's spot."""
    base, kind, h = i * row_size(rows.room), NEAR, root
    if what == MEND:
        kind, h = _mend(mesh, rules, root, rows, i, stack)
    elif not encroached(mesh.records, mesh.xy, root):
        kind = GONE
    if kind == NEAR:  # the one place from where it is called: every call is another copy to compile
        kind = _split(mesh, rules, h, rows, i, stack)
    words = rows.words
    words[base + ROOT], words[base + KIND] = root, kind
    if kind == LARGE:  # no cavity, so none that the row held before is taken for it
        words[base + TRIANGLES], words[base + EDGES] = U0, U0
    return kind


@inner_kernel
def _split(mesh, rules, h, rows, i, stack):
    records, base = mesh.records, i * row_size(rows.room)
    x, y, long_enough = splitting_point(mesh.xy, rules, start(records, h), start(records, following(h)))
    if not long_enough:
        return STUCK
    if not from_segment(mesh, (x, y), h, rows, base, stack):
        return LARGE
    kind = from_inside(mesh, (x, y), rows, base)
    if kind != POINT:
        return kind
    words, spots = rows.words, rows.spots
    words[base + SEGMENT] = mesh.owner[h]
    spots[U2 * i], spots[U2 * i + U1] = x, y
    return RIM if across(records, h) == NOTHING else MIDDLE


@inner_kernel
def _mend(mesh, rules, t, rows, i, stack):
    """The kind of plan for a bad triangle; if that is NEAR also the segment that is to be split instead."""
    records, xy, owner, words, spots = mesh.records, mesh.xy, mesh.owner, rows.words, rows.spots
    if records[(t << U3) + FLAGS] & BAD == U0:
        return GONE, t
    x, y, long_enough = mending_point(records, xy, rules, t)
    if not long_enough or not holds(records, xy, t, x, y):
        return STUCK, t
    base = i * row_size(rows.room)
    if not from_triangle(mesh, (x, y), t, rows, base, stack):
        return LARGE, t
    sound, edges = True, base + HEAD + rows.room
    for j in range(np.uint64(words[base + EDGES])):
        h = np.uint64(words[edges + j])
        behind = left_of(records, xy, h, x, y) <= 0.0
        if across(records, h) >= WALL:
            if owner[h] <= 0:
                return SEAM, t
            if behind or too_near(xy, start(records, h), start(records, following(h)), x, y):
                return NEAR, h
        elif behind:
            sound = False
    spots[U2 * i], spots[U2 * i + U1] = x, y
    return POINT if sound else STUCK, t


@inner_kernel
def encroached(records, xy, h):
    """Whether half-edge `h` is a segment that a corner of one of its two triangles is too near to."""
    word = across(records, h)
    if word < WALL:
        return False
    a, b, c = start(records, h), start(records, following(h)), start(records, preceding(h)) << U1
    if too_near(xy, a, b, xy[c], xy[c + U1]):
        return True
    if word == NOTHING:
        return False
    c = start(records, preceding(word ^ WALL)) << U1
    return too_near(xy, a, b, xy[c], xy[c + U1])


@inner_kernel
def carry_out(mesh, rows, i, v, free, ring):
    """Put row i's point in as vertex `v`, new triangles from `free` on; returns how many triangles were made."""
    xy, on, words, spots = mesh.xy, mesh.on, rows.words, rows.spots
    base = i * row_size(rows.room)
    xy[v << U1], xy[(v << U1) + U1] = spots[U2 * i], spots[U2 * i + U1]
    on[v] = 0 if words[base + KIND] == POINT else words[base + SEGMENT]
    return fill(mesh, rows, base, v, free, ring)


@inner_kernel
def judge(mesh, rules, t):
    """The rank of a bad triangle (-1: good; kept in its flags), and which of its edges (bits) are segments too near."""
    records, xy, owner = mesh.records, mesh.xy, mesh.owner
    rank = badness(mesh, rules, t)
    flags = np.uint64(records[(t << U3) + FLAGS]) & ~BAD
    records[(t << U3) + FLAGS] = flags | BAD if rank >= 0 else flags
    walls = U0
    for i in range(U3):
        h = (t << U2) + i
        if across(records, h) >= WALL and owner[h] > 0:
            c = start(records, preceding(h)) << U1
            if too_near(xy, start(records, h), start(records, following(h)), xy[c], xy[c + U1]):
                walls |= U1 << i
    return rank, walls
