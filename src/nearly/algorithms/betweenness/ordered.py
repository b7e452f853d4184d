"""Brandes' two passes in hops by one thread, with everything kept in the order in which vertices are reached.

The way there gives each vertex a place, and notes for each the places that its arcs to the next level lead to. Numbers
of paths and dependencies are stored by place, so they lie where the last ones were; the only jump an arc makes is to
ask for the place of its target. The way back reads the notes alone. Nowhere does a branch ask where an arc leads: that
cannot be predicted, and a wrong guess costs more than the arc. No reverse of the graph is needed.

This beats several threads unless levels are large. So a source that comes to a level of many arcs is left to the
kernels for these, which begin anew: what was done until then is little beside it. Arcs alone decide, so the bits do not
depend on the number of threads.

Long graphs have more paths than a float64 can count (a grid of 1,000 x 1,000 has 10**600). From the first level on that
has more than TOP at a vertex, a number is kept as a mantissa and an exponent of its own, as in `recount`. Dependencies
over numbers of paths are kept with the same exponent, turned round. Along an arc exponents never fall.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.algorithms.betweenness.forward import UNSEEN
from nearly.algorithms.betweenness.recount import DOWN, TOP
from nearly.base.atomics import going
from nearly.base.intrinsics import prefetch
from nearly.base.jit import kernel, light_kernel
from nearly.base.memory import require
from nearly.base.unsigned import U0, U1
from nearly.graph.csr import Graph

LARGE = np.uint64(4)  # times as many arcs of one level as there are vertices
LEAST = np.uint64(1 << 17)  # arcs of a level that is never large
NOTES, ROOM = 16, 1 << 18  # arcs a vertex, in the mean, for which there is room, and those for which there always is
FIRST = np.uint64(6)  # vertices ahead of which memory is asked for


class Places(NamedTuple):
    """One worker's memory. Between sources no vertex has a place."""

    place: np.ndarray  # uint32[n], UNSEEN where not reached
    order: np.ndarray  # [n + 1], the vertices by place
    paths: np.ndarray  # float64[n + 1], shortest paths from the source, by place
    parts: np.ndarray  # float64[n + 1], (1 + dependency) over that
    starts: np.ndarray  # uint64[n + 1], where the notes of each place begin
    onward: np.ndarray  # the notes: places
    exponent: np.ndarray  # int32[n + 1], of paths and parts by place; in use from the first level on that needs it


def make_places(graph: Graph, count: int) -> Places:
    """Memory for so many workers."""
    n, vertex = graph.n, graph.arrays.targets.dtype
    notes = min(graph.m, max(NOTES * n, ROOM)) + 1
    require(((32 + vertex.itemsize) * n + vertex.itemsize * notes) * count, "betweenness")
    return Places(
        np.full((count, n), UNSEEN, np.uint32), np.empty((count, n + 1), vertex), np.empty((count, n + 1)),
        np.empty((count, n + 1)), np.empty((count, n + 1), np.uint64), np.empty((count, notes), vertex),
        np.empty((count, n + 1), np.int32),
    )  # fmt: skip


@kernel
def places_of(desks, worker):
    """One worker's row."""
    return Places(
        desks.place[worker], desks.order[worker], desks.paths[worker], desks.parts[worker], desks.starts[worker],
        desks.onward[worker], desks.exponent[worker],
    )  # fmt: skip


@light_kernel
def note_onward(rows, desk, i, high, noted):
    """Note the targets of the vertex at place i that belong to the next level; returns where the notes end.

    A vertex belongs to the next level if it is unseen, or its place is not before that level's first.
    """
    offsets, targets = rows.offsets, rows.targets
    place, order, onward = desk.place, desk.order, desk.onward
    if i + FIRST < high:
        prefetch(targets, offsets[order[i + FIRST]])
    u = np.uint64(order[i])
    for e in range(offsets[u], offsets[u + U1]):
        onward[noted] = targets[e]
        noted += np.uint64(place[targets[e]] >= high)
    desk.starts[i + U1] = noted
    return noted


@light_kernel
def reach(rows, desk, low, high, noted):
    """Places and paths of the level after low..high-1; (vertices reached so far, notes)."""
    place, order, paths, onward, fill = desk.place, desk.order, desk.paths, desk.onward, high
    for i in range(low, high):
        here, begin = paths[i], noted
        noted = note_onward(rows, desk, i, high, noted)
        for j in range(begin, noted):
            v = np.uint64(onward[j])
            at = min(np.uint64(place[v]), fill)
            order[fill], paths[fill] = v, 0.0
            place[v], onward[j] = at, at
            paths[at] += here
            fill += np.uint64(at == fill)
    return fill, noted


