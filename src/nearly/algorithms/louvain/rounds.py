"""Louvain's rounds: vertices line up by turns, those of a turn choose, then join, then wake whom that concerns.

Strengths are whole numbers (see `louvain_level`), so that what communities weigh may be added up atomically, in any
order, with one outcome. All decisions of a turn are made from what was true before it: the number of threads does
not show. A vertex that looks around notes its margin, by how much its community is better than the next best; moves of
neighbours use it up, and when nothing is left the vertex looks again. (That communities grow or shrink elsewhere is not
told to anybody: it matters little, and the next phase begins anew.)
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.algorithms.louvain.kernels import BATCH, FINE, Turn, best_around, best_inside, turn_of, weigh_around
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


@kernel(_nrt=False)
def looks(rows, state, rule, turn, v, now):
    """Whether v looks around in this round; who has not moved for long may be out for good, by chance."""
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
def look_around(rows, state, rule, turn, line, low, high, sums, used, movers, counters):
    """`propose` for the places from low to high of the line."""
    starts, ends, targets, weights, strength = rows
    label, weight, size, margin, within = state.label, state.weight, state.size, state.margin, state.within
    edges, gain = U0, U0
    for i in range(low, high):
        v = np.uint64(line[i])
        own, k = np.uint64(label[v]), np.float64(strength[v])
        if within.size and size[own] > 1:
            continue
        edges += ends[v] - starts[v]
        count, mine = weigh_around(targets, weights, starts[v], ends[v], label, v, own, sums, used, U0)
        if within.size:
            best, better, lead = best_inside(state, rule, turn, own, k, sums, used, count)
        else:
            best, better, lead = best_around(weight, size, own, k, mine, rule.factor, rule.slack, sums, used, count)
        margin[v] = np.int64(min(lead * rule.scale, MOST))
        if best != own:
            gain += np.uint64(better * rule.fine)
            state.wish[v] = best
            movers[fetch_add(counters, MOVERS, U1)] = v
    fetch_add(counters, EDGES, edges)
    fetch_add(counters, GAIN, gain)


@kernel
def propose(rows, state, rule, turn, low, high, tables, counters, workers, stop):
    """What community each vertex of this turn would join; `movers` lists those who would move."""
    counters[CURSOR] = low
    counters[MOVERS] = U0
    if high - low < FEW:
        look_around(
            rows, state, rule, turn, tables.line, low, high, tables.sums[0], tables.used[0], tables.movers, counters
        )
    else:
        propose_together(rows, state, rule, turn, high, tables, counters, workers, stop)


@parallel_kernel
def propose_together(rows, state, rule, turn, high, tables, counters, workers, stop):
    """`propose` by all workers."""
    for worker in prange(workers):
        sums, used = tables.sums[worker], tables.used[worker]
        at = fetch_add(counters, CURSOR, BATCH)
        while at < high and going(stop):
            end = min(at + BATCH, high)
            look_around(rows, state, rule, turn, tables.line, at, end, sums, used, tables.movers, counters)
            at = fetch_add(counters, CURSOR, BATCH)


@kernel(_nrt=False)
def join(rows, state, movers, low, high, now):
    """Let vertices join the communities they wish, and note where they come from instead."""
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
    """Wake neighbours in other communities of those who have moved: all, or (`scale` above 0) who may want to move too.

    Every neighbour that leaves one's community, or joins another, shrinks one's margin by the weight of the arc.
    """
    starts, ends, targets, weights, _ = rows
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


@kernel
def adopt(rows, state, now, scale, movers, counters, workers):
    """All who wish to move do; when all have, they wake their neighbours."""
    size = counters[MOVERS]
    if size < FEW:
        join(rows, state, movers, U0, size, now)
        wake(rows, state, movers, U0, size, scale)
    else:
        adopt_together(rows, state, now, scale, movers, size, counters, workers)


@parallel_kernel
def adopt_together(rows, state, now, scale, movers, size, counters, workers):
    """`adopt` by all workers."""
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
def play_rounds(rows, state, rule, turn, first, least, tables, did, workers, stop):
    """Rounds, at most one for each row of `did`, until one gains no more than `least`; returns how many.

    `first` is the number of the first, from 1; each draws its own lots.
    """
    counters, bounds = np.zeros(4, np.uint64), np.zeros(turn.classes + U1, np.uint64)
    for r in range(did.shape[0]):
        now = first + np.uint64(r)
        drawn = Turn(turn.given, draw(turn.lot, now), turn.classes)
        line_up(rows, state, rule, drawn, now, tables.line, bounds)
        counters[:] = U0
        moved = U0
        scale = 0.0 if now <= UNSETTLED or state.within.size else rule.scale
        for t in range(turn.classes):
            if bounds[t] < bounds[t + U1]:
                propose(rows, state, rule, drawn, bounds[t], bounds[t + U1], tables, counters, workers, stop)
                adopt(rows, state, np.uint8(now), scale, tables.movers, counters, workers)
                moved += counters[MOVERS]
        did[r, LOOKED], did[r, VISITED] = bounds[turn.classes], counters[EDGES]
        did[r, MOVED], did[r, GAINED] = moved, np.float64(counters[GAIN]) / FINE
        if did[r, GAINED] <= least or not going(stop):
            return r + 1
    return did.shape[0]
