"""The certificate of a top k: some sources computed again in the plainest way, as for betweenness itself.

Besides, the k vertices must be those of greatest value. Sampled pairs claim that no value is further off than their
bound; this is checked against the sources computed again. Their scores may be other numbers between the bounds of each
vertex than the values are: those whose relative error is least.
"""

from __future__ import annotations

import numpy as np

from nearly.algorithms.betweenness.certificate import certificate as source_certificate
from nearly.algorithms.betweenness.certificate import deviation, of_pairs
from nearly.algorithms.topk_betweenness.search import TopkResult, ranked
from nearly.engine.result import Certificate
from nearly.graph.csr import Graph

_RISK = 0.01  # chance that the bound does not hold


def certificate(graph: Graph, result: TopkResult) -> Certificate:
    """Check the values as their method allows, and that the top k are the greatest of them."""
    values = np.asarray(result.values, np.float64)
    found = (
        _of_sources(graph, result)
        if result.method == "brandes"
        else of_pairs(graph, result.scaling, values, result.bound)
    )
    first = ranked(values, result.vertices.size)
    ok = _same(result, values, first) if result.method == "brandes" else _between(result, first)
    return Certificate(
        found.ok and ok, f"the top {first.size} have the greatest values, and {found.claim}", found.bound
    )


def _same(result: TopkResult, values: np.ndarray, first: np.ndarray) -> bool:
    return np.array_equal(result.vertices, first) and np.array_equal(result.scores, values[first], equal_nan=True)


def _between(result: TopkResult, first: np.ndarray) -> bool:
    """Whether the right vertices are listed, greatest score first, each score between its bounds."""
    listed, scores = result.vertices, result.scores
    inside = (result.lower[listed] <= scores) & (scores <= result.upper[listed])
    return np.array_equal(np.sort(listed), np.sort(first)) and bool(inside.all() and (np.diff(scores) <= 0).all())


def _of_sources(graph: Graph, result: TopkResult) -> Certificate:
    found = source_certificate(graph, result)
    if result.guarantee != "estimated":
        return found
    # the run might have ended after any of its batches, and the bound must hold for all of them
    risk = _RISK / (result.rounds * (result.rounds + 1))
    return Certificate(found.ok, found.claim, deviation(graph.n, result.used, risk))
