"""Triangles: how many there are at each vertex, and in all.

Returns the number of triangles each vertex is a corner of, as NetworkX's `triangles` does; `.total` is the number of
triangles. A directed graph is read as undirected; loops and parallel edges play no role. With `vertices`, the values
are theirs, in this order.
Method: see `counting`, for a few vertices `local`; within a budget `nearly.budget.estimators.triangle_count`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.accuracy.judges import TRIANGLES
from nearly.algorithms.triangle_count.certificate import check_counts, check_some
from nearly.algorithms.triangle_count.counting import POLICIES, triangles_and_total
from nearly.algorithms.triangle_count.local import counts_at, is_local, visits
from nearly.base.arguments import vertices as checked_vertices
from nearly.engine.algorithm import algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class TrianglesResult(Result):
    """Numbers of triangles."""

    values: np.ndarray = field(
        "how many triangles each vertex (or each of `vertices`) is a corner of, int64; None where they were estimated",
        column="triangles",
    )
    total: int = field("how many triangles there are")
    vertices: np.ndarray | None = field("the vertices the values are of, None for all", lambda result: None)


def certificate(graph: Graph, result: TrianglesResult) -> Certificate:
    """Recount a sample of the vertices; see `certificate`."""
    if result.guarantee != "exact":
        claim = "the triangles among the edges that stayed, scaled up: right on average, no bound is claimed"
        return Certificate(bool((result.values >= 0).all()) and result.total >= 0, claim)
    if result.vertices is not None:
        return Certificate(*check_some(graph, result.vertices, result.values))
    ok, claim = check_counts(graph, result.values)
    return Certificate(ok and int(result.values.sum()) == 3 * result.total, claim)


@algorithm(
    memory=Needs(vertex=64, arc=9, thread=8),
    policies=POLICIES, certificate=certificate, judge=TRIANGLES, undirected=True, direct=True, fewer_arcs="estimated",
    work=visits,
)  # fmt: skip
def triangle_count(run: Run, vertices: Any = None) -> TrianglesResult:
    """Triangles at each vertex of the graph read as undirected; `.total` is how many there are.

    `max_error` is about `.total`, and relative to it.

    Parameters
    ----------
    vertices : array_like of int, optional
        Count at these only; `.total` is then counted when it is read.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3])
    >>> r = nearly.triangle_count(g)
    >>> r.values.tolist(), r.total
    ([1, 1, 1, 0], 1)
    >>> nearly.triangle_count(g, vertices=[3, 2]).values.tolist()
    [0, 1]
    """
    chosen = None if vertices is None else checked_vertices("vertices", vertices, run.given.n)
    if chosen is not None and run.direct and run.mapped is None and is_local(run.graph, chosen):
        counts, _ = counts_at(run, chosen)
        given = run.source or run.graph
        return TrianglesResult(counts, vertices=chosen, total=lambda: triangle_count(given).total)
    chance = 1.0 if run.mapped is None else run.mapped.chance**3  # that all three edges of a triangle stayed
    values, total = triangles_and_total(run)
    if chance < 1.0:
        values, total = np.rint(values / chance).astype(np.int64), round(total / chance)
    return TrianglesResult(values if chosen is None else values[chosen], total=total, vertices=chosen)
