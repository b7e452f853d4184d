"""Drawing wedges on the graph of a run, in batches: what the estimators of triangles and clustering have in common.

Batches are the same for any number of threads, and a trial's outcome depends on the seed and its number alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.algorithms.shared.work_memory import give_back, take_memory
from nearly.base.random import stream_key
from nearly.budget import wedge_kernels as wk
from nearly.budget.wedge_kernels import ANYWHERE, AT, CLOSED, FAILED, GLOBAL, ORIENTED
from nearly.budget.wedge_looks import count_until
from nearly.budget.wedge_pilot import pilot
from nearly.engine.row_pieces import cursor
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

__all__ = ["ANYWHERE", "AT", "BATCH", "FEW", "GLOBAL", "ORIENTED", "Sampler", "guess"]

BATCH = 4096  # trials between two looks at the clock
FEW = 2048  # trials that are not worth a second thread
_PILOT, _WAITS, _TRIALS = 0, 1, 2  # streams of a seed; _TRIALS and a way is that of its outcomes
_NO_CLASSES, _NO_COUNTS = np.empty(0, np.uint8), np.empty(0, np.uint64)


_KEPT = "pairs of neighbours"  # the name of the memory


class Pairs(NamedTuple):
    """What all wedges of a graph are drawn from: `starts` and `corners` of `Wedges`, and how many wedges there are."""

    starts: np.ndarray
    corners: np.ndarray
    total: int


def wedge_pairs(graph: Graph) -> Pairs:
    """Those of a graph; looked for once."""
    pairs: Pairs = take_memory(graph, (_KEPT,), _pairs, graph)
    give_back(graph, (_KEPT,), pairs)  # it is never written to
    return pairs


def _pairs(graph: Graph) -> Pairs:
    n, (offsets, targets, _) = graph.n, graph.rows
    starts, corners = _starts(n), np.empty(n + 1, targets.dtype)
    corners = corners[: int(wk.fill_corners(offsets, corners))].copy()
    total = wk.fill_starts(wk.Wedges(offsets, targets, _NO_CLASSES, _NO_COUNTS, starts, corners))
    return Pairs(starts, corners, int(total))


def _starts(n: int) -> np.ndarray:
    return np.empty(-(-n // int(wk.BLOCK)) + 1, np.uint64)


class Sampler:
    """Trials on the undirected graph of a run.

    run : the run.
    seed : of the trials.
    oriented : whether wedges are those that lie at their first vertex; see `wedge_kernels`.
    total : how many wedges there are; with loops and repetitions where they are not oriented.
    share : of the vertices that have two arcs or more, where wedges are not oriented: those ANYWHERE draws from.
    """

    def __init__(self, run: Run, seed: int, *, oriented: bool) -> None:
        self.run, self.seed = run, seed
        n, (offsets, targets, _) = run.graph.n, run.graph.rows
        if not oriented:
            starts, corners, self.total = wedge_pairs(run.graph)
            self.share = corners.size / max(n, 1)
            self._wedges = wk.Wedges(offsets, targets, _NO_CLASSES, _NO_COUNTS, starts, corners)
            return
        classes, counts, starts = np.empty(n, np.uint8), np.zeros(n, np.uint64), _starts(n)
        wk.degree_classes(offsets, classes)
        run.launch(wk.count_later, offsets, targets, classes, counts, cursor(), run.threads, run.stop)
        self.share = 0.0
        self._wedges = wk.Wedges(offsets, targets, classes, counts, starts, targets[:0])
        self.total = int(wk.fill_starts(self._wedges))

    def outcomes(self, way: int, first: int, count: int, vertex: int = 0) -> np.ndarray | None:
        """Which of the trials from number `first` on found a closed wedge; None where one found none at all."""
        out, drawn, shared = np.zeros(count, np.uint8), self._drawn(way, first, count, vertex), self.run.shared
        low, high = (0, count) if shared is None else shared.range(0, count)
        drawn, mine = drawn._replace(first=np.uint64(first + low)), out[low:high]
        self.run.launch(wk.try_wedges, self._wedges, drawn, mine, cursor(), self.run.threads, self.run.stop, work=count)
        out = out if shared is None else shared.total(out)
        return None if (out == FAILED).any() else out

    def closed(self, way: int, first: int, count: int, vertex: int = 0) -> int | None:
        """How many of them did."""
        if count <= FEW:
            found = wk.count_closed(self._wedges, self._drawn(way, first, count, vertex), np.uint64(count))
            return None if found == wk.NO_COUNT else int(found)
        out = self.outcomes(way, first, count, vertex)
        return None if out is None else int((out == CLOSED).sum())

    def until_look(self, way: int, first: int, closed: int, table: np.ndarray) -> tuple[int, int] | None:
        """How many are closed, and how many were tried, when a look is worth while; see `wedge_looks`."""
        drawn = self._key(way, first)
        found, trials = count_until(self._wedges, drawn, np.uint64(closed), table)
        self._note(int(trials) - first)
        return None if found == wk.NO_COUNT else (int(found), int(trials))

    def _drawn(self, way: int, first: int, count: int, vertex: int) -> wk.Draw:
        self._note(count)
        return self._key(way, first, vertex)

    def _note(self, count: int) -> None:
        self.run.trace.steps.append(([Did(count, count)], 0.0))
        self.run.trace.count += 1

    def _key(self, way: int, first: int, vertex: int = 0) -> wk.Draw:
        key = np.uint64(stream_key(np.uint64(self.seed), np.uint64(_TRIALS + way + (vertex << 3))))
        return wk.Draw(way, np.uint64(vertex), key, np.uint64(first))

    def wait(self, outcomes: np.ndarray, first: int, wanted: int, found: int, waited: float) -> tuple[int, float]:
        """Go on with Gamma-Bernoulli; see `wedge_kernels.until_successes`."""
        key = np.uint64(stream_key(np.uint64(self.seed), np.uint64(_WAITS)))
        got = wk.until_successes(outcomes, key, np.uint64(first), np.uint64(wanted), np.uint64(found), float(waited))
        return int(got[0]), float(got[1])


def guess(run: Run, trials: int) -> tuple[float, int]:
    """About which share of the oriented wedges is closed, from so many trials, and how many wedges these met.

    Where none is closed, the share is at most about one in those met.
    """
    key = np.uint64(stream_key(np.uint64(run.seed), np.uint64(_PILOT)))
    closed, weight, met = pilot(run.graph.rows.offsets, run.graph.rows.targets, key, np.uint64(trials))
    return (max(closed / weight, 1 / met), int(met)) if met else (0.0, 0)
