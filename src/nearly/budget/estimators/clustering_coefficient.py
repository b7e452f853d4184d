"""Average clustering and transitivity within an absolute error, by wedges; and the coefficients of chosen vertices.

The average is the probability that a vertex drawn from all of them, and two of its neighbours drawn then, make a closed
wedge; where there are no two neighbours it counts as not closed, as the definition has it. So only vertices of two arcs
or more are drawn, and what comes out is multiplied by their share of all vertices, and its error with it. The
transitivity is the probability that a wedge drawn from all of them is closed. Both are shares of trials: Hoeffding says
how many trials do, and a few looks before that (`stopping.looks`), each with the exact binomial bound, end the sampling
early where the shares are far from a half: those that are likely to (`wedge_looks`). The two means have half of the
doubt each, so that both bounds hold at once. Where the trials that Hoeffding asks for would not pay, a few others tell
about how many it will take.

Of chosen vertices, those are counted where that is cheaper than drawing; the others have a share of trials each.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from nearly.algorithms.clustering_coefficient import ClusteringResult, clustering_coefficient, values_at
from nearly.algorithms.triangle_count.local import costs_at
from nearly.base.arguments import vertices as checked_vertices
from nearly.budget import rates, stopping
from nearly.budget.estimator import PAYS, Estimator, Prediction, estimator
from nearly.budget.wedge_certificate import check_means, check_values
from nearly.budget.wedge_looks import likely_trials, look_table
from nearly.budget.wedges import ANYWHERE, AT, BATCH, FEW, GLOBAL, Sampler
from nearly.engine.interruptible import OutOfTime
from nearly.engine.result import Result
from nearly.engine.run import Run
from nearly.graph.csr import Graph

_LEAST = 1e-4  # the error at which a run without one ends though there is time left
_RATE = "neighbour-pairs"
_PILOT, _APART = 128, 1 << 41  # trials of a pilot, with numbers that no answer is made of
Bound = tuple[float, float, float]  # a share: its estimate, and where it lies


@estimator("clustering_coefficient", "wedges")
class Wedges(Estimator):
    """See the top of the file."""

    kind, scope = "absolute", "aggregate"
    _sampler: Sampler | None = None  # of the prediction, for the answer

    def refuses(self) -> str | None:
        options = self.question.options
        if options.approx is not None or options.policy != "auto":
            return "a technique or a policy is asked for"
        if self.arguments["vertices"] is not None:
            checked_vertices("vertices", self.arguments["vertices"], self.question.graph.n)
            if self.budget.max_seconds is not None:
                return "single vertices are not estimated against the clock"
        return None

    @property
    def doubt(self) -> float:
        """Of each mean; a run that may end in two ways has half of that for either, one for chosen vertices too."""
        two = self.budget.max_error is not None and self.budget.max_seconds is not None
        return (1 - self.budget.confidence) / (4 if two or self.arguments["vertices"] is not None else 2)

    def _trials(self, scale: float = 1.0) -> int:
        """After how many trials of a mean the error, divided by `scale`, is certainly reached."""
        error = _LEAST if self.budget.max_error is None else self.budget.max_error
        return stopping.hoeffding_samples(error / scale, self.doubt / 2)

    def predict(self, run: Run) -> Prediction:
        arcs, left, error = run.graph.m, self.budget.seconds_left, self.budget.max_error
        if self.arguments["vertices"] is not None:
            return self._predict_vertices(run)
        if error is None:
            trials = max(1.0, left / rates.nanoseconds(_RATE, arcs) / rates.machine_factor() * 0.5e9)
            return Prediction(left, stopping.hoeffding_error(max(1, int(trials)), self.doubt), "until then")
        looking = rates.seconds("orientation", run.graph.n, arcs)

        def told(trials: float) -> Prediction:
            return Prediction(looking + rates.seconds(_RATE, trials, arcs), error, f"at most {trials:,.0f} wedges")

        least = told(self._trials() * stopping.FIRST)
        if PAYS * least.seconds >= self.question.exact_seconds:
            return least
        self._sampler = sampler = Sampler(run, run.seed, oriented=False)
        most = told(sum(self._trials(scale) for _, scale in _ways(sampler)))
        if PAYS * most.seconds < self.question.exact_seconds:
            return most
        likely = told(sum(self._likely(sampler, way, scale) for way, scale in _ways(sampler)))
        return Prediction(likely.seconds, error, "by a few wedges, " + likely.why.replace("at most", "about"))

    def _likely(self, sampler: Sampler, way: int, scale: float) -> int:
        """About how many trials a mean takes; its share as near to a half as a pilot leaves possible, about."""
        assert self.budget.max_error is not None
        closed = sampler.closed(way, _APART, _PILOT) or 0
        share = closed / _PILOT
        share = min(share, 1 - share) + math.sqrt(share * (1 - share) / _PILOT) + 1 / _PILOT
        looks = stopping.looks(self._trials(scale), self.doubt)
        return likely_trials(min(share, 0.5), looks, self.budget.max_error / scale)

    def answer(self, run: Run) -> Result | None:
        if run.graph.n == 0:
            return None
        try:
            sampler = self._sampler or Sampler(run, run.seed, oriented=False)
            if self.arguments["vertices"] is not None:
                return self._values(run, sampler)
            means = self._means(sampler)
        except OutOfTime:
            return None
        return None if means is None else self._result(*means)

    # the two means

    def _means(self, sampler: Sampler) -> tuple[Bound, Bound] | None:
        """Both, or None where the graph's repetitions and loops make drawing hopeless."""
        if not sampler.total:
            return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        means = [_Mean(self, sampler, *one) for one in _ways(sampler)]
        while self.budget.seconds_left > 0 and any(mean.open for mean in means):
            if not all(mean.go_on() for mean in means if mean.open):
                return None
        average, transitivity = (mean.bound if mean.bound is not None else mean.by_now() for mean in means)
        return average, transitivity

    def _result(self, average: Bound, transitivity: Bound) -> Result:
        result = ClusteringResult(
            None, guarantee=self.level, average=average[0], transitivity=transitivity[0], triangles=None,
            error=max(_off(average), _off(transitivity)), error_kind=self.kind, error_scope=self.scope,
            confidence=self.budget.confidence, interval=average[1:], transitivity_interval=transitivity[1:],
        )  # fmt: skip
        result._certify = check_means
        return result

    # chosen vertices

    def _drawn(self, run: Run) -> tuple[np.ndarray, np.ndarray, int]:
        """The chosen vertices, which of them are better drawn from than counted, and in how many trials each."""
        assert self.budget.max_error is not None
        chosen = checked_vertices("vertices", self.arguments["vertices"], run.graph.n)
        trials = stopping.hoeffding_samples(self.budget.max_error, 2 * self.doubt, chosen.size)
        visit = rates.nanoseconds("clustering_coefficient", run.graph.m)
        return chosen, costs_at(run.graph, chosen) * visit > trials * rates.nanoseconds(_RATE, run.graph.m), trials

    def _predict_vertices(self, run: Run) -> Prediction:
        chosen, drawn, trials = self._drawn(run)
        arcs, counted = run.graph.m, float(costs_at(run.graph, chosen[~drawn]).sum())
        seconds = rates.seconds("clustering_coefficient", counted, arcs)
        seconds += rates.seconds(_RATE, trials * int(drawn.sum()), arcs)
        return Prediction(seconds, self.budget.max_error or 0.0, f"{drawn.sum():,} vertices are drawn from")

    def _values(self, run: Run, sampler: Sampler) -> Result | None:
        chosen, drawn, trials = self._drawn(run)
        counted = values_at(run, chosen[~drawn])
        values = np.empty(chosen.size)
        values[~drawn] = counted.values
        low, high = values.copy(), values.copy()
        for i in np.flatnonzero(drawn):
            found = sampler.closed(AT, 0, trials, int(chosen[i]))
            if found is None:
                return None
            bound = stopping.binomial_interval(found, trials, 2 * self.doubt / chosen.size)
            values[i], low[i], high[i] = _bound(found, trials, bound)
        graph, budget = self.question.graph, self.budget
        whole = cache(lambda: _whole(graph, budget.max_error, budget.confidence, run.seed))
        result = ClusteringResult(
            values, guarantee=self.level, vertices=chosen, triangles=None, interval=(low, high), error_scope="all",
            error=float(np.maximum(high - values, values - low).max()), confidence=budget.confidence,
            average=lambda: whole().average, transitivity=lambda: whole().transitivity,
        )  # fmt: skip
        result._certify = check_values
        return result


