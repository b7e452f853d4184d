"""Searches for the distances of pairs: memory for the workers, and the kernels' arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.algorithms.distances.kernels import Pairs, Sides, Ways, all_by_weights, all_in_hops
from nearly.algorithms.shared.length_sums import length_desks
from nearly.base.memory import require
from nearly.engine.row_pieces import cursor
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class PairSearch:
    """Distances of pairs, in calls of `find`."""

    def __init__(self, run: Run, graph: Graph, weighted: bool) -> None:
        self.run, self.graph, self.weighted = run, graph, weighted
        back = graph.reverse if graph.directed else graph
        self._ways = Ways(*(graph.arrays if weighted else graph.rows), *(back.arrays if weighted else back.rows))
        if weighted:
            self._memory: Any = length_desks(graph, 2 * run.threads)
        else:
            shape = (run.threads, 2, graph.n)
            require(16 * run.threads * graph.n, "searches from both ends")
            self._memory = Sides(np.zeros(shape, np.uint32), np.empty(shape, np.uint32))

    def find(self, sources: np.ndarray, targets: np.ndarray, attained: np.ndarray | None = None) -> np.ndarray:
        """float64: the distance of each pair, inf where there is no way.

        `attained` holds distances that some way of each pair is known to have, which may save part of the search.
        """
        values = np.full(sources.size, np.inf) if attained is None else attained.astype(np.float64)
        asked = Pairs(sources.astype(np.uint64), targets.astype(np.uint64), values)
        work = (self.graph.n + self.graph.m) * (1 + sources.size // 4)
        search = all_by_weights if self.weighted else all_in_hops
        if not self.weighted:
            self._memory.stamp[:] = 0
        self.run.launch(search, self._ways, self._memory, asked, cursor(), self.run.stop, work=work)
        return values
