"""Brandes' two passes in hops by one thread, with everything kept in the order in which vertices are reached.

The way there gives each vertex a place, and notes for each the places that its arcs to the next level lead to. Numbers
of paths and dependencies are stored by place, so they lie where the last ones were; the only jump an arc makes is to
ask for the place of its target. The way back reads the notes alone. Nowhere does a branch ask where an arc leads: that
cannot be predicted, and a wrong guess costs more than the arc. No reverse of the graph is needed.

This beats several threads unless levels are large. So a source that comes to a level of many arcs is left to the
kernels for these, which begin anew: what was done until then is little beside it. Arcs alone decide, so the bits do not
depend on the number of threads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.algorithms.betweenness.forward import UNSEEN
from nearly.algorithms.betweenness.recount import HUGE
from nearly.base.atomics import going
from nearly.base.intrinsics import prefetch
from nearly.base.jit import kernel
from nearly.base.memory import require
from nearly.base.unsigned import U0, U1
from nearly.graph.csr import Graph

LARGE = np.uint64(4)  # times as many arcs of one level as there are vertices
NOTES = 16  # arcs a vertex, in the mean, for which there is room
FIRST = np.uint64(6)  # vertices ahead of which memory is asked for


class Places(NamedTuple):
    """One worker's memory. Between sources no vertex has a place."""

    place: np.ndarray  # uint32[n], UNSEEN where not reached
    order: np.ndarray  # [n + 1], the vertices by place
    paths: np.ndarray  # float64[n + 1], shortest paths from the source, by place
    parts: np.ndarray  # float64[n + 1], (1 + dependency) over that
    starts: np.ndarray  # uint64[n + 1], where the notes of each place begin
    onward: np.ndarray  # the notes: places


def make_places(graph: Graph, count: int) -> Places:
    """Memory for so many workers."""
    n, vertex = graph.n, graph.arrays.targets.dtype
    notes = min(graph.m, NOTES * n) + 1
    require(((28 + vertex.itemsize) * n + vertex.itemsize * notes) * count, "betweenness")
    return Places(
        np.full((count, n), UNSEEN, np.uint32), np.empty((count, n + 1), vertex), np.empty((count, n + 1)),
        np.empty((count, n + 1)), np.empty((count, n + 1), np.uint64), np.empty((count, notes), vertex),
    )  # fmt: skip


@kernel
def places_of(desks, worker):
    """One worker's row."""
    return Places(
        desks.place[worker], desks.order[worker], desks.paths[worker], desks.parts[worker], desks.starts[worker],
        desks.onward[worker],
    )  # fmt: skip


@kernel
def way_there(rows, desk, source, stop):
    """Places and paths; (vertices reached, arcs read, whether all went well: no level was large, paths can be counted).

    Nothing is stored after the loop: the compiler was seen to lose such a store.
    A vertex belongs to the next level if it is unseen, or its place is not before that level's first.
    """
    offsets, targets = rows.offsets, rows.targets
    place, order, paths, starts, onward = desk.place, desk.order, desk.paths, desk.starts, desk.onward
    large, most = LARGE * np.uint64(place.size), 1.0
    place[source], order[0], paths[0], starts[0] = U0, source, 1.0, U0
    high, fill, noted, arcs = U0, U1, U0, U0
    while high < fill and going(stop):
        low, high, out = high, fill, U0
        for i in range(low, high):
            u = np.uint64(order[i])
            out += offsets[u + U1] - offsets[u]
        if out > large or noted + out >= np.uint64(onward.size):
            return fill, arcs, False
        arcs += out
        for i in range(low, high):
            if i + FIRST < high:
                prefetch(targets, offsets[order[i + FIRST]])
            u, here, begin = np.uint64(order[i]), paths[i], noted
            most = max(most, here)
            for e in range(offsets[u], offsets[u + U1]):
                onward[noted] = targets[e]
                noted += np.uint64(place[targets[e]] >= high)
            starts[i + U1] = noted
            for j in range(begin, noted):
                v = np.uint64(onward[j])
                at = min(np.uint64(place[v]), fill)
                order[fill], paths[fill] = v, 0.0
                place[v], onward[j] = at, at
                paths[at] += here
                fill += np.uint64(at == fill)
    return fill, arcs, most < HUGE


@kernel
def way_back(desk, reached, tally):
    """Dependencies, from the last place to the first."""
    order, paths, parts, starts, onward = desk.order, desk.paths, desk.parts, desk.starts, desk.onward
    sums, one = tally.sums, tally.one
    for k in range(U1, reached):
        i, total = reached - k, 0.0
        for j in range(starts[i], starts[i + U1]):
            total += parts[onward[j]]
        delta = paths[i] * total
        parts[i] = (1.0 + delta) / paths[i]
        sums[order[i]] += delta + one
    sums[order[0]] += one * (np.float64(reached) - 1.0)


@kernel
def ordered_pass(rows, desk, source, tally, stop):
    """Add a source's dependencies to a tally; (vertices reached, arcs visited), 0 vertices where others must do it."""
    place, order = desk.place, desk.order
    reached, arcs, well = way_there(rows, desk, source, stop)
    if well and going(stop):
        way_back(desk, reached, tally)
    for i in range(reached):
        place[order[i]] = UNSEEN
    return reached if well else U0, arcs + arcs
