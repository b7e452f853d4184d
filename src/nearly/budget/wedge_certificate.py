"""Check estimates of triangles and clustering: exactly where the graph is small, else by other wedges.

Graphs that are counted in a moment are counted, and the bound is held against the truth: it may be wrong, as rarely as
the result's confidence says, and then the certificate says so. On larger ones other wedges are drawn. The truth lies
within their own bound but for a doubt of one in a thousand million; the result's interval must meet that bound, and
its values lie in its interval and keep its error.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.algorithms.clustering_coefficient import clustering_coefficient
from nearly.algorithms.triangle_count import triangle_count
from nearly.base.threads import kernel_threads
from nearly.budget import stopping
from nearly.budget.wedges import ANYWHERE, GLOBAL, ORIENTED, Sampler
from nearly.engine.result import Certificate, Result
from nearly.engine.run import Run
from nearly.graph.csr import Graph

COUNTED = 1 << 20  # arcs up to which triangles are counted
TRIALS = 1 << 16
DOUBT = 1e-9
_SEED = 0x5EED
_ROUNDING = 1e-9


def check_total(graph: Graph, result: Any) -> Certificate:
    """Whether the number of triangles is within the error that is claimed."""
    low, high = result.interval
    keeps = low <= result.total <= high and _relative(result.total, low, high) <= result.error * (1 + _ROUNDING)
    if graph.m <= COUNTED:
        total = triangle_count(graph).total
        error = abs(result.total - total) / total if total else float(result.total > 0)
        return Certificate(keeps and error <= result.error and low <= total <= high, "all were counted", error)
    with kernel_threads(None, graph.m + graph.n) as threads:
        sampler = _sampler(graph, result, threads, oriented=True)
        share = _share(sampler, ORIENTED)
    meets = share[0] * sampler.total <= high and low <= share[1] * sampler.total
    return Certificate(keeps and meets, _claim(), result.error)


def check_means(graph: Graph, result: Any) -> Certificate:
    """Whether the average and the transitivity are within the error that is claimed."""
    intervals = (result.interval, result.transitivity_interval)
    means, slack = (result.average, result.transitivity), result.error + _ROUNDING
    keeps = all(
        max(mean - low, high - mean) <= slack and low <= mean <= high for mean, (low, high) in zip(means, intervals)
    )
    if graph.m <= COUNTED:
        exact = clustering_coefficient(graph)
        error = max(abs(exact.average - result.average), abs(exact.transitivity - result.transitivity))
        return Certificate(keeps and error <= slack, "all triangles were counted", error)
    with kernel_threads(None, graph.m + graph.n) as threads:
        sampler = _sampler(graph, result, threads, oriented=False)
        low, high = _share(sampler, ANYWHERE)
        shares = (low * sampler.share, high * sampler.share), _share(sampler, GLOBAL)
    meets = all(share[0] <= high and low <= share[1] for share, (low, high) in zip(shares, intervals))
    return Certificate(keeps and meets, _claim(), result.error)


def check_values(graph: Graph, result: Any) -> Certificate:
    """Whether the coefficients of the chosen vertices are within the error that is claimed."""
    exact = clustering_coefficient(graph, vertices=result.vertices).values
    error = float(np.abs(exact - result.values).max(initial=0.0))
    low, high = result.interval
    inside = bool(((low <= exact + _ROUNDING) & (exact <= high + _ROUNDING)).all())
    return Certificate(inside and error <= result.error, "the triangles at all chosen vertices were counted", error)


def _relative(total: float, low: float, high: float) -> float:
    return max((total - low) / low, (high - total) / high) if low > 0 else float("inf")


def _sampler(graph: Graph, result: Result, threads: int, *, oriented: bool) -> Sampler:
    run = Run(graph.symmetrized(), name=result.algorithm, source=graph, threads=threads)
    return Sampler(run, _SEED, oriented=oriented)


def _share(sampler: Sampler, way: int) -> tuple[float, float]:
    if sampler.total == 0:
        return 0.0, 0.0
    closed = sampler.closed(way, 1 << 40, TRIALS)  # numbers that no result is made of
    return (0.0, 1.0) if closed is None else stopping.binomial_interval(closed, TRIALS, DOUBT)


def _claim() -> str:
    return f"the interval agrees with {TRIALS:,} other wedges, but for a doubt of {DOUBT:g}"
