"""Eigenvector, HITS and Katz centralities within a budget: rounds that end when the error is small enough.

Katz scores come with a proof of their error (see `algorithms.katz`), so that they are certified, and time may end
their rounds. What rounds of the other two leave is estimated from the gap to the next eigenvalue, which may be smaller
than it seems: such answers have to be allowed (`allow="estimated"`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nearly.budget.deadline import Deadline
from nearly.budget.estimator import Estimator, Prediction, estimator
from nearly.engine.result import Result
from nearly.engine.run import Run


class _Rounds(Estimator):
    """What all three have in common: errors shrink by about the same factor in every round."""

    def share(self) -> float:
        """Of an exact run's rounds, how many are needed for the error."""
        error = self.budget.max_error
        assert error is not None
        return min(max(math.log(min(error, 0.5)) / math.log(self.arguments["tol"]), 0.0), 1.0)

    def predict(self, run: Run) -> Prediction:
        exact, error = self.question.exact_seconds, self.budget.max_error
        if error is None:
            return Prediction(min(exact, self.budget.seconds_left), math.inf, "as many rounds as fit")
        return Prediction(exact * max(self.share(), 0.1), error, "rounds that end early")

    def answer(self, run: Run) -> Result | None:
        run.max_error = self.budget.max_error
        return self.question.entry.body(run, **self.arguments)


@estimator("katz", "rounds")
class KatzRounds(_Rounds):
    """Rounds until the proven error is small enough, or the time is over."""

    level, kind, scope = "certified", "absolute", "all"

    def answer(self, run: Run) -> Result | None:
        if self.budget.deadline is not None:
            limit = Deadline()
            limit.until, run.deadline = self.budget.deadline, None
            run.techniques = (limit,)
        return super().answer(run)


class _Estimated(_Rounds):
    """Rounds until the distance from the eigenvector, as the gap suggests it, is small enough."""

    level, scope = "estimated", "all"

    def refuses(self) -> str | None:
        return "it needs max_error" if self.budget.max_error is None else None

    def answer(self, run: Run) -> Result | None:
        result: Any = super().answer(run)
        if result.guarantee == "estimated":
            result.error, result.error_kind, result.confidence = result.residual / result.gap, self.kind, None
            off = result.error * float(np.linalg.norm(result.values))
            result.interval = np.maximum(result.values - off, 0.0), result.values + off
        return result


@estimator("eigenvector", "rounds")
class EigenvectorRounds(_Estimated):
    """Fewer rounds towards the eigenvector."""


@estimator("hits", "rounds")
class HitsRounds(_Estimated):
    """Fewer rounds towards the authorities."""

    kind = "relative"
