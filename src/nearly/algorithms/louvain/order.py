"""Which vertices have a turn together in Louvain's first phase, where most of the time goes (CD3).

Vertices of one turn decide at the same time, each as if the others stayed; neighbours that do so may both be
wrong. So it is better that few neighbours share a turn; but with more turns in a round workers wait more often.

- `random`: one after the other (see `one_by_one`); on large graphs eight turns, drawn by lot anew each round, so that
  two neighbours rarely share a turn twice;
- `natural`: eight stretches of consecutive vertices; `degree`: by powers of two of the degree, small ones first;
- `color`: a complete colouring (`coloring`'s), so that no two neighbours share a turn.

A technique may say otherwise (`advice.TurnOrder`). `TURNS`: vertices that no order parts have turns in classes drawn by
lot and look around when they have reason to; or all have one turn, in every round (Grappolo's baseline, CD1).
"""

from __future__ import annotations

import numpy as np

from nearly.algorithms.coloring import color_in_line
from nearly.algorithms.shared.ranking import in_line, ranking
from nearly.engine.run import Run

CLASSES = 8
TURNS = ("classes", "all")
ORDERS = ("random", "natural", "degree", "color")
NO_ORDER = np.empty(0, np.uint16)  # turns are drawn by lot
_MOST = 2**16 - 2  # the last turn


def classes_of(run: Run, order: str) -> tuple[np.ndarray, int]:
    """The turn of each vertex, and how many turns there are."""
    graph = run.graph
    if order == "natural":
        return (np.arange(graph.n) * CLASSES // max(graph.n, 1)).astype(np.uint16), CLASSES
    if order == "degree":
        turn = np.frexp(graph.out_degrees.astype(np.float64))[1].astype(np.uint16)
    elif order == "color":
        turn = _complete(run)
    else:
        return NO_ORDER, CLASSES
    return turn, int(turn.max(initial=0)) + 1


def _complete(run: Run) -> np.ndarray:
    color = np.empty(run.graph.n, np.int32)
    color[:] = -1
    run.launch(color_in_line, *run.graph.arrays[:2], in_line(ranking(run.graph.n, run.seed)), color, run.stop)
    return np.minimum(color, _MOST).astype(np.uint16)
