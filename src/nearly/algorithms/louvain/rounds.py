"""Louvain's rounds: vertices line up by turns; those of a turn choose, then join, then wake their neighbours.

Strengths are whole numbers (see `level`), so that what communities weigh may be added up atomically, in any
order, with one outcome. All decisions of a turn are made from what was true before it: the number of threads does
not show. A vertex that looks around notes its margin: by how much its community is better than the next best. Moves of
neighbours use the margin up, and when nothing is left the vertex looks again. (Communities that grow or shrink
elsewhere wake no vertex: it matters little, and the next phase begins anew.) Where a rule says so, everyone looks
around in every round, as in Grappolo.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.louvain.kernels import BATCH, FINE, Scratch, Turn, best_around, turn_of, weigh_around
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import ALONE, inner_kernel, kernel, parallel_kernel
from nearly.base.random import draw, uniform
from nearly.base.unsigned import U0, U1, piece_bounds

CURSOR, EDGES, GAIN, WAITING = (np.uint64(i) for i in range(4))  # counters; WAITING: see `one_by_one`
LOOKED, VISITED, MOVED, GAINED = range(4)  # what is known of a round afterwards
FEW = np.uint64(128)  # vertices that one worker has done before others would have begun
UNCUT = 1 << 14  # vertices that line up in one piece
GONE = np.uint8(255)  # instead of the round of the last move: out until the phase ends
ONE = np.int64(1)
MOST = 2.0**62  # a margin that is never used up
SHARES = np.uint64(16)  # into which workers cut a stretch of the line at least
WAKE_NONE = -1.0  # where all vertices look around anyway
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # makes another lot of a lot


class Phase(NamedTuple):
    """All that rounds work with, as in `kernels`. A nested tuple, so no kernel with a `prange` takes it."""

    rows: Any
    state: Any
    rule: Any
    turn: Any
    tables: Any
    bounds: Any  # uint64[classes + 1], where each turn begins in the line
    places: Any  # uint64[pieces, classes], where the next vertex of a piece and turn stands in it


@inner_kernel
def is_out(rule, lot, now, moved_in, v):
    """Whether a vertex is left out until the phase ends: it was before, or has not moved for long, and by chance."""
    idle = rule.chance > 0.0 and moved_in <= now and now - np.uint64(moved_in) > rule.patience
    return moved_in == GONE or (idle and uniform(draw(lot ^ GOLDEN, v)) < rule.chance)


@inner_kernel
def count_turns(rows, state, rule, turn, now, places, p, pieces):
    """How many vertices of piece p look around in each turn; the others fall asleep.

    A vertex that has not moved for long may be out for good, by chance.
    """
    starts, ends, awake, moved_in = rows.starts, rows.ends, state.awake, state.moved_in
    low, high = piece_bounds(awake.size, p, pieces)
    for t in range(turn.classes):
        places[p, t] = U0
    for v in range(low, high):
        if rule.everyone or awake[v]:
            looks = ends[v] > starts[v]
            if looks and is_out(rule, turn.lot, now, moved_in[v], v):
                moved_in[v] = GONE
                looks = False
            awake[v] = looks
            if looks:
                places[p, turn_of(turn, v)] += U1


@inner_kernel
def take_places(awake, turn, places, line, p, pieces):
    """Put the vertices of piece p that look around into the line."""
    low, high = piece_bounds(awake.size, p, pieces)
    for v in range(low, high):
        if awake[v]:
            t = turn_of(turn, v)
            line[places[p, t]] = v
            places[p, t] += U1


@parallel_kernel(no_cpython_wrapper=True)
def line_up(rows, state, rule, turn, now, line, bounds, places):
    """The vertices that look around in this round, by turns and in ascending order within one."""
    awake = state.awake
    pieces = U1 if awake.size < UNCUT else np.uint64(places.shape[0])
    for p in prange(pieces):
        count_turns(rows, state, rule, turn, now, places, p, pieces)
    at = U0
    for t in range(turn.classes):
        bounds[t] = at
        for p in range(pieces):
            count = places[p, t]
            places[p, t] = at
            at += count
    bounds[turn.classes] = at
    for p in prange(pieces):
        take_places(awake, turn, places, line, p, pieces)


@inner_kernel
def look_around(rows, state, rule, turn, tables, scratch, low, high):
    """What community each vertex at the places low to high of the line would join, and its margin."""
    label, margin, awake = state.label, state.margin, state.awake
    counters, edges, gain = tables.counters, U0, U0
    for i in range(low, high):
        v = np.uint64(tables.line[i])
        own, k = np.uint64(label[v]), np.float64(rows.strength[v])
        awake[v] = False
        state.wish[v] = own
        arcs = rows.ends[v] - rows.starts[v]
        edges += arcs
        count, mine = weigh_around(rows, label, v, own, scratch, U0, arcs)
        best, better, lead = best_around(state, rule, turn, own, k, mine, scratch, count)
        lead *= rule.scale
        margin[v] = np.int64(lead if lead < MOST else MOST)
        if best != own:
            gain += np.uint64(better * rule.worth * FINE)
            state.wish[v] = best
    fetch_add(counters, EDGES, edges)
    fetch_add(counters, GAIN, gain)


@inner_kernel
def batch_of(low, high):
    """How many places of a stretch of the line a worker takes at once: few where the stretch is short."""
    batch = (high - low) // SHARES
    return min(max(batch, U1), BATCH)


@parallel_kernel(no_cpython_wrapper=True)
def look_together(rows, state, rule, turn, tables, high, workers, stop):
    """`look_around` for the places from the cursor to high, by all workers if they are many."""
    counters = tables.counters
    low = counters[CURSOR]
    if ALONE or high - low < FEW:
        look_around(rows, state, rule, turn, tables, Scratch(tables.sums, tables.used, tables.keys, U0), low, high)
        return
    batch = batch_of(low, high)
    for worker in prange(np.uint64(workers)):
        scratch = Scratch(tables.sums, tables.used, tables.keys, worker)
        while True:
            at = fetch_add(counters, CURSOR, batch)
            if at >= high or not going(stop):
                break
            look_around(rows, state, rule, turn, tables, scratch, at, min(at + batch, high))


@inner_kernel
def join(rows, state, line, low, high, now):
    """Let vertices join the communities they wish; `wish` becomes the community they come from. How many moved."""
    label, wish, weight, size, moved = state.label, state.wish, state.weight, state.size, U0
    for i in range(low, high):
        v = np.uint64(line[i])
        old, new = np.uint64(label[v]), np.uint64(wish[v])
        if old != new:
            k = rows.strength[v]
            label[v], wish[v] = new, old
            state.moved_in[v] = now
            weight[old] -= k
            weight[new] += k
            size[old] -= ONE
            size[new] += ONE
            moved += U1
    return moved


@inner_kernel
def wake(rows, state, line, low, high, scale):
    """Wake neighbours, in other communities, of the vertices at the places low to high that have moved.

    Only those wake that may want to move too: a neighbour that leaves one's community, or joins another, shrinks one's
    margin by the weight of the arc.
    """
    starts, ends, targets, weights = rows.starts, rows.ends, rows.targets, rows.weights
    label, awake, margin = state.label, state.awake, state.margin
    for i in range(low, high):
        v = np.uint64(line[i])
        new, old = label[v], state.wish[v]
        if new == old:
            continue
        for e in range(starts[v], ends[v]):
            u = np.uint64(targets[e])
            if not awake[u] and label[u] != new:
                w = np.int64(weights[e] * scale) + ONE if weights.size else ONE
                loss = w + w if label[u] == old else w
                if fetch_add(margin, u, -loss) <= loss:
                    awake[u] = True


@parallel_kernel(no_cpython_wrapper=True)
def wake_together(rows, state, tables, low, high, scale, workers):
    """`wake` for the places from low to high, by all workers if they are many."""
    line, counters = tables.line, tables.counters
    if ALONE or high - low < FEW:
        wake(rows, state, line, low, high, scale)
        return
    counters[CURSOR], batch = low, batch_of(low, high)
    for _ in prange(workers):
        while True:
            at = fetch_add(counters, CURSOR, batch)
            if at >= high:
                break
            wake(rows, state, line, at, min(at + batch, high), scale)


@kernel
def take_turn(phase, turn, low, high, now, scale, workers, stop):
    """The vertices at the places low to high choose together, then join, then wake others; how many have moved."""
    rows, state, rule, _, tables, _, _ = phase
    tables.counters[CURSOR] = low
    look_together(rows, state, rule, turn, tables, high, workers, stop)
    moved = join(rows, state, tables.line, low, high, np.uint8(now))
    if moved and scale >= 0.0:
        wake_together(rows, state, tables, low, high, scale, workers)
    return moved


@kernel
def play_rounds(phase, first, least, did, workers, stop):
    """Rounds, at most one for each row of `did`, until one gains no more than `least`; returns how many.

    `first` is the number of the first, from 1; each draws its own lots.
    """
    rows, state, rule, turn, tables, bounds, places = phase
    counters = tables.counters
    for r in range(did.shape[0]):
        now = first + np.uint64(r)
        drawn = Turn(turn.given, draw(turn.lot, now), turn.classes)
        line_up(rows, state, rule, drawn, now, tables.line, bounds, places)
        counters[EDGES] = counters[GAIN] = U0
        moved = U0
        scale = WAKE_NONE if rule.everyone else rule.scale
        for t in range(turn.classes):
            if bounds[t] < bounds[t + U1]:
                moved += take_turn(phase, drawn, bounds[t], bounds[t + U1], now, scale, workers, stop)
        did[r, LOOKED], did[r, VISITED] = bounds[turn.classes], counters[EDGES]
        did[r, MOVED], did[r, GAINED] = moved, np.float64(counters[GAIN]) / FINE
        if did[r, GAINED] <= least or not going(stop):
            return r + 1
    return did.shape[0]
