"""Sums at all vertices from some sources drawn at random: what estimators of closeness and of harmonic closeness share.

One search from a source gives a sample for every vertex, so that a batch of sources serves all vertices at once
(Eppstein and Wang 2004). How far the mean at a vertex may be off is bounded by stakes (`stopping.staked_error`), from
the variance among the samples and their range; all vertices, all sides and all looks at the sample share the doubt of
the budget. Looks begin where no variance would allow the error, which is known before anything is drawn; look j gets
the part 1 / (j (j + 1)) of the doubt.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nearly.algorithms.shared.hop_batch_kernels import BATCH
from nearly.algorithms.shared.hop_batches import HopBatches
from nearly.budget import rates
from nearly.budget.estimator import PAYS, Estimator, Prediction
from nearly.budget.stopping import staked_error, staked_samples
from nearly.engine.interruptible import OutOfTime
from nearly.engine.result import Result
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

_STREAM = 0x6861  # which random numbers choose sources
_GROWS = 1.25  # from look to look
_STEP = 4 * int(BATCH)  # sources after which the clock is looked at


class SampledSources(Estimator):
    """Draws sources until the error is small enough; an estimator says what it is after a number of them."""

    second = inverse = False  # which sums at vertices are wanted, see `HopBatches`
    sides = 2  # bounds that have to hold at each vertex
    guess = (1.0, 1.0)  # the variance and the range of samples, in units of the error, before anything was drawn

    def look(self, sums: HopBatches, sources: np.ndarray, doubt: float) -> tuple[float, Any]:
        """The error after these sources with this doubt of each bound, and what `result` needs."""
        raise NotImplementedError

    def result(self, found: Any) -> Result:
        """The answer."""
        raise NotImplementedError

    def begin(self, run: Run, random: np.random.Generator) -> None:
        """What is known of the graph before samples are drawn; what is drawn for it must not be among them."""

    @property
    def doubt(self) -> float:
        """Of one vertex, to one side, over all looks."""
        return (1 - self.budget.confidence) / (self.sides * self.question.graph.n)

    def predict(self, run: Run) -> Prediction:
        graph, (variance, span) = run.graph, self.guess
        each = rates.seconds(self.algorithm, graph.n + graph.m, graph.m) - rates.LEAST
        if self.budget.max_error is None:
            fit = max(0.8 * self.budget.seconds_left / max(each, 1e-12), 2.0)
            error = float(staked_error(fit, variance, self.doubt / 2, span))
            return Prediction(fit * each, error, f"about {fit:.0f} sources fit")
        wanted = staked_samples(self.budget.max_error, variance, self.doubt / 4, span)
        return Prediction(each * wanted, self.budget.max_error, f"about {wanted:,.0f} sources")

    def answer(self, run: Run) -> Result | None:
        graph, n = run.graph, run.graph.n
        random = np.random.default_rng([run.seed, _STREAM])
        try:
            self.begin(run, random)
        except OutOfTime:
            return None
        sums = HopBatches(run, graph, inverse=self.inverse, second=self.second)
        drawn, best, look, aim = np.empty(0, np.uint32), None, 1, self._first_aim()
        while best is None or best[0] > (self.budget.max_error or 0.0):
            if aim > n / PAYS:  # all vertices would take less
                if best is None or self.budget.max_seconds is None:
                    return None
                break
            try:
                while drawn.size < aim:
                    sources = random.integers(0, n, min(aim - drawn.size, _STEP)).astype(np.uint32)
                    sums.add(sources)
                    drawn = np.r_[drawn, sources]
                    run.trace.add_step([Did(sources.size, graph.m)], 0.0)
            except OutOfTime:
                break
            found = self.look(sums, drawn, self.doubt / (look * (look + 1)))
            best = found if best is None or found[0] < best[0] else best
            aim, look = _whole_batches(aim * _GROWS), look + 1
        if best is None:
            return None
        result = self.result(best[1])
        result.error, result.confidence = best[0], self.budget.confidence
        return result

    def _first_aim(self) -> int:
        """As many sources as it takes without any variance."""
        if self.budget.max_error is None:
            return int(BATCH)
        return _whole_batches(staked_samples(self.budget.max_error, 0.0, self.doubt / 2, self.guess[1]))


def _whole_batches(sources: float) -> int:
    return math.ceil(sources / int(BATCH)) * int(BATCH)


def variance_of(total: np.ndarray, squares: np.ndarray, samples: int) -> tuple[np.ndarray, np.ndarray]:
    """The mean of samples that add up to `total`, and their variance, by the sum of their squares."""
    mean = total / samples
    return mean, np.maximum(squares / samples - mean * mean, 0.0)


def _distinct(rows: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Which arcs are the first to their target, and no loops; rows come together and are ascending."""
    again = np.r_[False, (rows[1:] == rows[:-1]) & (targets[1:] == targets[:-1])] if rows.size else np.zeros(0, bool)
    return (rows != targets) & ~again


def distinct_in_degrees(graph: Graph) -> np.ndarray:
    """float64[n]: how many other vertices have an arc to each."""
    targets = graph.arrays.targets
    return np.bincount(targets[_distinct(graph.arc_rows(), targets)], minlength=graph.n).astype(np.float64)


def neighbours_of(graph: Graph, sources: np.ndarray) -> np.ndarray:
    """float64[n]: how many of the sources, counted as often as they occur, have an arc to each vertex."""
    chosen, times = np.unique(sources.astype(np.int64), return_counts=True)
    begin, arcs = graph.arrays.offsets[chosen].astype(np.int64), graph.out_degrees[chosen].astype(np.int64)
    places = np.repeat(begin - (np.cumsum(arcs) - arcs), arcs) + np.arange(arcs.sum())
    rows, targets = np.repeat(chosen, arcs), graph.arrays.targets[places].astype(np.int64)
    kept = _distinct(rows, targets)
    return np.bincount(targets[kept], weights=np.repeat(times, arcs)[kept], minlength=graph.n).astype(np.float64)
