"""Eccentricities by bounds: search from few vertices until the bounds of all, or of the extreme ones, meet.

Each search bounds the eccentricities of all vertices (`kernels`). The next one starts from a vertex that promises most:
in turn the one of largest upper bound, which is likely to be at the rim, and the one of smallest lower bound, which is
likely to be central and lowers the upper bounds of all; of several the one that is farthest from, or nearest to, the
vertices searched so far (SumSweep: Borassi, Crescenzi, Habib, Kosters, Marino, Takes 2015; Takes and Kosters 2013).
For the diameter of an undirected graph only one end of a pair is needed, and one of two vertices farther apart than d
is farther than d / 2 from any central vertex (iFUB: Crescenzi, Grossi, Habib, Lanzi, Marino 2013). There both ends are
open, so that a search bounds them by the distance to the farthest open vertex instead of the farthest of all.
Where single searches settle few vertices, many are searched at once (`crowds`), and bounds pass from each vertex to its
neighbours (`passing`), in a directed graph after every search: there most vertices at the fringe reach the middle, or
are reached from it, by few arcs, and a search from the middle tells nothing else of them.
A search tells nothing of other parts of the graph, and passing over all vertices after each would cost the square of
their number where there are many parts. So the vertices of small parts are searched from in batches (`small_parts`),
as soon as the first searches, in the largest, have shown which of them still matter.
"""

from __future__ import annotations

import numpy as np

from nearly.algorithms.connected_components import connected_components
from nearly.algorithms.eccentricity.crowds import Crowd
from nearly.algorithms.eccentricity.kernels import (
    NO_WAY,
    farthest,
    next_for_all,
    next_for_largest,
    next_for_smallest,
    tighten,
    tighten_pairs,
)
from nearly.algorithms.eccentricity.passing import Parts, Passing
from nearly.algorithms.eccentricity.small_parts import SmallParts
from nearly.algorithms.scc import scc
from nearly.algorithms.shared.level_search import LevelSearch
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

_TRIED = 16  # searches after which it is judged what they settle
_SHORT = 24  # levels of the first search, at most, in a graph in which searches of many at once are cheap
_ALONE = 4  # and there
_EACH = 8  # vertices that a search should settle, so that searching many at once is not faster
_FIRST = 2  # searches before small parts are looked at


