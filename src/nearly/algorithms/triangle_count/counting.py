"""Counting triangles at every vertex, for `triangle_count` and `clustering_coefficient`.

`auto` is the method of `kernels`: rename by degree, intersect hubs by bits and others by marks; where
degrees or graphs are small it reads the rows as they are. The operator form directs every edge to the end of higher
degree (then smaller number), which leaves no vertex with more than sqrt(2m) out-arcs, and calls the engine's
`intersect`: every triangle is found as a common out-neighbour of the ends of exactly one arc.
(Schank, Wagner, "Finding, Counting and Listing All Triangles in Large Graphs", 2005.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.algorithms.triangle_count import kernels as tk
from nearly.base.atomics import fetch_add
from nearly.base.memory import require
from nearly.engine.row_pieces import cursor, row_cuts
from nearly.engine.run import Did, Run
from nearly.graph.csr import NO_WEIGHTS, Arrays, Graph

_MOST_HUBS = 1 << 13  # a bit matrix of 8 MiB
_LEAST_HUBS = 1 << 6
_DENSE = 2  # neighbours per word of 64 that make the matrix pay
_SMALL = 24  # a mean degree (of the ends of arcs) up to which rows are read as they are
_FEW_ARCS = 1 << 12  # in all, up to which they are too
POLICIES = ("topology",)


class Corners(NamedTuple):
    """What counting at corners works on."""

    closed: np.ndarray  # uint64[n], triangles at each vertex


def close_triangle(state, u, v, w):
    """Count a triangle at its corners."""
    fetch_add(state.closed, u, np.uint64(1))
    fetch_add(state.closed, v, np.uint64(1))
    fetch_add(state.closed, w, np.uint64(1))


def triangles(run: Run) -> np.ndarray:
    """The number of triangles at each vertex of the undirected graph of this run."""
    return triangles_and_total(run)[0]


def triangles_and_total(run: Run) -> tuple[np.ndarray, int]:
    """The number of triangles at each vertex of the undirected graph of this run, and in all.

    Memory for the counts comes as zeros that the system has not made yet: where there are few triangles, most of it
    is never touched.
    """
    count = np.zeros(run.graph.n, np.int64)
    way = _intersected
    if run.direct:
        way = _in_rows if run.graph.m <= _FEW_ARCS or _small_degrees(run.graph) else _renamed
    totals: list[int] = []

    def step() -> list[Did] | None:
        if totals:
            return None
        total, did = way(run, count.view(np.uint64))
        totals.append(total)
        return [did]

    run.enact(step)
    return count, totals[0]


def _small_degrees(graph: Graph) -> bool:
    """Whether the degree at the end of an arc is small on average; looked for once per graph."""
    known = graph.__dict__.get("_small_degrees")
    if known is None:
        degrees = graph.out_degrees
        known = graph.__dict__["_small_degrees"] = int(np.dot(degrees, degrees)) <= _SMALL * graph.m
    return known


def _in_rows(run: Run, count: np.ndarray) -> tuple[int, Did]:
    """From the sorted rows as they are."""
    graph, (offsets, targets, _) = run.graph, run.graph.rows
    total = run.launch(tk.count_in_rows, offsets, targets, row_cuts(graph), count, cursor(), run.threads, run.stop)
    return int(total), Did(graph.n, graph.m)


def _renamed(run: Run, count: np.ndarray) -> tuple[int, Did]:
    """Rename by degree, count, and put the counts back in the input's order."""
    graph, workers, stop = run.graph, run.threads, run.stop
    n, (offsets, targets, _) = graph.n, graph.arrays
    require(8 * n * (workers + 7) + 8 * graph.m, "counting triangles")
    names = tk.Names(np.empty(n, targets.dtype), np.empty(n, targets.dtype))
    tk.by_degree(offsets, names)
    lower, higher = np.empty(n, np.uint64), np.empty(n, np.uint64)
    run.launch(tk.count_sides, offsets, targets, names, lower, higher, cursor(), workers, stop)
    hubs = _hub_count(lower)
    higher[:hubs] = 0
    down, up = _starts(lower), _starts(higher)
    below, above = np.empty(int(down[-1]), targets.dtype), np.empty(int(up[-1]), targets.dtype)
    sides = tk.Sides(down, below, up, above)
    run.launch(tk.fill_sides, offsets, targets, names, np.uint64(hubs), sides, cursor(), workers, stop)
    matrix = np.zeros((hubs, hubs // 64), np.uint64)
    tk.hub_matrix(sides, matrix)
    counts = np.zeros((workers, n), np.uint64)
    run.launch(tk.count_triangles, sides, matrix, counts, cursor(), workers, stop)
    count[names.order] = counts.sum(axis=0)
    return int(count.sum()) // 3, Did(n, graph.m)


def _hub_count(lower: np.ndarray) -> int:
    """How many vertices of largest degree are joined densely enough for a bit matrix; 0 if not even a few are."""
    hubs = _MOST_HUBS
    while hubs > lower.size or int(lower[:hubs].sum()) * 64 < _DENSE * hubs * hubs:
        hubs //= 2
        if hubs < _LEAST_HUBS:
            return 0
    return hubs


def _starts(sizes: np.ndarray) -> np.ndarray:
    """Where each row starts."""
    return np.concatenate([np.zeros(1, np.uint64), np.cumsum(sizes, dtype=np.uint64)])


def _intersected(run: Run, count: np.ndarray) -> tuple[int, Did]:
    """The engine's operator on the graph directed by degree."""
    directed = _to_higher_degree(run.graph)
    found = run.intersect(close_triangle, Corners(count), graph=directed)
    return int(found.total), Did(directed.n, directed.m)


def _to_higher_degree(graph: Graph) -> Graph:
    """Every edge once, as an arc to the end of higher degree, then smaller number; no loops, no repetitions."""
    offsets, targets, _ = graph.arrays
    names = tk.Names(np.empty(graph.n, targets.dtype), np.empty(graph.n, targets.dtype))
    tk.by_degree(offsets, names)
    source = graph.arc_rows()
    keep = names.rank[source] > names.rank[targets]
    keep[1:] &= (source[1:] != source[:-1]) | (targets[1:] != targets[:-1])
    ends = np.concatenate([np.zeros(1, np.uint64), np.cumsum(keep, dtype=np.uint64)])
    return Graph._trusted(Arrays(ends[offsets], targets[keep], NO_WEIGHTS), directed=True)
