"""Shortest paths over few whole weights, level by level: every arc is visited once, and no queue is ordered.

What: a vertex at level d reaches level d + w over an arc of weight w. The level at which a vertex is reached first is
its distance by rounded weights, and the vertex is settled there for good. It also gets the least true length, by the
weights before rounding, among the ways by which it was settled.

How: rows are sorted by weight beforehand. A settled vertex waits for the level to which its next arcs lead, visits
just those arcs, and waits for the next such level. Levels have waiting rooms: one more than there are weights, used in
turn, and one set of them for each worker. A vertex is in one room at a time.

Why: with few weights, rooms replace the ordered queue of Dijkstra's algorithm. Steps of few vertices run on one
thread, many in one call, because starting threads for each would take longer than the work.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.bfs import UNREACHED
from nearly.algorithms.sssp import Found, SearchGoal
from nearly.base.atomics import atomic_min, exchange, fetch_add, going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.memory import require
from nearly.base.unsigned import U0, U1
from nearly.engine.functor import functor
from nearly.engine.row_pieces import row_cuts
from nearly.engine.run import Did, Run
from nearly.engine.transform.graph_map import NO_ARC, GraphMap
from nearly.graph.csr import Graph

ENOUGH = np.uint64(1 << 23)  # arcs a call visits before control comes back
ALONE = np.uint64(1 << 11)  # up to so many waiting vertices are faster on one thread
BATCH = np.uint64(64)  # vertices that a worker takes at a time
STEP, VISITED, SETTLED, CURSOR = (np.uint64(i) for i in range(4))  # of `Search.counters`


class ByLevel(NamedTuple):
    """Rows sorted by level."""

    targets: np.ndarray  # vertices[m]
    level: np.ndarray  # uint16[m], the rounded weight, ascending in a row
    length: np.ndarray  # float64[m], the true weight


def by_level(graph: Graph, moved: GraphMap, given: np.ndarray | None) -> ByLevel:
    """The graph's arcs sorted by weight within rows; made once per graph and kept with it."""
    known = graph.__dict__.get("_by_level")
    if known is None:
        targets, weights = graph.arrays.targets, graph.arrays.weights
        true = true_lengths(graph, moved, given)
        require(graph.m * (targets.itemsize + 10), "rows sorted by level")
        known = ByLevel(np.empty_like(targets), np.empty(graph.m, np.uint16), np.empty(graph.m))
        sort_rows(graph.arrays, true, row_cuts(graph), np.uint64(weights.max(initial=0)), known)
        graph.__dict__["_by_level"] = known
    return known


def true_lengths(graph: Graph, moved: GraphMap, given: np.ndarray | None) -> np.ndarray:
    """The weight of each arc before it was rounded (None: 1); an arc that was added is as long as its level."""
    true = np.ones(moved.given.m, np.uint32) if given is None else given
    if moved.arcs is None:
        return true
    own = moved.arcs != NO_ARC
    if own.all():
        return true[moved.arcs]
    lengths = graph.arrays.weights * moved.unit
    lengths[own] = true[moved.arcs[own]]
    return lengths


@parallel_kernel
def sort_rows(rows, true, cuts, most, by_level):
    """Sort every row by weight, stable: by counting, or by insertion where a row has no more arcs than weights.

    `true` holds the arcs' true weights, `most` is the largest rounded one.
    """
    offsets, targets, weights = rows
    out_targets, out_level, out_length = by_level
    for piece in prange(np.uint64(cuts.size - 1)):
        places = np.empty(most + U1 + U1, np.uint64)
        for u in range(cuts[piece], cuts[piece + U1]):
            low, high = offsets[u], offsets[u + U1]
            if high - low > most:
                places[:] = U0
                for e in range(low, high):
                    places[np.uint64(weights[e]) + U1] += U1
                for w in range(most):
                    places[w + U1] += places[w]
                for e in range(low, high):
                    at = low + places[weights[e]]
                    places[weights[e]] += U1
                    out_targets[at], out_level[at], out_length[at] = targets[e], weights[e], true[e]
            else:
                for e in range(low, high):
                    at = e
                    while at > low and out_level[at - U1] > weights[e]:
                        out_targets[at], out_level[at] = out_targets[at - U1], out_level[at - U1]
                        out_length[at] = out_length[at - U1]
                        at -= U1
                    out_targets[at], out_level[at], out_length[at] = targets[e], weights[e], true[e]


