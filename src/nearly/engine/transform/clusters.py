"""Clusters (GX2): vertices of consecutive numbers that are iterated by themselves between rounds, while in cache.

A technique that lays well-connected vertices side by side says where each cluster starts and how often it is worth
iterating (`GraphMap.clusters`). After a round over the whole graph, every cluster's own arcs, those that lead from one
member to another, are visited again and again by one worker. Rows ascend, so these arcs are one stretch of a row, and
no other worker reads or writes the members' values meanwhile: no atomics, and nothing depends on the number of threads.
On a GPU the same layout is a block's shared memory.

`push_inside` runs a functor of a monotone search (bfs, sssp); `reduce_inside` one of sums over rows (pagerank), where
what arrives from outside the cluster stays as it was in the round before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add, going
from nearly.base.jit import SUM_ORDER_FREE, kernel, parallel_kernel
from nearly.base.unsigned import U0, U1
from nearly.engine.functor import functor, functor_alone
from nearly.engine.trace import Did
from nearly.graph.csr import Graph

if TYPE_CHECKING:
    from nearly.engine.run import Run

BATCH = np.uint64(8)  # clusters a worker takes at a time
CURSOR, EDGES = np.uint64(0), np.uint64(1)
ENOUGH = 0.5  # sums are iterated until they change so much less than at first: more saves no rounds


class Clusters(NamedTuple):
    starts: np.ndarray  # uint64[k + 1], the first vertex of each cluster, ascending, and the end of the last
    times: np.ndarray  # uint64[k], how often each is iterated at most

    def packed(self) -> np.ndarray:
        """As one array, for `GraphMap.clusters`."""
        return np.concatenate([self.starts, self.times])

    @classmethod
    def unpacked(cls, array: np.ndarray) -> Clusters:
        count = array.size // 2
        return cls(array[: count + 1], array[count + 1 :])


def are_clusters(array: np.ndarray, n: int) -> bool:
    """Whether an array from a file is one that `packed` made for a graph of n vertices."""
    starts = array[: array.size // 2 + 1]
    ascending = array.dtype == np.uint64 and array.size % 2 == 1 and bool((starts[1:] >= starts[:-1]).all())
    return ascending and int(starts[-1]) <= n


class Stretches(NamedTuple):
    """Where in each row the arcs begin and end that stay in the vertex's cluster."""

    low: np.ndarray
    high: np.ndarray


def stretches(graph: Graph, clusters: Clusters) -> Stretches:
    """The inner stretch of each row; found once per graph and kept with it."""
    known = graph.__dict__.get("_stretches")
    if known is None:
        size = int(clusters.starts[-1])
        known = Stretches(np.empty(size, np.uint64), np.empty(size, np.uint64))
        find_stretches(*graph.arrays[:2], clusters.starts, *known)
        graph.__dict__["_stretches"] = known
    return known


class Inside:
    """A kernel of this file bound to the clusters of a run's graph, or of its reverse."""

    def __init__(self, run: Run, graph: Graph, kernel: Any) -> None:
        self.run, self.kernel = run, kernel
        self.clusters = Clusters.unpacked(run.map.clusters)  # type: ignore[arg-type]
        self.targets, self.rows = graph.arrays.targets, stretches(graph, self.clusters)

    def __call__(self, *states: Any) -> int:
        """Iterate all clusters; how many arcs that visited."""
        counters, run = np.zeros(2, np.uint64), self.run
        run.launch(self.kernel, self.targets, self.rows, self.clusters, *states, counters, run.threads, run.stop)
        return int(counters[EDGES])


