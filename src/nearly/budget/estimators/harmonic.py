"""Harmonic closeness of all vertices at once, from some sources drawn at random.

A source s gives 1 / d(s, v) for every vertex v. What a vertex has from its neighbours, 1 each, is counted exactly, and
so is how many vertices reach it, where `shared.reach_bounds` can tell: of these a vertex that is none of its neighbours
gives c(v), and 1 / d(s, v) - c(v) more, which lies within a range of 1/2 and is 0 for sources that do not reach v. Only
the mean of that is drawn for. c(v) is what a first batch of sources gives on average, which is not used again, so that
deviations are small wherever most distances to a vertex are alike, though not all vertices reach it; c(v) = 0 where
it is not known how many do. The bound is that of `sampled_sources`. The error is about the normalised score, whether or
not values are scaled.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.algorithms.harmonic import HarmonicResult
from nearly.algorithms.shared.hop_batch_kernels import BATCH
from nearly.algorithms.shared.hop_batches import HopBatches
from nearly.algorithms.shared.reach_bounds import reach_of
from nearly.budget.estimator import estimator
from nearly.budget.sampled_sources import SampledSources, distinct_in_degrees, neighbours_of, variance_of
from nearly.budget.stopping import staked_error
from nearly.engine.run import Run

RANGE = 0.5
_USUAL = 0.25  # the inverse distance of vertices that the first sources say nothing about


@estimator("harmonic", "sources")
class Sources(SampledSources):
    """See the top of the file."""

    inverse, guess = True, (0.003, RANGE)

    def refuses(self) -> str | None:
        graph = self.question.graph
        if self.question.options.approx is not None:
            return "a technique is asked for"
        if self.arguments["weights"] and graph.weighted:
            return "lengths have no bound"
        if self.arguments["normalized"] not in (True, False) or graph.n < 3:
            return "there is nothing to sample"
        return None

    def begin(self, run: Run, random: np.random.Generator) -> None:
        graph = run.graph
        reach = reach_of(run, graph)
        self.near = distinct_in_degrees(graph)
        sources = random.integers(0, graph.n, int(BATCH)).astype(np.uint32)
        first = HopBatches(run, graph, inverse=True)
        first.add(sources)
        near = neighbours_of(graph, sources)
        far = first.reached - near
        usual = np.divide(first.inverse - near, far, out=np.full(graph.n, _USUAL), where=far > 0)
        self.centre = np.where(reach.sure, np.clip(usual, 0.0, RANGE), 0.0)
        self.known = self.near + self.centre * np.where(reach.sure, reach.least - self.near, 0.0)

    def look(self, sums: HopBatches, sources: np.ndarray, doubt: float) -> tuple[float, Any]:
        graph, c, count = self.question.graph, self.centre, sources.size
        near = neighbours_of(graph, sources)
        far, inverse, square = sums.reached - near, sums.inverse - near, sums.square - near
        mean, variance = variance_of(inverse - c * far, square - 2 * c * inverse + c * c * far, count)
        off = graph.n / (graph.n - 1) * staked_error(count, variance, doubt, RANGE)
        return float(off.max()), (mean, off)

    def result(self, found: Any) -> HarmonicResult:
        graph, scaled = self.question.graph, self.arguments["normalized"]
        n, (mean, off) = graph.n, found
        values, unit = (self.known + n * mean) / (n - 1), 1.0 if scaled else n - 1.0
        result = HarmonicResult(values * unit, guarantee="statistical", normalized=scaled, weighted=False)
        result.interval = np.maximum(values - off, 0.0) * unit, np.minimum(values + off, 1.0) * unit
        return result
