"""Harmonic closeness: the sum of 1 / distance over the vertices that reach a vertex.

Returns float64 values as NetworkX does; with `normalized` they are divided by n - 1 and lie between 0 and 1 where
distances are at least 1. A vertex that does not reach another adds nothing to it, so that graphs need not be connected.
Distances are those *to* a vertex; for those from it, hand in the reverse graph.
Method: as closeness (`shared.distance_sums`). An inverse distance in hops is kept as a whole number of units of at most
2**-40 on graphs below a million vertices, so that threads do not show and the rounding is far below that of NetworkX.
Stopped early by `max_rounds`, some vertices have not been searched from: each value is a `lower bound`.
"""

from __future__ import annotations

import numpy as np

from nearly.accuracy.judges import SCORES
from nearly.algorithms.shared.distance_sums import checked_vertices, distance_sums, distances_to, rounding
from nearly.base.arguments import flag
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class HarmonicResult(Result):
    """Harmonic closeness of all vertices."""

    values: np.ndarray = field("the harmonic closeness of each vertex, float64", column="harmonic")
    normalized: bool = field("whether values are divided by the number of other vertices")
    weighted: bool = field("whether distances are sums of weights")


def certificate(graph: Graph, result: HarmonicResult) -> Certificate:
    """Find the values of some vertices again, each by a search of its own."""
    values = np.asarray(result.values) * (max(graph.n - 1, 1) if result.normalized else 1)
    checked, ok = checked_vertices(graph, values), bool((values >= 0).all())
    if result.guarantee not in ("exact", "lower bound"):
        return Certificate(ok, "values are not negative; the bound rests on the draws", result.error)
    slack = rounding(graph, result.weighted)
    for v in checked:
        far = distances_to(graph, v, result.weighted)
        right = (1.0 / far[far > 0]).sum()
        near = np.isclose(right, values[v], rtol=slack)
        ok = ok and bool(near or (result.guarantee == "lower bound" and values[v] < right))
    said = "give their values again" if result.guarantee == "exact" else "give at least their values"
    return Certificate(ok, f"searches from {checked.size:,} of the vertices {said}", 0.0)


@algorithm(
    memory=Needs(vertex=128, thread=148, reverse=True),
    policies=ONE_POLICY, certificate=certificate, judge=SCORES, direct=True, all_sources=True, cut_short="down",
    work=lambda graph, arguments: float(graph.n) * (graph.n + graph.m),
)  # fmt: skip
def harmonic(run: Run, *, normalized: bool = False, weights: bool = False) -> HarmonicResult:
    """Harmonic closeness of every vertex: the sum of 1 / distance over the vertices that reach it.

    Parameters
    ----------
    normalized : bool
        Whether to divide by the number of other vertices, so that values are at most 1.
    weights : bool
        Whether distances are sums of the graph's weights, which must not be negative, rather than hops.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1], [1, 2], directed=False)
    >>> nearly.harmonic(g).values.tolist()
    [1.5, 2.0, 1.5]
    """
    normalized, n = flag("normalized", normalized), run.graph.n
    sums = distance_sums(run, weights, "harmonic")
    values = sums.inverse / (n - 1) if normalized and n > 1 else sums.inverse
    return HarmonicResult(
        values,
        guarantee="exact" if sums.done == n else "lower bound",
        normalized=normalized,
        weighted=bool(weights) and run.graph.weighted,
    )
