"""Eccentricity: how far the farthest vertex is from each vertex, in hops, along the arcs.

Vertices that a vertex does not reach do not count for it (`unconnected="reachable"`, as igraph has it): an isolated
vertex has eccentricity 0. With `unconnected="infinite"` the eccentricity of a vertex that does not reach all others is
infinite; NetworkX raises an error there. `.connected` says whether every vertex reaches every other.
Method: bounds from few searches, see `bounds`. The order of the searches and the answer do not depend on threads.
Stopped early (`max_rounds`) the values are a `lower bound`; `.low` and `.high` are certain in any case.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from nearly.algorithms.eccentricity.bounds import Bounds, reaching_all
from nearly.algorithms.shared.distance_sums import checked_vertices, distances_to
from nearly.base.arguments import choice
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph

UNCONNECTED = ("reachable", "infinite")


class EccentricityResult(Result):
    """Eccentricities."""

    shows = "spread"

    values: np.ndarray = field(
        'the eccentricity of each vertex: int32, or float64 with unconnected="infinite"', column="eccentricity"
    )
    connected: bool = field("whether every vertex reaches every other")
    unconnected: str = field("what is said of vertices that do not reach all others")
    low: np.ndarray = field("bounds from below, of the type of the values")
    high: np.ndarray = field("bounds from above, of the type of the values")
    searches: int = field("how many vertices were searched from one by one")


def right_eccentricity(graph: Graph, v: int, unconnected: str) -> float:
    """The eccentricity of one vertex, by a search from it."""
    far = distances_to(graph.reverse, v, False)
    return float(far.max() if unconnected == "infinite" else far[np.isfinite(far)].max())


def certificate(graph: Graph, result: EccentricityResult) -> Certificate:
    """Find the eccentricities of some vertices again, each by a search of its own."""
    values, ok = np.asarray(result.values), True
    checked = checked_vertices(graph, values)
    exact = result.guarantee == "exact"
    for v in checked:
        right = right_eccentricity(graph, int(v), result.unconnected)
        ok = ok and (values[v] == right if exact else bool(result.low[v] <= right <= result.high[v]))
        ok = ok and bool(values[v] <= right)
    said = "give their values again" if exact else "lie within their bounds"
    return Certificate(bool(ok), f"searches from {checked.size:,} of the vertices {said}", 0.0 if exact else None)


@algorithm(
    memory=Needs(vertex=112, arc=11, thread=104, reverse=True),
    policies=ONE_POLICY, certificate=certificate, direct=True, cut_short="down",
    work=lambda graph, arguments: 60.0 * (graph.n + graph.m),
)  # fmt: skip
def eccentricity(run: Run, *, unconnected: Literal["reachable", "infinite"] = "reachable") -> EccentricityResult:
    """The largest distance from each vertex, in hops.

    Parameters
    ----------
    unconnected : {"reachable", "infinite"}
        Whether only vertices that a vertex reaches count for it, or it is infinitely far from the others.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2], [1, 2, 3], n=5, directed=False)
    >>> nearly.eccentricity(g).values.tolist()
    [3, 2, 2, 3, 0]
    >>> nearly.eccentricity(g, unconnected="infinite").values.tolist()
    [inf, inf, inf, inf, inf]
    """
    choice("unconnected", unconnected, UNCONNECTED)
    return eccentricities(run, unconnected)


def eccentricities(run: Run, unconnected: str) -> EccentricityResult:
    """What `eccentricity` answers."""
    whole = reaching_all(run.graph)
    infinite = unconnected == "infinite"
    bounds = Bounds(run, whole if infinite else None)
    finished = bounds.settle("all")
    low, high = (np.where(whole, b, np.inf) if infinite else b.astype(np.int32) for b in (bounds.low, bounds.high))
    result = EccentricityResult(
        low, guarantee="exact" if finished else "lower bound", connected=bool(whole.all()), unconnected=unconnected,
        low=low, high=high, searches=len(bounds.searched),
    )  # fmt: skip
    if not finished:
        result.interval = low, high
    return result


def settled(run: Run, unconnected: str) -> tuple[np.ndarray, bool]:
    """The eccentricities, or bounds from below; and whether they are exact."""
    result = eccentricities(run, unconnected)
    return result.values, result.guarantee == "exact"


def extreme_certificate(extreme: Callable[[np.ndarray], float]) -> Callable[[Graph, Any], Certificate]:
    """The check of a set of vertices that have the smallest, or the largest, eccentricity of all."""

    def certificate(graph: Graph, result: Any) -> Certificate:
        members = np.asarray(result.values)
        if result.guarantee != "exact" or not graph.n:
            return Certificate(members.shape == (graph.n,), "a set of vertices; nothing is claimed of it")
        checked = np.unique(np.r_[checked_vertices(graph, graph.out_degrees), np.flatnonzero(members)[:1]]).astype(int)
        found = np.array([right_eccentricity(graph, int(v), result.unconnected) for v in checked])
        ok = members.any() and ((found == extreme(found)) == members[checked]).all()
        return Certificate(bool(ok), f"searches from {checked.size:,} of the vertices agree with their choice")

    return certificate
