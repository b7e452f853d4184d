"""The index of Adamic and Adar (2003): common neighbours, each counting 1 / log of its own number of neighbours.

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


class AdamicAdarResult(Result):
    """Adamic-Adar indices of pairs."""

    per = "arc"

    values: np.ndarray = field("the index of each pair, float64", column="adamic_adar")
    pairs: np.ndarray | None = field("the pairs; None for the ends of all arcs")


def certificate(graph: Graph, result: AdamicAdarResult) -> Certificate:
    """The largest scores and some others follow from the rows of the two vertices."""

    def score(common: np.ndarray, degrees: np.ndarray, u: int, v: int) -> float:
        return float(sum(1 / np.log(float(degrees[w])) for w in common.tolist() if degrees[w] > 1))

    return check_scores(graph, result, score)


@algorithm(policies=ONE_POLICY, certificate=certificate, judge=ARC_SCORES, undirected=True, direct=True)
def adamic_adar(run: Run, pairs: Any = None) -> AdamicAdarResult:
    """The Adamic-Adar index of pairs: common neighbours, of which those of few neighbours count more.

    A directed graph is read as undirected. Of a vertex and itself, neighbours without others count nothing.

    Parameters
    ----------
    pairs : array_like of int, optional
        Two vertices in each row; by default the ends of every arc.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 0, 1, 1, 2], [1, 2, 2, 3, 3], directed=False)
    >>> nearly.adamic_adar(g, [[0, 3], [0, 1]]).values.round(4).tolist()
    [1.8205, 0.9102]
    """
    sums, _, _ = common_sums(run, pairs, _gain)
    return AdamicAdarResult(sums, pairs=None if pairs is None else np.asarray(pairs))


def _gain(degrees: np.ndarray) -> np.ndarray:
    """What a vertex counts as a common neighbour; one that two vertices share has at least two neighbours."""
    return np.where(degrees > 1, 1 / np.log(np.maximum(degrees, 2).astype(np.float64)), 0.0)
