"""Radius: the smallest eccentricity, the distance from the most central vertex to the one farthest from it.

`.values` is a plain number, and `.vertex` a vertex of that eccentricity. Vertices that a vertex does not reach do not
count for it (`unconnected="reachable"`, as igraph has it), so that a graph with an isolated vertex has radius 0. With
`unconnected="infinite"` the radius is infinite where no vertex reaches all others; NetworkX raises an error there.
Method: bounds from few searches (`eccentricity.bounds`). Stopped early the value is an `upper bound`, and `.interval`
has a bound below that is certain too.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from nearly.accuracy.judges import NUMBER
from nearly.algorithms.eccentricity import UNCONNECTED, right_eccentricity
from nearly.algorithms.eccentricity.bounds import Bounds, reaching_all
from nearly.algorithms.shared.distance_sums import checked_vertices
from nearly.base.arguments import choice
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph

_FAR = np.uint32(2**31)


class RadiusResult(Result):
    """The radius."""

    shows = "number"

    values: float = field("the radius, a whole number or infinite", column="radius")
    connected: bool = field("whether every vertex reaches every other")
    unconnected: str = field("what is said of vertices that do not reach all others")
    vertex: int | None = field(
        "a vertex of that eccentricity, or with a bound above that; None where there is none",
        column="vertex",
        vertices=True,
    )
    searches: int = field("how many vertices were searched from one by one")


def certificate(graph: Graph, result: RadiusResult) -> Certificate:
    """The vertex has that eccentricity, and none searched from has a smaller one."""
    if result.vertex is None:
        none = not reaching_all(graph).any()
        return Certificate(none and result.values == (math.inf if graph.n else 0), "no vertex reaches all others")
    exact = result.guarantee == "exact"
    here = right_eccentricity(graph, result.vertex, result.unconnected)
    assert result.interval is not None
    low = result.values if exact else result.interval[0]
    checked = checked_vertices(graph, graph.out_degrees)
    ok = here == result.values if exact else low <= here <= result.values
    ok = ok and all(right_eccentricity(graph, int(v), result.unconnected) >= low for v in checked)
    claim = f"a vertex has that eccentricity, and none of {checked.size:,} searched from has a smaller one"
    return Certificate(bool(ok), claim, 0.0 if exact else None)


@algorithm(
    memory=Needs(vertex=112, arc=11, thread=104, reverse=True),
    policies=ONE_POLICY, certificate=certificate, judge=NUMBER, direct=True, cut_short="up",
    work=lambda graph, arguments: 24.0 * (graph.n + graph.m),
)  # fmt: skip
def radius(run: Run, *, unconnected: Literal["reachable", "infinite"] = "reachable") -> RadiusResult:
    """The smallest eccentricity, in hops.

    Parameters
    ----------
    unconnected : {"reachable", "infinite"}
        Whether only vertices that a vertex reaches count for it, or it is infinitely far from the others.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2], [1, 2, 3], directed=False)
    >>> nearly.radius(g).values
    2
    """
    choice("unconnected", unconnected, UNCONNECTED)
    whole = reaching_all(run.graph)
    said: dict[str, Any] = {"connected": bool(whole.all()), "unconnected": unconnected}
    if not run.graph.n or (unconnected == "infinite" and not whole.any()):
        return RadiusResult(math.inf if run.graph.n else 0, vertex=None, searches=0, **said)
    bounds = Bounds(run)
    if unconnected == "infinite":
        bounds.low[~whole] = bounds.high[~whole] = _FAR  # no search from the others comes to them against the arcs
    finished = bounds.settle("smallest")
    _, _, low, high = bounds.look("smallest")
    result = RadiusResult(
        high, guarantee="exact" if finished else "upper bound", vertex=int(np.argmin(bounds.high)),
        searches=len(bounds.searched), **said,
    )  # fmt: skip
    result.interval = (high, high) if finished else (low, high)
    return result
