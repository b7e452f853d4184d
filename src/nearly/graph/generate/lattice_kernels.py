"""The compiled part of `grid` and `smallworld`: numbered edges of a lattice, deleted or rewired by a coin each."""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.base.jit import kernel, parallel_kernel
from nearly.base.random import U0, U1, draw, permutation, permuted, stream_key, uniform
from nearly.base.unsigned import piece_bounds
from nearly.graph.generate.random_streams import EDGES, REWIRED, SIDES

_PIECES = 64


@parallel_kernel
def grid_edges(seed, low, rows, cols, delete, src, dst):
    """Horizontal edges by row, then vertical ones; a deleted edge becomes a self-loop, which the builder drops."""
    key = stream_key(seed, EDGES)
    across = rows * (cols - U1)
    for i in prange(src.size):
        e = low + np.uint64(i)
        if e < across:
            u = e // (cols - U1) * cols + e % (cols - U1)
            v = u + U1
        else:
            u = e - across
            v = u + cols
        src[i], dst[i] = u, u if uniform(draw(key, e)) < delete else v


@parallel_kernel
def ring_edges(seed, low, n, half, p, src, dst):
    """Edges numbered from `low`, `half` to a vertex: to each of the next `half` vertices on the ring, or rewired."""
    high = low + np.uint64(src.size)
    first = low // half
    vertices = (high + half - U1) // half - first
    for piece in prange(_PIECES):
        start, end = piece_bounds(vertices, piece, _PIECES)
        for v in range(first + start, first + end):
            rewire(seed, v, low, n, half, p, src, dst)


@kernel
def rewire(seed, v, low, n, half, p, src, dst):
    """One vertex's edges. New ends come from a random order of all vertices, so no two are the same."""
    high = low + np.uint64(src.size)
    coins, sides = stream_key(seed, EDGES), stream_key(seed, SIDES)
    order, tried = permutation(U0, U1), U0
    for j in range(half):
        e = v * half + j
        w = v + j + U1
        if w >= n:
            w -= n
        if uniform(draw(coins, e)) < p:
            if tried == U0:
                order = permutation(draw(stream_key(seed, REWIRED), v), n)
            found = n
            while tried < n and found == n:
                candidate = permuted(order, tried)
                tried += U1
                if allowed(sides, v, candidate, n, half):
                    found = candidate
            if found < n:
                w = found
        if e >= low and e < high:
            src[e - low], dst[e - low] = v, w


@kernel
def allowed(sides, v, w, n, half):
    """Whether `v` may be rewired to `w`: not near on the ring, and a coin says which of the two may choose the other.

    So two vertices never make the same edge, though each is treated on its own.
    """
    gap = v - w if v > w else w - v
    if min(gap, n - gap) <= half:
        return False
    coin = draw(draw(sides, min(v, w)), max(v, w)) & U1
    return (coin == U1) == (v > w)