@light_kernel
def reach_scaled(rows, desk, low, high, noted):
    """`reach` with exponents."""
    place, order, paths, onward, exponent, fill = desk.place, desk.order, desk.paths, desk.onward, desk.exponent, high
    for i in range(low, high):
        here, scale, begin = paths[i], exponent[i], noted
        noted = note_onward(rows, desk, i, high, noted)
        for j in range(begin, noted):
            v = np.uint64(onward[j])
            at = min(np.uint64(place[v]), fill)
            order[fill], paths[fill], exponent[fill] = v, 0.0, scale
            place[v], onward[j] = at, at
            fill += np.uint64(at == fill)
            if exponent[at] == scale:
                paths[at] += here
            else:
                add_scaled(paths, exponent, at, here, scale)
            if paths[at] > TOP:
                paths[at] *= DOWN
                exponent[at] += 1
    return fill, noted


@light_kernel
def add_scaled(paths, exponent, at, more, scale):
    """Add a number of another exponent; two steps less is less than can be seen."""
    steps = exponent[at] - scale
    if steps > 0:
        paths[at] += more * DOWN if steps == 1 else 0.0
    else:
        paths[at] = more + (paths[at] * DOWN if steps == -1 else 0.0)
        exponent[at] = scale


@light_kernel
def read_level(rows, desk, low, high):
    """(arcs, largest number of paths) of the vertices at low..high-1."""
    offsets, order, paths, out, most = rows.offsets, desk.order, desk.paths, U0, 0.0
    for i in range(low, high):
        u = np.uint64(order[i])
        out += offsets[u + U1] - offsets[u]
        most = max(most, paths[i])
    return out, most


@light_kernel
def begin_scaled(desk, fill):
    """Exponents of 0 for what has a place."""
    for i in range(fill):
        desk.exponent[i] = 0


@kernel
def way_there(rows, desk, source, stop):
    """Places and paths; (vertices reached, arcs read, whether no level was large, whether there are exponents).

    Nothing is stored after the loop: the compiler was seen to lose such a store.
    """
    large = max(LARGE * np.uint64(desk.place.size), LEAST)
    desk.place[source], desk.order[0], desk.paths[0], desk.starts[0] = U0, source, 1.0, U0
    high, fill, noted, arcs, scaled = U0, U1, U0, U0, False
    while high < fill and going(stop):
        low, high = high, fill
        out, most = read_level(rows, desk, low, high)
        if out > large or noted + out >= np.uint64(desk.onward.size):
            return fill, arcs, False, scaled
        arcs += out
        if most > TOP and not scaled:
            begin_scaled(desk, fill)
            scaled = True
        if scaled:
            fill, noted = reach_scaled(rows, desk, low, high, noted)
        else:
            fill, noted = reach(rows, desk, low, high, noted)
    return fill, arcs, True, scaled


@light_kernel
def sum_back(desk, i):
    """The parts of the places that the notes of place i name."""
    parts, starts, onward, total = desk.parts, desk.starts, desk.onward, 0.0
    for j in range(starts[i], starts[i + U1]):
        total += parts[onward[j]]
    return total


@light_kernel
def sum_back_scaled(desk, i):
    """`sum_back` with exponents."""
    parts, starts, onward, exponent, total = desk.parts, desk.starts, desk.onward, desk.exponent, 0.0
    for j in range(starts[i], starts[i + U1]):
        at = np.uint64(onward[j])
        steps = exponent[at] - exponent[i]
        if steps == 0:
            total += parts[at]
        elif steps == 1:
            total += parts[at] * DOWN
    return total


@kernel
def way_back(desk, reached, scaled, tally):
    """Dependencies, from the last place to the first."""
    order, paths, parts = desk.order, desk.paths, desk.parts
    sums, one = tally.sums, tally.one
    for k in range(U1, reached):
        i = reached - k
        delta = paths[i] * (sum_back_scaled(desk, i) if scaled else sum_back(desk, i))
        parts[i] = (1.0 + delta) / paths[i]
        sums[order[i]] += delta + one
    sums[order[0]] += one * (np.float64(reached) - 1.0)


@kernel
def ordered_pass(rows, desk, source, tally, stop):
    """Add a source's dependencies to a tally; (vertices reached, arcs visited), 0 vertices where others must do it."""
    place, order = desk.place, desk.order
    reached, arcs, well, scaled = way_there(rows, desk, source, stop)
    if well and going(stop):
        way_back(desk, reached, scaled, tally)
    for i in range(reached):
        place[order[i]] = UNSEEN
    return reached if well else U0, arcs + arcs
