"""How much of a graph a search finds: the mean over a few random vertices, kept with the graph.

What an exact run from all vertices costs depends on it: a third of the vertices of a web graph may find everything, and
the others nearly nothing. The vertices are always the same ones, so that plans made by these numbers are, too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.graph.csr import Graph

_FEWEST, _MOST = 3, 12  # vertices that are tried,
_ARCS = 1 << 25  # as many as visit so many arcs
_WORTH = 1 << 28  # vertices times arcs, below which everything counts as found: a look would take too long
_NAME = "_reach"


class Reach(NamedTuple):
    """What a search from a random vertex finds, on average."""

    vertices: float
    arcs: float


def reach(graph: Graph) -> Reach:
    """What a search finds; looked for at the first call."""
    if graph.n * (graph.n + graph.m) < _WORTH:
        return Reach(graph.n, graph.m)
    known = graph.__dict__.get(_NAME)
    if known is None:
        offsets, targets = graph.rows[:2]
        probes = min(max(_ARCS // (graph.n + graph.m), _FEWEST), _MOST)
        starts = np.random.default_rng(1).integers(0, graph.n, probes).astype(np.uint64)
        queue, mark = np.empty(graph.n, targets.dtype), np.zeros(graph.n, np.uint8)
        vertices, arcs = count_found(offsets, targets, starts, queue, mark)
        known = graph.__dict__[_NAME] = Reach(int(vertices) / probes, int(arcs) / probes)
    return known


@kernel
def count_found(offsets, targets, starts, queue, mark):
    """Search from each of `starts`; returns how many vertices and arcs were found in all. Fewer than 256 starts."""
    vertices, arcs, stamp = U0, U0, U0
    for i in range(np.uint64(starts.size)):
        stamp += U1
        queue[U0], mark[starts[i]] = starts[i], stamp
        done, fill = U0, U1
        while done < fill:
            u = np.uint64(queue[done])
            done += U1
            arcs += offsets[u + U1] - offsets[u]
            for e in range(offsets[u], offsets[u + U1]):
                v = np.uint64(targets[e])
                if mark[v] != stamp:
                    mark[v], queue[fill] = stamp, v
                    fill += U1
        vertices += fill
    return vertices, arcs
