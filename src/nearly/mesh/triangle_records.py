"""The working form of a triangulation: a record of eight 32-bit words a triangle, so that a visit is one cache line.

    word 0, 1, 2   the vertices, counter-clockwise
    word 3         for the scheme that works on the mesh (a queue's link, or the round the triangle was made in)
    word 4, 5, 6   what lies across edge 0 (from vertex 0 to 1), 1 and 2
    word 7         flags

An edge of a triangle is the half-edge `4 * triangle + i`. The word across it holds the half-edge on the other side, and
the bit `WALL` if the edge is a segment that nothing may cross. Where the mesh ends, the word is `NOTHING`, which counts
as a wall too. The segment that a wall belongs to stands in an array of its own, by half-edge, numbered from 1.

`MeshArrays` holds the records and the other arrays of a working mesh; kernels take it as one argument. The functions
here move from half-edge to half-edge. `nearly.mesh.record_kernels` makes records from plain arrays and back.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nearly.base.jit import inner_kernel

U0, U1, U2, U3, U4, U7 = (np.uint64(i) for i in (0, 1, 2, 3, 4, 7))
WALL, NOTHING = np.uint64(1 << 31), np.uint64((1 << 32) - 1)
INSIDE = np.uint64((1 << 31) - 1)  # the half-edge in a word, without the wall
STAMP = LINK = np.uint64(3)  # which word of a record it is
FLAGS = np.uint64(7)
BAD, QUEUED = np.uint64(1), np.uint64(2)  # flags


class MeshArrays(NamedTuple):
    """The arrays of a working mesh, in memory or on a GPU; they may be longer than what is used of them."""

    records: Any  # eight words a triangle
    xy: Any  # two coordinates a point
    owner: Any  # by half-edge: the segment that a wall belongs to, from 1; 0 for other edges
    on: Any  # by point: the segment it was put on, 0 for others
    ends: Any  # by segment: the two points it joined at the start


@inner_kernel
def place(h):
    """Where the record's word for the start of half-edge `h` is; the word across `h` is four further."""
    return (h << U1) - (h & U3)


@inner_kernel
def following(h):
    """The next half-edge around the triangle, counter-clockwise."""
    return h + U1 if h & U3 != U2 else h - U2


@inner_kernel
def preceding(h):
    """The half-edge before, around the triangle."""
    return h - U1 if h & U3 != U0 else h + U2


@inner_kernel
def across(records, h):
    """The word across half-edge `h`."""
    return np.uint64(records[place(h) + U4])


@inner_kernel
def start(records, h):
    """The vertex half-edge `h` starts from."""
    return np.uint64(records[place(h)])


@inner_kernel
def join(records, h, word):
    """Say what lies across `h`, and tell the other side."""
    records[place(h) + U4] = word
    if word != NOTHING:
        records[place(word & INSIDE) + U4] = h | (word & WALL)
