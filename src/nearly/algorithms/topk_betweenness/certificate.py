"""The certificate of a top k: some sources computed again in the plainest way, as for betweenness itself.

Besides, the k vertices must be those of greatest value. Sampled paths claim that no value is further off than their
bound; this is checked against the sources computed again. Where these are all sources, the bound itself must hold;
else their mean may be off too, by what Hoeffding's inequality allows (a right result fails once in a billion times).
"""

from __future__ import annotations

import numpy as np

from nearly.algorithms.betweenness.certificate import certificate as source_certificate
from nearly.algorithms.betweenness.certificate import deviation, drawn, recomputed
from nearly.algorithms.topk_betweenness.search import TopkResult, ranked
from nearly.engine.result import Certificate
from nearly.graph.csr import Graph

_WORK = 1 << 25  # arcs and vertices the recomputed sources may visit
_FEWEST = 4
_DOUBT, _RISK = 1e-9, 0.01  # chance to call a right result wrong; chance that the bound does not hold
_SEED, _STREAM = 11, 0x746B


def certificate(graph: Graph, result: TopkResult) -> Certificate:
    """Check the values as their method allows, and that the top k are the greatest of them."""
    values = np.asarray(result.values, np.float64)
    found = _of_sources(graph, result) if result.method == "brandes" else _of_paths(graph, result, values)
    first = ranked(values, result.vertices.size)
    ok = np.array_equal(result.vertices, first) and np.array_equal(result.scores, values[first], equal_nan=True)
    return Certificate(
        found.ok and ok, f"the top {first.size} have the greatest values, and {found.claim}", found.bound
    )


def _of_sources(graph: Graph, result: TopkResult) -> Certificate:
    found = source_certificate(graph, result)
    if result.guarantee != "estimated":
        return found
    # the run might have ended after any of its batches, and the bound must hold for all of them
    risk = _RISK / (result.rounds * (result.rounds + 1))
    return Certificate(found.ok, found.claim, deviation(graph.n, result.used, risk))


def _of_paths(graph: Graph, result: TopkResult, values: np.ndarray) -> Certificate:
    again = min(graph.n, max(_FEWEST, _WORK // (graph.n + graph.m + 1)))
    sources = drawn(graph.n, again, _SEED, _STREAM)
    right = result.scaling.scaled(recomputed(graph, sources, result.scaling)) * (graph.n / max(again, 1))
    slack = 1e-12 if again == graph.n else deviation(graph.n, again, _DOUBT)
    off = float(np.abs(values - right).max(initial=0.0))
    claim = f"{again} of {graph.n} sources, computed again, leave every value within the bound"
    return Certificate(off <= result.bound + slack, claim, result.bound)
