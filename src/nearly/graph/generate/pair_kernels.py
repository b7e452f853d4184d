"""Distinct random pairs of vertices without remembering any: number the pairs, permute the numbers, decode.

Edge number `e` is the pair number `p(e)` for a random bijection `p` of all pair numbers, so the first m
edges are m distinct pairs, each set equally likely, and any edge can be made at any time on any thread.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.base.jit import kernel, parallel_kernel
from nearly.base.random import BLOCK, U0, U1, U2, below, draw, permutation, permute, stream_key
from nearly.graph.generate.streams import EDGES

ORDERED, INSIDE_GROUPS, ACROSS_GROUPS = 0, 1, 2


@parallel_kernel
def distinct_pairs(seed, stream, low, total, kind, groups, size, src, dst):
    """The pairs numbered from `low` among the `total` pairs of a `kind`; vertices form `groups` of one `size`."""
    p = permutation(stream_key(seed, stream), total)
    for block in prange((src.size + BLOCK - 1) // BLOCK):
        first = block * BLOCK
        u, v = src[first : first + BLOCK], dst[first : first + BLOCK]
        numbers = np.empty(u.size, np.uint64)
        for i in range(np.uint64(u.size)):
            numbers[i] = low + np.uint64(first) + i
        permute(p, numbers)
        for i in range(np.uint64(u.size)):
            u[i], v[i] = decode(kind, numbers[i], groups, size)


@kernel
def decode(kind, number, groups, size):
    """The ends of a pair: ordered and different, or unordered within one group, or unordered between two groups."""
    if kind == ORDERED:
        u, v = number // (size - U1), number % (size - U1)
        return u, v + (U1 if v >= u else U0)
    if kind == INSIDE_GROUPS:
        pairs = size * (size - U1) // U2
        first = number // pairs * size
        u, v = unordered(number % pairs, size)
        return first + u, first + v
    square = size * size
    a, b = unordered(number // square, groups)
    rest = number % square
    return a * size + rest // size, b * size + rest % size


@kernel
def unordered(number, size):
    """Pair `number` of the size * (size - 1) / 2 unordered ones: a vertex and how far round the ring the other is."""
    u = number % size
    v = u + number // size + U1
    return u, v - size if v >= size else v


@parallel_kernel
def any_pairs(seed, low, n, src, dst):
    """Independent pairs, self-loops and repetitions included."""
    key = stream_key(seed, EDGES)
    for i in prange(src.size):
        e = (low + np.uint64(i)) * U2
        src[i], dst[i] = below(draw(key, e), n), below(draw(key, e + U1), n)
