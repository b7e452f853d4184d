"""What both estimators of betweenness share: a pilot of sampled pairs that predicts, and the pursuit of the target.

Costs are counted in visits of arcs: a pair's are known from the pilot, and how many pairs are needed follows from the
variances it saw. Between looks the search gives up when what is left would take longer than an exact run, or when
both together would take half as long again. Without a largest error, the target is what the time allows, about.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nearly.algorithms.betweenness import checked_weights
from nearly.algorithms.betweenness.pairs.bounds import UNSEEN, Look, gain
from nearly.algorithms.betweenness.pairs.pursuit import Pursuit
from nearly.algorithms.betweenness.pairs.sampler import PairSampler
from nearly.base.errors import InvalidArgumentError
from nearly.budget import rates
from nearly.budget.estimator import PAYS, PILOT, Estimator, Prediction
from nearly.engine.run import Did, Run

EACH = 300.0  # what a pair costs beside its visits, in visits
FEWEST = 5.0  # arcs that a pair visits at least, about
_SHARE = 0.8  # of the time left, for which pairs are planned
_KEPT = 0.04  # seconds, at most, that are kept back for the end, and as a share of all
_MOST_KEPT = 0.1
_LEADERS = 20.0  # vertices that share most of the risk, about
_HALVINGS = 40


class PairEstimator(Estimator):
    """Pairs drawn at random, each with the shares that vertices have of its shortest paths."""

    level = "statistical"

    def predict(self, run: Run) -> Prediction:
        """Sample the pilot, where pairs can pay at all, and plan by it."""
        graph, exact = run.graph, self.question.exact_seconds
        self.weighted = checked_weights(run, self.arguments["weights"])
        self._rate = "weighted-path-sampling" if self.weighted else "path-sampling"
        self._risk, self._arcs = 1 - self.budget.confidence, graph.m
        least = math.log(2 * graph.n / self._risk) / self.largest_target(graph.n)
        if self.budget.max_seconds is None and PAYS * self._seconds(least * (FEWEST + EACH)) > exact:
            return Prediction(math.inf, math.inf, "even the fewest pairs would take longer than exact")
        run.deadline, kept = None, run.deadline
        deadline = None if kept is None else kept - min(_KEPT, _MOST_KEPT * (self.budget.max_seconds or 0.0))
        sampler = PairSampler(run, weighted=self.weighted)
        self.pursuit = Pursuit(sampler, self._targets, self._risk, deadline)
        most = PILOT * exact / self._seconds(1.0, marginal=True)
        each = self.pursuit.pilot(most - EACH) + EACH
        assert self.pursuit.watch is not None
        self._each, run.deadline = each, kept
        planned = self.pursuit.watch.planned
        if not sampler.fits or planned > 2.0**50:
            return Prediction(math.inf, math.inf, "the pilot saw too little")
        return Prediction(
            self._seconds(planned * each), self.promised(), f"about {planned:,} pairs of {each - EACH:,.0f} visits"
        )

    def pursue(self, run: Run) -> Look | None:
        """Sample until `enough` says so or the time is over; None where exact is faster after all."""
        look: Look | None = None
        ended, gave_up, kept = False, False, run.deadline
        run.deadline = None

        def step() -> list[Did] | None:
            nonlocal look, ended, gave_up
            if ended or gave_up:
                return None
            before = 0 if look is None else look.samples
            visited = self.pursuit.sampler.visited
            look = self.pursuit.go_on(look)
            ended = self.enough(look) or self.pursuit.late
            gave_up = not ended and self._slower(look)
            extra = {"samples": float(look.samples), "margin": float(look.margins.max())}
            return [Did(look.samples - before, max(look.visited - visited, 0), extra=extra)]

        run.enact(step)
        self.pursuit.sampler.close()
        run.deadline = kept
        return look if not gave_up and self.pursuit.sampler.fits and look is not None else None

    def _slower(self, look: Look) -> bool:
        """Whether an exact run, begun now, would end sooner, or the whole would take too long."""
        if self.budget.max_seconds is not None and self.question.exact_seconds > self.budget.seconds_left:
            return False
        exact = self.question.exact_seconds
        spent = self._seconds(self.pursuit.spent + look.visited + EACH * look.samples)
        needed = max(look.needed, self.pursuit.watch.planned if self.pursuit.watch else 0.0)
        left = self._seconds(max(needed - look.samples, 0.0) * self._each)
        return not self.pursuit.watch or left > exact or (spent > exact / 2 and spent + left > exact)

    def _seconds(self, visits: float, *, marginal: bool = False) -> float:
        return rates.seconds(self._rate, visits, self._arcs) - (rates.LEAST if marginal else 0.0)

    def _targets(self, means: np.ndarray, samples: int) -> Any:
        if self.budget.max_error is not None:
            return self.targets(means, samples)
        return self._affordable(means, samples)

    def _affordable(self, means: np.ndarray, samples: int) -> float:
        """The margin that all vertices can have by the end of the time, about; at most what a pilot tells."""
        pairs = max(_SHARE * self.budget.seconds_left / max(self.pursuit.pace, 1e-9), 1.0)
        top = float(means.max(initial=0.0))
        kinds = ((top + UNSEEN / samples, _LEADERS), (UNSEEN / samples, float(means.size)))
        return max(_reached(variance, pairs, math.log(2 * many / self._risk)) for variance, many in kinds)

    def largest_target(self, n: int) -> float:
        """No vertex's mean may be known less well."""
        raise NotImplementedError

    def targets(self, means: np.ndarray, samples: int) -> Any:
        """How well each vertex's mean has to be known."""
        raise NotImplementedError

    def promised(self) -> float:
        """The error that the plan leads to."""
        raise NotImplementedError

    def enough(self, look: Look) -> bool:
        """Whether the answer is good enough."""
        raise NotImplementedError


def _reached(variance: float, pairs: float, certainty: float) -> float:
    """The target for which so many pairs give this certainty."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        enough = pairs * gain(np.array(variance), middle) >= certainty
        low, high = (low, middle) if enough else (middle, high)
    return high


def below_one(max_error: float | None, what: str) -> None:
    """Refuse an error that every answer has."""
    if max_error is not None and max_error >= 1:
        raise InvalidArgumentError(f"max_error must be below 1, because {what}; not {max_error!r}")
