"""Common neighbours: how many vertices are neighbours of both.

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


class CommonNeighborsResult(Result):
    """Numbers of common neighbours."""

    per = "arc"

    values: np.ndarray = field("how many common neighbours each pair has, int64", column="common_neighbors")
    pairs: np.ndarray | None = field("the pairs; None for the ends of all arcs")


def certificate(graph: Graph, result: CommonNeighborsResult) -> Certificate:
    """The largest scores and some others follow from the rows of the two vertices."""

    def score(common: np.ndarray, degrees: np.ndarray, u: int, v: int) -> float:
        return float(common.size)

    return check_scores(graph, result, score)


@algorithm(policies=ONE_POLICY, certificate=certificate, judge=ARC_SCORES, undirected=True, direct=True)
def common_neighbors(run: Run, pairs: Any = None) -> CommonNeighborsResult:
    """How many neighbours two vertices have in common, for each of some pairs.

    A directed graph is read as undirected; neither of the two counts.

    Parameters
    ----------
    pairs : array_like of int, optional
        Two vertices in each row; by default the ends of every arc.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 0, 1, 1, 2], [1, 2, 2, 3, 3], directed=False)
    >>> nearly.common_neighbors(g, [[0, 3], [0, 1]]).values.tolist()
    [2, 1]
    """
    sums, _, _ = common_sums(run, pairs, np.ones_like)
    return CommonNeighborsResult(sums.astype(np.int64), pairs=None if pairs is None else np.asarray(pairs))
