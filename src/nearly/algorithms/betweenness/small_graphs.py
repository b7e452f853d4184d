"""Brandes' two passes in hops on a small graph, by one plain kernel on one thread.

The kernels for large graphs choose between ways to find a level and have forms for many threads, which takes long to
compile and gains nothing where all sources together take some milliseconds. Here vertices hand on their numbers
of paths through a queue, and get their dependencies in the opposite order, from the arcs that lead one level on.
No way is made to the reverse of the graph. The work alone decides which graphs are small, so the bits do not depend on
the number of threads. Where the number of paths would overflow, the kernel comes back and `recount` does that source.
"""

from __future__ import annotations

import numpy as np

from nearly.algorithms.betweenness.forward import UNSEEN
from nearly.algorithms.betweenness.recount import HUGE, Tally, recount
from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.engine.run import Did, Run

GRAPH = 1 << 14  # the most arcs and vertices of a small graph
WORK = 1 << 19  # the most arcs and vertices that all its sources together visit: some milliseconds
LEVEL, ORDER = np.uint64(0), np.uint64(1)  # rows of `places`
SIGMA, PART = np.uint64(0), np.uint64(1)  # rows of `paths`


@kernel
def add_sources(rows, sources, first, places, paths, tally, did):
    """Add the dependencies of sources[first:]; stops at one with too many paths. Returns its place, and its reach.

    `places` holds the level of each vertex (UNSEEN between sources) and the queue; `paths` the number of paths, and
    (1 + dependency) over it. `did` gets the vertices reached and the arcs visited.
    """
    offsets, targets, _ = rows
    sums, arc_sums, one = tally
    for i in range(first, np.uint64(sources.size)):
        source = np.uint64(sources[i])
        places[LEVEL, source], places[ORDER, U0], paths[SIGMA, source] = 0, source, 1.0
        head, tail, visited, largest = U0, U1, U0, 1.0
        while head < tail:
            u = np.uint64(places[ORDER, head])
            head += U1
            here, after = paths[SIGMA, u], np.uint32(places[LEVEL, u] + U1)
            largest = max(largest, here)
            visited += offsets[u + U1] - offsets[u]
            for e in range(offsets[u], offsets[u + U1]):
                v = np.uint64(targets[e])
                if places[LEVEL, v] == UNSEEN:
                    places[LEVEL, v], places[ORDER, tail], paths[SIGMA, v] = after, v, here
                    tail += U1
                elif places[LEVEL, v] == after:
                    paths[SIGMA, v] += here
        did[i, 0], did[i, 1] = tail, visited + visited
        if not largest < HUGE:
            return i, tail
        while head > U0:
            head -= U1
            u = np.uint64(places[ORDER, head])
            here, after, total = paths[SIGMA, u], np.uint32(places[LEVEL, u] + U1), 0.0
            for e in range(offsets[u], offsets[u + U1]):
                v = np.uint64(targets[e])
                if places[LEVEL, v] == after:
                    total += paths[PART, v]
                    if arc_sums.size:
                        arc_sums[e] += here * paths[PART, v]
            paths[PART, u] = (1.0 + here * total) / here
            if head > U0:
                sums[u] += here * total + one
        sums[source] += one * (np.float64(tail) - 1.0)
        for k in range(tail):
            places[LEVEL, places[ORDER, k]] = UNSEEN
    return np.uint64(sources.size), U0


class SmallPasses:
    """Sources of a small graph, added to a tally."""

    def __init__(self, run: Run, tally: Tally) -> None:
        self._run, self._rows, self._tally = run, run.graph.rows, tally
        self._places, self._paths = np.empty((2, run.graph.n), np.uint32), np.empty((2, run.graph.n))
        self._places[0] = UNSEEN

    def add(self, sources: np.ndarray) -> list[Did]:
        """Add these sources' dependencies; says what each of them took."""
        did, first = np.empty((sources.size, 2), np.uint64), U0
        memory = self._places, self._paths, self._tally, did
        while first < sources.size:
            stopped, reached = self._run.launch(add_sources, self._rows, sources, first, *memory)
            if reached:
                self._recount(int(sources[stopped]), reached)
            first = np.uint64(stopped + 1)
        return [Did(reached, visited, reached + visited) for reached, visited in did.tolist()]

    def _recount(self, source: int, reached: int) -> None:
        level, order = self._places
        recount(self._rows, level, order, np.uint64(reached), self._tally, order[:0])
        self._tally.sums[source] += self._tally.one * (int(reached) - 1)
        level[:] = UNSEEN
