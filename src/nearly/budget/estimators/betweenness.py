"""Betweenness of all vertices from sampled pairs: no score is further off than the error, with the given confidence.

The mean share of a vertex over all ordered pairs, times n / (n - 2), is its normalised betweenness: pairs that the
vertex is an end of count 0 and are left out of the norm.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nearly.algorithms.betweenness import BetweennessResult, Scaling
from nearly.algorithms.betweenness.pairs.bounds import Look
from nearly.base.arguments import flag
from nearly.budget.estimator import estimator
from nearly.budget.pairs import PairEstimator, below_one
from nearly.engine.result import Result
from nearly.engine.run import Run


@estimator("betweenness", "paths")
class BetweennessByPairs(PairEstimator):
    """The error is absolute, of normalised scores, for all vertices at once."""

    kind, scope = "absolute", "all"

    def refuses(self) -> str | None:
        """Scores of other kinds have to be exact."""
        told = self.arguments
        below_one(self.budget.max_error, "normalised scores lie between 0 and 1")
        if told["sources"] is not None:
            return "it draws pairs, not sources of the caller's choice"
        if flag("edges", told["edges"]) or flag("endpoints", told["endpoints"]):
            return "it knows scores of vertices inside paths only: not of edges or ends"
        if not flag("normalized", told["normalized"]):
            return "its error is that of normalised scores"
        return unlike(self)

    def largest_target(self, n: int) -> float:
        """As all targets."""
        return 1.0 if self.budget.max_error is None else self.budget.max_error * (n - 2) / n

    def targets(self, means: np.ndarray, samples: int) -> Any:
        """The same for all."""
        return self.largest_target(means.size)

    def promised(self) -> float:
        """Its target."""
        watch, n = self.pursuit.watch, self.question.graph.n
        return math.inf if watch is None else float(watch.targets.max()) * n / (n - 2)

    def enough(self, look: Look) -> bool:
        """Whether every margin is within the error."""
        return self.budget.max_error is not None and look.margins.max() <= self.largest_target(look.means.size)

    def answer(self, run: Run) -> Result | None:
        """The means, scaled."""
        look = self.pursue(run)
        if look is None or look.margins.max() >= 1:
            return None
        n, directed = run.graph.n, run.graph.directed
        scale = n / (n - 2)
        return BetweennessResult(
            look.means * scale,
            guarantee=self.level,
            sources=None,
            samples=look.samples,
            scaling=Scaling(n, directed, np.empty(0, np.uint64), True, True, False, self.weighted),
            error=_within(float(look.margins.max()) * scale, self.budget.max_error, self.enough(look)),
            error_kind=self.kind,
            error_scope=self.scope,
            confidence=self.budget.confidence,
            interval=lambda: (look.low * scale, look.high * scale),
        )


def _within(error: float, most: float | None, enough: bool) -> float:
    """The error reached, without the rounding by which it may be above what was asked."""
    return min(error, most) if enough and most is not None else error


def unlike(one: PairEstimator) -> str | None:
    """What no sample of pairs can answer."""
    if one.question.graph.n < 3:
        return "no vertex can be between two others"
    if one.question.options.max_rounds is not None:
        return "rounds are sources, and it uses none"
    if one.question.options.approx is not None or one.question.options.device != "cpu":
        return "it samples the graph as it is, on the CPU"
    return None
