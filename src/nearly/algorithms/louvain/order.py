"""Who has a turn together in Louvain's first phase, where most of the time goes (CD3).

Vertices of one turn decide at the same time, each as if the others stayed; neighbours that do so may both be
wrong. So the fewer neighbours share a turn the better, and the more turns a round has the more often all wait.

- `random`: eight turns, drawn by lot anew each round: who was unlucky is not so again;
- `natural`: eight stretches of consecutive vertices; `degree`: by powers of two of the degree, small ones first;
- `color`: a complete colouring (`coloring`'s), so that no two neighbours share a turn;
- a technique may ask for an incomplete one: `colors` turns of vertices no two of which are neighbours, and the rest
  together. By Jones and Plassmann's method: those whose random number is greater than that of every neighbour without
  a colour get the next one. With `hashes`, each of so many random numbers gives two colours in one pass over
  the arcs: one to its maxima, one to its minima.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import prange

from nearly.algorithms.coloring import color_in_line
from nearly.algorithms.shared.turns import in_line, ranking
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.random import draw, stream_key
from nearly.base.unsigned import U1
from nearly.engine.row_pieces import row_cuts
from nearly.engine.run import Run
from nearly.graph.csr import Graph

CLASSES = 8
ORDERS = ("random", "natural", "degree", "color")
NO_ORDER = np.empty(0, np.uint16)  # turns are drawn by lot
BARE = np.uint16(2**16 - 1)  # without a colour
_STREAM = 0x4C43  # which random numbers colour vertices


def classes_of(run: Run, order: str, said: dict[str, Any]) -> tuple[np.ndarray, int]:
    """The turn of each vertex, and how many turns there are."""
    graph = run.graph
    if said.get("colors"):
        return incomplete_coloring(graph, said["colors"], said["hashes"], run.seed)
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
    return np.minimum(color, int(BARE) - 1).astype(np.uint16)


def incomplete_coloring(graph: Graph, colors: int, hashes: int, seed: int) -> tuple[np.ndarray, int]:
    """A colour below `colors` for some, no two neighbours the same; `colors` for all others. And how many that makes.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1], [1, 2], directed=False)
    >>> incomplete_coloring(g, 8, 0, seed=1)[0].tolist()
    [0, 2, 1]
    """
    offsets, targets, _ = graph.arrays
    color = np.full(graph.n, BARE)
    per_pass = 2 * hashes or 1
    for base in range(0, colors, per_pass):
        key = np.uint64(stream_key(np.uint64(seed), np.uint64(_STREAM + base)))
        wanted = np.uint64(min(per_pass, colors - base))
        color_extremes(offsets, targets, key, np.uint64(base), wanted, row_cuts(graph), color)
    color[color == BARE] = colors
    return color, colors + 1


@parallel_kernel
def color_extremes(offsets, targets, key, base, wanted, cuts, color):
    """Give colours base, base + 1, ... to those without one who are extreme among neighbours that had none before."""
    for piece in prange(np.uint64(cuts.size - 1)):
        for v in range(cuts[piece], cuts[piece + U1]):
            if color[v] == BARE:
                extreme_of(offsets, targets, key, base, wanted, color, v)


@kernel(_nrt=False)
def extreme_of(offsets, targets, key, base, wanted, color, v):
    """The first number in which v is greater than all such neighbours, or less, decides its colour."""
    for c in range(wanted):
        minima = c & U1  # every other colour is theirs
        private = draw(key, c >> U1)
        mine = draw(private, v)
        first = True
        for e in range(offsets[v], offsets[v + U1]):
            u = np.uint64(targets[e])
            if u != v and np.uint64(color[u]) >= base:
                other = draw(private, u)
                if (other <= mine) if minima else (other >= mine):
                    first = False
                    break
        if first:
            color[v] = base + c
            return
