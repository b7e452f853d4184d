"""Common neighbours: how many vertices are neighbours of both.

Each pair has a score, or the ends of each arc where no pairs are given: see `shared.pair_scores`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.algorithms.shared.pair_scores import PairScoresResult, Score, scored, scores_of_pairs
from nearly.engine.run import Run

COMMON = Score(np.ones_like, lambda sums, both: sums.astype(np.int64))


@scored(COMMON)
def common_neighbors(run: Run, pairs: Any = None) -> PairScoresResult:
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
    return scores_of_pairs(run, pairs, COMMON)
