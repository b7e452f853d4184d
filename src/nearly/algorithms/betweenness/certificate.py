"""The certificate of a betweenness result: some of its sources computed again, in the plainest way.

There is no check of all sources in less time than computing them again. So sources are drawn from those that
were used, as many as a fixed amount of work allows. Their dependencies are recomputed by a queue (or heap)
and `recount`, which share no pass with the fast kernels. If these are all sources, values must agree to
rounding. If not, no value may be below what the recomputed sources alone contribute, and none may be further
from their mean than Hoeffding's inequality allows: a right value exceeds that distance once in a billion times.

The bound: a source's dependency on a vertex, over the number of its targets, lies between 0 and 1, so the mean
over k random sources is within sqrt(log(2 n / delta) / 2 k) of that over all, for all n vertices at once, with
probability 1 - delta.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nearly.algorithms.betweenness.queues import Heap, make_trips
from nearly.algorithms.betweenness.recount import Tally, recount
from nearly.algorithms.betweenness.weighted import settle_all
from nearly.base.jit import kernel
from nearly.base.random import permutation, permute, stream_key
from nearly.base.unsigned import U0, U1
from nearly.engine.interruptible import stop_flag
from nearly.engine.result import Certificate
from nearly.graph.csr import Graph

_WORK = 1 << 27  # arcs and vertices the recomputed sources may visit
_LESS_WORK = 1 << 25  # the same, for sampled pairs
_FEWEST = 4
_DOUBT, _RISK = 1e-9, 0.01  # chance to call a right result wrong; chance that the bound does not hold
_SEED, _STREAM = 7, 0x6263


def certificate(graph: Graph, result: Any) -> Certificate:
    """Recompute a sample of the sources; see the top of the file."""
    scaling, values = result.scaling, np.asarray(result.values, np.float64)
    if result.guarantee == "statistical":
        return of_pairs(graph, scaling, values, result.error)
    used = scaling.sources.size
    again = _sample(scaling.sources, max(_FEWEST, _WORK // (4 * (graph.n + graph.m + 1))))
    sums = recomputed(graph, again, scaling)
    unit = (
        scaling.factor(max(used, 1), pairs_of(scaling)) * used * max(pairs_of(scaling) - 1, 1)
    )  # a value that cannot be exceeded
    if scaling.stand_in and result.guarantee != "exact":  # an exact one must agree, however it came about
        return _distance(values, scaling, sums, again.size, unit * deviation(graph.n, again.size, _RISK))
    bound = 0.0 if result.guarantee == "exact" else unit * deviation(graph.n, used, _RISK)
    if again.size == used:
        ok = close(values, scaling.scaled(sums))
        if result.guarantee in ("lower bound", "heuristic"):
            return Certificate(ok, "all sources used, computed again, give the same values")
        words = "all vertices" if result.guarantee == "exact" else f"all {used} sources drawn"
        return Certificate(ok, f"{words}, computed again, give the same values", bound)
    # `scaling.scaled` would scale to the sample; what the sample contributes to the values is scaled as they are
    least = scaling.scaled(sums)
    estimate = least * (used / again.size)
    slack = unit * deviation(graph.n, again.size, _DOUBT)
    known = ~np.isnan(values)
    ok = bool((values[known] >= least[known] * (1 - 1e-9)).all() and (abs(values - estimate)[known] <= slack).all())
    claim = (
        f"{again.size} of {used} sources, computed again, give no more than the values hold and agree with their mean"
    )
    if result.guarantee in ("lower bound", "heuristic"):
        return Certificate(ok, claim)
    return Certificate(
        ok, claim, unit * deviation(graph.n, again.size, _RISK) if result.guarantee == "exact" else bound
    )


def of_pairs(graph: Graph, scaling: Any, values: np.ndarray, bound: Any) -> Certificate:
    """Whether values from sampled pairs are within their bound, for all or for each vertex, of sources computed again.

    Where these are all sources, the bound itself must hold; else their mean may be off too, by what Hoeffding's
    inequality allows.
    """
    again = min(graph.n, max(_FEWEST, _LESS_WORK // (graph.n + graph.m + 1)))
    right = scaling.scaled(recomputed(graph, drawn(graph.n, again, _SEED, _STREAM), scaling)) * (
        graph.n / max(again, 1)
    )
    slack = 1e-12 if again == graph.n else deviation(graph.n, again, _DOUBT)
    ok = bool((np.abs(values - right) <= bound + slack).all())
    claim = f"{again} of {graph.n} sources, computed again, leave every value within the bound"
    return Certificate(ok, claim, float(np.max(bound)))


def _distance(values: np.ndarray, scaling: Any, sums: np.ndarray, again: int, slack: float) -> Certificate:
    """How far values from a stand-in are from those that the same sources, or a sample of them, give here."""
    used = scaling.sources.size
    right = scaling.scaled(sums) * (used / max(again, 1))
    known = ~np.isnan(values)
    far = float(np.abs(values - right)[known].max(initial=0.0))
    claim = f"{again} of {used} sources, computed again on the given graph, say how far the values are off"
    return Certificate(bool(np.isfinite(far)), claim, far if again == used else far + slack)


def pairs_of(scaling: Any) -> int:
    return scaling.n if scaling.endpoints else scaling.n - 1


def deviation(n: int, sources: int, risk: float) -> float:
    """How far a mean over random sources may be from that over all, for any of n vertices; more only by `risk`."""
    return min(1.0, math.sqrt(math.log(2 * max(n, 1) / risk) / (2 * max(sources - 1, 1))))


def close(values: np.ndarray, right: np.ndarray) -> bool:
    return bool(
        np.allclose(values, right, rtol=1e-9, atol=1e-12 * max(1.0, np.nanmax(right, initial=0.0)), equal_nan=True)
    )


def _sample(sources: np.ndarray, most: int) -> np.ndarray:
    if sources.size <= most:
        return sources
    return sources[drawn(sources.size, most, _SEED, _STREAM)]


def drawn(n: int, count: int, seed: int, stream: int) -> np.ndarray:
    """`count` different numbers below n."""
    key = np.uint64(stream_key(np.uint64(seed), np.uint64(stream)))
    numbers = np.arange(count, dtype=np.uint64)
    permute(permutation(key, np.uint64(n)), numbers)
    return numbers


def recomputed(graph: Graph, sources: np.ndarray, scaling: Any) -> np.ndarray:
    """The sum of these sources' dependencies, one after another on one thread."""
    n, rows = graph.n, graph.arrays if scaling.weighted else graph.rows
    tally = Tally(np.zeros(n), np.empty(0), float(scaling.endpoints))
    for source in sources:
        if scaling.weighted:
            trip = Heap(*(row[0] for row in make_trips(graph, 1, buckets=False)))
            reached, _, _ = settle_all(False)(rows, trip, np.uint64(source), stop_flag())
            distance, order = trip.distance, trip.order
        else:
            distance, order = np.full(n, np.inf), np.empty(n, rows.targets.dtype)
            reached = queue_search(rows.offsets, rows.targets, np.uint64(source), distance, order)
        recount(rows, distance, order, np.uint64(reached), tally, order[:0])
        tally.sums[source] += tally.one * (float(reached) - 1.0)
    return tally.sums


@kernel
def queue_search(offsets, targets, source, distance, order):
    """Hops by a queue, into `distance` and `order`; returns how many vertices were reached."""
    distance[source], order[0] = 0.0, source
    head, tail = U0, U1
    while head < tail:
        u = np.uint64(order[head])
        head += U1
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if distance[v] == np.inf:
                distance[v] = distance[u] + 1.0
                order[tail] = v
                tail += U1
    return tail
