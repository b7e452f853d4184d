"""The densest subgraph within a budget: rounds of peeling that end when density and bound are near enough.

The error is relative to the bound, and certified: what is returned has a density of at least 1 - error of the best.
The number of rounds grows with the square of 1 / max_error at worst. Where the first ones do not suffice, the flow of
an exact run is the faster way, and the answer is exact.
"""

from __future__ import annotations

from typing import Any

from nearly.budget import rates
from nearly.budget.estimator import Estimator, Prediction, estimator
from nearly.engine.result import Result
from nearly.engine.run import Run

_MOST = 12.0  # rounds that an exact run makes before its flow


@estimator("densest_subgraph", "rounds")
class Rounds(Estimator):
    """Rounds of Greedy++ without the flow that would prove the last bit."""

    level, kind, scope = "certified", "relative", "aggregate"

    def refuses(self) -> str | None:
        return None if self.budget.max_error is not None else "it needs max_error"

    def predict(self, run: Run) -> Prediction:
        graph = self.question.graph
        assert self.budget.max_error is not None
        rounds = min(_MOST, 1 + 0.2 / self.budget.max_error)
        share = (1 + rounds) / (1 + 2 * _MOST)  # the flow takes about as long as the rounds before it
        seconds = rates.seconds("densest_subgraph", (graph.m + graph.n) * share, graph.m)
        return Prediction(seconds, self.budget.max_error, f"about {rounds:.0f} rounds")

    def answer(self, run: Run) -> Result | None:
        run.max_error = self.budget.max_error
        result: Any = self.question.entry.body(run, **self.arguments)
        return result
