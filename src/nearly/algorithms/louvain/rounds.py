"""Louvain's rounds: vertices line up by turns; those of a turn choose, then join, then wake their neighbours.

Strengths are whole numbers (see `level`), so that what communities weigh may be added up atomically, in any
order, with one outcome. All decisions of a turn are made from what was true before it: the number of threads does
not show. A vertex that looks around notes its margin: by how much its community is better than the next best. Moves of
neighbours use the margin up, and when nothing is left the vertex looks again. (Communities that grow or shrink
elsewhere wake no vertex: it matters little, and the next phase begins anew.)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.louvain.kernels import (
    BATCH,
    FINE,
    Turn,
    best_around,
    best_inside,
    scratch_of,
    turn_of,
    weigh_around,
)
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.random import draw, uniform
from nearly.base.unsigned import U0, U1, piece_bounds
from nearly.engine.primitives import pieces_for

CURSOR, MOVERS, EDGES, GAIN = (np.uint64(i) for i in range(4))
LOOKED, VISITED, MOVED, GAINED = range(4)  # what is known of a round afterwards
FEW = np.uint64(128)  # vertices that one worker has done before others would have begun
GONE = np.uint8(255)  # instead of the round of the last move: out until the phase ends
ONE = np.int64(1)
MOST = 2.0**62  # a margin that is never used up
UNSETTLED = np.uint64(2)  # rounds of a phase in which nearly all move, so that margins are not worth keeping
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # makes another lot of a lot


class Phase(NamedTuple):
    """All that rounds work with, as in `kernels`. A nested tuple, so no kernel with a `prange` takes it."""

    rows: Any
    state: Any
    rule: Any
    turn: Any
    tables: Any


@kernel(_nrt=False)
def looks(rows, state, rule, turn, v, now):
    """Whether v looks around in this round; a vertex that has not moved for long may be out for good, by chance."""
    if not state.awake[v] or rows.ends[v] == rows.starts[v] or state.moved_in[v] == GONE:
        return False
    idle = now - np.uint64(state.moved_in[v]) > rule.patience
    if idle and rule.chance > 0.0 and uniform(draw(turn.lot ^ GOLDEN, v)) < rule.chance:
        state.moved_in[v] = GONE
        return False
    return True


@kernel(_nrt=False)
def count_turns(rows, state, rule, turn, now, low, high, places):
    """How many of the vertices from low to high look around in each turn; the others fall asleep."""
    for v in range(low, high):
        state.awake[v] = looks(rows, state, rule, turn, v, now)
        if state.awake[v]:
            places[turn_of(turn, v)] += U1


@kernel(_nrt=False)
def take_places(state, turn, low, high, places, line):
    """Put those of the vertices from low to high that look around into the line; they fall asleep."""
    for v in range(low, high):
        if state.awake[v]:
            state.awake[v] = False
            t = turn_of(turn, v)
            line[places[t]] = v
            places[t] += U1


@parallel_kernel
def line_up(rows, state, rule, turn, now, line, bounds):
    """The vertices that look around in this round, by turns and in ascending order within one."""
    n = np.uint64(state.awake.size)
    pieces = pieces_for(n)
    places = np.zeros((pieces, bounds.size - 1), np.uint64)
    for p in prange(pieces):
        low, high = piece_bounds(n, p, pieces)
        count_turns(rows, state, rule, turn, now, low, high, places[p])
    at = U0
    for t in range(bounds.size - 1):
        bounds[t] = at
        for p in range(pieces):
            count = places[p, t]
            places[p, t] = at
            at += count
    bounds[bounds.size - 1] = at
    for p in prange(pieces):
        low, high = piece_bounds(n, p, pieces)
        take_places(state, turn, low, high, places[p], line)


@kernel(_nrt=False)
def look_around(rows, state, rule, turn, tables, scratch, low, high):
    """What community each vertex at the places low to high of the line would join; `movers` lists those that move."""
    label, size, margin, within = state.label, state.size, state.margin, state.within
    counters, edges, gain = tables.counters, U0, U0
    for i in range(low, high):
        v = np.uint64(tables.line[i])
        own, k = np.uint64(label[v]), np.float64(rows.strength[v])
        if within.size and size[own] > 1:
            continue
        edges += rows.ends[v] - rows.starts[v]
        count, mine = weigh_around(rows, label, v, own, scratch, U0)
        if within.size:
            best, better, lead = best_inside(state, rule, turn, own, k, scratch, count)
        else:
            best, better, lead = best_around(state, rule, own, k, mine, scratch, count)
        margin[v] = np.int64(min(lead * rule.scale, MOST))
        if best != own:
            gain += np.uint64(better * rule.fine)
            state.wish[v] = best
            tables.movers[fetch_add(counters, MOVERS, U1)] = v
    fetch_add(counters, EDGES, edges)
    fetch_add(counters, GAIN, gain)


@parallel_kernel
def look_together(rows, state, rule, turn, tables, high, workers, stop):
    """`look_around` by all workers, for the places from the cursor to high."""
    counters = tables.counters
    for worker in prange(workers):
        scratch = scratch_of(tables, worker)
        at = fetch_add(counters, CURSOR, BATCH)
        while at < high and going(stop):
            look_around(rows, state, rule, turn, tables, scratch, at, min(at + BATCH, high))
            at = fetch_add(counters, CURSOR, BATCH)


@kernel(_nrt=False)
def join(rows, state, movers, low, high, now):
    """Let vertices join the communities they wish; `wish` becomes the community they come from."""
    for i in range(low, high):
        v = np.uint64(movers[i])
        old, new, k = state.label[v], state.wish[v], rows.strength[v]
        state.label[v], state.wish[v] = new, old
        state.moved_in[v] = now
        fetch_add(state.weight, old, -k)
        fetch_add(state.weight, new, k)
        fetch_add(state.size, old, -ONE)
        fetch_add(state.size, new, ONE)


@kernel(_nrt=False)
def wake(rows, state, movers, low, high, scale):
    """Wake neighbours, in other communities, of vertices that have moved.

    With `scale` above 0 only those wake that may want to move too: a neighbour that leaves one's community, or joins
    another, shrinks one's margin by the weight of the arc.
    """
    starts, ends, targets, weights = rows.starts, rows.ends, rows.targets, rows.weights
    label, awake, margin = state.label, state.awake, state.margin
    for i in range(low, high):
        v = np.uint64(movers[i])
        new, old = label[v], state.wish[v]
        for e in range(starts[v], ends[v]):
            u = np.uint64(targets[e])
            if label[u] != new:
                if scale > 0.0:
                    w = np.int64(weights[e] * scale) + ONE if weights.size else ONE
                    loss = w + w if label[u] == old else w
                    if fetch_add(margin, u, -loss) > loss:
                        continue
                awake[u] = True


@parallel_kernel
def adopt_together(rows, state, tables, now, scale, workers):
    """`adopt` by all workers."""
    movers, counters = tables.movers, tables.counters
    size = counters[MOVERS]
    counters[CURSOR] = U0
    for _ in prange(workers):
        at = fetch_add(counters, CURSOR, BATCH)
        while at < size:
            join(rows, state, movers, at, min(at + BATCH, size), now)
            at = fetch_add(counters, CURSOR, BATCH)
    counters[CURSOR] = U0
    for _ in prange(workers):
        at = fetch_add(counters, CURSOR, BATCH)
        while at < size:
            wake(rows, state, movers, at, min(at + BATCH, size), scale)
            at = fetch_add(counters, CURSOR, BATCH)


@kernel
def adopt(rows, state, tables, now, scale, workers):
    """All vertices that wish to move do; when all have, they wake their neighbours."""
    size = tables.counters[MOVERS]
    if size < FEW:
        join(rows, state, tables.movers, U0, size, now)
        wake(rows, state, tables.movers, U0, size, scale)
    else:
        adopt_together(rows, state, tables, now, scale, workers)


@kernel
def play_rounds(phase, first, least, did, workers, stop):
    """Rounds, at most one for each row of `did`, until one gains no more than `least`; returns how many.

    `first` is the number of the first, from 1; each draws its own lots.
    """
    rows, state, rule, turn, tables = phase
    counters, bounds, alone = tables.counters, np.zeros(turn.classes + U1, np.uint64), scratch_of(tables, 0)
    for r in range(did.shape[0]):
        now = first + np.uint64(r)
        drawn = Turn(turn.given, draw(turn.lot, now), turn.classes)
        line_up(rows, state, rule, drawn, now, tables.line, bounds)
        counters[:] = U0
        moved = U0
        scale = 0.0 if now <= UNSETTLED or state.within.size else rule.scale
        for t in range(turn.classes):
            low, high = bounds[t], bounds[t + U1]
            if low < high:
                counters[CURSOR], counters[MOVERS] = low, U0
                if high - low < FEW:
                    look_around(rows, state, rule, drawn, tables, alone, low, high)
                else:
                    look_together(rows, state, rule, drawn, tables, high, workers, stop)
                adopt(rows, state, tables, np.uint8(now), scale, workers)
                moved += counters[MOVERS]
        did[r, LOOKED], did[r, VISITED] = bounds[turn.classes], counters[EDGES]
        did[r, MOVED], did[r, GAINED] = moved, np.float64(counters[GAIN]) / FINE
        if did[r, GAINED] <= least or not going(stop):
            return r + 1
    return did.shape[0]
