"""The top k of betweenness from sampled pairs: scores within a relative error, and no vertex left out that matters.

A score that surely lies between l and h is reported as 2 l h / (l + h), which is at most (h - l) / (h + l) of the true
one away from it, and no other number does better: with a mean m known to e m that is e. Done is when the k scores are
each within `max_error` of the true one, and no other vertex can be above the most that the least of the k may be, which
is its score / (1 - max_error): so the i-th score reported is within the error of the i-th largest one, too. Where the k
can then be told apart from all others by at most four times as many pairs, these are sampled too: `.separated` says
whether the set is surely right.

A pilot says which vertices lead. With q the score of the k-th and e the error, the k must be known to e of their own
score, and all that may turn out to be among them to e q; others to as much more as they are below. Each look asks
again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.algorithms.betweenness import Scaling
from nearly.algorithms.betweenness.pairs.bounds import Look
from nearly.algorithms.topk_betweenness.by_paths import certain
from nearly.algorithms.topk_betweenness.search import TopkResult, first_of, greatest_first
from nearly.base.arguments import whole_number
from nearly.base.errors import InvalidArgumentError
from nearly.budget.estimator import estimator
from nearly.budget.estimators.betweenness import unlike
from nearly.budget.pairs import PairEstimator, below_one
from nearly.engine.result import Result
from nearly.engine.run import Run

_SPREAD = 2.0  # standard deviations by which a pilot may be wrong about which vertices lead
_MORE = 4.0  # times as many pairs, at most, to tell the k apart from all others


@estimator("topk_betweenness", "paths")
class TopkByPairs(PairEstimator):
    """The error is relative, of the k scores."""

    kind, scope = "relative", "all"

    def refuses(self) -> str | None:
        """Rules that end a search by themselves leave nothing to plan."""
        told = self.arguments
        below_one(self.budget.max_error, "it is relative: a score of 0 would do for all")
        if told["method"] != "brandes" or "error" in self.question.given:
            raise InvalidArgumentError(
                "max_error and max_seconds choose the method themselves; leave out method and error, or the budget"
            )
        self.k = min(whole_number("k", told["k"]), self.question.graph.n)
        self._until: float | None = None  # pairs, where the search goes on to tell the k apart
        if told["stop"] is not None:
            return "a rule to stop was given"
        if self.k == self.question.graph.n:
            return "all vertices are asked for"
        return unlike(self)

    def largest_target(self, n: int) -> float:
        """Nothing is known before the pilot."""
        return 1.0

    def targets(self, means: np.ndarray, samples: int) -> Any:
        """By the pilot's leaders; see the top of the file."""
        e = self.budget.max_error
        assert e is not None
        kth = max(float(np.partition(means, -self.k)[-self.k]), 0.5 / samples)
        below = np.maximum(kth - means - _SPREAD * np.sqrt(2 * kth / samples), 0.0)
        return np.where(means >= kth, means * e, e * kth + below)

    def promised(self) -> float:
        """The error asked for; with a time limit alone, the margin over the k-th mean of the pilot."""
        if self.budget.max_error is not None:
            return self.budget.max_error
        means, _ = self.pursuit.seen
        kth = float(np.partition(means, -self.k)[-self.k])
        watch = self.pursuit.watch
        return float(watch.targets.max()) / kth if kth > 0 and watch is not None else float("inf")

    def enough(self, look: Look) -> bool:
        """Whether the k scores are good enough, and the set right or as good as it gets."""
        top, e = first_of(look.means, self.k), self.budget.max_error
        if e is None or _error(look, top) > e or _beyond(look, top) * (1 - e) > _scores(look, top).min():
            return False
        if self._until is None:
            self._until = min(_apart_after(look, top), _MORE * look.samples)
            if self._until < _apart_after(look, top):
                self._until = 0.0  # out of reach
        return look.samples >= self._until or _beyond(look, top) < look.low[top].min()

    def answer(self, run: Run) -> Result | None:
        """The k leaders."""
        look = self.pursue(run)
        if look is None:
            return None
        n = run.graph.n
        scale, top = n / (n - 2), first_of(look.means, self.k)
        error = _error(look, top)
        if not error < 1:
            return None
        low, high, values = look.low * scale, look.high * scale, look.means * scale
        scores = _scores(look, top) * scale
        order = greatest_first(scores, np.arange(top.size))
        top, scores = top[order], scores[order]
        return TopkResult(
            values,
            guarantee=self.level,
            vertices=top,
            scores=scores,
            method="sampling",
            history=np.array([np.sort(top)]),
            stability=1.0,
            stopped="max_seconds" if self.pursuit.late else f"max_error={self.budget.max_error}",
            interrupted=False,
            scaling=Scaling(n, run.graph.directed, np.empty(0, np.uint64), True, True, False, self.weighted),
            samples=look.samples,
            bound=float(look.margins.max()) * scale,
            separated=bool(_beyond(look, top) < look.low[top].min()),
            lower=low,
            upper=high,
            certain=lambda: certain(low, high, top),
            error=error,
            error_kind=self.kind,
            error_scope=self.scope,
            confidence=self.budget.confidence,
            interval=(low, high),
        )


def _scores(look: Look, top: np.ndarray) -> np.ndarray:
    """What is reported of the leaders; see the top of the file."""
    low, high = look.low[top], look.high[top]
    return 2 * low * high / np.maximum(low + high, 1e-300)


def _error(look: Look, top: np.ndarray) -> float:
    """How far the leaders' scores may be off, relative to the true ones."""
    low, high = look.low[top], look.high[top]
    return float(np.max((high - low) / (high + low), initial=0.0)) if (low > 0).all() else float("inf")


def _beyond(look: Look, top: np.ndarray) -> float:
    """The largest that a vertex left out may be."""
    high = look.high
    high[top] = -1.0
    return float(high.max())


def _apart_after(look: Look, top: np.ndarray) -> float:
    """After how many pairs the leaders may be apart from all others, if margins fall as the root of the pairs."""
    out = look.means.copy()
    out[top] = -1.0
    last, first = top[np.argmin(look.means[top])], int(np.argmax(out))
    gap = float(look.means[last] - out[first])
    if gap <= 0:
        return float("inf")
    return look.samples * float((look.margins[last] + look.margins[first]) / gap) ** 2
