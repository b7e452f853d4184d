"""Sums over the lengths of shortest paths from many sources, by weights: one Dijkstra search a source.

Workers take whole sources, each at a desk of its own with a binary heap that knows where each vertex is in it, so
that a way that gets shorter moves its vertex. A source's sums are made by one thread in the order of its search, so
that they do not depend on the number of threads.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.memory import require
from nearly.base.unsigned import U0, U1
from nearly.engine.row_pieces import cursor
from nearly.engine.run import Run
from nearly.graph.csr import Graph

OUT = np.uint32(2**32 - 1)  # the place in the heap of a vertex that was never in it
DONE = np.uint32(2**32 - 2)  # and of one that has left it
_SHARE = np.uint64(4)  # sources taken at once


class Desk(NamedTuple):
    """What a worker searches with; places are OUT between searches."""

    heap: np.ndarray  # uint32[n]: vertices, the nearest first
    place: np.ndarray  # uint32[n]: where a vertex is in the heap
    far: np.ndarray  # float64[n]: its distance
    order: np.ndarray  # uint32[n]: vertices as they were reached


class LengthSums(NamedTuple):
    """One entry for each source, over the other vertices it reaches."""

    reached: np.ndarray  # uint64: how many there are
    total: np.ndarray  # float64: the sum of their distances
    inverse: np.ndarray  # float64: the sum of 1 / distance, of those that are above 0
    farthest: np.ndarray  # float64: the largest distance


@kernel
def rise(desk, i):
    """Move the vertex at place i of the heap to where its distance belongs, towards the first."""
    heap, place, far, _ = desk
    v = heap[i]
    while i > U0:
        above = (i - U1) >> U1
        u = heap[above]
        if far[u] <= far[v]:
            break
        heap[i] = u
        place[u] = np.uint32(i)
        i = above
    heap[i] = v
    place[v] = np.uint32(i)


@kernel
def take_first(desk, size):
    """Take the nearest vertex out of a heap of this size."""
    heap, place, far, _ = desk
    first, v = heap[0], heap[size - U1]
    place[first] = DONE
    size -= U1
    i = U0
    while True:
        child = (i << U1) + U1
        if child >= size:
            break
        if child + U1 < size and far[heap[child + U1]] < far[heap[child]]:
            child += U1
        if far[heap[child]] >= far[v]:
            break
        heap[i] = heap[child]
        place[heap[i]] = np.uint32(i)
        i = child
    if size > U0:
        heap[i] = v
        place[v] = np.uint32(i)
    return first


@kernel
def search(arrays, desk, source):
    """Distances from a source; returns how many vertices it reaches, which stand in `order`, the nearest first."""
    offsets, targets, weights = arrays
    heap, place, far, order = desk
    heap[0], far[source], size, count = source, 0.0, U1, U0
    place[source] = np.uint32(0)
    while size > U0:
        u = np.uint64(take_first(desk, size))
        size -= U1
        order[count] = u
        count += U1
        for e in range(offsets[u], offsets[u + U1]):
            v, through = np.uint64(targets[e]), far[u] + np.float64(weights[e])
            if place[v] == OUT:
                far[v], heap[size] = through, v
                size += U1
                rise(desk, size - U1)
            elif place[v] != DONE and through < far[v]:
                far[v] = through
                rise(desk, np.uint64(place[v]))
    return count


@kernel
def some_sources(arrays, desk, sources, sums, next_source, stop):
    """Search from sources as long as there are any."""
    reached, total, inverse, farthest = sums
    low = fetch_add(next_source, U0, _SHARE)
    while low < np.uint64(sources.size) and going(stop):
        for i in range(low, min(low + _SHARE, np.uint64(sources.size))):
            count = search(arrays, desk, sources[i])
            all_far, parts, last = 0.0, 0.0, 0.0
            for k in range(count):
                v = desk.order[k]
                last = desk.far[v]
                all_far += last
                if last > 0.0:
                    parts += 1.0 / last
                desk.place[v] = OUT
            reached[i], total[i], inverse[i], farthest[i] = count - U1, all_far, parts, last
        low = fetch_add(next_source, U0, _SHARE)
    return U0


@parallel_kernel
def all_sources(arrays, desks, sources, sums, next_source, workers, stop):
    """Every worker takes sources."""
    done = np.zeros(workers, np.uint64)
    for w in prange(workers):
        desk = Desk(desks.heap[w], desks.place[w], desks.far[w], desks.order[w])
        done[w] = some_sources(arrays, desk, sources, sums, next_source, stop)


def length_desks(graph: Graph, workers: int) -> Desk:
    """Desks for so many workers."""
    shape = (workers, graph.n)
    require(workers * graph.n * 20, "searches from many sources")
    made = np.empty(shape, np.uint32), np.full(shape, OUT, np.uint32), np.empty(shape), np.empty(shape, np.uint32)
    return Desk(*made)


def length_sums(run: Run, graph: Graph, desks: Desk, sources: Any) -> LengthSums:
    """The sums for these sources along the arcs of a graph with weights, none of them negative."""
    chosen = np.ascontiguousarray(sources, np.uint32)
    sums = LengthSums(np.zeros(chosen.size, np.uint64), *(np.zeros(chosen.size) for _ in range(3)))
    work = (graph.m + graph.n) * (1 + chosen.size)
    arguments = graph.arrays, desks, chosen, sums, cursor(), run.threads, run.stop
    run.launch(all_sources, *arguments, work=work)
    return sums
