"""Clustering coefficients: how close the neighbours of each vertex are to all knowing each other.

Returns for each vertex the share of the pairs of its neighbours that are joined, 0 where there are no pairs (the local
coefficient, as NetworkX's `clustering`); `.average` is their mean, `.transitivity` the share of joined pairs
among all pairs of neighbours in the graph, `.triangles` the counts behind them.
A directed graph is read as undirected; weights, loops and parallel edges play no role.
Method: triangles at each vertex (`triangle_count.counting`) over pairs of neighbours.
"""

from __future__ import annotations

import numpy as np

from nearly.algorithms.triangle_count.certificate import check_counts, neighbour_pairs
from nearly.algorithms.triangle_count.counting import POLICIES, triangles
from nearly.engine.algorithm import algorithm
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class ClusteringResult(Result):
    """Clustering coefficients."""

    values: np.ndarray = field("the share of the pairs of each vertex's neighbours that are joined, float64")
    average: float = field("the mean of the values")
    transitivity: float = field("the share of all pairs of neighbours that are joined")
    triangles: np.ndarray = field("how many triangles each vertex is a corner of, int64")


def certificate(graph: Graph, result: ClusteringResult) -> Certificate:
    """The values are counts of triangles over pairs of neighbours, and a sample of the counts is recounted."""
    pairs = neighbour_pairs(graph.symmetrized())
    counts = np.rint(result.values * pairs).astype(np.int64)
    ok, claim = check_counts(graph, counts)
    same = np.array_equal(_shares(counts, pairs), result.values)
    means = (result.average, result.transitivity) == _means(result.values, counts, pairs)
    return Certificate(ok and same and means, f"values are triangles over pairs of neighbours; {claim}")


@algorithm(policies=POLICIES, certificate=certificate, undirected=True, direct=True)
def clustering_coefficient(run: Run) -> ClusteringResult:
    """Local clustering coefficients of the graph read as undirected; also `.average`, `.transitivity`, `.triangles`.

    Examples
    --------
    >>> import nearly
    >>> r = nearly.clustering_coefficient(nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3]))
    >>> r.values.round(3).tolist(), round(r.average, 3), r.transitivity
    ([1.0, 1.0, 0.333, 0.0], 0.583, 0.6)
    """
    counts = triangles(run)
    pairs = neighbour_pairs(run.graph)
    values = _shares(counts, pairs)
    average, transitivity = _means(values, counts, pairs)
    return ClusteringResult(values, average=average, transitivity=transitivity, triangles=counts)


def _shares(counts: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    return np.divide(counts, pairs, out=np.zeros(counts.size), where=pairs > 0)


def _means(values: np.ndarray, counts: np.ndarray, pairs: np.ndarray) -> tuple[float, float]:
    """The mean of the local coefficients, and the share of all pairs that are joined."""
    average = float(values.mean()) if values.size else 0.0
    joined, possible = int(counts.sum()), int(pairs.sum())
    return average, joined / possible if possible else 0.0
