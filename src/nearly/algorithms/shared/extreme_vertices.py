"""The vertices of smallest or of largest eccentricity: what `center` and `periphery` have in common.

Each vertex belongs or not, as NetworkX lists them. Vertices that a vertex does not reach do not count for it, or make
it infinitely eccentric, as `nearly.eccentricity` has it. Method: bounds on eccentricities from few searches, until each
vertex is settled. Stopped early by `max_rounds` the vertices are `heuristic`: those of extreme lower bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nearly.accuracy.judges import MEMBERS
from nearly.algorithms.eccentricity import UNCONNECTED, extreme_certificate, settled
from nearly.base.arguments import choice
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Result, field
from nearly.engine.run import Run


class ExtremeVerticesResult(Result):
    """Vertices of extreme eccentricity."""

    shows = "members"

    values: np.ndarray = field("whether each vertex belongs, bool", column="member")
    vertices: np.ndarray = field("the vertices that belong, ascending")
    unconnected: str = field("what is said of vertices that do not reach all others")


def extreme(which: Callable[[np.ndarray], float]) -> Callable[..., Any]:
    """The decorator that makes an algorithm of `extreme_vertices`."""
    return algorithm(
        memory=Needs(vertex=112, arc=11, thread=104, reverse=True),
        policies=ONE_POLICY, certificate=extreme_certificate(which), judge=MEMBERS, direct=True,
        work=lambda graph, arguments: 60.0 * (graph.n + graph.m),
    )  # fmt: skip


def extreme_vertices(run: Run, unconnected: str, which: Callable[[np.ndarray], float]) -> tuple[float, dict[str, Any]]:
    """The extreme eccentricity, and the fields of the result."""
    choice("unconnected", unconnected, UNCONNECTED)
    values, finished = settled(run, unconnected)
    end = float(which(values)) if values.size else 0.0
    members = values == end
    word = "exact" if finished else "heuristic"
    return end, {
        "values": members, "guarantee": word, "vertices": np.flatnonzero(members), "unconnected": unconnected
    }  # fmt: skip
