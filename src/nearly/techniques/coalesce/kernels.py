"""The compiled part of coalescing: which vertex is well-connected to which chunk, and 2-hop neighbours in a chunk.

What: `count_candidates` and `fill_candidates` list each vertex with every chunk that it has enough arcs into.
`give_arcs` moves these arcs to the vertex's copy, and `two_hop_in_chunk` looks for more arcs that the copy could have.

How: targets ascend within a row, so the arcs of a vertex into one chunk are a stretch of its row, found in one pass.
Candidates are counted, then written where the sum of the counts before says, so that threads need no locks.

Why the limits: a copy for a single arc saves nothing (FEWEST); and a vertex of high degree would look at a good part
of the graph for one copy (MOST).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.shared.row_search import first_from
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U1

FEWEST = np.uint64(2)  # arcs for which a copy is worth having
MOST = np.uint64(256)  # neighbours of a vertex whose arcs are looked at for one copy
ROUNDING = 1e-9  # of a share of a chunk
NO_ARC = np.uint64(2**64 - 1)


class Chunks(NamedTuple):
    """The chunks of the new numbering."""

    size: np.uint64  # places in each
    filled: np.ndarray  # uint64[chunks]: places that hold a vertex
    wanted: np.ndarray  # float64[chunks]: the share of them that a well-connected vertex has arcs to


class Stretches(NamedTuple):
    """Vertices, each with its arcs into one chunk: a stretch of its row."""

    vertex: np.ndarray  # uint64
    low: np.ndarray  # uint64: the first arc
    high: np.ndarray  # uint64: the arc after the last


class Paths(NamedTuple):
    """For each stretch (a row) and each place of its chunk (a column) the lightest path of two arcs."""

    dst: np.ndarray  # uint64: where it leads to, NO_ARC where there is no path
    first: np.ndarray  # uint64: its arcs
    second: np.ndarray


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
def is_candidate(chunks, v, different):
    """Whether arcs to so many vertices of v's chunk make a vertex well-connected to it."""
    c = v // chunks.size
    return different >= FEWEST and np.float64(different) >= chunks.wanted[c] * np.float64(chunks.filled[c]) - ROUNDING


@parallel_kernel
def count_candidates(offsets, targets, chunks, cuts, counts):
    """How many chunks each vertex is well-connected to, into counts[1:]."""
    for piece in prange(np.uint64(cuts.size - 1)):
        for u in range(cuts[piece], cuts[piece + U1]):
            e = offsets[u]
            while e < offsets[u + U1]:
                end, different = stretch_end(targets, e, offsets[u + U1], chunks.size)
                counts[u + U1] += np.uint64(is_candidate(chunks, np.uint64(targets[e]), different))
                e = end


@parallel_kernel
def fill_candidates(offsets, targets, chunks, cuts, starts, found):
    """The vertices that `count_candidates` counted, with their arcs into those chunks; those of u from starts[u] on."""
    vertex, low, high = found
    for piece in prange(np.uint64(cuts.size - 1)):
        for u in range(cuts[piece], cuts[piece + U1]):
            at, e = starts[u], offsets[u]
            while e < offsets[u + U1]:
                end, different = stretch_end(targets, e, offsets[u + U1], chunks.size)
                if is_candidate(chunks, np.uint64(targets[e]), different):
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
def look_into(rows, stretches, chunk, paths, i):
    """The lightest paths of two arcs from the vertex of stretch i to those vertices of its chunk it has no arc to."""
    offsets, targets, weights = rows
    u, low, high = stretches.vertex[i], stretches.low[i], stretches.high[i]
    dst, first, second = paths.dst[i], paths.first[i], paths.second[i]
    begin = np.uint64(targets[low]) // chunk * chunk
    dst[:] = NO_ARC
    last = min(offsets[u + U1], offsets[u] + MOST)
    for e in range(offsets[u], last):
        v = np.uint64(targets[e])
        f = first_from(targets, offsets[v], offsets[v + U1], begin)
        while f < offsets[v + U1] and np.uint64(targets[f]) < begin + chunk:
            w, k = np.uint64(targets[f]), np.uint64(targets[f]) - begin
            at = first_from(targets, low, high, w)
            fresh = w != u and v != u and (at == high or np.uint64(targets[at]) != w)
            if fresh and (dst[k] == NO_ARC or lighter(weights, e, f, first[k], second[k])):
                dst[k], first[k], second[k] = w, e, f
            f += U1


@kernel
def lighter(weights, e, f, first, second):
    """Whether the path over arcs e and f is lighter than the one found before."""
    if weights.size == 0:
        return False
    return np.float64(weights[e]) + np.float64(weights[f]) < np.float64(weights[first]) + np.float64(weights[second])


@parallel_kernel
def two_hop_in_chunk(rows, stretches, chunk, paths):
    """`look_into` for every stretch."""
    for i in prange(np.uint64(stretches.vertex.size)):
        look_into(rows, stretches, chunk, paths, i)
