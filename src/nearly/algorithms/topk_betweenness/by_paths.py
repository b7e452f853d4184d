"""The top k by shares of sampled pairs, until the error is within a bound with a given confidence.

A pilot chooses the bounds, which hold at any time (see `betweenness.pairs`); then batches follow, each at most a
quarter of all before it. Wherever the search ends, by the error, a rule, time or hand, `.bound` is the largest margin
by then.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.algorithms.betweenness import Scaling
from nearly.algorithms.betweenness.pairs.bounds import Look
from nearly.algorithms.betweenness.pairs.pursuit import Pursuit
from nearly.algorithms.betweenness.pairs.sampler import PairSampler
from nearly.algorithms.topk_betweenness.search import Search, TopkResult, ranked
from nearly.algorithms.topk_betweenness.stop import State, Stop
from nearly.base.errors import InvalidGraphError
from nearly.engine.run import Did, Run

_FIRST, _FOURTH = 64, 4  # samples of the first batch; what a later one may be of all before


def by_paths(run: Run, k: int, stop: Stop, error: float, weighted: bool) -> TopkResult:
    """The top k from sampled pairs, all values within `error` of the true ones with probability `run.confidence`."""
    n, search = run.graph.n, Search(run, k)
    target = error * (n - 2) / n  # a mean over all ordered pairs, not only those that a vertex can be between
    pursuit = Pursuit(PairSampler(run, weighted=weighted), lambda *_: target, 1 - run.confidence)
    pursuit.pilot()
    watched = stop.asks("separated")

    def batch() -> Did:
        number, visited = len(run.trace) + 1, pursuit.visited
        last: Look | None = search.state
        before = 0 if last is None else last.samples
        look = pursuit.go_on(last, before + max(_FIRST, before // _FOURTH))
        if not pursuit.sampler.fits:
            raise InvalidGraphError("there are more shortest paths than can be counted; use method='brandes'")
        search.total = pursuit.pairs + max(pursuit.expected(look) - look.samples, 0)
        search.finish_batch(look, pursuit.pairs, look.means)
        enough = bool(look.margins.max() <= target)
        apart = watched and separated(look, search.leaders.history[-1])
        search.reason = f"error={error:g}" if enough else stop.met(State(0.0, search.stable, number, apart))
        extra = {"samples": float(look.samples), "stability": search.stable}
        return Did(look.samples, pursuit.visited - visited, extra=extra)

    search.go_on(batch)
    return _result(run, search, error, weighted)


def _result(run: Run, search: Search, error: float, weighted: bool) -> TopkResult:
    look: Look = search.state
    n, k = run.graph.n, search.leaders.k
    scale = n / (n - 2)
    values, low, high = look.means * scale, look.low * scale, look.high * scale
    bound, graph = float(look.margins.max()) * scale, run.graph
    return TopkResult(
        values,
        guarantee="statistical",
        samples=look.samples,
        bound=min(bound, error) if search.reason.startswith("error=") else min(bound, 1.0),
        confidence=run.confidence,
        separated=separated(look, search.leaders.history[-1]),
        lower=low,
        upper=high,
        interval=(low, high),
        certain=lambda: certain(low, high, ranked(values, k)),
        scaling=Scaling(graph.n, graph.directed, np.empty(0, np.uint64), True, True, False, weighted),
        method="sampling",
        **search.fields(values),
    )


def separated(look: Any, top: np.ndarray) -> bool:
    """Whether the vertices `top` surely have larger shares than all others."""
    high = look.high
    high[top] = -1.0
    return bool(look.low[top].min(initial=1.0) > high.max(initial=-1.0))


def certain(lower: np.ndarray, upper: np.ndarray, top: np.ndarray) -> np.ndarray:
    """For each of the k vertices in `top`, whether its bounds leave fewer than k others that could be greater."""
    at_least = upper.size - np.searchsorted(np.sort(upper), lower[top], side="right")
    return at_least - (upper[top] > lower[top]) < top.size
