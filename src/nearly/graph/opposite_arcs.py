"""Which arc of an undirected graph is the way back of each; found once per graph and kept with it."""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel
from nearly.base.unsigned import U1
from nearly.graph.csr import Graph


def opposite_arcs(graph: Graph) -> np.ndarray:
    """For each arc of an undirected graph the arc back; a self-loop is its own.

    Examples
    --------
    >>> opposite_arcs(Graph.from_edges([0, 0, 1], [1, 2, 1], directed=False)).tolist()
    [2, 4, 0, 3, 1]
    """
    known = graph.__dict__.get("_opposite_arcs")
    if known is None:
        offsets, targets, _ = graph.arrays
        known = np.arange(graph.m, dtype=np.uint64)
        find_opposites(offsets, targets, known)
        graph.__dict__["_opposite_arcs"] = known
    return known


@kernel
def find_opposites(offsets, targets, mirror):
    """Rows ascend, so vertices below v come upon it in the order in which they stand in its row."""
    n = np.uint64(offsets.size - 1)
    next_back = offsets[:-1].copy()
    for u in range(n):
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if v > u and next_back[v] < offsets[v + U1]:  # else a graph that only says it is undirected
                back = next_back[v]
                mirror[e], mirror[back] = back, e
                next_back[v] += U1
