"""Vertex ordering by an incomplete colouring (CD3): neighbours decide in turn, as far as a few colours go.

In Louvain's first phase the vertices of one colour have a turn together, and all that got none have another one. The
colouring is Jones and Plassmann's: a vertex whose random number is greater than that of every neighbour without a
colour gets the next one, one colour a round. With `hashes`, each vertex has that many random numbers, and each number
gives two colours in one pass over the arcs, one to its maxima, one to its minima, which costs fewer passes. A complete
colouring is not an approximation: `louvain(order="color")`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numba import prange

from nearly.algorithms.louvain.advice import TurnOrder
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.random import draw, stream_key
from nearly.base.unsigned import U1
from nearly.engine.knob import Knob
from nearly.engine.row_pieces import row_cuts
from nearly.engine.technique import Task, Technique, technique
from nearly.engine.traits import Advises
from nearly.graph.csr import Graph

BARE = np.uint16(2**16 - 1)  # without a colour
_STREAM = 0x4C43  # which random numbers colour vertices


@technique("incomplete-coloring", reference="CD3: Panyala et al., vertex ordering by colouring")
class IncompleteColoring(Technique):
    """Let vertices decide colour by colour, with a few colours and one more turn for the rest."""

    colors = Knob(8, "how many colours; None orders nothing", exact=None, low=1, high=1024, whole=True, words=(None,))
    hashes = Knob(
        0, "random numbers a round, each gives two colours; 0: one colour a round", low=0, high=64, whole=True
    )
    effects = (Advises(TurnOrder),)

    def in_rounds(self, task: Task) -> bool:
        return True

    def advice(self) -> Iterable[Any]:
        return [TurnOrder(lambda graph, seed: incomplete_coloring(graph, self.colors, self.hashes, seed))]


def incomplete_coloring(graph: Graph, colors: int, hashes: int, seed: int) -> tuple[np.ndarray, int]:
    """A colour below `colors` for some, no two neighbours the same; `colors` for all others. Also how many there are.

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
    """Give colours base, base + 1, ... to bare vertices that are extreme among the neighbours that were bare before."""
    for piece in prange(np.uint64(cuts.size - 1)):
        for v in range(cuts[piece], cuts[piece + U1]):
            if color[v] == BARE:
                extreme_of(offsets, targets, key, base, wanted, color, v)


@kernel(_nrt=False)
def extreme_of(offsets, targets, key, base, wanted, color, v):
    """The first random number by which v is above all such neighbours, or below them, decides its colour."""
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