class Iterated:
    """The rounds of a search over all vertices, each followed by the clusters' own."""

    def __init__(self, run: Run, visit: Callable[..., bool], state: Any) -> None:
        self.now, self.before = state[0], state.before
        self.inside = Inside(run, run.graph, push_inside(visit))
        self.state = state._replace(before=self.now)  # a cluster reads what it has just written

    def after(self, did: Sequence[Did] | None) -> Sequence[Did] | None:
        """Iterate the clusters after a round that changed anything."""
        if not did or not did[-1].changed:
            return did
        edges = did[-1].edges + self.inside(self.state)
        if self.before is not self.now:
            members = slice(0, int(self.inside.clusters.starts[-1]))
            self.before[members] = self.now[members]
        return [*did[:-1], did[-1]._replace(edges=edges)]


@parallel_kernel
def find_stretches(offsets, targets, starts, low, high):
    """Where the arcs of each member begin and end that lead to members."""
    for c in prange(np.uint64(starts.size - 1)):
        for u in range(starts[c], starts[c + U1]):
            begin = offsets[u]
            while begin < offsets[u + U1] and targets[begin] < starts[c]:
                begin += U1
            end = begin
            while end < offsets[u + U1] and targets[end] < starts[c + U1]:
                end += U1
            low[u], high[u] = begin, end


@cache
def push_inside(visit: Callable[..., bool]) -> Any:
    """The kernel that visits the arcs inside each cluster until nothing changes or it has done so often enough."""
    visits = functor_alone(visit)

    @kernel
    def iterate(targets, rows, first, last, times, state):
        low, high = rows
        edges, done, changed = U0, U0, True
        while changed and done < times:
            changed = False
            for u in range(first, last):
                edges += high[u] - low[u]
                for e in range(low[u], high[u]):
                    if visits(state, u, targets[e], e):
                        changed = True
            done += U1
        return edges

    @parallel_kernel
    def run(targets, rows, clusters, state, counters, workers, stop):
        starts, times = clusters
        for _ in prange(workers):
            edges, c = U0, fetch_add(counters, CURSOR, BATCH)
            while c < np.uint64(times.size) and going(stop):
                for i in range(c, min(c + BATCH, np.uint64(times.size))):
                    edges += iterate(targets, rows, starts[i], starts[i + U1], times[i], state)
                c = fetch_add(counters, CURSOR, BATCH)
            fetch_add(counters, EDGES, edges)

    return run


@cache
def reduce_inside(gather: Callable[..., Any], keep: Callable[..., Any], apply: Callable[..., float]) -> Any:
    """The kernel that sums over inner arcs again and again, reading what it has just written.

    First `keep(state, v, total)` for each member, with the sum of `gather(before, u, v, e)`: the part to leave out.
    Then, repeatedly, `apply(state, v, total)`, with that over `state`, which returns by how much v changed.
    """
    gathers, keeps, applies = functor(gather), functor(keep), functor(apply)

    @kernel(fastmath=SUM_ORDER_FREE)
    def inner_sum(targets, low, high, v, state):
        total = 0.0
        for e in range(low, high):
            total += gathers(state, targets[e], v, e)
        return total

    @kernel
    def iterate(targets, rows, first, last, times, before, state):
        low, high = rows
        edges, done, change, worth = U0, U0, 1.0, 0.0
        for v in range(first, last):
            edges += high[v] - low[v]
            keeps(state, v, inner_sum(targets, low[v], high[v], v, before))
        arcs = edges
        while done < times and change > worth:
            change = 0.0
            for v in range(first, last):
                change += applies(state, v, inner_sum(targets, low[v], high[v], v, state))
            worth = ENOUGH * change if done == U0 else worth
            edges += arcs
            done += U1
        return edges

    @parallel_kernel
    def run(targets, rows, clusters, before, state, counters, workers, stop):
        starts, times = clusters
        for _ in prange(workers):
            edges, c = U0, fetch_add(counters, CURSOR, BATCH)
            while c < np.uint64(times.size) and going(stop):
                for i in range(c, min(c + BATCH, np.uint64(times.size))):
                    edges += iterate(targets, rows, starts[i], starts[i + U1], times[i], before, state)
                c = fetch_add(counters, CURSOR, BATCH)
            fetch_add(counters, EDGES, edges)

    return run
