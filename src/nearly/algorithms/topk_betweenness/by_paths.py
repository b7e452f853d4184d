"""The top k by random shortest paths, until the error is within a bound with a given confidence.

A pilot sample plans the looks (see `bounds`); then batches, each at most a quarter of all before it, lead up to each
look. Where the search ends between planned looks, by time or by hand, the bounds hold that belong to the share of the
risk which that batch has, and `.bound` is the largest distance they allow.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from nearly.algorithms.betweenness import Scaling
from nearly.algorithms.topk_betweenness.bounds import (
    Risks,
    error_of,
    interval,
    other_share,
    planned_share,
    reached,
    separated,
)
from nearly.algorithms.topk_betweenness.path_sampling import PathSampler
from nearly.algorithms.topk_betweenness.search import Search, TopkResult, ranked
from nearly.algorithms.topk_betweenness.stop import State, Stop
from nearly.engine.run import Did, Run

_PILOT = 5  # samples of the pilot, times the error
_FIRST, _FOURTH = 64, 4  # samples of the first batch; what a later one may be of all before
MAIN, PILOT = 0, 1  # streams of random numbers


class Look(NamedTuple):
    """Counts after a batch, and the certainty that its share of the risk asks of every vertex."""

    counts: np.ndarray
    samples: int
    certainty: np.ndarray
    reached: bool


def by_paths(run: Run, k: int, stop: Stop, error: float, confidence: float) -> TopkResult:
    """The top k from sampled paths, all values within `error` of the true ones with probability `confidence`."""
    n, search = run.graph.n, Search(run, k)
    scale = n / (n - 2)  # from all ordered pairs to those that a vertex can be between
    sampler = PathSampler(run)
    sampler.begin(PILOT).take_until(math.ceil(_PILOT * scale / error))
    risks = Risks(sampler.counts, sampler.samples, error / scale, 1 - confidence)
    sampler.begin(MAIN)
    ahead, watched = 1, stop.asks("separated")

    def batch() -> Did:
        nonlocal ahead
        before, number = sampler.samples, len(run.trace) + 1
        search.total = risks.look(ahead)
        visited = sampler.take_until(min(search.total, before + max(_FIRST, before // _FOURTH)))
        counts, samples = sampler.counts, sampler.samples
        planned = samples == search.total
        certainty = risks.certainty(planned_share(ahead) if planned else other_share(number))
        enough = planned and reached(counts, samples, certainty, error / scale)
        ahead += planned
        search.finish_batch(Look(counts, samples, certainty, enough), samples, counts)
        apart = watched and separated(counts, samples, certainty, search.leaders.history[-1])
        search.reason = f"error={error:g}" if enough else stop.met(State(0.0, search.stable, number, apart))
        extra = {"samples": float(samples), "stability": search.stable}
        return Did(samples - before, visited, extra=extra)

    search.go_on(batch)
    return _result(run, search, scale, error, confidence)


def _result(run: Run, search: Search, scale: float, error: float, confidence: float) -> TopkResult:
    look: Look = search.state
    counts, samples, certainty, enough = look
    values, k = counts * (scale / samples), search.leaders.k
    fields: dict[str, Any] = {}

    def bounds(side: int) -> np.ndarray:
        if "both" not in fields:
            fields["both"] = interval(counts, samples, certainty)
        return fields["both"][side] * scale

    return TopkResult(
        values,
        guarantee="estimated",
        samples=samples,
        bound=error if enough else min(1.0, scale * error_of(counts, samples, certainty)),
        confidence=confidence,
        separated=separated(counts, samples, certainty, search.leaders.history[-1]),
        lower=lambda: bounds(0),
        upper=lambda: bounds(1),
        certain=lambda: certain(bounds(0), bounds(1), ranked(values, k)),
        scaling=Scaling(run.graph.n, run.graph.directed, np.empty(0, np.uint64), True, True, False, False),
        method="sampling",
        **search.fields(values),
    )


def certain(lower: np.ndarray, upper: np.ndarray, top: np.ndarray) -> np.ndarray:
    """For each of the k vertices in `top`, whether its bounds leave fewer than k others that could be greater."""
    at_least = upper.size - np.searchsorted(np.sort(upper), lower[top], side="right")
    return at_least - (upper[top] > lower[top]) < top.size
