"""Jaccard's coefficient: of the neighbours that either of two vertices has, the share that both have.

Returns a score for each pair, or for the ends of each arc of the graph where no pairs are given. A directed graph is
read as undirected; loops and parallel edges play no role. Method: see `shared.pair_scores`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.accuracy.judges import ARC_SCORES
from nearly.algorithms.shared.pair_scores import check_scores, common_sums, plain_degrees
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class JaccardResult(Result):
    """Jaccard coefficients of pairs."""

    per = "arc"

    values: np.ndarray = field("the coefficient of each pair, from 0 to 1, float64", column="jaccard")
    pairs: np.ndarray | None = field("the pairs; None for the ends of all arcs")


def certificate(graph: Graph, result: JaccardResult) -> Certificate:
    """The largest scores and some others follow from the rows of the two vertices."""

    def score(common: np.ndarray, degrees: np.ndarray, u: int, v: int) -> float:
        either = int(degrees[u]) + int(degrees[v]) - common.size
        return common.size / either if either else 0.0

    return check_scores(graph, result, score)


@algorithm(policies=ONE_POLICY, certificate=certificate, judge=ARC_SCORES, undirected=True, direct=True)
def jaccard(run: Run, pairs: Any = None) -> JaccardResult:
    """Jaccard's coefficient of pairs: common neighbours over all neighbours of either.

    A directed graph is read as undirected. It is 0 where neither vertex has neighbours.

    Parameters
    ----------
    pairs : array_like of int, optional
        Two vertices in each row; by default the ends of every arc.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 0, 1, 1, 2], [1, 2, 2, 3, 3], directed=False)
    >>> nearly.jaccard(g, [[0, 3], [0, 1]]).values.tolist()
    [1.0, 0.25]
    """
    sums, us, vs = common_sums(run, pairs, np.ones_like)
    degrees = plain_degrees(run.graph).astype(np.float64)
    either = degrees[us] + degrees[vs] - sums
    values = np.divide(sums, either, out=np.zeros_like(sums), where=either > 0)
    return JaccardResult(values, pairs=None if pairs is None else np.asarray(pairs))
