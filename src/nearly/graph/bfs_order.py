"""The order of a breadth-first forest (GX1 a-b): vertices that are visited together get numbers close together.

Trees grow along out-arcs, one after the other, each from the vertex of highest out-degree that is in no tree yet.
The roots are level 0, in order of degree and then number, and one search from all of them gives every vertex its level.
Within a level numbers go round: in each pass every vertex of the level before, in its order, numbers one more of its
neighbours in this level. So the k-th children of neighbouring vertices become neighbours, which is what threads that
work side by side read at the same time. Everything is linear in arcs.

With a `chunk`, each level begins at a multiple of it, and with `slack` the last places of every chunk stay free.
Places that no vertex got are holes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.base.memory import require
from nearly.graph.csr import Graph, vertex_dtype


class ForestOrder(NamedTuple):
    """Where vertices go; `first[i]` is where level i begins, and after the last level comes the number of places."""

    place: np.ndarray
    first: np.ndarray

    @property
    def size(self) -> int:
        """Places in all."""
        return int(self.first[-1])


def forest_order(graph: Graph, chunk: int = 1, slack: int = 0) -> ForestOrder:
    """The places of all vertices in the order of a breadth-first forest.

    Examples
    --------
    >>> star = Graph.from_edges([2, 2, 2, 0], [0, 1, 3, 4])
    >>> forest_order(star).place.tolist()
    [1, 2, 0, 3, 4]
    >>> forest_order(star, chunk=4)
    ForestOrder(place=array([4, 5, 0, 6, 8], dtype=uint32), first=array([ 0,  4,  8, 12]))
    """
    from nearly.graph.bfs_order_kernels import grow

    require(40 * graph.n, "the order of a breadth-first forest")
    offsets, targets, _ = graph.arrays
    by_degree = np.argsort(-graph.out_degrees.astype(np.int64), kind="stable").astype(targets.dtype)
    order, starts = np.empty(graph.n, targets.dtype), np.zeros(graph.n + 2, np.uint64)
    levels = int(grow(offsets, targets, by_degree, order, starts))
    starts = starts[: levels + 1].astype(np.int64)
    counts = starts[1:] - starts[:-1]
    room = chunk - slack
    first = np.concatenate([[0], np.cumsum(-(-counts // room) * chunk)])
    require(
        16 * int(first[-1]), f"places for {graph.n:,} vertices in {levels:,} levels, each from a multiple of {chunk}"
    )
    within = np.arange(graph.n) - np.repeat(starts[:-1], counts)
    places = np.repeat(first[:-1], counts) + within // room * chunk + within % room
    place = np.empty(graph.n, vertex_dtype(int(first[-1])))
    place[order] = places
    return ForestOrder(place, first)
