"""The resource allocation index (Zhou, Lu, Zhang 2009): common neighbours, each counting 1 / its number of neighbours.

Returns a score for each pair, or for the ends of each arc of the graph where no pairs are given. A directed graph is
read as undirected; loops and parallel edges play no role. Method: see `shared.pair_scores`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.accuracy.judges import ARC_SCORES
from nearly.algorithms.shared.pair_scores import check_scores, common_sums
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class ResourceAllocationResult(Result):
    """Resource allocation indices of pairs."""

    per = "arc"

    values: np.ndarray = field("the index of each pair, float64", column="resource_allocation")
    pairs: np.ndarray | None = field("the pairs; None for the ends of all arcs")


def certificate(graph: Graph, result: ResourceAllocationResult) -> Certificate:
    """The largest scores and some others follow from the rows of the two vertices."""

    def score(common: np.ndarray, degrees: np.ndarray, u: int, v: int) -> float:
        return float(sum(1 / float(degrees[w]) for w in common.tolist()))

    return check_scores(graph, result, score)


@algorithm(policies=ONE_POLICY, certificate=certificate, judge=ARC_SCORES, undirected=True, direct=True)
def resource_allocation(run: Run, pairs: Any = None) -> ResourceAllocationResult:
    """The resource allocation index of pairs: common neighbours, each counting one over its degree.

    A directed graph is read as undirected.

    Parameters
    ----------
    pairs : array_like of int, optional
        Two vertices in each row; by default the ends of every arc.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 0, 1, 1, 2], [1, 2, 2, 3, 3], directed=False)
    >>> nearly.resource_allocation(g, [[0, 3], [0, 1]]).values.round(4).tolist()
    [0.6667, 0.3333]
    """
    sums, _, _ = common_sums(run, pairs, _gain)
    return ResourceAllocationResult(sums, pairs=None if pairs is None else np.asarray(pairs))


def _gain(degrees: np.ndarray) -> np.ndarray:
    """What a vertex counts as a common neighbour."""
    return 1 / np.maximum(degrees, 1).astype(np.float64)
