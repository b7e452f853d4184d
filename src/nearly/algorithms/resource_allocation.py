"""The resource allocation index (Zhou, Lu, Zhang 2009): common neighbours, each counting 1 / its number of neighbours.

Each pair has a score, or the ends of each arc where no pairs are given: see `shared.pair_scores`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.algorithms.shared.pair_scores import PairScoresResult, Score, scored, scores_of_pairs
from nearly.engine.run import Run

ALLOCATED = Score(lambda degrees: 1 / np.maximum(degrees, 1).astype(np.float64))


@scored(ALLOCATED)
def resource_allocation(run: Run, pairs: Any = None) -> PairScoresResult:
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
    return scores_of_pairs(run, pairs, ALLOCATED)
