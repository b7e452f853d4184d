"""Kernels of PageRank's rounds in place: what is done to one piece of vertices (see `layout`); `play` has the rounds.

What vertices hand on lies in `given` twice: as it was before the phase, which other pieces read, and as it is now.
Where there is one piece, both halves are one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.pagerank.layout import LONG
from nearly.algorithms.shared.tiles import add_strip
from nearly.base.jit import SUM_ORDER_FREE, inner_kernel, kernel, parallel_kernel
from nearly.base.unsigned import U0, U1, piece_bounds
from nearly.engine.primitives import pieces_for

SUM, DAMPING, ANCHOR, TAKEN, BEFORE, LAST = range(6)  # what `numbers` holds
AT, HELD, SINCE, WAIT, CHECK, SIGNED = range(6)  # what `marks` holds
U2 = np.uint64(2)
_BLOCK = np.uint64(256)  # arcs that are summed in the ranks' own type


class Flow(NamedTuple):
    """What a round reads and writes."""

    offsets: np.ndarray  # the rows of the reverse graph
    targets: np.ndarray  # its arcs, as places in `given`, by the order of its vertices
    order: np.ndarray  # its vertices, piece by piece; empty where they are taken as they come
    sizes: np.ndarray  # how many arcs each has, up to LONG
    ends: np.ndarray  # where in `order` a piece's dangling vertices begin
    words: np.ndarray  # its arcs in tiles instead, where there are any (`Tiles`)
    bounds: np.ndarray
    strips: np.ndarray
    columns: np.ndarray
    place: np.ndarray
    totals: np.ndarray  # [workers, vertices of a strip], room for sums
    phases: np.ndarray  # [1], in how many phases pieces take turns
    weights: np.ndarray  # of arcs, in the order of these; empty for 1
    given: np.ndarray  # what an arc of each vertex carries: before the phase, and now
    past: np.ndarray  # [KEPT, n], the last ranks, in a ring; without tiles 0 for dangling vertices
    inverse: np.ndarray  # from a rank to what an arc carries, damping included; 0 for dangling vertices
    fixed: np.ndarray  # what arrives whatever the others hold; one element for the same everywhere
    teleport: np.ndarray  # where the rest goes, likewise


@kernel
def prepare_piece(offsets, numbers, inverse, ranks, low, high):
    """What an arc of vertices [low, high) carries of a rank, and their first ranks: a base, and so much an arc."""
    damping, base, slope = numbers
    for v in range(low, high):
        arcs = offsets[v + U1] - offsets[v]
        inverse[v] = damping / arcs if arcs else 0.0
        ranks[v] = base + slope * arcs if arcs else 0.0


@parallel_kernel
def prepare(offsets, numbers, inverse, ranks):
    """As `prepare_piece`, for all vertices."""
    pieces = pieces_for(np.uint64(inverse.size))
    for p in prange(pieces):
        low, high = piece_bounds(np.uint64(inverse.size), p, pieces)
        prepare_piece(offsets, numbers, inverse, ranks, low, high)


@inner_kernel(fastmath=SUM_ORDER_FREE)
def sum_blocks(targets, weights, given, start, end):
    """What arrives along arcs [start, end), summed in blocks."""
    weighted, total = weights.size > 0, 0.0
    while start < end:
        stop, part = min(end, start + _BLOCK), given.dtype.type(0)
        if weighted:
            for e in range(start, stop):
                part += given[targets[e]] * weights[e]
        else:
            for e in range(start, stop):
                part += given[targets[e]]
        total += part
        start = stop
    return given.dtype.type(total)


@inner_kernel
def sum_row(targets, weights, given, start, end):
    """What arrives along arcs [start, end); two sums, so that an addition need not wait for the one before it."""
    if end - start > _BLOCK:
        return sum_blocks(targets, weights, given, start, end)
    total, other = given.dtype.type(0), given.dtype.type(0)
    while start + U1 < end:
        total += given[targets[start]]
        other += given[targets[start + U1]]
        start += U2
    if start < end:
        total += given[targets[start]]
    return total + other


@inner_kernel
def sum_weighted(targets, weights, given, start, end):
    """The same with weights."""
    if end - start > _BLOCK:
        return sum_blocks(targets, weights, given, start, end)
    total = given.dtype.type(0)
    for e in range(start, end):
        total += given[targets[e]] * weights[e]
    return total


@inner_kernel
def arriving(fixed, teleport, spread, v):
    """What v gets whatever its neighbours hold."""
    return (fixed[v] if fixed.size > 1 else fixed[0]) + spread * (teleport[v] if teleport.size > 1 else teleport[0])


@inner_kernel
def renew_rows(flow, before, after, spread, low, high, alike, weighted):
    """As `sweep_piece`; `alike` says that the same arrives everywhere beside what comes along arcs."""
    offsets, targets, weights, given, inverse = flow.offsets, flow.targets, flow.weights, flow.given, flow.inverse
    order, sizes, own, e = flow.order, flow.sizes, given.dtype.type, offsets[low]
    now, arrives = np.uint64(given.size - inverse.size), arriving(flow.fixed, flow.teleport, spread, U0)
    change, largest, more = 0.0, 0.0, 0.0
    for i in range(low, high):
        v, size = np.uint64(order[i]), np.uint64(sizes[i])
        if not alike:
            arrives = arriving(flow.fixed, flow.teleport, spread, v)
        if size == LONG:
            size = offsets[v + U1] - offsets[v]
        if weighted:
            total = sum_weighted(targets, weights, given, e, e + size)
        else:
            total = sum_row(targets, weights, given, e, e + size)
        e += size
        rank, onward = own(arrives + total), inverse[v]
        step = np.float64(rank - before[v]) if onward > 0.0 else 0.0
        after[v] = rank
        given[now + v] = rank * onward
        change += abs(step)
        largest = max(largest, abs(step))
        more += step
    return change, largest, more


@kernel
def sweep_piece(flow, spread, old, new, low, high):
    """Renew the vertices [low, high) of the order; the sum of changes, the largest, and that of the sum.

    Dangling vertices, where there are any among them, do not count.
    """
    before, after, weighted = flow.past[old], flow.past[new], flow.weights.size > 0
    alike = flow.fixed.size == 1 and flow.teleport.size == 1
    if alike and not weighted:  # the usual case once more, with constants: the compiler leaves out the others
        return renew_rows(flow, before, after, spread, low, high, True, False)
    return renew_rows(flow, before, after, spread, low, high, alike, weighted)


@kernel
def sweep_strip(flow, worker, spread, old, new, p, low, high):
    """Renew the vertices [low, high) of strip p, tile by tile; as `sweep_piece`."""
    given, inverse, fixed, teleport, totals = flow.given, flow.inverse, flow.fixed, flow.teleport, flow.totals[worker]
    before, after, own = flow.past[old], flow.past[new], given.dtype.type
    for i in range(high - low):
        totals[i] = 0.0
    add_strip(flow, p, given, totals)
    alike, arrives = fixed.size == 1 and teleport.size == 1, arriving(fixed, teleport, spread, U0)
    now, change, largest, more = np.uint64(given.size - inverse.size), 0.0, 0.0, 0.0
    for v in range(low, high):
        if not alike:
            arrives = arriving(fixed, teleport, spread, v)
        rank, onward = own(arrives + totals[v - low]), inverse[v]
        step = np.float64(rank - before[v]) if onward > 0.0 else 0.0
        after[v] = rank
        given[now + v] = rank * onward
        change += abs(step)
        largest = max(largest, abs(step))
        more += step
    return change, largest, more


@kernel
def show(given, now, low, high):
    """Let the other pieces read what vertices [low, high) hand on."""
    for v in range(low, high):
        given[v] = given[now + v]


@kernel
def spread_of(numbers):
    """What jumps hand out to all: what others do not, if ranks sum to 1 (or to 0, on top of a base)."""
    return numbers[ANCHOR] - numbers[TAKEN] * numbers[SUM]


@kernel
def set_piece(flow, at, low, high):
    """What vertices [low, high) hand on by the kept ranks `at`; the sum of these ranks."""
    given, ranks, inverse = flow.given, flow.past[at], flow.inverse
    now, total = np.uint64(given.size - inverse.size), 0.0
    for v in range(low, high):
        share = ranks[v] * inverse[v]
        given[v] = share
        given[now + v] = share
        if inverse[v] > 0.0:
            total += ranks[v]
    return total


@kernel
def finish_piece(flow, spread, at, low, high):
    """The ranks of the dangling vertices [low, high) of the order."""
    ranks, given, own = flow.past[at], flow.given, flow.given.dtype.type
    end = flow.offsets[high]  # the arcs of a piece, the dangling vertices' last, end where its last vertex's would
    for back in range(high - low):
        v = np.uint64(flow.order[high - U1 - back])
        start = end - (flow.offsets[v + U1] - flow.offsets[v])
        total = sum_blocks(flow.targets, flow.weights, given, start, end)
        end = start
        ranks[v] = own(arriving(flow.fixed, flow.teleport, spread, v) + total)


@parallel_kernel
def finish(flow, at, cuts, numbers):
    """Compute the dangling vertices of the kept ranks `at`, which rounds leave out."""
    spread, ends = spread_of(numbers), flow.ends
    for p in prange(np.uint64(cuts.size - 1)):
        finish_piece(flow, spread, at, ends[p], cuts[p + U1])
