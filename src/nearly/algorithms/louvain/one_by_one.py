"""Louvain's rounds by one worker: vertices look around one after the other, and the next one sees the move.

Nothing is decided from what is no longer true, so fewer vertices need to look again, no two swap, and there are neither
turns to wait for nor atomics: on graphs of some millions of arcs one worker is done before two that take turns (see
`rounds`), which are for larger ones.

The vertices of the first round come in blocks of neighbouring numbers, which is kind to caches where they are near each
other in the graph, too. Within a block they are shuffled, in steps from a place drawn by lot: if each came after the
one before it, all vertices of a long graph would join the first, one by one. And hubs come last: they find communities
when they choose, and none forms around a hub because it was first. Later rounds are what neighbours woke.

A vertex notes its margin when it looks around, as in `rounds`, and moves of neighbours use it up. A vertex that still
waits in line is left as it is: it will see everything. What communities around a vertex sum up to and weigh is kept in
pairs (see `paired`). Where communities are known when a phase begins, all workers
first find the vertices that would leave theirs, and only these line up. Whether that is worth it a sample of the
vertices tells (`hoped_for`).
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.algorithms.louvain.kernels import BATCH, Scratch, best_around, weigh_around, weigh_hashed
from nearly.algorithms.louvain.paired import WEIGHT, best_paired, fill_pairs, weigh_paired
from nearly.algorithms.louvain.rounds import (
    CURSOR,
    GAINED,
    GONE,
    LOOKED,
    MOST,
    MOVED,
    ONE,
    VISITED,
    WAITING,
    is_out,
)
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import inner_kernel, kernel, parallel_kernel
from nearly.base.random import draw
from nearly.base.unsigned import U0, U1

HUB = np.uint64(16)  # times the mean degree: vertices of more come last
BLOCK, STRIDE = np.uint64(64), np.uint64(37)  # how many vertices are shuffled, and by which steps


@inner_kernel
def line_up_hubs_last(rows, awake, lot, line):
    """The vertices that are awake and have arcs, block by block, hubs behind the others; returns how many."""
    n, arcs = np.uint64(rows.starts.size), U0
    for v in range(n):
        arcs += rows.ends[v] - rows.starts[v]
    most = HUB * arcs // max(n, U1)
    count, hubs = U0, n
    for block in range(U0, n, BLOCK):
        begin = draw(lot, block)
        for i in range(BLOCK):
            v = block + ((begin + i * STRIDE) & (BLOCK - U1))
            if v < n and awake[v]:
                degree = rows.ends[v] - rows.starts[v]
                awake[v] = degree > U0
                if degree > most:
                    hubs -= U1
                    line[hubs] = v
                elif degree > U0:
                    line[count] = v
                    count += U1
    for i in range(hubs, n):
        line[count + i - hubs] = line[i]
    return count + n - hubs


@inner_kernel
def wants_to_move(rows, state, rule, turn, scratch, low, high):
    """Which vertices from low to high would join another community; all note their margins, and those awake."""
    label, awake, margin = state.label, state.awake, state.margin
    for v in range(low, high):
        own, arcs = np.uint64(label[v]), rows.ends[v] - rows.starts[v]
        met, mine = weigh_around(rows, label, v, own, scratch, U0, arcs)
        best, _, lead = best_around(state, rule, turn, own, np.float64(rows.strength[v]), mine, scratch, met)
        lead *= rule.scale
        margin[v] = np.int64(lead if lead < MOST else MOST)
        awake[v] = best != own


@kernel
def hoped_for(rows, state, rule, turn, tables, every):
    """What modularity would rise by if all vertices joined what is best for each, judged by one of `every`."""
    label, gain = state.label, 0.0
    scratch = Scratch(tables.sums, tables.used, tables.keys, U0)
    for v in range(U0, np.uint64(label.size), np.uint64(every)):
        own, arcs = np.uint64(label[v]), rows.ends[v] - rows.starts[v]
        met, mine = weigh_around(rows, label, v, own, scratch, U0, arcs)
        _, better, _ = best_around(state, rule, turn, own, np.float64(rows.strength[v]), mine, scratch, met)
        gain += better
    return gain * rule.worth * every


@parallel_kernel
def wake_unhappy(rows, state, rule, turn, tables, workers, stop):
    """Only vertices that would move are awake: where communities are known, they are few, and all workers find them."""
    n = np.uint64(state.label.size)
    counters = tables.counters
    counters[CURSOR] = U0
    for worker in prange(np.uint64(workers)):
        scratch = Scratch(tables.sums, tables.used, tables.keys, worker)
        while True:
            at = fetch_add(counters, CURSOR, BATCH)
            if at >= n or not going(stop):
                break
            wants_to_move(rows, state, rule, turn, scratch, at, min(at + BATCH, n))


@inner_kernel
def move(rows, state, tables, v, new, count, scale):
    """Let v join a community; neighbours elsewhere whose margin that uses up line up behind `count` others."""
    starts, ends, targets, weights = rows.starts, rows.ends, rows.targets, rows.weights
    label, awake, margin, following, pairs = state.label, state.awake, state.margin, tables.movers, tables.pairs
    old, k = np.uint64(label[v]), rows.strength[v]
    label[v] = new
    state.weight[old] -= k
    state.weight[new] += k
    pairs[old, WEIGHT], pairs[new, WEIGHT] = np.float64(state.weight[old]), np.float64(state.weight[new])
    for e in range(starts[v], ends[v]):
        u = np.uint64(targets[e])
        if not awake[u]:
            c = np.uint64(label[u])
            if c != new:
                w = np.int64(weights[e] * scale) + ONE if weights.size else ONE
                margin[u] -= w + w if c == old else w
                if margin[u] <= 0:
                    awake[u] = True
                    following[count] = u
                    count += U1
    return count


@kernel
def look_hashed(rows, state, rule, turn, v, scratch):
    """What `best_around` returns of v, by a hash map; apart, so that the loop around it stays small."""
    own, arcs = np.uint64(state.label[v]), rows.ends[v] - rows.starts[v]
    met, mine = weigh_hashed(rows, state.label, v, own, scratch, U0, arcs)
    return best_around(state, rule, turn, own, np.float64(rows.strength[v]), mine, scratch, met)


@kernel
def play_alone(phase, first, least, did, low, high, stop):
    """As `play_rounds`, by one worker, for the rows from low to high; the turn has no classes.

    The line is kept between calls.
    """
    rows, state, rule, turn, tables, _, _ = phase
    line, following, pairs, hashed = tables.line, tables.movers, tables.pairs, tables.keys.size > 0
    label, awake, margin, moved_in = state.label, state.awake, state.margin, state.moved_in
    scratch, used = Scratch(tables.sums, tables.used, tables.keys, U0), np.empty(label.size + 1, label.dtype)
    waiting = tables.counters[WAITING]
    if first == U1:
        waiting = line_up_hubs_last(rows, awake, turn.lot, line)
        fill_pairs(state.weight, pairs)
    for r in range(low, high):
        now = first + r - low
        lot = draw(turn.lot, now)
        looked, edges, moved, gain, count = U0, U0, U0, 0.0, U0
        for i in range(waiting):
            v = np.uint64(line[i])
            own, k = np.uint64(label[v]), np.float64(rows.strength[v])
            awake[v] = False
            if is_out(rule, lot, now, moved_in[v], v):
                moved_in[v] = GONE
                continue
            if not going(stop):
                break
            arcs = rows.ends[v] - rows.starts[v]
            looked += U1
            edges += arcs
            if hashed:
                best, better, lead = look_hashed(rows, state, rule, turn, v, scratch)
            else:
                met, mine = weigh_paired(rows, label, v, own, pairs, used)
                best, better, lead = best_paired(pairs, rule, own, k, mine, used, met)
            lead *= rule.scale
            margin[v] = np.int64(lead if lead < MOST else MOST)
            if best != own:
                moved += U1
                gain += better
                moved_in[v] = np.uint8(now)
                count = move(rows, state, tables, v, best, count, rule.scale)
        for i in range(count):
            line[i] = following[i]
        waiting = tables.counters[WAITING] = count
        did[r, LOOKED], did[r, VISITED], did[r, MOVED], did[r, GAINED] = looked, edges, moved, gain * rule.worth
        if did[r, GAINED] <= least or not going(stop):
            return r + U1 - low
    return high - low
