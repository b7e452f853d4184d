"""The two shapes of a frontier: a list of vertices, and a bitmap of 64 vertices a word."""

from __future__ import annotations

import numpy as np

from nearly.base.intrinsics import ones
from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1, U6, U63


@kernel
def bitmap_of(vertices, n):
    """A bitmap over n vertices with the given ones set."""
    bitmap = np.zeros((n + 63) // 64, np.uint64)
    for i in range(np.uint64(vertices.size)):
        v = np.uint64(vertices[i])
        bitmap[v >> U6] |= U1 << (v & U63)
    return bitmap


@kernel
def join_bits(bitmap, slot, of, offsets):
    """Set the bit of every copy of a vertex that is set; returns how many copies that are, and their arcs."""
    count, arcs = U0, U0
    for i in range(np.uint64(slot.size)):
        v, c = np.uint64(of[i]), np.uint64(slot[i])
        if (bitmap[v >> U6] >> (v & U63)) & U1:
            bitmap[c >> U6] |= U1 << (c & U63)
            count += U1
            arcs += offsets[c + U1] - offsets[c]
    return count, arcs


@kernel
def vertices_of(bitmap, out):
    """The vertices set in a bitmap, ascending, into `out`; returns how many."""
    fill = U0
    for word in range(np.uint64(bitmap.size)):
        bits = bitmap[word]
        while bits:
            lowest = bits & (~bits + U1)
            out[fill] = (word << U6) + ones(lowest - U1)
            fill += U1
            bits ^= lowest
    return fill
