"""Closeness: how near a vertex is to those that reach it, the inverse of its mean distance from them.

Returns float64 values as NetworkX does: (r / total) * (r / (n - 1)), where r is the number of other vertices that reach
the vertex and total the sum of their distances to it; 0 where none does. The second factor (Wasserman and Faust) makes
vertices of different components comparable; without `wf_improved` it is left out. Distances are those *to* a vertex;
for those from it, hand in the reverse graph.
Method: batches of searches from all vertices, in which each vertex counts the bits of the searches that pass
(`shared.hop_batches`); by weights a Dijkstra search from each vertex. Sums in hops are whole numbers, so that threads
do not show. Stopped early by `max_rounds`, the values rest on some of the vertices and are `heuristic`.
"""

from __future__ import annotations

import numpy as np

from nearly.accuracy.judges import SCORES
from nearly.algorithms.shared.distance_sums import DistanceSums, checked_vertices, distance_sums, distances_to, rounding
from nearly.base.arguments import flag
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class ClosenessResult(Result):
    """Closeness of all vertices."""

    most_error = 1.0

    values: np.ndarray = field("the closeness of each vertex, float64", column="closeness")
    wf_improved: bool = field("whether the share of the vertices that reach a vertex counts")
    weighted: bool = field("whether distances are sums of weights")


def closeness_of(sums: DistanceSums, n: int, wf_improved: bool) -> np.ndarray:
    """Closeness by the sums of distances from `sums.reached` vertices each, in a graph of n."""
    values = np.divide(sums.reached, sums.total, out=np.zeros(sums.total.size), where=sums.total > 0)
    return values * (sums.reached / (n - 1)) if wf_improved and n > 1 else values


def certificate(graph: Graph, result: ClosenessResult) -> Certificate:
    """Find the closeness of some vertices again, each by a search of its own."""
    values = np.asarray(result.values)
    if result.guarantee != "exact":
        claim = "values rest on some of the vertices and are not negative: no bound is claimed"
        return Certificate(bool((values >= 0).all()), claim, getattr(result, "bound", None))
    checked, ok = checked_vertices(graph, values), bool(np.isfinite(values).all())
    slack = rounding(graph, result.weighted)
    for v in checked:
        far = distances_to(graph, v, result.weighted)
        near = far[np.isfinite(far)]
        sums = DistanceSums(np.array([near.size - 1.0]), np.array([near.sum()]), np.zeros(1), 0)
        ok = ok and bool(np.isclose(closeness_of(sums, graph.n, result.wf_improved)[0], values[v], rtol=slack))
    return Certificate(ok, f"searches from {checked.size:,} of the vertices give their values again", 0.0)


@algorithm(
    memory=Needs(vertex=128, thread=148, reverse=True),
    policies=ONE_POLICY, certificate=certificate, judge=SCORES, direct=True, all_sources=True,
    work=lambda graph, arguments: float(graph.n) * (graph.n + graph.m),
)  # fmt: skip
def closeness(run: Run, *, wf_improved: bool = True, weights: bool = False) -> ClosenessResult:
    """Closeness of every vertex: the inverse of its mean distance from the vertices that reach it.

    Parameters
    ----------
    wf_improved : bool
        Whether to multiply by the share of the vertices that reach a vertex, as Wasserman and Faust propose.
    weights : bool
        Whether distances are sums of the graph's weights, which must not be negative, rather than hops.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2], [1, 2, 3], directed=False)
    >>> nearly.closeness(g).values.round(3).tolist()
    [0.5, 0.75, 0.75, 0.5]
    """
    wf_improved, n = flag("wf_improved", wf_improved), run.graph.n
    sums = distance_sums(run, weights, "closeness")
    guarantee = "exact" if sums.done == n else "heuristic"
    weighted = bool(weights) and run.graph.weighted
    values = closeness_of(sums, n, wf_improved)
    return ClosenessResult(values, guarantee=guarantee, wf_improved=wf_improved, weighted=weighted)
