"""Harmonic closeness of all vertices at once, from some sources drawn at random.

One search from a source gives 1 / d(s, v) for every vertex v, so that a batch of sources is a sample for all vertices
(Eppstein and Wang 2004). What a vertex has from its neighbours, 1 each, is counted exactly: the rest lies between 0 and
1/2. Its mean over t sources is off by more than

    S sqrt(2 L / t) + 7 R L / (3 (t - 1)),   S the deviation among the sources, R = 1/2, L = log(2 / doubt),

with a probability of at most `doubt` to either side (empirical Bernstein: Maurer and Pontil 2009); all vertices, both
sides and all looks at the sample share the doubt of the budget. Deviations are small where most distances are alike,
which is where this beats Hoeffding's bound. The error is about the normalised score, whether or not values are scaled.
"""

from __future__ import annotations

import math

import numpy as np

from nearly.algorithms.harmonic import HarmonicResult
from nearly.algorithms.shared.hop_batch_kernels import BATCH
from nearly.algorithms.shared.hop_batches import HopBatches
from nearly.budget import rates
from nearly.budget.estimator import PAYS, Estimator, Prediction, estimator
from nearly.engine.interruptible import OutOfTime
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

RANGE = 0.5
_STREAM = 0x6861  # which random numbers choose sources
_GROWS = 1.3  # from look to look
_GUESS = 0.004  # the variance, before anything was drawn


@estimator("harmonic", "sources")
class Sources(Estimator):
    """See the top of the file."""

    def refuses(self) -> str | None:
        graph = self.question.graph
        if self.question.options.approx is not None:
            return "a technique is asked for"
        if self.arguments["weights"] and graph.weighted:
            return "lengths have no bound"
        if self.arguments["normalized"] not in (True, False) or graph.n < 3:
            return "there is nothing to sample"
        return None

    @property
    def doubt(self) -> float:
        """Of one vertex, to one side, over all looks."""
        return (1 - self.budget.confidence) / (2 * self.question.graph.n)

    def predict(self, run: Run) -> Prediction:
        graph = run.graph
        each = rates.seconds("harmonic", graph.n + graph.m, graph.m) - rates.LEAST
        if self.budget.max_error is None:
            fit = max(0.8 * self.budget.seconds_left / max(each, 1e-12), 2.0)
            return Prediction(fit * each, bound(fit, _GUESS, self.doubt / 2), f"about {fit:.0f} sources fit")
        wanted = sources_for(self.budget.max_error, self.doubt / 4)
        return Prediction(each * wanted, self.budget.max_error, f"about {wanted:,.0f} sources")

    def answer(self, run: Run) -> HarmonicResult | None:
        graph, n = run.graph, run.graph.n
        sums, near = HopBatches(run, graph), np.zeros(n)
        taken, look, aim, most = 0, 1, int(BATCH), n / PAYS
        random, best = np.random.default_rng([run.seed, _STREAM]), None
        while best is None or best[1] > (self.budget.max_error or 0.0):
            if aim > most and (best is None or self.budget.max_seconds is None):
                return None
            if aim > most:  # all vertices would take less
                break
            sources = random.integers(0, n, aim - taken).astype(np.uint32)
            try:
                sums.add(sources)
            except OutOfTime:
                break
            near += neighbours_of(graph, sources)
            taken = aim
            run.trace.add_step([Did(sources.size, graph.m)], 0.0)
            best = means(sums, near, taken, self.doubt / (look * (look + 1)))
            aim, look = math.ceil(aim * _GROWS / int(BATCH)) * int(BATCH), look + 1
        return None if best is None else self._result(graph, *best)

    def _result(self, graph: Graph, mean: np.ndarray, off: float) -> HarmonicResult:
        n, scaled = graph.n, self.arguments["normalized"]
        values = (distinct_in_degrees(graph) + n * mean) / (n - 1)
        error, unit = off * n / (n - 1), 1.0 if scaled else n - 1.0
        result = HarmonicResult(values * unit, guarantee="statistical", normalized=scaled, weighted=False)
        result.error, result.confidence = error, self.budget.confidence
        result.interval = np.maximum(values - error, 0.0) * unit, np.minimum(values + error, 1.0) * unit
        return result


def bound(samples: float, variance: float | np.ndarray, doubt: float) -> float:
    """How far a mean may be off, to one side; the largest of several variances counts."""
    log = math.log(2 / doubt)
    return math.sqrt(2 * float(np.max(variance)) * log / samples) + 7 * RANGE * log / (3 * max(samples - 1, 1))


def sources_for(error: float, doubt: float) -> float:
    """About how many sources bring the bound below an error."""
    log = math.log(2 / doubt)
    a, b = math.sqrt(2 * _GUESS * log), 7 * RANGE * log / 3
    return ((a + math.sqrt(a * a + 4 * error * b)) / (2 * error)) ** 2


def means(sums: HopBatches, near: np.ndarray, taken: int, doubt: float) -> tuple[np.ndarray, float]:
    """The mean of what vertices have from others than their neighbours, and how far any of them may be off."""
    mean, square = (sums.inverse - near) / taken, (sums.square - near) / taken
    variance = np.maximum(square - mean * mean, 0.0) * taken / max(taken - 1, 1)
    return mean, bound(taken, variance, doubt)


def _counted(graph: Graph) -> np.ndarray:
    """Which arcs are the first to their target, and no loops; rows are ascending."""
    src, dst = graph.arc_rows(), graph.arrays.targets
    again = np.r_[False, (src[1:] == src[:-1]) & (dst[1:] == dst[:-1])] if dst.size else np.zeros(0, bool)
    return (src != dst) & ~again


def distinct_in_degrees(graph: Graph) -> np.ndarray:
    """float64[n]: how many other vertices have an arc to each."""
    return np.bincount(graph.arrays.targets[_counted(graph)], minlength=graph.n).astype(np.float64)


def neighbours_of(graph: Graph, sources: np.ndarray) -> np.ndarray:
    """float64[n]: how many of the sources, counted as often as they occur, have an arc to each vertex."""
    times = np.bincount(sources, minlength=graph.n)
    chosen = _counted(graph) & (times[graph.arc_rows()] > 0)
    weights = times[graph.arc_rows()[chosen]]
    return np.bincount(graph.arrays.targets[chosen], weights=weights, minlength=graph.n)
