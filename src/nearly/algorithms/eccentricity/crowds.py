"""Eccentricities of many vertices by one batch of searches, and what they tell of all others.

Which vertices are searched from depends on the goal. For all eccentricities half of them are at the rim, for bounds
below, and half central, for bounds above. For the largest one half are at the rim, too, and half are next to as many
open vertices as can be, so that these are settled with them (`passing`). For the smallest they are those of least
bounds.
A batch tells the eccentricities of its sources, and with them of an undirected graph how far every vertex is from the
farthest of them, a bound below. In a directed graph that takes a second batch, against the arcs, from vertices that
were found far away.
"""

from __future__ import annotations

import numpy as np

from nearly.algorithms.eccentricity.passing import Passing
from nearly.algorithms.shared.hop_batch_kernels import BATCH
from nearly.algorithms.shared.hop_batches import HopBatches
from nearly.engine.run import Did, Run

_BATCH = int(BATCH)


class Crowd:
    """Searches of many at once; `low` and `high` are the bounds they better."""

    def __init__(self, run: Run, low: np.ndarray, high: np.ndarray, passing: Passing) -> None:
        self.run, self.low, self.high, graph = run, low, high, run.graph
        self.passing = passing
        self._along = HopBatches(run, graph, at_sources=True, inverse=False)
        self._against = HopBatches(run, graph.reverse, inverse=False) if graph.directed and passing.across else None
        self._back = self._against or self._along  # those that vertices are far from, or near to
        self._been_ends = np.zeros(graph.n if self._against else 0, bool)

    def search(self, goal: str, is_open: np.ndarray, sums: np.ndarray) -> list[Did]:
        """One batch; `sums` tell how far vertices are from those that were searched from one by one."""
        where = self._chosen(goal, is_open, sums)
        found = self._along.add(where).farthest
        if not self.run.graph.directed:
            self._raise(self._along)
        elif self._against is not None and goal == "all":
            self._against.add(self._ends(self._along.farthest, self._along.total))
            self._raise(self._against)
        self.low[where] = self.high[where] = found
        self.passing.pass_on(self.low, self.high)
        return [Did(where.size, self.run.graph.m)]

    def _raise(self, batches: HopBatches) -> None:
        """No eccentricity is less than the distance to any of the vertices that were searched from."""
        np.maximum(self.low, np.minimum(batches.farthest, self.high), out=self.low)

    def _chosen(self, goal: str, is_open: np.ndarray, sums: np.ndarray) -> np.ndarray:
        where = np.flatnonzero(is_open)
        if where.size <= _BATCH:
            return where
        low, high = self.low[where], self.high[where].astype(np.int64)
        off = (sums[where] + self._back.total[where]).astype(np.int64)
        rim, central = np.lexsort((-off, -high))[: _BATCH // 2], np.lexsort((off, low))[: _BATCH // 2]
        if goal == "largest":
            return np.union1d(where[rim], self.passing.cover(self.low, self.high, is_open, _BATCH // 2))
        return where[np.sort(central) if goal == "smallest" else np.union1d(rim, central)]

    def _ends(self, farthest: np.ndarray, total: np.ndarray) -> np.ndarray:
        """Vertices that were found farthest away, and have not been asked before."""
        key = np.where(self._been_ends, 0, farthest.astype(np.uint64) << np.uint64(40)) + total * ~self._been_ends
        count = min(_BATCH, key.size)
        ends = np.argpartition(key, key.size - count)[key.size - count :]
        self._been_ends[ends] = True
        return np.sort(ends)
