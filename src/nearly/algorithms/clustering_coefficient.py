"""Clustering coefficients: how close the neighbours of each vertex are to all knowing each other.

Returns for each vertex the share of the pairs of its neighbours that are joined, 0 where there are no pairs (the local
coefficient, as NetworkX's `clustering`); `.average` is their mean, `.transitivity` the share of joined pairs
among all pairs of neighbours in the graph, `.triangles` the counts behind them.
A directed graph is read as undirected; weights, loops and parallel edges play no role.
With `vertices`, the values are theirs, in this order; the average and the transitivity stay those of the graph.
Method: triangles at each vertex (`triangle_count.counting`) over pairs of neighbours. Within a budget: wedges, see
`nearly.budget.estimators.clustering_coefficient`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from nearly.algorithms.triangle_count.certificate import check_counts, check_some, neighbour_pairs
from nearly.algorithms.triangle_count.counting import POLICIES, triangles
from nearly.algorithms.triangle_count.local import counts_at, is_local, visits
from nearly.base.arguments import vertices as checked_vertices
from nearly.engine.algorithm import algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class ClusteringResult(Result):
    """Clustering coefficients."""

    shows = "spread"
    most_error = 1.0

    values: np.ndarray = field(
        "the share of the pairs of each vertex's (or each of `vertices`') neighbours that are joined, float64; "
        "None where only the average and the transitivity were estimated",
        column="clustering",
    )
    average: float = field("the mean of the values of all vertices")
    transitivity: float = field("the share of all pairs of neighbours in the graph that are joined")
    triangles: np.ndarray = field(
        "how many triangles each vertex (or each of `vertices`) is a corner of, int64; None where not all were counted",
        column="triangles",
    )
    vertices: np.ndarray | None = field("the vertices the values are of, None for all", lambda result: None)
    transitivity_interval: tuple[float, float] = field(
        "(low, high), between which the transitivity lies; `interval` is then about the average, or about the values",
        lambda result: (result.transitivity, result.transitivity),
    )


def certificate(graph: Graph, result: ClusteringResult) -> Certificate:
    """The values are counts of triangles over pairs of neighbours, and a sample of the counts is recounted."""
    if result.vertices is not None:
        return _certificate_of_some(graph, result)
    pairs = neighbour_pairs(graph.symmetrized())
    counts = np.rint(result.values * pairs).astype(np.int64)
    ok, claim = check_counts(graph, counts)
    same = np.array_equal(_shares(counts, pairs), result.values)
    means = (result.average, result.transitivity) == _means(result.values, counts, pairs)
    return Certificate(ok and same and means, f"values are triangles over pairs of neighbours; {claim}")


def _certificate_of_some(graph: Graph, result: ClusteringResult) -> Certificate:
    """The same for the values of chosen vertices; the means are not looked at."""
    assert result.vertices is not None
    degrees = np.array([_different_neighbours(graph.symmetrized(), int(v)) for v in result.vertices], np.int64)
    pairs = degrees * (degrees - 1) // 2
    ok, claim = check_some(graph, result.vertices, result.triangles)
    same = np.array_equal(_shares(result.triangles, pairs), result.values)
    return Certificate(ok and same, f"values are triangles over pairs of neighbours; {claim}")


def _different_neighbours(graph: Graph, v: int) -> int:
    row = graph.targets[graph.offsets[v] : graph.offsets[v + 1]]
    return int(np.unique(row[row != v]).size)


def work(graph: Graph, arguments: dict[str, Any]) -> float:
    """Visits of arcs: those of counting, and one look at all for the pairs of neighbours."""
    view = graph.symmetrized()
    return visits(graph, arguments) + (0 if arguments.get("vertices") is not None else view.m + 4 * view.n)


@algorithm(
    memory=Needs(vertex=80, arc=9, thread=8),
    policies=POLICIES,
    certificate=certificate,
    undirected=True,
    direct=True,
    work=work,
)
def clustering_coefficient(run: Run, vertices: Any = None) -> ClusteringResult:
    """Local clustering coefficients of the graph read as undirected; also `.average`, `.transitivity`, `.triangles`.

    `max_error` is about `.average` and `.transitivity`, both at once, and absolute; with `vertices`, about the values
    of these as well.

    Parameters
    ----------
    vertices : array_like of int, optional
        Give the values of these only; `.average` and `.transitivity` are then computed when they are read.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3])
    >>> r = nearly.clustering_coefficient(g)
    >>> r.values.round(3).tolist(), round(r.average, 3), r.transitivity
    ([1.0, 1.0, 0.333, 0.0], 0.583, 0.6)
    >>> nearly.clustering_coefficient(g, vertices=[3, 0]).values.tolist()
    [0.0, 1.0]
    """
    chosen = None if vertices is None else checked_vertices("vertices", vertices, run.given.n)
    if chosen is not None and run.direct and run.mapped is None and is_local(run.graph, chosen):
        return values_at(run, chosen)
    counts = triangles(run)
    pairs = neighbour_pairs(run.graph)
    values = _shares(counts, pairs)
    average, transitivity = _means(values, counts, pairs)
    if chosen is not None:
        values, counts = values[chosen], counts[chosen]
    return ClusteringResult(values, average=average, transitivity=transitivity, triangles=counts, vertices=chosen)


def values_at(run: Run, chosen: np.ndarray) -> ClusteringResult:
    """The coefficients of a few vertices."""
    counts, pairs = counts_at(run, chosen)
    graph = run.source or run.graph
    whole = cache(lambda: clustering_coefficient(graph))
    return ClusteringResult(
        _shares(counts, pairs),
        triangles=counts,
        vertices=chosen,
        average=lambda: whole().average,
        transitivity=lambda: whole().transitivity,
    )


def _shares(counts: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    return np.divide(counts, pairs, out=np.zeros(counts.size), where=pairs > 0)


def _means(values: np.ndarray, counts: np.ndarray, pairs: np.ndarray) -> tuple[float, float]:
    """The mean of the local coefficients, and the share of all pairs that are joined."""
    average = float(values.mean()) if values.size else 0.0
    joined, possible = int(counts.sum()), int(pairs.sum())
    return average, joined / possible if possible else 0.0