def search_levels(run: Run, goal: SearchGoal) -> Found:
    """Whether it came to its end, and the lengths of the ways found by the given weights."""
    graph, n, source = run.graph, run.graph.n, run.map.vertex(goal.source)
    rows, offsets = by_level(graph, run.map, goal.given), graph.arrays.offsets
    rooms = (run.map.levels or 0) + 1  # the one being emptied, and one for each weight
    require(run.threads * rooms * n * graph.arrays.targets.itemsize, "rooms for vertices to wait in")
    level, length, at = np.full(n, UNREACHED, np.uint32), np.full(n, np.inf), offsets[:-1].copy()
    waiting = np.empty((run.threads, rooms, n), graph.arrays.targets.dtype)
    sizes, counters = np.zeros((run.threads, rooms), np.uint64), np.zeros(4, np.uint64)
    level[source], length[source], settled = 0, 0.0, 1
    if offsets[source] < offsets[source + 1]:
        room = rows.level[offsets[source]]
        waiting[0, room, 0], sizes[0, room] = source, 1
    search = Search(offsets, *rows, level, length, at, waiting, sizes, counters)

    def step() -> list[Did] | None:
        nonlocal settled
        if not sizes.any():
            return None
        visited, before = int(counters[VISITED]), settled
        run.launch(settle, search, run.threads, run.stop)
        settled = 1 + int(counters[SETTLED])
        return [Did(settled - before, int(counters[VISITED]) - visited)]

    return Found(run.enact(step), lambda: length)


class Search(NamedTuple):
    """The sorted rows, and how far the search has come."""

    offsets: np.ndarray  # uint64[n + 1], of the rows
    targets: np.ndarray  # this and the next two are `ByLevel`
    level_of: np.ndarray
    length_of: np.ndarray
    level: np.ndarray  # uint32[n], UNREACHED until settled
    length: np.ndarray  # float64[n], the true length of the best way so far
    at: np.ndarray  # uint64[n], the first arc of each vertex not yet visited
    waiting: np.ndarray  # vertices[workers, rooms, n], the waiting rooms
    sizes: np.ndarray  # uint64[workers, rooms], how many vertices are in each
    counters: np.ndarray  # uint64[4]: the level, arcs visited, vertices settled, the workers' cursor


@functor
def visit(search, u, now, mine, sizes):
    """Visit the arcs of u that lead to level `now`; vertices settled by them, and u itself, go to their next rooms."""
    level, length, rooms = search.level, search.length, np.uint64(sizes.size)
    e, end, weight = search.at[u], search.offsets[u + U1], now - np.uint64(level[u])
    settled = U0
    while e < end and np.uint64(search.level_of[e]) == weight:
        v = np.uint64(search.targets[e])
        if np.uint64(level[v]) >= now:
            if level[v] == UNREACHED and exchange(level, v, np.uint32(now)) == UNREACHED:
                settled += U1
                first = search.offsets[v]
                if first < search.offsets[v + U1]:
                    wait(mine, sizes, (now + np.uint64(search.level_of[first])) % rooms, v)
            way = length[u] + search.length_of[e]
            if way < length[v]:
                atomic_min(length, v, way)
        e += U1
    if e < end:
        wait(mine, sizes, (now - weight + np.uint64(search.level_of[e])) % rooms, u)
    visited = e - search.at[u]
    search.at[u] = e
    return visited, settled


@functor
def wait(mine, sizes, room, v):
    """Put v into a room."""
    mine[room, sizes[room]] = v
    sizes[room] += U1


@kernel
def share(search, worker, now, batch):
    """One worker's part of a step: vertices that wait for this level, in all workers' rooms, in batches."""
    counters, room = search.counters, now % np.uint64(search.sizes.shape[1])
    mine, sizes, crew = search.waiting[worker], search.sizes[worker], np.uint64(search.sizes.shape[0])
    visited, settled, owner = U0, U0, U0
    while owner < crew:
        piece, owner = fetch_add(counters, CURSOR, U1), U0  # the cursor counts the batches of all rooms together
        size = search.sizes[owner, room]
        while owner < crew and piece * batch >= size:
            piece -= (size + batch - U1) // batch
            owner += U1
            size = search.sizes[owner, room] if owner < crew else U0
        if owner < crew:
            for i in range(piece * batch, min((piece + U1) * batch, size)):
                arcs, new = visit(search, np.uint64(search.waiting[owner, room, i]), now, mine, sizes)
                visited += arcs
                settled += new
    fetch_add(counters, VISITED, visited)
    fetch_add(counters, SETTLED, settled)


@parallel_kernel
def settle(search, workers, stop):
    """Take steps until no vertex waits or enough arcs were visited."""
    counters, sizes = search.counters, search.sizes
    before, empty, rooms = counters[VISITED], U0, np.uint64(sizes.shape[1])
    while empty < rooms and counters[VISITED] - before < ENOUGH and going(stop):
        counters[STEP] += U1
        now = counters[STEP]
        room, size = now % rooms, U0
        for w in range(np.uint64(sizes.shape[0])):
            size += sizes[w, room]
        empty = U0 if size else empty + U1
        counters[CURSOR] = U0
        if size > ALONE:
            for w in prange(workers):
                share(search, np.uint64(w), now, BATCH)
        elif size:
            share(search, U0, now, ALONE)
        for w in range(np.uint64(sizes.shape[0])):
            sizes[w, room] = U0
