"""Edge flips: make a triangulation (constrained) Delaunay, whatever it was before (Lawson's method)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nearly.base.jit import inner_kernel, kernel
from nearly.mesh.cavity import holds
from nearly.mesh.crew import in_shares
from nearly.mesh.triangle_records import U1, U2, U3, WALL, across, following, join, place, preceding, start

if TYPE_CHECKING:
    from nearly.mesh.working_mesh import WorkingMesh


@inner_kernel
def wants_flip(records, xy, h):
    """Whether the circle of the triangle on one side of half-edge `h` holds the far corner of the other triangle."""
    word = across(records, h)
    if word >= WALL:
        return False
    far = start(records, preceding(word)) << U1
    return holds(records, xy, h >> U2, xy[far], xy[far + U1])


@inner_kernel
def flip(records, owner, h):
    """Replace the edge of `h` by the other diagonal of its two triangles; `h` and its twin become the diagonal."""
    g = across(records, h)
    h1, h2, g1, g2 = following(h), preceding(h), following(g), preceding(g)
    a, b, c, d = start(records, h), start(records, g), start(records, h2), start(records, g2)
    w_h1, w_h2, w_g1, w_g2 = across(records, h1), across(records, h2), across(records, g1), across(records, g2)
    o_h1, o_h2, o_g1, o_g2 = owner[h1], owner[h2], owner[g1], owner[g2]
    # h's triangle becomes (d, c, a) by h, h1, h2; g's becomes (c, d, b) by g, g1, g2
    records[place(h)], records[place(h1)], records[place(h2)] = d, c, a
    records[place(g)], records[place(g1)], records[place(g2)] = c, d, b
    join(records, h1, w_h2)
    join(records, h2, w_g1)
    join(records, g1, w_g2)
    join(records, g2, w_h1)
    owner[h1], owner[h2], owner[g1], owner[g2] = o_h2, o_g1, o_g2, o_h1


@kernel
def flip_all(records, owner, xy, stack, size):
    """Flip the half-edges on the stack, and then around them, until all edges are Delaunay; returns how many flips."""
    flips = 0
    while size > 0:
        size -= 1
        h = np.uint64(stack[size])
        if not wants_flip(records, xy, h):
            continue
        g = across(records, h)
        flip(records, owner, h)
        flips += 1
        for e in (following(h), preceding(h), following(g), preceding(g)):
            stack[size] = e
            size += 1
    return flips


@kernel
def find_flips(records, xy, low, high, stack):
    """Put those triangles' half-edges that want a flip on the stack, until it is nearly full; returns how many."""
    size = 0
    for t in range(np.uint64(low), np.uint64(high)):
        for i in range(U3):
            h = (t << U2) + i
            word = across(records, h)
            if word < WALL and h < word and wants_flip(records, xy, h):
                stack[size] = h
                size += 1
                if size + 8 > stack.size // 2:
                    return size
    return size


@kernel
def count_flips(records, xy, count):
    """How many edges are not Delaunay."""
    wrong = 0
    for t in range(np.uint64(count)):
        for i in range(U3):
            h = (t << U2) + i
            word = across(records, h)
            wrong += word < WALL and h < word and wants_flip(records, xy, h)
    return wrong


def make_delaunay(work: WorkingMesh) -> int:
    """Flip what is not (constrained) Delaunay; returns how many flips it took."""
    stack, flips = np.empty(1 << 12, np.uint32), 0

    def some(low: int, high: int) -> int:
        return find_flips(work.records, work.xy, low, high, stack if low == 0 else np.empty_like(stack))

    if not any(in_shares(work.workers, work.count, some)):
        return 0
    while size := some(0, work.count):  # from here on one thread, so that flips come in the same order
        deep = np.empty(size + 4 * (3 * work.count + 8), np.uint32)
        deep[:size] = stack[:size]
        flips += flip_all(work.records, work.owner, work.xy, deep, size)
    return flips
