"""Searches that bound the closeness of all vertices they reach: for long graphs, where few of them leave few vertices.

Let s have h(j) vertices at distance j, and v be one at distance i. By the triangle inequality v is at least j - i away
from a vertex at distance j, and in an undirected graph at least i - j as well: of all its distances, only those to its
neighbours are below 2. The sum over all vertices is the same for all v of a level but for their arcs, so that a search
bounds every vertex for a few operations each (the level bound of Bergamini, Borassi, Crescenzi, Marino, Meyerhenke
2019). A vertex whose mean distance is longer than the k-th best by x hops leaves out about all within x hops of it;
in a road network or a mesh that is most vertices, after some hundred searches.

It is about vertices that reach the same ones as s: in an undirected graph its part, in a directed one the vertices that
are known to reach as many (`reach_bounds`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, light_kernel, parallel_kernel
from nearly.base.memory import require
from nearly.base.unsigned import U0, U1
from nearly.engine.row_pieces import cursor
from nearly.engine.run import Run
from nearly.graph.csr import Graph

U2 = np.uint64(2)


class Desk(NamedTuple):
    """What a worker searches with, and what it knows of all vertices."""

    stamp: np.ndarray  # uint32[n]: one more than the last vertex that was searched from and saw it
    queue: np.ndarray  # uint32[n]
    starts: np.ndarray  # uint32[n + 2]: where each level begins in the queue
    least: np.ndarray  # uint64[n]: the distances of a vertex add up to at least this


class Wave(NamedTuple):
    """What is searched, and what comes out."""

    vertices: np.ndarray  # uint32: to search from; each is `alike`
    alike: np.ndarray  # bool[n]: vertices that reach the same ones where one of them reaches another
    both_ways: bool  # whether distances are the same in both directions
    totals: np.ndarray  # uint64: the sum of the distances from each of `vertices`


@light_kernel
def search(offsets, targets, stamp, queue, starts, v):
    """All vertices that v reaches, level by level; (levels, sum of the distances)."""
    now = np.uint32(v + U1)
    stamp[v], queue[0], starts[0] = now, v, U0
    begin, end, level, total = U0, U1, U0, U0
    while begin < end:
        level += U1
        starts[level] = end
        fill = end
        for i in range(begin, end):
            u = np.uint64(queue[i])
            for e in range(offsets[u], offsets[u + U1]):
                w = np.uint64(targets[e])
                if stamp[w] != now:
                    stamp[w] = now
                    queue[fill] = w
                    fill += U1
        total += level * (fill - end)
        begin, end = end, fill
    return level, total


@light_kernel
def bound_levels(offsets, desk, levels, total, alike, both_ways):
    """Raise what is known of the vertices in the queue."""
    _, queue, starts, least = desk
    size, beyond, before = np.uint64(starts[levels]), total, U0  # sums of distances to later and to earlier levels
    for level in range(levels):
        first, after = np.uint64(starts[level]), np.uint64(starts[level + U1])
        last = np.uint64(starts[level + U2]) if level + U1 < levels else after
        previous = np.uint64(starts[level - U1]) if level > U0 else U0
        sure = beyond + (last - after) + U2 * (after - first - U1)
        sure += before + (first - previous) if both_ways else U2 * first
        for i in range(first, after):
            w = np.uint64(queue[i])
            arcs = offsets[w + U1] - offsets[w]
            if alike[w] and sure > least[w] + arcs:
                least[w] = sure - arcs
        beyond -= size - after
        before += after


@kernel
def some_searches(offsets, targets, desk, wave, cursor, stop):
    """Vertices one after the other, as long as there are any."""
    i = fetch_add(cursor, U0, U1)
    while i < np.uint64(wave.vertices.size) and going(stop):
        v = np.uint64(wave.vertices[i])
        levels, total = search(offsets, targets, desk.stamp, desk.queue, desk.starts, v)
        bound_levels(offsets, desk, levels, total, wave.alike, wave.both_ways)
        wave.totals[i] = total
        i = fetch_add(cursor, U0, U1)
    return U0


@parallel_kernel
def all_searches(offsets, targets, desks, wave, cursor, stop):
    """Every worker takes vertices; `desks` has a row for each."""
    workers = desks.stamp.shape[0]
    done = np.zeros(workers, np.uint64)
    for w in prange(workers):
        desk = Desk(desks.stamp[w], desks.queue[w], desks.starts[w], desks.least[w])
        done[w] = some_searches(offsets, targets, desk, wave, cursor, stop)


class LevelBounds:
    """What the searches so far tell of all vertices.

    Parameters
    ----------
    run : the threads and the stop flag.
    back : the graph to search, along its arcs.
    alike : bool[n], vertices that reach the same ones where one of them reaches another.
    """

    def __init__(self, run: Run, back: Graph, alike: np.ndarray) -> None:
        require(20 * run.threads * back.n, "searches that bound the closeness of all vertices")
        self.run, self.back, self.alike = run, back, alike
        words = [np.zeros((run.threads, back.n + more), np.uint32) for more in (0, 0, 2)]
        self._desks = Desk._make([*words, np.zeros((run.threads, back.n), np.uint64)])

    def search(self, vertices: np.ndarray) -> np.ndarray:
        """Sums of the distances from some vertices, each of them alike."""
        run, back = self.run, self.back
        wave = Wave(vertices.astype(np.uint32), self.alike, not back.directed, np.zeros(vertices.size, np.uint64))
        work = (back.n + back.m) * vertices.size
        run.launch(all_searches, *back.rows[:2], self._desks, wave, cursor(), run.stop, work=work)
        return wave.totals

    @property
    def least(self) -> np.ndarray:
        """uint64[n]: the distances of each vertex add up to at least this."""
        return self._desks.least.max(axis=0)
