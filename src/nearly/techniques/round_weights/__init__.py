"""Approximate attributes (GP4): round weights, so that there are few different ones.

With `base` a weight becomes a power of it (2: few bits to sort by, which mst likes). With `levels` it becomes
a whole number from 1 to `levels`, in units of the largest weight over `levels`: then sssp needs no queue ordered
by distance. It settles one level after another as breadth-first search does, visits every arc once and sums the true
weights on the way (see `levels`).

`round="up"` takes the next power or level, so that distances stay upper bounds. `round="nearest"` takes the closest one
(of two that are equally close the larger), as the thesis does: no weight w changes by more than half the gap between
two powers, so it becomes something from 2 w / (base + 1) to 2 base w / (base + 1) (base 2: from 2/3 to 4/3), up to the
rounding of whole weights to whole numbers. A path's length, being a sum, changes by no more than that, hence so does
every distance. Where sssp goes by levels, or other techniques take part, factors differ: they are
computed from the answer (`SsspResult.factors`) and checked on the given graph, so the word is "certified". A forest is
weighed by the true weights in either mode: as it spans, it is an upper bound; if weights become between `low` and
`high` times what they were, it is at most high / low times as heavy as need be, and its certificate computes a bound.

There are no vertex attributes to round: what algorithms are given of vertices are PageRank's `start` and
`personalization`, n numbers that are read once a round beside the arcs; fewer different ones would save nothing.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nearly.algorithms.bfs import UNREACHED
from nearly.algorithms.sssp import SearchGoal
from nearly.base.errors import InvalidArgumentError
from nearly.engine.knob import Knob
from nearly.engine.run import Run
from nearly.engine.technique import Task, Technique, technique
from nearly.engine.traits import CHANGES_WEIGHTS, RAISES_WEIGHTS, Effect
from nearly.engine.transform.graph_map import GraphMap
from nearly.graph.csr import Arrays, Graph
from nearly.techniques.round_weights.levels import search_levels

_LARGEST = 2**32 - 1


@technique("round-weights", reference="GP4: Graprox, approximate attributes")
class RoundWeights(Technique):
    """Round weights to powers of a base or to a few levels, upwards or to the closest one."""

    base = Knob(2.0, "weights become a power of this", exact=None, low=1, above=True, words=(None,), mild=1)
    levels = Knob(
        None, "weights become one of so many equal steps, instead", exact=None, low=1, high=65535, whole=True,
        words=(None,), mild=math.inf,
    )  # fmt: skip

    round = Knob("up", "whether the next power or level is taken, or the closest one", words=("up", "nearest"))

    @property
    def effects(self) -> tuple[Effect, ...]:
        return (RAISES_WEIGHTS if self.round == "up" else CHANGES_WEIGHTS,)

    def make_rounds(self, run: Run, goal: Any) -> Any:
        """Shortest paths level by level, where no path is longer than a level can say and nothing ends rounds early."""
        last = [technique for technique in run.applied if isinstance(technique, RoundWeights)][-1]
        if last != self or self.levels is None:
            return None  # the weights are what the last rounding made of them
        few = isinstance(goal, SearchGoal) and 0 < (run.map.levels or 0) * run.graph.n < int(UNREACHED)
        plain = run.policy in ("auto", "frontier") and run.device == "cpu" and not run.cut_short
        return search_levels(run, goal) if few and plain and run.map.copies is None else None

    def transform(self, graph: Graph, task: Task) -> GraphMap | None:
        if not (task.weighted and graph.weighted and graph.m):
            return None  # all arcs weigh the same already
        weights = graph.arrays.weights
        if self.levels is None:
            rounded = (powers if self.round == "up" else nearest_powers)(weights, self.base)
            return GraphMap(graph, _reweighted(graph, rounded), levels=0)
        unit = float(weights.max()) / self.levels
        if weights.min() < 0:
            raise InvalidArgumentError("RoundWeights: levels need weights of at least 0; use base=")
        if unit == 0:
            return None  # all weigh 0
        steps = weights.astype(np.float64) / unit
        steps = np.ceil(steps) if self.round == "up" else np.floor(steps + 0.5)
        whole = np.clip(steps, 1, self.levels).astype(np.uint32)
        return GraphMap(graph, _reweighted(graph, whole), unit=unit, levels=self.levels)


def powers(weights: np.ndarray, base: float) -> np.ndarray:
    """Each weight as the next power of the base that is not below it, of the same type; 0 stays 0."""
    wide = weights.astype(np.float64)
    exact = np.log(np.where(wide == 0, 1, np.abs(wide))) / math.log(base)
    nearest, sign = np.round(exact), np.sign(wide)
    close = np.abs(exact - nearest) < 1e-9  # perhaps a power already, but for the logarithm's rounding
    exponent = np.where(close, nearest, np.where(wide < 0, np.floor(exact), np.ceil(exact)))
    with np.errstate(over="ignore"):
        rounded = sign * np.power(base, exponent)
        below = rounded < wide  # just above a power after all: the next one
        rounded[below] = (sign * np.power(base, exponent + sign))[below]
    return _of_type(np.ceil(rounded) if weights.dtype.kind == "u" else rounded, weights.dtype)


def nearest_powers(weights: np.ndarray, base: float) -> np.ndarray:
    """Each weight as the power of the base closest to it, the larger of two, of the same type; 0 stays 0.

    Examples
    --------
    >>> nearest_powers(np.array([0, 1, 5, 6, 11, 12, 24], np.uint32), 2.0).tolist()
    [0, 1, 4, 8, 8, 16, 32]
    """
    size = np.abs(weights.astype(np.float64))
    exponent = np.floor(np.log(np.where(size == 0, 1, size)) / math.log(base))
    with np.errstate(over="ignore"):
        tried = np.stack([np.power(base, exponent + more) for more in (2, 1, 0, -1)])  # logarithms are rounded
    closest = np.argmin(np.abs(tried - size), axis=0)  # the first of equals
    rounded = np.sign(weights.astype(np.float64)) * tried[closest, np.arange(size.size)]
    if weights.dtype.kind == "u":
        rounded = np.where(size == 0, 0, np.maximum(np.floor(rounded + 0.5), 1))
    return _of_type(rounded, weights.dtype)


def _of_type(rounded: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Numbers in the weights' type, within its range."""
    if dtype.kind == "u":
        return np.minimum(rounded, _LARGEST).astype(dtype)
    return np.clip(rounded, -np.finfo(dtype).max, np.finfo(dtype).max).astype(dtype)


def _reweighted(graph: Graph, weights: np.ndarray) -> Graph:
    offsets, targets, _ = graph.arrays
    return Graph._trusted(Arrays(offsets, targets, weights), graph.directed)
