"""Approximate attributes (GP4): round weights, so that there are few different ones.

With `base` a weight becomes the next power of it (2: few bits to sort by, which mst likes). With `levels` it becomes
a whole number from 1 to `levels`, in units of the largest weight over `levels`: then sssp needs no queue ordered
by distance. It settles one level after another as breadth-first search does, visits every arc once and sums the true
weights on the way (see `levels`). Rounding is always upwards, so that distances stay upper bounds; a forest is
weighed by the true weights.
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
from nearly.engine.traits import RAISES_WEIGHTS
from nearly.engine.transform.graph_map import GraphMap
from nearly.graph.csr import Arrays, Graph
from nearly.techniques.round_weights.levels import search_levels

_LARGEST = 2**32 - 1


@technique("round-weights", reference="GP4: Graprox, approximate attributes")
class RoundWeights(Technique):
    """Round weights upwards, to powers of a base or to a few levels."""

    base = Knob(2.0, "weights become the next power of this", exact=None, low=1, above=True, words=(None,))
    levels = Knob(
        None, "weights become one of so many equal steps, instead", exact=None, low=1, high=65535, whole=True,
        words=(None,),
    )  # fmt: skip

    effects = (RAISES_WEIGHTS,)

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
            return GraphMap(graph, _reweighted(graph, powers(weights, self.base)), levels=0)
        unit = float(weights.max()) / self.levels
        if weights.min() < 0:
            raise InvalidArgumentError("RoundWeights: levels need weights of at least 0; use base=")
        if unit == 0:
            return None  # all weigh 0
        whole = np.clip(np.ceil(weights.astype(np.float64) / unit), 1, self.levels).astype(np.uint32)
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
    if weights.dtype.kind == "u":
        return np.minimum(np.ceil(rounded), _LARGEST).astype(weights.dtype)
    return np.clip(rounded, -np.finfo(weights.dtype).max, np.finfo(weights.dtype).max).astype(weights.dtype)


def _reweighted(graph: Graph, weights: np.ndarray) -> Graph:
    offsets, targets, _ = graph.arrays
    return Graph._trusted(Arrays(offsets, targets, weights), graph.directed)
