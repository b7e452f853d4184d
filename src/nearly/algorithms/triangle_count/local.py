"""Triangles at a few vertices, and how much work that is against counting them everywhere.

Each neighbour u of a chosen vertex v is joined to those of v's later neighbours that are in u's row: two sorted rows
are merged, or, where one is much longer, the members of the other are searched in it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import prange

from nearly.base.arguments import vertices
from nearly.base.atomics import fetch_add, going
from nearly.base.intrinsics import ones
from nearly.base.jit import kernel, light_kernel, parallel_kernel
from nearly.base.unsigned import U0, U1, first_at_least
from nearly.engine.row_pieces import cursor
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

U2, U4, U8, U16, U32 = np.uint64(2), np.uint64(4), np.uint64(8), np.uint64(16), np.uint64(32)
_SMALL = 8  # a mean degree (of the ends of arcs) up to which a count of all reads rows as they are
_MERGING = 1.5  # visits for each arc that merging takes


@light_kernel
def log2_floor(x):
    """The highest bit that is set; 0 for 0."""
    x |= x >> U1
    x |= x >> U2
    x |= x >> U4
    x |= x >> U8
    x |= x >> U16
    x |= x >> U32
    return ones(x >> U1)


@light_kernel
def has(targets, low, high, w):
    """Whether w is among the ascending targets from low to high."""
    place = first_at_least(targets, low, high, w)
    return place < high and targets[place] == w


@light_kernel
def adjacent(offsets, targets, v, w):
    """Whether v and w are joined, by search in the shorter row."""
    if offsets[v + U1] - offsets[v] > offsets[w + U1] - offsets[w]:
        v, w = w, v
    return has(targets, offsets[v], offsets[v + U1], w)


@light_kernel
def search_cost(one, two):
    """Steps to find what two rows of these sizes have in common."""
    short, long = min(one, two), max(one, two)
    return min(short + long, short * (log2_floor(long) + U1))


@kernel
def fill_costs(offsets, targets, chosen, costs):
    """Steps to count the triangles at each of the chosen vertices."""
    for i in range(np.uint64(chosen.size)):
        v, total = chosen[i], U0
        degree = offsets[v + U1] - offsets[v]
        for e in range(offsets[v], offsets[v + U1]):
            u = np.uint64(targets[e])
            total += U1 + search_cost(degree, offsets[u + U1] - offsets[u])
        costs[i] = total


@kernel
def degree_sums(offsets):
    """The sums over all vertices of degree * log2(degree), and of the squares of degrees."""
    steps, squares = U0, U0
    for v in range(np.uint64(offsets.size - 1)):
        degree = offsets[v + U1] - offsets[v]
        steps += degree * (log2_floor(degree) + U1)
        squares += degree * degree
    return steps, squares


@light_kernel
def new(targets, low, e, v):
    """Whether arc e of v, whose row begins at `low`, leads to another vertex than v and than the arc before it."""
    return targets[e] != v and (e == low or targets[e] != targets[e - U1])


@light_kernel
def shared(offsets, targets, v, e):
    """How many different neighbours of v after its arc e are neighbours of that arc's end too, v itself left out."""
    u = np.uint64(targets[e])
    low, i, end, j, stop = offsets[v], e + U1, offsets[v + U1], offsets[u], offsets[u + U1]
    first, count, merging = j, U0, (end - i) + (stop - j)
    if (end - i) * (log2_floor(stop - j) + U1) < merging:
        for f in range(i, end):
            count += np.uint64(new(targets, low, f, v) and has(targets, j, stop, targets[f]))
        return count
    if (stop - j) * (log2_floor(end - i) + U1) < merging:
        for f in range(j, stop):
            w = targets[f]
            count += np.uint64(w > u and w != v and new(targets, first, f, u) and has(targets, i, end, w))
        return count
    while i < end and j < stop:
        if targets[j] < targets[i]:
            j += U1
        else:
            count += np.uint64(targets[j] == targets[i] and new(targets, low, i, v))
            i += U1
    return count


@light_kernel
def triangles_at(offsets, targets, v):
    """The triangles at v, and its different neighbours other than itself."""
    count, degree, low = U0, U0, offsets[v]
    for e in range(low, offsets[v + U1]):
        if new(targets, low, e, v):
            degree += U1
            count += shared(offsets, targets, v, e)
    return count, degree


@parallel_kernel
def count_at(offsets, targets, chosen, counts, degrees, cursor, workers, stop):
    """The triangles at each of the chosen vertices, and how many neighbours it has."""
    size = np.uint64(chosen.size)
    for _ in prange(workers):
        i = fetch_add(cursor, U0, U1)
        while i < size and going(stop):
            counts[i], degrees[i] = triangles_at(offsets, targets, chosen[i])
            i = fetch_add(cursor, U0, U1)


def counts_at(run: Run, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The triangles at each of the chosen vertices of the undirected graph of this run, and its pairs of neighbours."""
    offsets, targets, _ = run.graph.rows
    counts, degrees = np.zeros(chosen.size, np.uint64), np.zeros(chosen.size, np.uint64)
    work = int(costs_at(run.graph, chosen).sum())
    run.launch(count_at, offsets, targets, chosen, counts, degrees, cursor(), run.threads, run.stop, work=work)
    run.trace.steps.append(([Did(chosen.size, work)], 0.0))
    run.trace.count += 1
    degree = degrees.view(np.int64)
    return counts.view(np.int64), degree * (degree - 1) // 2


def costs_at(graph: Graph, chosen: np.ndarray) -> np.ndarray:
    """How many steps `counts_at` takes for each of the chosen vertices."""
    costs = np.empty(chosen.size, np.uint64)
    fill_costs(graph.rows.offsets, graph.rows.targets, chosen, costs)
    return costs


def visits(graph: Graph, arguments: dict[str, Any]) -> float:
    """How many visits of arcs it takes to count the triangles: at all vertices, or at those asked for."""
    view = graph.symmetrized()
    known = view.__dict__.get("_triangle_visits")
    if known is None:
        steps, squares = degree_sums(view.rows.offsets)
        known = _MERGING * view.m if squares <= _SMALL * view.m else float(steps)
        view.__dict__["_triangle_visits"] = known
    chosen = arguments.get("vertices")
    if chosen is None:
        return known
    return min(known, float(costs_at(view, vertices("vertices", chosen, view.n)).sum()))


def is_local(graph: Graph, chosen: np.ndarray) -> bool:
    """Whether it is less work to count at the chosen vertices than everywhere."""
    return math.fsum(costs_at(graph, chosen)) <= visits(graph, {})
