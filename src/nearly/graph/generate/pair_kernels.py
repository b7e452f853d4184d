"""Distinct random pairs of vertices without remembering any: number the pairs, permute the numbers, decode.

Edge number `e` is the pair number `p(e)` for a random bijection `p` of all pair numbers, so the first m
edges are m distinct pairs, each set equally likely, and any edge can be made at any time on any thread.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.jit import kernel, parallel_kernel
from nearly.base.random import BLOCK, U0, U1, U2, below, draw, permutation, permute, stream_key
from nearly.graph.generate.random_streams import EDGES

ORDERED, INSIDE_GROUPS, ACROSS_GROUPS = 0, 1, 2


class Pairs(NamedTuple):
    """The pairs to draw from. Vertices form groups of one size."""

    kind: int  # ORDERED, INSIDE_GROUPS or ACROSS_GROUPS
    total: np.uint64  # how many such pairs there are
    groups: np.uint64
    size: np.uint64


@parallel_kernel
def distinct_pairs(seed, stream, low, pairs, src, dst):
    """The edges numbered from `low`."""
    p = permutation(stream_key(seed, stream), pairs.total)
    for block in prange((src.size + BLOCK - 1) // BLOCK):
        first = block * BLOCK
        u, v = src[first : first + BLOCK], dst[first : first + BLOCK]
        numbers = np.empty(u.size, np.uint64)
        for i in range(np.uint64(u.size)):
            numbers[i] = low + np.uint64(first) + i
        permute(p, numbers)
        for i in range(np.uint64(u.size)):
            u[i], v[i] = decode(pairs, numbers[i])


@kernel
def decode(pairs, number):
    """The ends of a pair: ordered and different, or unordered within one group, or unordered between two groups."""
    kind, size = pairs.kind, pairs.size
    if kind == ORDERED:
        u, v = number // (size - U1), number % (size - U1)
        return u, v + (U1 if v >= u else U0)
    if kind == INSIDE_GROUPS:
        inside = size * (size - U1) // U2
        first = number // inside * size
        u, v = unordered(number % inside, size)
        return first + u, first + v
    square = size * size
    a, b = unordered(number // square, pairs.groups)
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
