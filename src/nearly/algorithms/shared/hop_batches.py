"""Sums over the hops from many sources: how far vertices are from the sources that reach them, and sources from others.

`HopBatches` is what closeness, harmonic closeness, distance statistics and eccentricities of many vertices add up with;
the searches are in `hop_batch_kernels`. Workers take whole batches of sources, each at a desk of its own; where batches
are few, or the words of several do not fit the caches, all workers search one batch together (`hop_team_kernels`).
Sources near each other share more of their searches: see `clustered_order`. In long graphs, sources that lie apart
share nothing, and are searched from one by one (`hop_single_kernels`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nearly.algorithms.shared.hop_batch_kernels import BATCH, LANES, PLANES, all_batches
from nearly.algorithms.shared.hop_batch_state import AtSources, AtVertices, Both, Desk, Table
from nearly.algorithms.shared.hop_single_kernels import Marks, all_searches, new_marks, search_alone
from nearly.algorithms.shared.hop_team_kernels import team_batches
from nearly.algorithms.shared.work_memory import give_back, take_memory
from nearly.base.memory import require
from nearly.base.threads import kernel_threads
from nearly.engine.row_pieces import cursor, row_cuts
from nearly.engine.run import Run
from nearly.graph.csr import Graph

_WIDE = 8  # arcs a vertex of graphs that have few levels, as a rule
_CACHE = 1 << 25  # bytes that desks may have, so that words are mostly read from a cache
_SHARING = 3  # sources that come to a vertex at one level, on average, where a batch is faster than single searches
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
    inverse : whether sums at vertices have those of inverse distances and of their squares.
    second : whether they have those of the squares of distances.
    profile : for how many levels each source tells how many vertices it found.
    local : whether sources reach little of the graph, so that workers never search one batch together.
    """

    def __init__(
        self,
        run: Run,
        graph: Graph,
        *,
        at_vertices: bool = True,
        at_sources: bool = False,
        inverse: bool = True,
        second: bool = False,
        profile: int = 0,
        local: bool = False,
    ) -> None:
        self.run, self.graph, self._at_sources, self._profile = run, graph, at_sources, profile
        self._local = local
        n = graph.n
        self._room = 2 * max(n, _LEAST)  # sources whose sums of units fit into a word
        self.unit = float(1 << (62 - (self._room // 2).bit_length()))
        back = graph.reverse if graph.directed else graph
        self._both = Both(*graph.rows[:2], *back.rows[:2])
        sizes = [n if wanted else 0 for wanted in (at_vertices, at_vertices and second, at_vertices and inverse)]
        self._sizes = [sizes[0], sizes[0], sizes[1], sizes[2], sizes[2], sizes[0]]
        self._sums: list[AtVertices] = []
        self._rows: AtVertices | None = None
        self._desks: Desk | None = None
        self._marks: Marks | None = None
        self._one_by_one: bool | None = None
        self._together: AtVertices | None = None
        self.hops = np.zeros(LEVELS if at_sources else 0, np.uint64)
        self.searched = 0

    def add(self, sources: Any) -> AtSources:
        """Search from these too; the sums at these sources, of length 0 where they are not wanted."""
        chosen = np.ascontiguousarray(sources, np.uint32)
        size = chosen.size if self._at_sources else 0
        profile = np.zeros((size, self._profile), np.uint64)
        sums = np.zeros(size, np.uint64), np.zeros(size, np.uint64), np.zeros(size, np.uint32)
        made = AtSources(*sums, self.hops, profile)
        if self._sizes[0] and self.searched + chosen.size > self._room:
            raise ValueError(f"sums at vertices have room for {self._room:,} sources")
        mine = chosen if self.run.shared is None else chosen[slice(*self.run.shared.range(0, chosen.size))]
        if mine.size:
            self._search(mine, made)
        self.searched += chosen.size
        return made

    def _search(self, chosen: np.ndarray, made: AtSources) -> None:
        work, stop = (self.graph.m + self.graph.n) * (1 + chosen.size // 64), self.run.stop
        if self._one_by_one is None:
            self._one_by_one = self._come_apart(chosen[: int(BATCH)])
        if self._one_by_one:
            rows, marks, sums = self.graph.rows[:2], self._single_marks(), self._sums_of_each()
            self.run.launch(all_searches, rows, marks, chosen, self.unit, sums, made, cursor(), stop, work=work)
        elif self._is_team_work(chosen.size):
            key, graph = ("table", self.run.threads), self.graph
            memory = take_memory(graph, key, lambda: _memory(graph.n, self.run.threads))
            table, sums = Table._make([*memory, word_cuts(graph.reverse)]), self._sums_of_all()
            self.run.launch(team_batches, self._both, table, chosen, self.unit, sums, made, stop, work=work)
            give_back(graph, key, memory, most=graph.n * 8 + graph.m * 4)
        else:
            desks, sums = self._each_alone(), self._sums_of_each()
            self.run.launch(all_batches, self._both, desks, chosen, self.unit, sums, made, cursor(), stop, work=work)

    def _come_apart(self, chosen: np.ndarray) -> bool:
        """Whether sources of a batch come to a vertex at many different levels, judged by one search from its middle.

        How far the others are from that one tells when their searches come to it, if the graph is undirected.
        """
        if self._local or self.graph.m > _WIDE * self.graph.n or chosen.size <= _SHARING:
            return False
        marks, source = self._single_marks(), np.uint64(chosen[chosen.size // 2])
        mark, base = marks.mark[0], marks.base[0]
        levels, _ = search_alone(*self.graph.rows[:2], mark, marks.queue[0], base, source, self.run.stop)
        marks.base[0] += np.uint64(levels + 1)
        there = mark[chosen]
        return bool(np.unique(there[there >= base]).size * _SHARING > chosen.size)

    def _is_team_work(self, sources: int) -> bool:
        """Whether all workers search a batch together rather than each one of its own."""
        n, workers = self.graph.n, self.run.threads
        if self._local:
            return False
        wide = self.graph.m > _WIDE * n and workers * n * 24 * int(LANES) > _CACHE
        return wide or sources <= int(BATCH) * (workers - 1)

    def _new_sums(self, *shape: int) -> AtVertices:
        require(math.prod(shape) * (8 * sum(self._sizes[:5]) + 4 * self._sizes[5]), "sums at vertices")
        kinds = [np.uint64] * 5 + [np.uint32]
        made = AtVertices(*(np.zeros((*shape, size), kind) for size, kind in zip(self._sizes, kinds)))
        self._sums.append(made)
        return made

    def _each_alone(self) -> Desk:
        """Desks for all workers."""
        if self._desks is None:
            n, workers = self.graph.n, self.run.threads
            require(workers * n * (24 * int(LANES) + 8), "searches from many sources")
            words = [np.zeros((workers, n * int(LANES)), np.uint64) for _ in range(3)]
            lists = [np.empty((workers, n), np.uint32) for _ in range(2)]
            planes = np.zeros((workers, int(PLANES * LANES)), np.uint64)
            self._desks = Desk._make([*words, *lists, planes])
        return self._desks

    def _single_marks(self) -> Marks:
        """What all workers need for single searches."""
        if self._marks is None:
            n, workers = self.graph.n, self.run.threads
            require(workers * n * 8, "searches from many sources")
            self._marks = new_marks(workers, n, self.unit)
        return self._marks

    def _sums_of_each(self) -> AtVertices:
        """Sums of each worker's own."""
        if self._rows is None:
            self._rows = self._new_sums(self.run.threads)
        return self._rows

    def _sums_of_all(self) -> AtVertices:
        """Sums that all workers add to together."""
        if self._together is None:
            self._together = self._new_sums()
        return self._together

    def _sum(self, which: int) -> np.ndarray:
        """What all workers have added up."""
        total = np.zeros(self._sizes[which], np.uint64)
        for sums in self._sums if total.size else ():
            total += sums[which].reshape(-1, total.size).sum(axis=0)
        return total if self.run.shared is None else self.run.shared.total(total)

    @property
    def reached(self) -> np.ndarray:
        """uint64[n]: how many of the sources reach each vertex, itself not counted."""
        return self._sum(0)

    @property
    def total(self) -> np.ndarray:
        """uint64[n]: the sum of the distances from the sources that reach it."""
        return self._sum(1)

    @property
    def second(self) -> np.ndarray:
        """uint64[n]: the sum of the squares of these distances, where they are wanted."""
        return self._sum(2)

    @property
    def inverse(self) -> np.ndarray:
        """float64[n]: the sum of 1 / distance over the other sources that reach it."""
        return self._sum(3) / self.unit

    @property
    def square(self) -> np.ndarray:
        """float64[n]: the sum of the squares of that."""
        return self._sum(4) / self.unit

    @property
    def farthest(self) -> np.ndarray:
        """uint32[n]: the largest distance from a source."""
        most = np.zeros(self._sizes[5], np.uint32)
        for sums in self._sums if most.size else ():
            np.maximum(most, sums.farthest.reshape(-1, most.size).max(axis=0), out=most)
        return most


def _memory(n: int, workers: int) -> tuple[np.ndarray, ...]:
    """What a table has, whatever was in it before; but counters are 0."""
    require(n * (24 * int(LANES) + 8), "searches from many sources")
    words, lists = (np.empty(n * int(LANES), np.uint64) for _ in range(3)), (np.empty(n, np.uint32) for _ in range(2))
    marked = np.empty((2, (n + 63) // 64), np.uint64)
    return *words, *lists, marked, np.zeros((workers, int(PLANES * LANES)), np.uint64)


def word_cuts(graph: Graph) -> np.ndarray:
    """Pieces of a bitmap of the vertices, of about as many arcs each."""
    inner = (row_cuts(graph)[1:-1] + np.uint64(32)) // np.uint64(64)
    return np.unique(np.r_[np.uint64(0), inner, np.uint64((graph.n + 63) // 64)]).astype(np.uint64)


def batch_sources(graph: Graph) -> int:
    """How many sources to hand in at once so that control comes back soon; the same for any number of threads."""
    return 4 * int(BATCH) * max(1, math.ceil((1 << 21) / max(graph.m + graph.n, 1)))


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