class _Mean:
    """One of the two means: trials until a look at them is content."""

    def __init__(self, asked: Wedges, sampler: Sampler, way: int, scale: float) -> None:
        self.asked, self.sampler, self.way, self.scale = asked, sampler, way, scale
        self.closed = self.trials = 0
        self.looks = stopping.looks(asked._trials(scale), asked.doubt)
        self.bound: Bound | None = None

    @property
    def open(self) -> bool:
        """Whether trials are wanted."""
        return self.bound is None and bool(self.looks)

    def go_on(self) -> bool:
        """Some trials more; False where one found nothing to try."""
        near = 0 if self.asked.budget.max_seconds is not None else self._near()
        if near:
            assert self.asked.budget.max_error is not None
            table = look_table(self.looks[:near], self.asked.budget.max_error / self.scale)
            told = self.sampler.until_look(self.way, self.trials, self.closed, table)
            if told is None:
                return False
            self.closed, self.trials = told
        else:
            count = self.looks[0][0] - self.trials
            count = count if self.asked.budget.max_seconds is None else min(count, BATCH)
            found = self.sampler.closed(self.way, self.trials, count)
            if found is None:
                return False
            self.closed, self.trials = self.closed + found, self.trials + count
        self._look()
        return True

    def _near(self) -> int:
        """How many looks come next that have few trials each."""
        before = [self.trials, *(size for size, _ in self.looks)]
        return next((i for i, (size, _) in enumerate(self.looks) if size - before[i] > FEW), len(self.looks))

    def _look(self) -> None:
        """Look, if it is time to."""
        self.looks = [one for one in self.looks if one[0] >= self.trials]
        if self.trials == self.looks[0][0]:
            _, part = self.looks.pop(0)
            bound = self._bound(stopping.binomial_interval(self.closed, self.trials, part))
            error = self.asked.budget.max_error
            if error is not None and (not self.looks or _off(bound) <= error):
                self.bound = bound

    def by_now(self) -> Bound:
        """What is known at any moment."""
        return self._bound(stopping.anytime_share(self.closed, self.trials, self.asked.doubt))

    def _bound(self, interval: tuple[float, float]) -> Bound:
        value, low, high = _bound(self.closed, self.trials, interval)
        return value * self.scale, low * self.scale, high * self.scale


def _ways(sampler: Sampler) -> list[tuple[int, float]]:
    """How each mean is drawn, and what a share is multiplied by; none where there are no wedges."""
    return [(ANYWHERE, sampler.share), (GLOBAL, 1.0)] if sampler.total else []


def _whole(graph: Graph, max_error: float | None, confidence: float, seed: int) -> ClusteringResult:
    """The means of the graph; the half of the doubt that chosen vertices left is theirs."""
    made: ClusteringResult = clustering_coefficient(
        graph, max_error=max_error, confidence=(1 + confidence) / 2, seed=seed
    )
    return made


def _bound(closed: int, trials: int, interval: tuple[float, float]) -> Bound:
    return (closed / trials if trials else 0.5, *interval)


def _off(bound: Bound) -> float:
    return max(bound[0] - bound[1], bound[2] - bound[0])
