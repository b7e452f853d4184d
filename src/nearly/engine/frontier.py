"""The two shapes of a frontier: a list of vertices, and a bitmap of 64 vertices a word."""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel
from nearly.graph.partition import U0, U1

U6, U63 = np.uint64(6), np.uint64(63)
_U2, _U4, _U56 = np.uint64(2), np.uint64(4), np.uint64(56)
_ALTERNATE, _PAIRS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_NIBBLES, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


@kernel
def ones(bits):
    """How many bits are set."""
    bits = bits - ((bits >> U1) & _ALTERNATE)
    bits = (bits & _PAIRS) + ((bits >> _U2) & _PAIRS)
    bits = (bits + (bits >> _U4)) & _NIBBLES
    return (bits * _BYTES) >> _U56


@kernel
def bitmap_of(vertices, n):
    """A bitmap over n vertices with the given ones set."""
    bitmap = np.zeros((n + 63) // 64, np.uint64)
    for i in range(np.uint64(vertices.size)):
        v = np.uint64(vertices[i])
        bitmap[v >> U6] |= U1 << (v & U63)
    return bitmap


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
