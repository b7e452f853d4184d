"""Kernels of PageRank's rounds in place: a round in pieces (see `layout`), and rounds in one call.

What vertices hand on lies in `given` twice: as it was before the phase, which other pieces read, and as it is now.
Where there is one piece, both halves are one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.pagerank.combination import KEPT, combine
from nearly.algorithms.shared.tiles import add_strip
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import ALONE, SUM_ORDER_FREE, inner_kernel, kernel, parallel_kernel
from nearly.base.unsigned import U0, U1, piece_bounds
from nearly.engine.primitives import pieces_for

SUM, DAMPING, ANCHOR, TAKEN, BEFORE, LAST = range(6)  # what `numbers` holds
AT, HELD, SINCE, WAIT, CHECK, SIGNED = range(6)  # what `marks` holds
U2 = np.uint64(2)
_BLOCK = np.uint64(256)  # arcs that are summed in the ranks' own type


class Flow(NamedTuple):
    """What a round reads and writes."""

    offsets: np.ndarray  # the rows of the reverse graph
    targets: np.ndarray  # its arcs, as places in `given`
    order: np.ndarray  # its vertices, piece by piece; empty where they are taken as they come
    ends: np.ndarray  # where in `order` a piece's dangling vertices begin
    words: np.ndarray  # its arcs in tiles instead, where there are any (`Tiles`)
    bounds: np.ndarray
    strips: np.ndarray
    columns: np.ndarray
    place: np.ndarray
    totals: np.ndarray  # [workers, vertices of a strip], room for sums
    taken: np.ndarray  # [phases], how many of its pieces workers have taken
    weights: np.ndarray  # of arcs; empty for 1
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


@kernel
def sweep_piece(flow, spread, old, new, low, high, totals):
    """Renew the vertices [low, high) of the order; the sum of changes, the largest, and that of the sum.

    What arrives along arcs is in `totals` instead, if that has elements. Dangling vertices do not count.
    """
    offsets, targets, weights, given, inverse = flow.offsets, flow.targets, flow.weights, flow.given, flow.inverse
    fixed, teleport, order = flow.fixed, flow.teleport, flow.order
    before, after, own = flow.past[old], flow.past[new], given.dtype.type
    change, largest, more = 0.0, 0.0, 0.0
    alike, arrives = fixed.size == 1 and teleport.size == 1, arriving(fixed, teleport, spread, U0)
    now, summed, weighted = np.uint64(given.size - inverse.size), totals.size > 0, weights.size > 0
    for i in range(low, high):
        v = i if summed else np.uint64(order[i])
        if not alike:
            arrives = arriving(fixed, teleport, spread, v)
        if summed:
            total = totals[i - low]
        elif weighted:
            total = sum_weighted(targets, weights, given, offsets[v], offsets[v + U1])
        else:
            total = sum_row(targets, weights, given, offsets[v], offsets[v + U1])
        rank, onward = own(arrives + total), inverse[v]
        step = np.float64(rank - before[v]) if onward > 0.0 else 0.0
        after[v] = rank
        given[now + v] = rank * onward
        change += abs(step)
        largest = max(largest, abs(step))
        more += step
    return change, largest, more


@kernel
def sweep_rows(flow, worker, phase, spread, old, new, cuts, sums):
    """Take pieces of a phase until there are none, and renew their vertices row by row."""
    pieces, phases = np.uint64(cuts.size - 1), np.uint64(flow.taken.size)
    p = phase + phases * fetch_add(flow.taken, phase, U1)
    while p < pieces:
        found = sweep_piece(flow, spread, old, new, cuts[p], flow.ends[p], flow.totals[worker])
        sums[p, 0], sums[p, 1], sums[p, 2] = found
        p = phase + phases * fetch_add(flow.taken, phase, U1)


@kernel
def sweep_strips(flow, worker, phase, spread, old, new, cuts, sums):
    """Take strips of a phase until there are none, and renew their vertices tile by tile."""
    pieces, phases, totals = np.uint64(cuts.size - 1), np.uint64(flow.taken.size), flow.totals[worker]
    p = phase + phases * fetch_add(flow.taken, phase, U1)
    while p < pieces:
        low, high = cuts[p], cuts[p + U1]
        for i in range(high - low):
            totals[i] = 0.0
        add_strip(flow, p, flow.given, totals)
        sums[p, 0], sums[p, 1], sums[p, 2] = sweep_piece(flow, spread, old, new, low, high, totals)
        p = phase + phases * fetch_add(flow.taken, phase, U1)


@kernel
def show(given, now, low, high):
    """Let the other pieces read what vertices [low, high) hand on."""
    for v in range(low, high):
        given[v] = given[now + v]


@kernel
def spread_of(numbers):
    """What jumps hand out to all: what others do not, if ranks sum to 1 (or to 0, on top of a base)."""
    return numbers[ANCHOR] - numbers[TAKEN] * numbers[SUM]


@parallel_kernel
def sweep(flow, old, new, cuts, numbers, sums):
    """One round: the sum of changes, the largest, and how far the spread of any phase is from that at the end."""
    given, taken, now = flow.given, flow.taken, np.uint64(flow.given.size - flow.inverse.size)
    pieces, phases, workers = np.uint64(cuts.size - 1), np.uint64(taken.size), np.uint64(flow.totals.shape[0])
    change, largest, least, most, tiled = 0.0, 0.0, np.inf, -np.inf, flow.strips.size > 0
    for phase in range(phases):
        spread = spread_of(numbers)
        least, most = min(least, spread), max(most, spread)
        taken[phase] = U0
        for worker in prange(workers):
            if ALONE or not tiled:
                sweep_rows(flow, worker, phase, spread, old, new, cuts, sums)
            else:
                sweep_strips(flow, worker, phase, spread, old, new, cuts, sums)
        if now:
            for k in prange((pieces - phase + phases - U1) // phases):
                p = phase + k * phases
                show(given, now, cuts[p], cuts[p + U1])
        for p in range(phase, pieces, phases):
            change += sums[p, 0]
            largest = max(largest, sums[p, 1])
            numbers[SUM] += sums[p, 2]
    spread = spread_of(numbers)
    return change, largest, max(spread - least, most - spread)


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


@parallel_kernel
def restart(flow, at, cuts, numbers, sums):
    """Go on from the kept ranks `at`."""
    pieces = np.uint64(cuts.size - 1)
    for p in prange(pieces):
        sums[p, 0] = set_piece(flow, at, cuts[p], cuts[p + U1])
    numbers[SUM] = add_up(sums)


@kernel
def add_up(sums):
    """The sum of the first column, in order."""
    total = 0.0
    for p in range(np.uint64(sums.shape[0])):
        total += sums[p, 0]
    return total


@kernel
def finish_piece(flow, spread, at, low, high):
    """The ranks of the dangling vertices [low, high) of the order."""
    ranks, given, own = flow.past[at], flow.given, flow.given.dtype.type
    for i in range(low, high):
        v = np.uint64(flow.order[i])
        total = sum_blocks(flow.targets, flow.weights, given, flow.offsets[v], flow.offsets[v + U1])
        ranks[v] = own(arriving(flow.fixed, flow.teleport, spread, v) + total)


@parallel_kernel
def finish(flow, at, cuts, numbers):
    """Compute the dangling vertices of the kept ranks `at`, which rounds leave out."""
    spread, ends = spread_of(numbers), flow.ends
    for p in prange(np.uint64(cuts.size - 1)):
        finish_piece(flow, spread, at, ends[p], cuts[p + U1])


@kernel
def play(flow, cuts, numbers, marks, enough, done, stop):
    """Rounds, at most one for each row of `done`, until one is small enough; how many.

    `enough` holds the sum and the largest of changes that are. Rows of `done` get both of a round.
    """
    sums, damping = np.empty((cuts.size - 1, 3)), numbers[DAMPING]
    if marks[HELD] == U0:
        restart(flow, marks[AT], cuts, numbers, sums)
        marks[HELD] = U1
    for r in range(np.uint64(done.shape[0])):
        if not going(stop):
            return r
        at = marks[AT]
        new = (at + U1) % KEPT
        change, largest, drift = sweep(flow, at, new, cuts, numbers, sums)
        done[r, 0], done[r, 1] = damping * change + drift, largest
        marks[AT], marks[HELD], marks[SINCE] = new, min(marks[HELD] + U1, KEPT), marks[SINCE] + U1
        if done[r, 0] <= enough[0] and done[r, 1] <= enough[1]:
            return r + U1
        soon = done[r, 0] * change <= enough[0] * numbers[LAST]  # as the last round did, the next would be the last
        numbers[LAST] = change
        if marks[CHECK] and change > numbers[BEFORE]:  # the combination was no gain: go on from the ranks before it
            marks[AT], marks[HELD], marks[SINCE], marks[CHECK] = (at + KEPT - U1) % KEPT, U1, U0, U0
            marks[WAIT] += marks[WAIT]
            restart(flow, marks[AT], cuts, numbers, sums)
        elif marks[SINCE] >= marks[WAIT] and not soon:
            steps = min(marks[HELD], KEPT) - U1
            marks[CHECK], marks[SINCE], marks[WAIT] = U0, U0, max(marks[WAIT], KEPT - U1)
            if combine(flow.past, new, steps, cuts, not marks[SIGNED]):
                marks[AT], marks[HELD], marks[CHECK] = (new + U1) % KEPT, U1, U1
                restart(flow, marks[AT], cuts, numbers, sums)
                numbers[BEFORE] = change
        else:
            marks[CHECK] = U0
    return np.uint64(done.shape[0])
