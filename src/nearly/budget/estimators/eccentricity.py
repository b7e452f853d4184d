"""Eccentricities, diameter and radius within a budget: the searches of the exact run, ended when the bounds are close.

Every search leaves bounds that are certain (`algorithms.eccentricity.bounds`), so that any number of them makes an
interval. The error is the width of the interval relative to its lower end; of eccentricities, the largest of all
vertices. The value is the lower end of eccentricities and of a diameter, and the upper one of a radius.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.budget.deadline import Deadline
from nearly.budget.estimator import Estimator, Prediction, estimator
from nearly.engine.result import Result
from nearly.engine.run import Run

_FIRST = 0.25  # of exact's time: what the first searches take, which bring most


class _Bounds(Estimator):
    """What the three have in common."""

    level, kind, scope = "certified", "relative", "aggregate"
    is_exact_run = True

    def refuses(self) -> str | None:
        if self.question.options.approx is not None:
            return "a technique is asked for"
        return None

    def predict(self, run: Run) -> Prediction:
        exact = self.question.exact_seconds
        if self.budget.max_error is None:
            return Prediction(min(exact, max(self.budget.seconds_left, 0.0)), 1.0, "as many searches as fit")
        return Prediction(exact * _FIRST, self.budget.max_error, "the first searches")

    def answer(self, run: Run) -> Result | None:
        if self.budget.deadline is not None:
            limit = Deadline()
            limit.until, run.deadline = self.budget.deadline, None
            run.techniques = (limit,)
        run.max_error = self.budget.max_error
        result: Any = self.question.entry.body(run, **self.arguments)
        if result.guarantee != "exact":
            low, high = (np.asarray(end, np.float64) for end in result.interval)
            with np.errstate(invalid="ignore"):
                width = np.where(high == low, 0.0, (high - low) / np.maximum(low, 1.0))
            result.guarantee, result.error = "certified", float(width.max(initial=0.0))
            result.confidence = 1.0
        result.error_kind, result.error_scope = self.kind, self.scope
        return result


@estimator("eccentricity", "bounds")
class EccentricityBounds(_Bounds):
    """Bounds of all vertices."""

    scope = "all"


@estimator("diameter", "bounds")
class DiameterBounds(_Bounds):
    """Bounds of the largest eccentricity."""


@estimator("radius", "bounds")
class RadiusBounds(_Bounds):
    """Bounds of the smallest."""
