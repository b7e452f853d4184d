"""Edge-balanced cuts of a graph's rows, and its widest row; found once per graph and kept with it.

`Crew` is how a kernel gets these cuts: workers take one piece after another from a shared cursor, until none is left
or the stop flag is raised. A kernel unpacks a crew before its `prange`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.engine.interruptible import stop_flag
from nearly.engine.primitives import balanced_cuts
from nearly.graph.csr import Graph

_PIECES = 256  # enough for balance by stealing, few enough that taking one costs nothing


class Crew(NamedTuple):
    """Workers that take balanced pieces of rows from a cursor."""

    cuts: np.ndarray  # uint64[pieces + 1]: where each piece of the rows begins
    cursor: np.ndarray  # uint64[1]: the next piece, 0 at first
    workers: int
    stop: np.ndarray  # what workers poll, see `going`


def crew_for(graph: Graph, workers: int, stop: np.ndarray | None = None) -> Crew:
    """Workers for all rows of a graph, with a cursor of their own."""
    cuts = graph.__dict__.get("_row_cuts")
    flag = stop_flag() if stop is None else stop
    return Crew(row_cuts(graph) if cuts is None else cuts, np.zeros(1, np.uint64), workers, flag)


def row_cuts(graph: Graph) -> np.ndarray:
    """`cuts[p]:cuts[p + 1]` are the rows of piece p; each piece has about as many arcs plus rows as any other."""
    cuts = graph.__dict__.get("_row_cuts")
    if cuts is None:
        pieces = min(_PIECES, max(1, (graph.m + graph.n) // 4096))
        whole = np.array([0, graph.n], np.uint64)
        cuts = graph.__dict__["_row_cuts"] = whole if pieces == 1 else balanced_cuts(graph.arrays.offsets, pieces)
    return cuts


def widest_row(graph: Graph) -> np.uint64:
    """The largest number of arcs that leave one vertex."""
    widest = graph.__dict__.get("_widest_row")
    if widest is None:
        widest = graph.__dict__["_widest_row"] = np.uint64(graph.out_degrees.max(initial=0))
    return widest


def cursor() -> np.ndarray:
    """A fresh shared counter from which workers take pieces."""
    return np.zeros(1, np.uint64)
