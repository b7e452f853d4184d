"""In which order sources are tried (TB2), and under which numbers the graph is searched (TB1).

random, ascending, descending: by a seeded draw, or by out-degree. rrr, restricted round robin: one after the other
from each class of degrees (1, 2-3, 4-7, ...), highest class first; vertices without arcs, which reach nothing, come
last. dyn: the vertices with the least scores so far. dynrr: round robin, from the highest and the lowest degree in
turn, for the first 5% of the sources, then as dyn. All ties are broken by number.

Renumbering pays where arcs lead to distant numbers: by degree where some vertices are in most rows, in the order of a
breadth-first forest where rows are short. Long rows without hubs gain nothing. Numbers that are already close along
arcs (most files of roads and of web pages) are better than any new ones. Both are left as they are, unless new numbers
are asked for: then it is always the forest's order, as in ParTBC.
"""

from __future__ import annotations

import numpy as np

from nearly.algorithms.betweenness.certificate import drawn
from nearly.graph.bfs_order import forest_order
from nearly.graph.csr import Graph

ORDERS = ("dynrr", "dyn", "rrr", "random", "ascending", "descending")
_STREAM = 0x746B  # which random numbers order sources
_ROUND_ROBIN = 0.05
_SKEWED, _SHORT = 16, 12  # largest over mean degree; mean degree
_CLOSE = 0.1  # mean distance of numbers along arcs, over n; it is a third if numbers are random


class Order:
    """Sources, a batch at a time."""

    def __init__(self, graph: Graph, order: str, seed: int) -> None:
        self.name = order
        degrees = graph.out_degrees.astype(np.int64)
        self.list = _static(order, degrees, seed)
        self.unused = np.ones(graph.n, bool)
        self.dynamic_from = {"dyn": 0.0, "dynrr": _ROUND_ROBIN * graph.n}.get(order, np.inf)

    def next(self, done: int, count: int, scores: np.ndarray) -> np.ndarray:
        """The next `count` sources after `done` of them, given the scores so far."""
        if done < self.dynamic_from:
            chosen = self.list[done : done + count]
        else:
            left = np.flatnonzero(self.unused)
            count = min(count, left.size)
            known = scores[left]
            worst = np.partition(known, count - 1)[count - 1] if count else 0.0
            below, equal = left[known < worst], left[known == worst]
            chosen = np.sort(np.concatenate([below, equal[: count - below.size]]))
        self.unused[chosen] = False
        return chosen


def _static(order: str, degrees: np.ndarray, seed: int) -> np.ndarray:
    n = degrees.size
    if order == "random":
        return drawn(n, n, seed, _STREAM).astype(np.int64)
    rising = np.argsort(degrees, kind="stable")
    falling = np.argsort(-degrees, kind="stable")
    if order == "descending":
        return falling
    if order == "dynrr":
        turn, other = np.empty(n, np.int64), np.empty(n, np.int64)
        turn[falling], other[rising] = np.arange(0, 2 * n, 2), np.arange(1, 2 * n, 2)
        return np.minimum(turn, other).argsort()  # a vertex comes when the first of the two gets to it
    return _round_robin(degrees) if order == "rrr" else rising


def _round_robin(degrees: np.ndarray) -> np.ndarray:
    """The first of each class, then the second of each, and so on."""
    classes = np.frexp(degrees.astype(np.float64))[1]
    by_class = np.argsort(classes, kind="stable")
    sizes = np.bincount(classes)
    turn = np.empty(degrees.size, np.int64)
    turn[by_class] = np.arange(degrees.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    turn[classes == 0] = degrees.size
    return np.lexsort((np.arange(degrees.size), -classes, turn))


def renumbering(graph: Graph) -> np.ndarray | None:
    """The vertices' new numbers, None where new ones would not pay."""
    degrees, mean = graph.out_degrees, graph.m / max(graph.n, 1)
    span = np.abs(graph.arc_sources() - graph.arrays.targets.astype(np.int64))
    if graph.m == 0 or span.mean() < _CLOSE * graph.n:
        return None
    if int(degrees.max()) > _SKEWED * mean:
        place = np.empty(graph.n, np.int64)
        place[np.argsort(-degrees.astype(np.int64), kind="stable")] = np.arange(graph.n)
        return place
    return by_forest(graph) if mean <= _SHORT else None


def by_forest(graph: Graph) -> np.ndarray:
    """The vertices' new numbers in the order of a breadth-first forest."""
    return forest_order(graph).place.astype(np.int64)
