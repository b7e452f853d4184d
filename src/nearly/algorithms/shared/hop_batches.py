"""Sums over the hops from many sources: how far vertices are from the sources that reach them, and sources from others.

`HopBatches` is what closeness, harmonic closeness, distance statistics and eccentricities of many vertices add up with;
the searches are in `hop_batch_kernels`. Workers take whole batches of sources, each at a desk of its own.
Sources near each other share more of their searches: `clustered` puts all vertices in an order in which they are.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nearly.algorithms.shared.hop_batch_kernels import BATCH, LANES, PLANES, all_batches, grow_clusters
from nearly.algorithms.shared.hop_batch_state import AtSources, AtVertices, Both, Desk
from nearly.base.memory import require
from nearly.base.threads import kernel_threads
from nearly.engine.row_pieces import cursor
from nearly.engine.run import Run
from nearly.graph.csr import Graph

_LEAST = 1 << 10  # sources that there is always room for
LEVELS = 1 << 16  # distances that are told apart in the number of pairs at each


class HopBatches:
    """Searches from sources along the arcs of a graph, added to by calls of `add`.

    Parameters
    ----------
    run : the threads and the stop flag.
    graph : the graph to search.
    at_vertices : whether there are sums at vertices, over the sources.
    at_sources : whether there are sums at sources, over the vertices.
    profile : for how many levels each source tells how many vertices it found.
    """

    def __init__(
        self, run: Run, graph: Graph, *, at_vertices: bool = True, at_sources: bool = False, profile: int = 0
    ) -> None:
        self.run, self.graph, self._at_sources, self._profile = run, graph, at_sources, profile
        n, workers = graph.n, run.threads
        require(workers * n * (24 * int(LANES) + 36), "searches from many sources")
        wide, shape = (workers, n * int(LANES)), (workers, n if at_vertices else 0)
        self._room = 2 * max(n, _LEAST)  # sources whose sums of units fit into a word
        self.unit = float(1 << (62 - (self._room // 2).bit_length()))
        back = graph.reverse if graph.directed else graph
        self._both = Both(*graph.rows[:2], *back.rows[:2])
        self._desks = Desk(
            np.zeros(wide, np.uint64), np.zeros(wide, np.uint64), np.zeros(wide, np.uint64),
            np.empty((workers, n), np.uint32), np.empty((workers, n), np.uint32),
            np.zeros((workers, int(PLANES * LANES)), np.uint64),
        )  # fmt: skip
        self._sums = AtVertices(
            np.zeros(shape, np.uint64), np.zeros(shape, np.uint64), np.zeros(shape, np.uint64),
            np.zeros(shape, np.uint64), np.zeros(shape, np.uint32),
        )  # fmt: skip
        self.hops = np.zeros(LEVELS if at_sources else 0, np.uint64)
        self.searched = 0

    def add(self, sources: Any) -> AtSources:
        """Search from these too; the sums at these sources, of length 0 where they are not wanted."""
        chosen = np.ascontiguousarray(sources, np.uint32)
        size = chosen.size if self._at_sources else 0
        profile = np.zeros((size, self._profile), np.uint64)
        sums = np.zeros(size, np.uint64), np.zeros(size, np.uint64), np.zeros(size, np.uint32)
        made = AtSources(*sums, self.hops, profile)
        work = (self.graph.m + self.graph.n) * (1 + chosen.size // 64)
        if self._sums.total.size and self.searched + chosen.size > self._room:
            raise ValueError(f"sums at vertices have room for {self._room:,} sources")
        arguments = self._both, self._desks, chosen, self.unit, self._sums, made, cursor(), self.run.stop
        self.run.launch(all_batches, *arguments, work=work)
        self.searched += chosen.size
        return made

    @property
    def reached(self) -> np.ndarray:
        """uint64[n]: how many of the sources reach each vertex, itself not counted."""
        return self._sums.reached.sum(axis=0)

    @property
    def total(self) -> np.ndarray:
        """uint64[n]: the sum of the distances from the sources that reach it."""
        return self._sums.total.sum(axis=0)

    @property
    def inverse(self) -> np.ndarray:
        """float64[n]: the sum of 1 / distance over the other sources that reach it."""
        return self._sums.inverse.sum(axis=0) / self.unit

    @property
    def square(self) -> np.ndarray:
        """float64[n]: the sum of the squares of that."""
        return self._sums.square.sum(axis=0) / self.unit

    @property
    def farthest(self) -> np.ndarray:
        """uint32[n]: the largest distance from a source."""
        return self._sums.farthest.max(axis=0, initial=0)


def batch_sources(graph: Graph) -> int:
    """How many sources to hand in at once so that control comes back soon; the same for any number of threads."""
    return 4 * int(BATCH) * max(1, math.ceil((1 << 21) / max(graph.m + graph.n, 1)))


def clustered(graph: Graph) -> np.ndarray:
    """All vertices, in an order in which those of a batch are near each other."""
    order = np.empty(graph.n, np.uint32)
    grow_clusters(*graph.rows[:2], order, np.zeros(graph.n, np.uint8))
    return order


def hop_batches(
    graph: Graph, sources: Any, *, threads: int | None = None, **which: bool
) -> tuple[HopBatches, AtSources]:
    """All sums for these sources, by a call of its own.

    Examples
    --------
    >>> g = Graph.from_edges([0, 1], [1, 2], directed=False)
    >>> sums, each = hop_batches(g, [0, 1, 2], at_sources=True)
    >>> sums.total.tolist(), sums.farthest.tolist(), sums.inverse.tolist(), each.total.tolist()
    ([3, 2, 3], [2, 1, 2], [1.5, 2.0, 1.5], [3, 2, 3])
    """
    with kernel_threads(threads, (graph.m + graph.n) * (1 + len(sources) // 64)) as count:
        made = HopBatches(Run(graph, threads=count), graph, **which)
        return made, made.add(sources)
