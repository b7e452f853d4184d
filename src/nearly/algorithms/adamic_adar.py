"""The index of Adamic and Adar (2003): common neighbours, each counting 1 / log of its own number of neighbours.

Each pair has a score, or the ends of each arc where no pairs are given: see `shared.pair_scores`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.algorithms.shared.pair_scores import PairScoresResult, Score, scored, scores_of_pairs
from nearly.engine.run import Run


def gain(degrees: np.ndarray) -> np.ndarray:
    """One over the logarithm; a vertex that two others share has at least two neighbours."""
    return np.where(degrees > 1, 1 / np.log(np.maximum(degrees, 2).astype(np.float64)), 0.0)


ADAMIC_ADAR = Score(gain)


@scored(ADAMIC_ADAR)
def adamic_adar(run: Run, pairs: Any = None) -> PairScoresResult:
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
    return scores_of_pairs(run, pairs, ADAMIC_ADAR)
