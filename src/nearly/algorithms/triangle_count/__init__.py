"""Triangles: how many there are at each vertex, and in all.

Returns the number of triangles each vertex is a corner of, as NetworkX's `triangles` does; `.total` is the number of
triangles. A directed graph is read as undirected; loops and parallel edges play no role.
Method: see `counting`.
"""

from __future__ import annotations

import numpy as np

from nearly.accuracy.judges import TRIANGLES
from nearly.algorithms.triangle_count.certificate import check_counts
from nearly.algorithms.triangle_count.counting import POLICIES, triangles_and_total
from nearly.engine.algorithm import algorithm
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class TrianglesResult(Result):
    """Numbers of triangles."""

    values: np.ndarray = field("how many triangles each vertex is a corner of, int64")
    total: int = field("how many triangles there are")


def certificate(graph: Graph, result: TrianglesResult) -> Certificate:
    """Recount a sample of the vertices; see `certificate`."""
    if result.guarantee != "exact":
        claim = "the triangles among the edges that stayed, scaled up: right on average, no bound is claimed"
        return Certificate(bool((result.values >= 0).all()) and result.total >= 0, claim)
    ok, claim = check_counts(graph, result.values)
    return Certificate(ok and int(result.values.sum()) == 3 * result.total, claim)


@algorithm(
    policies=POLICIES, certificate=certificate, judge=TRIANGLES, undirected=True, direct=True, fewer_arcs="estimated"
)
def triangle_count(run: Run) -> TrianglesResult:
    """Triangles at each vertex of the graph read as undirected; `.total` is how many there are.

    Examples
    --------
    >>> import nearly
    >>> r = nearly.triangle_count(nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3]))
    >>> r.values.tolist(), r.total
    ([1, 1, 1, 0], 1)
    """
    chance = 1.0 if run.mapped is None else run.mapped.chance**3  # that all three edges of a triangle stayed
    values, total = triangles_and_total(run)
    if chance < 1.0:
        return TrianglesResult(np.rint(values / chance).astype(np.int64), total=round(total / chance))
    return TrianglesResult(values, total=total)
