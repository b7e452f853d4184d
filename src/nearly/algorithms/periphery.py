"""Periphery: the vertices of largest eccentricity, those from which some vertex is farthest.

Returns for each vertex whether it belongs, as NetworkX's `periphery` lists them; `.vertices` lists them too and
`.diameter` is their eccentricity. Vertices that a vertex does not reach do not count for it, or make it infinitely
eccentric, as `nearly.eccentricity` has it. Method: bounds on eccentricities from few searches, until each vertex is
settled. Stopped early by `max_rounds` the vertices are `heuristic`: those whose bounds from below are largest.
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


class PeripheryResult(Result):
    """The periphery."""

    shows = "members"

    values: np.ndarray = field("whether each vertex is peripheral, bool", column="peripheral")
    vertices: np.ndarray = field("the peripheral vertices, ascending")
    diameter: float = field("their eccentricity")
    unconnected: str = field("what is said of vertices that do not reach all others")


@algorithm(
    policies=ONE_POLICY, certificate=extreme_certificate(np.max), judge=MEMBERS, direct=True,
    work=lambda graph, arguments: 60.0 * (graph.n + graph.m),
)  # fmt: skip
def periphery(run: Run, *, unconnected: Literal["reachable", "infinite"] = "reachable") -> PeripheryResult:
    """The vertices of largest eccentricity.

    Parameters
    ----------
    unconnected : {"reachable", "infinite"}
        Whether only vertices that a vertex reaches count for it, or it is infinitely far from the others.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2], [1, 2, 3], directed=False)
    >>> nearly.periphery(g).vertices.tolist()
    [0, 3]
    """
    choice("unconnected", unconnected, UNCONNECTED)
    values, finished = settled(run, unconnected)
    most = values.max(initial=0)
    members = values == most
    return PeripheryResult(
        members, guarantee="exact" if finished else "heuristic", vertices=np.flatnonzero(members), diameter=float(most),
        unconnected=unconnected,
    )  # fmt: skip
