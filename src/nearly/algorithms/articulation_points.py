"""Articulation points: the vertices without which a component falls apart.

Returns a bool per vertex; `.vertices` lists them, `.count` says how many there are. A directed graph is read as
undirected; loops and parallel edges change nothing. Method: one depth-first search with low points
(`shared.lowpoints`). The certificate finds them another way, from the cycles of a breadth-first forest
(`shared.cycle_joins`).
"""

from __future__ import annotations

import numpy as np

from nearly.accuracy.judges import SETS
from nearly.algorithms.shared.cycle_joins import cut_vertices, joined
from nearly.algorithms.shared.lowpoints import lowpoints
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class ArticulationResult(Result):
    """Vertices without which a component falls apart."""

    shows = "members"

    values: np.ndarray = field("whether each vertex is an articulation point, bool", column="articulation_point")
    vertices: np.ndarray = field("the articulation points, ascending, int64")
    count: int = field("how many there are")


def certificate(graph: Graph, result: ArticulationResult) -> Certificate:
    """The cycles of a breadth-first forest say the same of every vertex."""
    ok = np.array_equal(np.asarray(result.values, bool), cut_vertices(joined(graph)))
    return Certificate(ok, "the edges at just these vertices are in several classes of edges that share cycles", 0.0)


@algorithm(
    memory=Needs(vertex=44), policies=ONE_POLICY, certificate=certificate, judge=SETS, undirected=True, direct=True
)
def articulation_points(run: Run) -> ArticulationResult:
    """Articulation points: the vertices whose removal disconnects what was connected.

    A directed graph is read as undirected.

    Examples
    --------
    >>> import nearly
    >>> r = nearly.articulation_points(nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3]))
    >>> r.values.tolist(), r.vertices.tolist(), r.count
    ([False, False, True, False], [2], 1)
    """
    found = lowpoints(run)
    return ArticulationResult(found.cut, vertices=lambda: np.flatnonzero(found.cut), count=found.cuts.size)
