"""Segmented intersection (MG2): the common neighbours of the ends of arcs.

`found(state, u, v, w)` is called for every common out-neighbour w of the ends of every arc u -> v: of all vertices u,
of those of a frontier, or of pairs (u, v) of two frontiers of the same length, whether or not there is an arc. With
`found.emits = True` it also returns whether it accepts w, and the accepted vertices are the frontier that comes out.
Rows must ascend.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1, total_of
from nearly.engine.functor import functor
from nearly.engine.row_pieces import Crew, row_cuts
from nearly.graph.csr import Graph

_BATCH = 64  # vertices or pairs of a frontier that a worker takes at a time


class Intersected(NamedTuple):
    """How many common neighbours there are, and the accepted ones, ascending, if `found.emits`."""

    total: int
    accepted: np.ndarray


def intersect(
    run: Any,
    graph: Graph,
    found: Callable[..., Any],
    state: Any,
    items: np.ndarray | None = None,
    pairs: tuple[np.ndarray, np.ndarray] | None = None,
) -> Intersected:
    """`found` on the common neighbours of the ends of the arcs of `items` (default: of all vertices), or of `pairs`."""
    targets, emit = graph.arrays.targets, getattr(found, "emits", False)
    marks = np.zeros(graph.n if emit else 0, np.bool_)
    if pairs is not None:
        one, two = (np.asarray(side, targets.dtype) for side in pairs)
        crew = Crew(_even_cuts(one.size), np.zeros(1, np.uint64), run.threads, run.stop)
        count = run.launch(common_of_pairs(found, emit), graph.rows, one, two, state, marks, crew)
    else:
        listed = targets[:0] if items is None else items
        cuts = row_cuts(graph) if items is None else _even_cuts(items.size)
        crew = Crew(cuts, np.zeros(1, np.uint64), run.threads, run.stop)
        count = run.launch(common_neighbours(found, emit), graph.rows, listed, state, marks, crew)
    return Intersected(int(count), np.flatnonzero(marks).astype(targets.dtype))


def ends_of(graph: Graph, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two ends of arcs given by their numbers."""
    offsets, targets, _ = graph.arrays
    sources = np.searchsorted(offsets, edges, side="right") - 1
    return sources.astype(targets.dtype), targets[edges]


def _even_cuts(size: int) -> np.ndarray:
    return np.append(np.arange(0, size, _BATCH), size).astype(np.uint64) if size else np.zeros(1, np.uint64)


@cache
def meeting(found: Callable[..., Any], emit: bool) -> Any:
    """The function that finds the common neighbours of u and v; returns how many there are."""
    finds = functor(found)

    @kernel(_nrt=False)
    def common(rows, u, v, state, marks):
        offsets, targets = rows.offsets, rows.targets
        i, j = offsets[u], offsets[v]
        ends_i, ends_j = offsets[u + U1], offsets[v + U1]
        count = U0
        while i < ends_i and j < ends_j:
            a, b = targets[i], targets[j]
            if a == b:
                if emit:
                    if finds(state, u, v, np.uint64(a)):
                        marks[a] = True
                else:
                    finds(state, u, v, np.uint64(a))
                count += U1
            if a <= b:
                i += U1
            if b <= a:
                j += U1
        return count

    return common


@cache
def common_neighbours(found: Callable[..., Any], emit: bool) -> Any:
    """The kernel `run(rows, items, state, marks, crew)`; returns how many common neighbours there were in all."""
    common = meeting(found, emit)

    @parallel_kernel
    def run(rows, items, state, marks, crew):
        offsets, targets = rows.offsets, rows.targets
        cuts, cursor, stop = crew.cuts, crew.cursor, crew.stop
        counts = np.zeros(cuts.size - 1, np.uint64)
        for _ in prange(crew.workers):
            piece = fetch_add(cursor, U0, U1)
            while piece < np.uint64(cuts.size - 1) and going(stop):
                count = U0
                for i in range(cuts[piece], cuts[piece + U1]):
                    u = np.uint64(items[i]) if items.size else i
                    for e in range(offsets[u], offsets[u + U1]):
                        count += common(rows, u, np.uint64(targets[e]), state, marks)
                counts[piece] = count
                piece = fetch_add(cursor, U0, U1)
        return total_of(counts)

    return run


@cache
def common_of_pairs(found: Callable[..., Any], emit: bool) -> Any:
    """The kernel `run(rows, one, two, state, marks, crew)`: the same for the vertices one[i] and two[i]."""
    common = meeting(found, emit)

    @parallel_kernel
    def run(rows, one, two, state, marks, crew):
        cuts, cursor, stop = crew.cuts, crew.cursor, crew.stop
        counts = np.zeros(cuts.size - 1, np.uint64)
        for _ in prange(crew.workers):
            piece = fetch_add(cursor, U0, U1)
            while piece < np.uint64(cuts.size - 1) and going(stop):
                count = U0
                for i in range(cuts[piece], cuts[piece + U1]):
                    count += common(rows, np.uint64(one[i]), np.uint64(two[i]), state, marks)
                counts[piece] = count
                piece = fetch_add(cursor, U0, U1)
        return total_of(counts)

    return run
