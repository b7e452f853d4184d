"""Jaccard's coefficients with one vertex, from a bottom-t sketch of its neighbourhood (minhash; Cohen and Kaplan 2007).

The sketch is the t neighbours of the source that a random order puts first, d of them in all. Walking their rows
counts for every vertex w how many of the sketch are its neighbours, X, where all of the source's neighbours would give
c. As degrees are known, the coefficient is c / (d + deg(w) - c), which grows with c, so bounds on c are bounds on it:

- always: X <= c <= min(deg(w), d - t + X), as what was not drawn is either shared or not;
- with probability 1 - doubt: t KL(X / t, c / d) <= log(2 / doubt). The draws are without replacement, for which the
  exponential moments, and so Chernoff's bound to either side, are no larger than with (Hoeffding 1963, theorem 4).

All vertices that have a common neighbour with the source (no more than its neighbours have arcs) and all looks share
the doubt; others have X = c = 0. The sketch doubles until the widest bound is within the error; a sketch of most
neighbours saves nothing over all of them, and exact answers.
"""

from __future__ import annotations

import math

import numpy as np

from nearly.algorithms.shared.pair_scores import plain_degrees
from nearly.algorithms.similar import SimilarResult, leading, neighbours_of, two_hop_arcs, walk_two_hops
from nearly.base.arguments import is_whole, whole_number
from nearly.base.jit import kernel
from nearly.budget import rates
from nearly.budget.estimator import PAYS, Estimator, Prediction, estimator
from nearly.engine.interruptible import OutOfTime
from nearly.engine.run import Did, Run

_STREAM = 0x7369  # which random numbers order the neighbours
_GUESS = 0.05  # the largest share of the sketch that a vertex has, before anything was drawn
_HALVINGS = 50  # steps of a search for an end of a bound


@estimator("similar", "sketch")
class Sketch(Estimator):
    """See the top of the file."""

    def refuses(self) -> str | None:
        whole_number("k", self.arguments["k"])
        source = self.arguments["source"]
        if not is_whole(source) or not 0 <= source < self.question.graph.n:
            return "there is no such source"
        return "a technique is asked for" if self.question.options.approx is not None else None

    def _doubt(self, run: Run, look: int) -> float:
        """Of one vertex at one look, both sides; looks share it by 1 / (j (j + 1))."""
        many = min(run.graph.n, max(two_hop_arcs(run.graph, self.arguments) - run.graph.n, 1))
        return (1 - self.budget.confidence) / (many * look * (look + 1))

    def predict(self, run: Run) -> Prediction:
        graph, error = run.graph, self.budget.max_error
        degree = max(int(plain_degrees(graph)[self.arguments["source"]]), 1)
        each = rates.seconds("similar", two_hop_arcs(graph, self.arguments) - graph.n, graph.m) / degree
        pass_over = rates.seconds("similar", graph.n, graph.m)
        log = math.log(2 / self._doubt(run, 2))
        if error is None:
            fit = min(max((self.budget.seconds_left - pass_over) / max(each, 1e-12), 1.0), degree)
            return Prediction(self.budget.seconds_left, log / fit, f"about {fit:,.0f} neighbours fit")
        wanted = log / error + 2 * _GUESS * log / error**2
        if wanted * PAYS > degree:
            return Prediction(math.inf, error, f"it needs about {wanted:,.0f} of {degree:,} neighbours")
        return Prediction(wanted * each + 2 * pass_over, error, f"about {wanted:,.0f} of {degree:,} neighbours")

    def answer(self, run: Run) -> SimilarResult | None:
        graph, source = run.graph, int(self.arguments["source"])
        random = np.random.default_rng([run.seed, _STREAM])
        middles = random.permutation(neighbours_of(graph, source))
        counts, taken, look, best = np.zeros(graph.n, np.uint64), 0, 1, None
        error = self.budget.max_error
        aim = math.ceil(math.log(2 / self._doubt(run, 1)) / (error or 0.2))
        while best is None or best[3] > (error or 0.0):
            if aim * PAYS > middles.size and (best is None or self.budget.max_seconds is None):
                return None
            if aim * PAYS > middles.size:  # all neighbours would take less
                break
            try:
                arcs = run.launch(walk_two_hops, *graph.arrays[:2], middles[taken:aim], counts, run.stop)
            except OutOfTime:
                break
            run.trace.add_step([Did(aim - taken, int(arcs))], 0.0)
            best = _bounded(counts, plain_degrees(graph), source, aim, self._doubt(run, look))
            taken, aim, look = aim, 2 * aim, look + 1
        return None if best is None else self._result(source, *best)

    def _result(self, source: int, values: np.ndarray, low: np.ndarray, high: np.ndarray, off: float) -> SimilarResult:
        first = leading(values, self.arguments["k"])
        result = SimilarResult(
            values, guarantee=self.level, vertices=first, scores=values[first], source=source, interval=(low, high)
        )
        result.error, result.error_kind, result.error_scope = off, self.kind, self.scope
        result.confidence = self.budget.confidence
        return result


def _bounded(
    counts: np.ndarray, degrees: np.ndarray, source: int, taken: int, doubt: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Coefficients, their bounds, and the largest distance between the two."""
    seen = np.flatnonzero(np.bincount(counts.astype(np.int64)))
    below, above = np.zeros(int(seen[-1]) + 1), np.zeros(int(seen[-1]) + 1)
    below[seen], above[seen] = shares_within(seen, taken, math.log(2 / doubt))
    values, low, high = (np.zeros(counts.size) for _ in range(3))
    off = spread_bounds(counts, degrees, (source, int(degrees[source]), taken), (below, above), (values, low, high))
    return values, low, high, float(off)


def shares_within(seen: np.ndarray, taken: int, log: float) -> tuple[np.ndarray, np.ndarray]:
    """The ends of the shares p for which t KL(x / t, p) is at most `log`, for counts x of t; rounded outwards."""
    share = seen / taken

    def end(outer: float) -> np.ndarray:
        near, far = share.copy(), np.full(share.size, outer)
        for _ in range(_HALVINGS):
            middle = (near + far) / 2
            outside = taken * divergence(share, middle) > log
            near, far = np.where(outside, near, middle), np.where(outside, middle, far)
        return far

    return end(0.0), end(1.0)


def divergence(x: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Kullback and Leibler's divergence of a coin of share x from one of share p, 0 < p < 1 unless x is p."""
    with np.errstate(divide="ignore", invalid="ignore"):
        one = np.where(x > 0, x * np.log(x / p), 0.0)
        other = np.where(x < 1, (1 - x) * np.log((1 - x) / (1 - p)), 0.0)
    return one + other


@kernel
def spread_bounds(counts, degrees, drawn, shares, made):
    """From counts to coefficients and bounds for all vertices; returns the largest distance between them."""
    source, size, taken = drawn
    below, above = shares
    values, low, high = made
    worst = 0.0
    for w in range(np.uint64(counts.size)):
        mine = np.int64(degrees[w])
        if mine == 0 or np.int64(w) == source:
            continue
        x = np.int64(counts[w])
        least = max(np.float64(x), below[x] * size)
        most = min(np.float64(min(mine, size - taken + x)), above[x] * size)
        middle = min(max(np.float64(x) * size / taken, least), most)
        both = np.float64(size + mine)
        values[w], low[w], high[w] = middle / (both - middle), least / (both - least), most / (both - most)
        worst = max(worst, max(high[w] - values[w], values[w] - low[w]))
    return worst
