"""Diameter: the largest distance between two vertices, in hops, along the arcs; the longest of all shortest paths.

`.values` is a plain number, and `.ends` are two vertices that far apart. Pairs of which one does not reach the other do
not count (`unconnected="reachable"`, as igraph and NetworKit have it), so that the diameter of a graph of several
parts is the largest of theirs. With `unconnected="infinite"` it is infinite then; NetworkX raises an error there.
Method: bounds from few searches (`eccentricity.bounds`). Stopped early the value is a `lower bound`, attained by the
ends, and `.interval` has a bound above that is certain too.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from nearly.accuracy.judges import NUMBER
from nearly.algorithms.eccentricity import UNCONNECTED, right_eccentricity
from nearly.algorithms.eccentricity.bounds import Bounds, reaching_all
from nearly.algorithms.shared.distance_sums import checked_vertices, distances_to
from nearly.base.arguments import choice
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class DiameterResult(Result):
    """The diameter."""

    shows = "number"

    values: float = field("the diameter, a whole number or infinite", column="diameter")
    connected: bool = field("whether every vertex reaches every other")
    ends: tuple[int, int] | None = field(
        "two vertices that far apart; None where it is infinite, or there are none", column="ends", vertices=True
    )
    searches: int = field("how many vertices were searched from one by one")


def certificate(graph: Graph, result: DiameterResult) -> Certificate:
    """The ends are that far apart, and no vertex searched from is farther from another."""
    if result.ends is None:
        infinite = graph.n > 0 and not reaching_all(graph).all()
        return Certificate(result.values == (math.inf if infinite else 0), "some vertex does not reach some other")
    first, last = result.ends
    ok = distances_to(graph, last, False)[first] == result.values
    checked = checked_vertices(graph, graph.out_degrees)
    assert result.interval is not None
    high = result.values if result.guarantee == "exact" else result.interval[1]
    ok = ok and all(right_eccentricity(graph, int(v), "reachable") <= high for v in checked)
    claim = f"two vertices are that far apart, and none of {checked.size:,} searched from is farther from any"
    return Certificate(bool(ok), claim, 0.0 if result.guarantee == "exact" else None)


@algorithm(
    memory=Needs(vertex=112, arc=11, thread=104, reverse=True),
    policies=ONE_POLICY, certificate=certificate, judge=NUMBER, direct=True, cut_short="down",
    work=lambda graph, arguments: 24.0 * (graph.n + graph.m),
)  # fmt: skip
def diameter(run: Run, *, unconnected: Literal["reachable", "infinite"] = "reachable") -> DiameterResult:
    """The largest distance between two vertices, in hops.

    Parameters
    ----------
    unconnected : {"reachable", "infinite"}
        Whether only pairs count of which one reaches the other, or the diameter of an unconnected graph is infinite.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2], [1, 2, 3], n=5, directed=False)
    >>> nearly.diameter(g).values, nearly.diameter(g, unconnected="infinite").values
    (3, inf)
    """
    choice("unconnected", unconnected, UNCONNECTED)
    connected = bool(reaching_all(run.graph).all())
    if unconnected == "infinite" and not connected:
        return DiameterResult(math.inf, connected=False, ends=None, searches=0)
    if not run.graph.n:
        return DiameterResult(0, connected=True, ends=None, searches=0)
    bounds = Bounds(run)
    finished = bounds.settle("largest")
    _, _, low, high = bounds.look("largest")
    result = DiameterResult(
        low, guarantee="exact" if finished else "lower bound", connected=connected, searches=len(bounds.searched),
        ends=lambda: ends_of(run.given, bounds, low),
    )  # fmt: skip
    result.interval = (low, low) if finished else (low, high)
    return result


def ends_of(graph: Graph, bounds: Bounds, distance: int) -> tuple[int, int]:
    """Two vertices this far apart; one of them attains the bound from below."""
    for v in np.flatnonzero(bounds.low == distance).tolist():
        far = distances_to(graph.reverse, v, False)
        others = np.flatnonzero(far == distance)
        if others.size:
            return v, int(others[0])
    raise AssertionError("the bound from below is attained")
