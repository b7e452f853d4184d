"""Harmonic closeness of all vertices at once, from some sources drawn at random.

A source s gives 1 / d(s, v) for every vertex v. What a vertex has from its neighbours, 1 each, is counted exactly: the
rest lies between 0 and 1/2, and the bound of `sampled_sources` holds with that range. Deviations are small where most
distances are alike, which is where this beats Hoeffding's bound. The error is about the normalised score, whether or
not values are scaled.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.algorithms.harmonic import HarmonicResult
from nearly.algorithms.shared.hop_batches import HopBatches
from nearly.budget.estimator import estimator
from nearly.budget.sampled_sources import SampledSources, bound, distinct_in_degrees, neighbours_of, variance_of

RANGE = 0.5


@estimator("harmonic", "sources")
class Sources(SampledSources):
    """See the top of the file."""

    inverse, guess = True, (0.004, RANGE)

    def refuses(self) -> str | None:
        graph = self.question.graph
        if self.question.options.approx is not None:
            return "a technique is asked for"
        if self.arguments["weights"] and graph.weighted:
            return "lengths have no bound"
        if self.arguments["normalized"] not in (True, False) or graph.n < 3:
            return "there is nothing to sample"
        return None

    def look(self, sums: HopBatches, sources: np.ndarray, doubt: float) -> tuple[float, Any]:
        n, near = self.question.graph.n, neighbours_of(self.question.graph, sources)
        mean, variance = variance_of(sums.inverse - near, sums.square - near, sources.size)
        off = n / (n - 1) * bound(sources.size, variance, doubt, RANGE)
        return float(off.max()), (mean, off)

    def result(self, found: Any) -> HarmonicResult:
        graph, scaled = self.question.graph, self.arguments["normalized"]
        n, (mean, off) = graph.n, found
        values, unit = (distinct_in_degrees(graph) + n * mean) / (n - 1), 1.0 if scaled else n - 1.0
        result = HarmonicResult(values * unit, guarantee="statistical", normalized=scaled, weighted=False)
        result.interval = np.maximum(values - off, 0.0) * unit, np.minimum(values + off, 1.0) * unit
        return result
