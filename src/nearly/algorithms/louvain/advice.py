"""What Louvain's method takes from techniques: when vertices are left out, the turns of the first phase, thresholds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nearly.graph.csr import Graph


@dataclass(frozen=True)
class Patience:
    """Vertices that have not moved for `rounds` rounds are out until the phase ends, each round with this chance."""

    rounds: int = 0
    chance: float = 0.0


@dataclass(frozen=True)
class TurnOrder:
    """Which vertices have a turn together in the first phase.

    `turns(graph, seed)` returns the turn of each vertex, uint16, and how many turns there are.
    """

    turns: Callable[[Graph, int], tuple[np.ndarray, int]]


@dataclass(frozen=True)
class Thresholds:
    """The gain that is too little for another round: `high` until a phase gains less, then `low`; None is `tol`."""

    high: float | None = None
    low: float | None = None
