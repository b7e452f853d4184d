"""Jaccard's coefficient: of the neighbours that either of two vertices has, the share that both have.

Each pair has a score, or the ends of each arc where no pairs are given: see `shared.pair_scores`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.algorithms.shared.pair_scores import PairScoresResult, Score, scored, scores_of_pairs
from nearly.engine.run import Run

JACCARD = Score(
    np.ones_like, lambda sums, both: np.divide(sums, both - sums, out=np.zeros_like(sums), where=both > sums)
)


@scored(JACCARD)
def jaccard(run: Run, pairs: Any = None) -> PairScoresResult:
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
    return scores_of_pairs(run, pairs, JACCARD)
