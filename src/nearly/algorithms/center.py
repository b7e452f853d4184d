"""Center: the vertices of smallest eccentricity, those from which the farthest vertex is nearest.

Returns for each vertex whether it belongs, as NetworkX's `center` lists them; `.vertices` lists them too and `.radius`
is their eccentricity. Vertices that a vertex does not reach do not count for it, or make it infinitely eccentric, as
`nearly.eccentricity` has it. Method: bounds on eccentricities from few searches, until each vertex is settled.
Stopped early by `max_rounds` the vertices are `heuristic`: those whose bounds from below are smallest.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from nearly.accuracy.judges import MEMBERS
from nearly.algorithms.eccentricity import UNCONNECTED, extreme_certificate, settled
from nearly.base.arguments import choice
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.result import Result, field
from nearly.engine.run import Run


class CenterResult(Result):
    """The center."""

    shows = "members"

    values: np.ndarray = field("whether each vertex is central, bool", column="central")
    vertices: np.ndarray = field("the central vertices, ascending")
    radius: float = field("their eccentricity")
    unconnected: str = field("what is said of vertices that do not reach all others")


@algorithm(
    policies=ONE_POLICY, certificate=extreme_certificate(np.min), judge=MEMBERS, direct=True,
    work=lambda graph, arguments: 60.0 * (graph.n + graph.m),
)  # fmt: skip
def center(run: Run, *, unconnected: Literal["reachable", "infinite"] = "reachable") -> CenterResult:
    """The vertices of smallest eccentricity.

    Parameters
    ----------
    unconnected : {"reachable", "infinite"}
        Whether only vertices that a vertex reaches count for it, or it is infinitely far from the others.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2], [1, 2, 3], directed=False)
    >>> nearly.center(g).vertices.tolist()
    [1, 2]
    """
    choice("unconnected", unconnected, UNCONNECTED)
    values, finished = settled(run, unconnected)
    least = values.min() if values.size else 0
    members = values == least
    return CenterResult(
        members, guarantee="exact" if finished else "heuristic", vertices=np.flatnonzero(members), radius=float(least),
        unconnected=unconnected,
    )  # fmt: skip