class Bounds:
    """Bounds on the eccentricities of the vertices that take part; `settle` searches until they are good enough."""

    def __init__(self, run: Run, taking_part: np.ndarray | None = None) -> None:
        self.run, graph = run, run.graph
        self.low = np.zeros(graph.n, np.uint32)
        sizes = sizes_of_parts(graph)
        self._small = SmallParts(run, sizes)
        self.high = sizes - np.uint32(1)
        self._all_take_part = taking_part is None
        if taking_part is not None:
            self.high[~taking_part] = 0
        self.sums = np.zeros(graph.n, np.uint64)
        self._inner = (self.high == self.high.max(initial=0)) & (graph.out_degrees > 0)
        self.half = np.full(graph.n, NO_WAY, np.uint32)
        self._centre = int(NO_WAY)
        self._many_at_once: Crowd | None = None
        self._passing: Passing | None = None
        self._short = False
        self._turn, self._before, self._many, self._patience = 0, graph.n, 0, 1
        self._rim = -1  # the farthest vertex from a central one that was just searched from
        self.searched: list[int] = []

    def settle(self, goal: str) -> bool:
        """Search until the bounds meet for "all", the "largest" or the "smallest"; whether they do.

        Ends earlier where the run is over, or where the bounds are within `run.max_error` of one another.
        """

        def step() -> list[Did] | None:
            count, best, low, high = self.look(goal)
            close = self.run.max_error is not None and high - low <= self.run.max_error * low
            return None if count == 0 or close else self._search(goal, count, best)

        self.run.enact(step)
        return self.look(goal)[0] == 0

    def look(self, goal: str) -> tuple[int, int, int, int]:
        """(Vertices whose bounds are open, where to search next, the bound below, the bound above)."""
        central = self._turn % 2 == 1
        if goal == "largest":
            inner = self._inner if central else self._inner[:0]
            return tuple(map(int, next_for_largest(self.low, self.high, self.sums, self.half, inner)))  # type: ignore[return-value]
        if goal == "smallest":
            return tuple(map(int, next_for_smallest(self.low, self.high, self.sums)))  # type: ignore[return-value]
        count, best = map(int, next_for_all(self.low, self.high, self.sums, central))
        return count, best, *self._widest()

    def _widest(self) -> tuple[int, int]:
        """The bounds of the vertex where they are farthest apart, for their size."""
        if self.run.max_error is None or not self.low.size:
            return 0, 1
        wide = (self.high - self.low) / np.maximum(self.low, 1)
        at = int(np.argmax(wide))
        return int(self.low[at]), int(self.high[at])

    def _search(self, goal: str, count: int, best: int) -> list[Did]:
        self._turn += 1
        if self._turn == 1:
            open_ones = np.where(self.low < self.high, self.run.graph.out_degrees, 0)
            return self._search_one(int(np.argmax(open_ones)), goal)
        if self._turn > _FIRST and self._small.left:
            self._turn -= 1
            return self._small.settle(self.low, self.high, self._open(goal))
        tried = _ALONE if self._short else _TRIED
        if self._turn % tried == 0:
            few = 2 * count > self._before if self._short else self._before - count < tried * _EACH
            self._before = count
            if few and count > _TRIED:  # many at once, twice as often as the last time
                self._many, self._patience = self._patience, 2 * self._patience
        if self._many:
            self._many -= 1
            self._turn -= 1
            return self._crowd().search(goal, self._open(goal), self.sums)
        if goal == "smallest" and self._turn % 2 == 0 and self._rim >= 0:
            best = self._rim
        return self._search_one(best, goal)

    def _open(self, goal: str) -> np.ndarray:
        """Which vertices are to be searched from, or settled by searches from others."""
        is_open = self.low < self.high
        if goal == "largest":
            most = self.low.max()
            is_open &= (self.high > most) & ((self.half == NO_WAY) | (self.half > most // 2))
        elif goal == "smallest":
            is_open = self.low < self.high.min()
        return is_open

    def _crowd(self) -> Crowd:
        """Searches of many at once."""
        if self._many_at_once is None:
            self._many_at_once = Crowd(self.run, self.low, self.high, self._passing_on())
        return self._many_at_once

    def _passing_on(self) -> Passing:
        """What passes bounds on; in a directed graph it knows the strong parts."""
        if self._passing is None:
            parts = strong_parts(self.run, self._all_take_part) if self.run.graph.directed else None
            if parts is not None:
                self._inner &= parts.label == parts.largest  # none else is in the middle
            self._passing = Passing(self.run.graph, parts)
        return self._passing

    def _search_one(self, s: int, goal: str) -> list[Did]:
        graph, undirected = self.run.graph, not self.run.graph.directed
        away = levels(self.run, graph, s)
        back = away if undirected else levels(self.run, graph.reverse, s)
        ecc, reached = farthest(away)
        tighten(self.low, self.high, self.sums, away, back, ecc)
        self.low[s] = self.high[s] = ecc
        self._inner[s] = False
        self._rim = int(np.argmax(np.where(back == NO_WAY, 0, back)))
        if undirected and goal == "largest":
            tighten_pairs(self.low, self.high, away)
        if undirected and 2 * int(reached) > graph.n and int(ecc) < self._centre:
            self.half, self._centre = away, int(ecc)
        if not undirected:
            self._passing_on().pass_on(self.low, self.high)
        self._short = self._short or (not self.searched and int(ecc) <= _SHORT)
        self.searched.append(s)
        return [Did(int(reached), graph.m if undirected else 2 * graph.m)]


def levels(run: Run, graph: Graph, source: int) -> np.ndarray:
    """Distances from a vertex in hops, UNREACHED where there is no way."""
    search = LevelSearch(run, graph, source)
    while search.step():
        pass
    return search.level


def strong_parts(run: Run, across: bool) -> Parts:
    """The strong parts of a graph, and what the largest of them reaches."""
    labels = scc(run.graph).values
    size = np.bincount(labels, minlength=run.graph.n).astype(np.uint32)
    largest = int(np.argmax(size))
    after = levels(run, run.graph, largest) != NO_WAY  # a label is a member
    return Parts(labels, largest, after, size, np.zeros(run.graph.n, np.uint32), across)


def sizes_of_parts(graph: Graph) -> np.ndarray:
    """uint32[n]: how many vertices the (weakly) connected part of each vertex has."""
    if not graph.n:
        return np.zeros(0, np.uint32)
    labels = connected_components(graph).values
    return np.bincount(labels, minlength=graph.n).astype(np.uint32)[labels]


def reaching_all(graph: Graph) -> np.ndarray:
    """Which vertices reach every vertex."""
    if not graph.directed:
        return np.full(graph.n, graph.n < 2 or connected_components(graph).count == 1)
    labels = scc(graph).values
    here, there = labels[graph.arc_rows()], labels[graph.arrays.targets]
    entered = np.zeros(graph.n, bool)
    entered[there[here != there]] = True
    roots = np.flatnonzero((labels == np.arange(graph.n)) & ~entered)  # parts that no other leads to
    return labels == roots[0] if roots.size == 1 else np.zeros(graph.n, bool)
