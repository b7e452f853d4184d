"""PageRank within a budget: the rounds of the exact run, ended when a bound on the error is small enough.

rounds   ||x - x*||_1 <= ||x - F(x)||_1 / (1 - d), because F brings any two vectors nearer by the factor d; so rounds
         end when one more would change the ranks by at most (1 - d) max_error. The bound is certified: `.error` is
         computed by one exact sweep when it is read.
push     personalised ranks by forward push (`algorithms.pagerank.push`), where the mass stays near; after a quarter of
         the arcs that rounds would visit, rounds answer instead.

With a time limit the rounds end in time for the sweep that bounds the error. With `top=k` they end when set and order
are certain and the error, if one was asked for, is reached.
"""

from __future__ import annotations

from typing import Any

from nearly.algorithms.pagerank import PagerankResult, expected_rounds
from nearly.algorithms.pagerank.problem import Problem, arc_totals
from nearly.algorithms.pagerank.push import pushed_ranks
from nearly.algorithms.shared.weights import uses_weights
from nearly.base.arguments import distribution, number
from nearly.budget import rates
from nearly.budget.deadline import Deadline
from nearly.budget.estimator import Estimator, Prediction, estimator
from nearly.engine.run import Did, Run

_SLACK = 0.98  # of the tolerance that the error allows: float32 rounds may be off by their rounding
_SWEEPS = 2.5  # rounds that the sweep at the end costs, and being late


class _Certified(Estimator):
    """What both have in common: errors are sums over all vertices, and certain."""

    level, kind, scope = "certified", "absolute", "all"

    def refuses(self) -> str | None:
        if self.arguments["norm"] != "l1":
            return "its error is a sum, norm='max' is not"
        if self.question.options.policy != "auto" or self.question.options.device != "cpu":
            return "it runs with policy='auto' on the CPU"
        return None

    @property
    def damping(self) -> float:
        return number("damping", self.arguments["damping"], 0, 1, below=True)

    @property
    def allowed(self) -> float:
        """The change of a round that is small enough."""
        asked = self.arguments["tol"]
        if self.budget.max_error is None:
            return asked
        return _SLACK * self.budget.max_error * (1 - self.damping)

    def round_seconds(self) -> float:
        """The predicted time of one round."""
        graph = self.question.graph
        return rates.seconds("pagerank", graph.m + graph.n, graph.m)


@estimator("pagerank", "rounds")
class Rounds(_Certified):
    """Rounds that end when the error is small enough, or the time is over."""

    def refuses(self) -> str | None:
        return super().refuses() or (
            None if self.arguments["method"] == "power" else "it is a way of its own, method='power'"
        )

    def predict(self, run: Run) -> Prediction:
        each, rounds = self.round_seconds(), expected_rounds(self.damping, self.allowed)
        fit = max(self.budget.seconds_left / each - _SWEEPS, 0.0)
        if self.budget.max_error is None and fit < rounds:
            return Prediction(fit * each, min(2.0, 0.4**fit * 2), f"about {fit:.0f} rounds fit")
        error = self.budget.max_error if self.budget.max_error is not None else self.allowed / (1 - self.damping)
        return Prediction(each * rounds, error, f"about {rounds:.0f} rounds")

    def answer(self, run: Run) -> PagerankResult | None:
        if self.budget.deadline is not None:
            limit = Deadline()
            limit.until, run.deadline = self.budget.deadline - _SWEEPS * self.round_seconds(), None
            run.techniques = (limit,)
        run.max_error = self.budget.max_error
        settling = self.arguments["top"] is not None
        tol = self.arguments["tol"] if settling else self.allowed
        result: Any = self.question.entry.body(run, **{**self.arguments, "tol": tol})
        result.guarantee = "certified"
        result.error, result.confidence = vars(result)["bound"], 1.0  # computed when it is read
        return result


@estimator("pagerank", "push")
class Push(_Certified):
    """Forward push from where jumps lead."""

    scope = "each"

    def refuses(self) -> str | None:
        if self.arguments["personalization"] is None:
            return "it is for personalised ranks"
        if self.budget.max_error is None:
            return "it needs max_error"
        if self.arguments["dangling"] == "leak" or self.arguments["top"] is not None:
            return "it knows neither dangling='leak' nor top="
        return super().refuses()

    def predict(self, run: Run) -> Prediction:
        """As if the mass stayed near: what is touched cannot be told before, so that pushing is tried first."""
        assert self.budget.max_error is not None
        arcs = min(self._most(), 20 / self.budget.max_error)
        seconds = rates.seconds("push", arcs, self.question.graph.m)
        return Prediction(seconds, self.budget.max_error, "if the mass stays near; else rounds go on")

    def _most(self) -> float:
        """The arcs after which rounds are tried instead."""
        graph = self.question.graph
        return 0.25 * (graph.m + graph.n) * expected_rounds(self.damping, self.allowed)

    def answer(self, run: Run) -> PagerankResult | None:
        assert self.budget.max_error is not None
        graph, given = run.given, self.arguments["personalization"]
        teleport = distribution("personalization", given, graph.n, normalise=True)
        totals = arc_totals(graph, run.threads) if uses_weights(graph, self.arguments["weights"]) else None
        problem = Problem(graph, self.damping, teleport, False, totals)
        found = pushed_ranks(run, problem, self.budget.max_error, self._most())
        if found is None:
            return Rounds(self.question).answer(run)
        run.trace.add_step([Did(found.touched, found.arcs)], 0.0)
        result = PagerankResult(
            found.values, guarantee="certified", problem=problem, allowed=self.allowed,
            residual=found.error * (1 - self.damping), bound=found.error,
        )  # fmt: skip
        result.error, result.error_scope, result.confidence = found.error, self.scope, 1.0
        result.interval = found.values, found.values + found.error
        return result
