"""Edge-balanced cuts of a graph's rows, and its widest row; found once per graph and kept with it."""

from __future__ import annotations

import numpy as np

from nearly.engine.primitives import balanced_cuts
from nearly.graph.csr import Graph

_PIECES = 256  # enough for balance by stealing, few enough that taking one costs nothing


def row_cuts(graph: Graph) -> np.ndarray:
    """`cuts[p]:cuts[p + 1]` are the rows of piece p; each piece has about as many arcs plus rows as any other."""
    cuts = graph.__dict__.get("_row_cuts")
    if cuts is None:
        pieces = min(_PIECES, max(1, (graph.m + graph.n) // 4096))
        cuts = graph.__dict__["_row_cuts"] = balanced_cuts(graph.arrays.offsets, pieces)
    return cuts


def widest_row(graph: Graph) -> np.uint64:
    """The largest number of arcs that leave one vertex."""
    widest = graph.__dict__.get("_widest_row")
    if widest is None:
        widest = graph.__dict__["_widest_row"] = np.uint64(graph.out_degrees.max(initial=0))
    return widest
