"""The compiled part of coalescing: who is well-connected to which chunk, and 2-hop neighbours inside a chunk.

Rows ascend, so the arcs of a vertex into one chunk are a stretch of its row.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.algorithms.shared.row_search import first_from
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U1

FEWEST = np.uint64(2)  # arcs for which a copy is worth having
MOST = np.uint64(256)  # neighbours of a vertex whose arcs are looked at for one copy
ROUNDING = 1e-9  # of a share of a chunk
NO_ARC = np.uint64(2**64 - 1)


@kernel
def stretch_end(targets, low, high, chunk):
    """Where the arcs into the chunk of arc `low` end, and how many different vertices they lead to."""
    c = np.uint64(targets[low]) // chunk
    e, different = low + U1, U1
    while e < high and np.uint64(targets[e]) // chunk == c:
        different += np.uint64(targets[e] != targets[e - U1])
        e += U1
    return e, different


@kernel
def is_candidate(c, different, filled, wanted):
    """Whether so many arcs into chunk c make a vertex well-connected to it."""
    return different >= FEWEST and np.float64(different) >= wanted[c] * np.float64(filled[c]) - ROUNDING


@parallel_kernel
def count_candidates(offsets, targets, filled, wanted, chunk, cuts, counts):
    """How many chunks each vertex is well-connected to, one place late."""
    for piece in prange(np.uint64(cuts.size - 1)):
        for u in range(cuts[piece], cuts[piece + U1]):
            e = offsets[u]
            while e < offsets[u + U1]:
                end, different = stretch_end(targets, e, offsets[u + U1], chunk)
                counts[u + U1] += np.uint64(is_candidate(np.uint64(targets[e]) // chunk, different, filled, wanted))
                e = end


@parallel_kernel
def fill_candidates(offsets, targets, filled, wanted, chunk, cuts, starts, vertex, low, high):
    """Those vertices with their arcs into those chunks."""
    for piece in prange(np.uint64(cuts.size - 1)):
        for u in range(cuts[piece], cuts[piece + U1]):
            at, e = starts[u], offsets[u]
            while e < offsets[u + U1]:
                end, different = stretch_end(targets, e, offsets[u + U1], chunk)
                if is_candidate(np.uint64(targets[e]) // chunk, different, filled, wanted):
                    vertex[at], low[at], high[at] = u, e, end
                    at += U1
                e = end


@parallel_kernel
def give_arcs(low, high, slot, src):
    """Let arcs low[i]..high[i] - 1 come from slot[i]."""
    for i in prange(np.uint64(slot.size)):
        for e in range(low[i], high[i]):
            src[e] = slot[i]


@kernel
def look_into(offsets, targets, weights, u, low, high, chunk, dst, first, second):
    """The lightest paths of two arcs found from u to vertices of the chunk of arc `low` that it has no arc to."""
    begin = np.uint64(targets[low]) // chunk * chunk
    dst[:] = NO_ARC
    last = min(offsets[u + U1], offsets[u] + MOST)
    for e in range(offsets[u], last):
        v = np.uint64(targets[e])
        f = first_from(targets, offsets[v], offsets[v + U1], begin)
        while f < offsets[v + U1] and np.uint64(targets[f]) < begin + chunk:
            w, i = np.uint64(targets[f]), np.uint64(targets[f]) - begin
            at = first_from(targets, low, high, w)
            fresh = w != u and v != u and (at == high or np.uint64(targets[at]) != w)
            if fresh and (dst[i] == NO_ARC or lighter(weights, e, f, first[i], second[i])):
                dst[i], first[i], second[i] = w, e, f
            f += U1


@kernel
def lighter(weights, e, f, first, second):
    """Whether the path over arcs e and f is lighter than the one found before."""
    if weights.size == 0:
        return False
    return np.float64(weights[e]) + np.float64(weights[f]) < np.float64(weights[first]) + np.float64(weights[second])


@parallel_kernel
def two_hop_in_chunk(offsets, targets, weights, vertex, low, high, chunk, dst, first, second):
    """`look_into` for every copy: row i of dst, first and second, NO_ARC in dst where there is nothing."""
    for i in prange(np.uint64(vertex.size)):
        look_into(offsets, targets, weights, vertex[i], low[i], high[i], chunk, dst[i], first[i], second[i])
