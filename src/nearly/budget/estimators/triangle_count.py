"""The number of triangles, within a relative error, by wedges.

Every edge leads to the end of higher degree (about: see `wedge_kernels`); each triangle then closes one of the W wedges
at their first vertices, and a share p of them is closed: T = p W. W takes one look at all arcs, p is estimated by
Gamma-Bernoulli (`stopping`), whose number of trials adapts to p. If p is small (random graphs, one triangle in a
forest) that number is beyond what an exact count costs. A pilot tells before any arc has been looked at.

The bound is that of p; the total is then rounded to a whole number, for which a hundredth of the error is kept apart.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from nearly.algorithms.triangle_count import TrianglesResult
from nearly.budget import rates, stopping
from nearly.budget.estimator import PAYS, PILOT, SURE, Estimator, Prediction, estimator
from nearly.budget.stopping import Relative
from nearly.budget.wedge_certificate import check_total
from nearly.budget.wedges import BATCH, ORIENTED, Sampler, guess
from nearly.engine.interruptible import OutOfTime
from nearly.engine.result import Result
from nearly.engine.run import Run

_AIM = 0.99  # of the error is what sampling may leave
_MOST = 0.5  # whatever the error allowed
_CERTAIN = (
    16.0  # trials of a pilot for each one closed if there were just enough for sampling to pay; a third are wedges
)
_TRIED = 0.05  # of exact's time, after which trials are judged by how many were closed
_FIRST = 512  # trials of the first batch
_NEVER = 1 << 62  # successes that never come


@estimator("triangle_count", "wedges")
class Wedges(Estimator):
    """See the top of the file."""

    kind, scope = "relative", "aggregate"

    def refuses(self) -> str | None:
        options = self.question.options
        if self.arguments["vertices"] is not None:
            return "it knows nothing of single vertices"
        if options.approx is not None or options.policy != "auto":
            return "a technique or a policy is asked for"
        return None

    @property
    def doubt(self) -> float:
        """With which probability the bound may fail; a run that may end in two ways has half of it for either."""
        doubt = 1 - self.budget.confidence
        return doubt if self.budget.max_seconds is None or self.budget.max_error is None else doubt / 2

    @property
    def aim(self) -> float:
        """The error that sampling may leave; that of no triangles at all, 1, would be too much."""
        return _AIM * min(self.budget.max_error or 0.0, _MOST)

    @cached_property
    def wanted(self) -> int:
        """How many closed wedges end the sampling."""
        return _NEVER if self.budget.max_error is None else stopping.gamma_successes(self.aim, self.doubt)

    def _looking(self, run: Run) -> float:
        return rates.seconds("orientation", run.graph.m + 3 * run.graph.n, run.graph.m)

    def _trying(self, run: Run, trials: float) -> float:
        return rates.seconds("wedges", trials, run.graph.m)

    def predict(self, run: Run) -> Prediction:
        looking, exact, error = self._looking(run), self.question.exact_seconds, self.budget.max_error
        each = self._trying(run, 1e6) / 1e6
        if run.graph.m == 0:
            return Prediction(math.inf, 0.0, "there are no edges")
        if error is None:
            share, met = guess(run, max(1, int(PILOT * exact / each)))
            trials = max(self.budget.seconds_left - looking, 0.0) / each * share
            return Prediction(
                self.budget.seconds_left, 4 / math.sqrt(trials) if trials > 16 else math.inf, "until then"
            )
        least = looking + self._trying(run, self.wanted)
        if least * PAYS >= exact:
            return Prediction(least, error, "even if all wedges are closed")
        trials = min(_CERTAIN * exact / (PAYS * each * self.wanted), PILOT * exact / each)
        share, met = guess(run, max(16, int(trials)))
        if not met:
            return Prediction(math.inf, error, "the pilot met no wedge")
        needed = self.wanted / share
        return Prediction(looking + self._trying(run, needed), error, f"{share:.2g} of the wedges are closed")

    def answer(self, run: Run) -> Result | None:
        try:
            sampler = Sampler(run, run.seed, oriented=True)
            if sampler.total == 0:
                return TrianglesResult(np.zeros(run.graph.n, np.int64), total=0)
            found = self._share(run, sampler)
        except OutOfTime:
            return None
        return None if found is None else self._result(found, sampler.total)

    def _share(self, run: Run, sampler: Sampler) -> Relative | None:
        """The share of closed wedges; None where an exact count is faster."""
        wanted, trials, found, waited = self.wanted, 0, 0, 0.0
        while self.budget.seconds_left > 0:
            outcomes = sampler.outcomes(ORIENTED, trials, min(BATCH, max(_FIRST, trials)))
            assert outcomes is not None  # every corner has wedges
            found, waited = sampler.wait(outcomes, trials, wanted, found, waited)
            trials += outcomes.size
            if found == wanted:
                return stopping.gamma_interval(wanted, waited, self.aim)
            if self._hopeless(run, trials, found):
                return None
        low, high = stopping.anytime_share(found, trials, self.doubt)
        if low == 0:
            return Relative(found / max(trials, 1), math.inf, low, high)
        return Relative.between(low, high)

    def _hopeless(self, run: Run, trials: int, found: int) -> bool:
        """Whether, by what has been seen, an exact count will be faster. By counts, not by the clock."""
        exact = self.question.exact_seconds
        if self.budget.max_error is None or exact > SURE * self.budget.seconds_left:
            return False
        projected = self._trying(run, trials * self.wanted / max(found, 1))
        return self._trying(run, trials) > _TRIED * exact and projected > exact

    def _result(self, share: Relative, wedges: int) -> Result | None:
        total = round(share.value * wedges)
        low, high = float(math.ceil(share.low * wedges)), float(math.floor(share.high * wedges))
        if low > high:  # no whole number is that close
            low, high = share.low * wedges, share.high * wedges
        error = max((total - low) / low, (high - total) / high) if low > 0 else math.inf
        budget = self.budget
        if budget.max_error is not None and error > budget.max_error and share.error <= budget.max_error:
            return None  # so few triangles that rounding counts
        result = TrianglesResult(
            None, guarantee=self.level, total=total, error=error, error_kind=self.kind, error_scope=self.scope,
            confidence=budget.confidence, interval=(low, high),
        )  # fmt: skip
        result._certify = check_total
        return result
