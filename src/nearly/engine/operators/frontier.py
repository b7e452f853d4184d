"""The shapes of a frontier: a list of vertices, a bitmap of 64 vertices a word, a list of edges."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import prange

from nearly.base.intrinsics import ones
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1, U6, U63, piece_bounds
from nearly.engine.functor import functor
from nearly.engine.primitives import load_balanced_search, pieces_for


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


@cache
def push_to_edges(visit: Callable[..., bool]) -> Any:
    """The kernel `run(rows, items, first, keep, edges, state)`: the items' out-edges, laid end to end.

    `edges[i]` is the i-th edge's number, `keep[i]` whether the functor took it; `first` says where each item's start.
    """
    visits = functor(visit)

    @parallel_kernel
    def run(rows, items, first, keep, edges, state):
        offsets, targets = rows.offsets, rows.targets
        total = np.uint64(edges.size)
        pieces = pieces_for(total)
        for p in prange(pieces):
            at, high = piece_bounds(total, p, pieces)
            if at < high:
                i = load_balanced_search(first, at)
                while at < high:
                    u = np.uint64(items[i])
                    for k in range(at, min(first[i + U1], high)):
                        e = offsets[u] + (k - first[i])
                        edges[k] = e
                        keep[k] = visits(state, u, targets[e], e)
                    at = max(at, min(first[i + U1], high))
                    i += U1

    return run
