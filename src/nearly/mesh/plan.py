"""One step of refinement: what is to be done about a bad triangle or a segment, worked out before anything is changed.

A plan is a cavity with a head (see `nearly.mesh.cavity`) and the new point's place. The same plans are made and
carried out one after the other by the serial scheme and many at a time by the others.
"""

from __future__ import annotations

import numpy as np

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
    SEGMENT,
    STUCK,
    fill,
    from_segment,
    from_triangle,
    holds,
    sees_all,
)
from nearly.mesh.light import light
from nearly.mesh.predicates import orient
from nearly.mesh.records import BAD, NOTHING, U0, U1, U2, U3, U7, WALL, across, following, preceding, start
from nearly.mesh.rules import badness, mending_point, splitting_point, too_near

SPLIT, MEND = np.uint64(0), np.uint64(1)  # what roots are: half-edges of segments, or triangles


@light
def plan(records, xy, owner, sharp, rules, root, what, cavity, base, room, stack, spot, i):
    """Plan for a root; the kind goes to the head, the new point's place to `spot[2i:2i + 2]`."""
    cavity[base + ROOT] = root
    if what == MEND:
        kind = _mend(records, xy, owner, sharp, rules, root, cavity, base, room, stack, spot, i)
    elif encroached(records, xy, root):
        kind = _split(records, xy, owner, sharp, rules, root, cavity, base, room, stack, spot, i)
    else:
        kind = GONE
    cavity[base + KIND] = kind
    return kind


@light
def _split(records, xy, owner, sharp, rules, h, cavity, base, room, stack, spot, i):
    x, y, long_enough = splitting_point(xy, sharp, rules, start(records, h), start(records, following(h)))
    if not long_enough:
        return STUCK
    if not from_segment(records, xy, x, y, h, cavity, base, room, stack):
        return LARGE
    if not sees_all(records, xy, x, y, cavity, base, room):
        return STUCK
    cavity[base + SEGMENT] = owner[h]
    spot[U2 * i], spot[U2 * i + U1] = x, y
    return RIM if across(records, h) == NOTHING else MIDDLE


@light
def _mend(records, xy, owner, sharp, rules, t, cavity, base, room, stack, spot, i):
    if records[(t << U3) + U7] & BAD == U0:
        return GONE
    x, y, long_enough = mending_point(records, xy, rules, t)
    if not long_enough or not holds(records, xy, t, x, y):
        return STUCK
    if not from_triangle(records, xy, x, y, t, cavity, base, room, stack):
        return LARGE
    sound, edges = True, base + HEAD + room
    for j in range(np.uint64(cavity[base + EDGES])):
        h = np.uint64(cavity[edges + j])
        a, b = start(records, h), start(records, following(h))
        behind = orient(xy[a << U1], xy[(a << U1) + U1], xy[b << U1], xy[(b << U1) + U1], x, y) <= 0.0
        if across(records, h) >= WALL:
            if behind or too_near(xy, a, b, x, y):
                return _split(records, xy, owner, sharp, rules, h, cavity, base, room, stack, spot, i)
        elif behind:
            sound = False
    spot[U2 * i], spot[U2 * i + U1] = x, y
    return POINT if sound else STUCK


@light
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


@light
def carry_out(records, xy, owner, on, cavity, base, room, spot, i, v, free, ring):
    """Put the planned point in as vertex `v`, new triangles from `free` on; returns how many triangles were made."""
    xy[v << U1], xy[(v << U1) + U1] = spot[U2 * i], spot[U2 * i + U1]
    on[v] = 0 if cavity[base + KIND] == POINT else cavity[base + SEGMENT]
    return fill(records, owner, cavity, base, room, v, free, ring)


@light
def judge(records, xy, on, ends, rules, t):
    """The rank of a bad triangle (-1: good; kept in its flags), and which of its edges (bits) are segments too near."""
    rank = badness(records, xy, on, ends, rules, t)
    flags = np.uint64(records[(t << U3) + U7]) & ~BAD
    records[(t << U3) + U7] = flags | BAD if rank >= 0 else flags
    walls = U0
    for i in range(U3):
        h = (t << U2) + i
        if across(records, h) >= WALL:
            c = start(records, preceding(h)) << U1
            if too_near(xy, start(records, h), start(records, following(h)), xy[c], xy[c + U1]):
                walls |= U1 << i
    return rank, walls
