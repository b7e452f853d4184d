"""How tests ask each algorithm of the registry, and how they compare its answers."""

from __future__ import annotations

from typing import Any

import numpy as np

import nearly
from nearly import Graph
from nearly.accuracy import judges
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.result import Result

BUILT_IN = [entry.name for entry in ALGORITHMS if entry.function.__module__.startswith("nearly.")]
SUMMED = (judges.RANKS, judges.SCORES, judges.LEADERS)  # sums of floats, whose order may differ


def ask(name: str, g: Graph, **common: Any) -> Result:
    """Run the algorithm with arguments that every graph allows; source: the vertex of largest degree."""
    own: dict[str, Any] = {}
    if needs_vertex(name) and "source" not in common:
        own["source"] = int(np.argmax(g.out_degrees)) if g.n else 0
    return getattr(nearly, name)(g, **own, **common)


def needs_vertex(name: str) -> bool:
    """Whether there is no answer on a graph without vertices."""
    return "source" in ALGORITHMS.get(name).parameters


def goes_by_weights(name: str) -> bool:
    """Whether it reads the graph's weights unless told not to."""
    weights = ALGORITHMS.get(name).parameters.get("weights")
    return weights is not None and weights.default is True


def same(name: str, a: Result, b: Result) -> bool:
    """Whether two answers are the same: bit for bit, or to rounding where sums may be ordered otherwise."""
    return alike(name, a.values, b.values)


def alike(name: str, a: np.ndarray, b: np.ndarray) -> bool:
    """Whether values are the same: bit for bit, or to rounding where sums may be ordered otherwise."""
    if ALGORITHMS.get(name).judge in SUMMED:
        return bool(np.allclose(a, b, rtol=1e-6, atol=1e-12, equal_nan=True))
    return bool(np.array_equal(a, b, equal_nan=a.dtype.kind == "f"))


def ordered(name: str, result: Result) -> np.ndarray:
    """The values as numbers to compare: where there is no way it is infinitely long, a forest has a weight."""
    if ALGORITHMS.get(name).judge is judges.FORESTS:
        return np.array([result.weight])
    values = np.asarray(result.values, np.float64)
    return np.where(values < 0, np.inf, values) if name == "bfs" else values


def check_promise(name: str, word: str, exact: Result, got: Result) -> None:
    """Fail where an answer breaks what its guarantee promises."""
    ours, true = ordered(name, got), ordered(name, exact)
    forest = ALGORITHMS.get(name).judge is judges.FORESTS
    if forest and word in ("exact", "upper bound"):
        assert got.values.size == exact.values.size, "the forest does not span"
    if word == "upper bound":
        assert (ours >= true * (1 - (1e-6 if forest else 1e-5))).all()
    elif word == "lower bound":
        assert (ours <= true * (1 + 1e-9)).all()
    elif word == "exact":
        assert got.weight == exact.weight if forest else same(name, exact, got)
    elif word == "certified" and ALGORITHMS.get(name).judge is judges.PATHS:
        low, high = got.factors
        near = true > 0  # infinity times 0 is no number
        assert (ours[near] >= low * true[near] * (1 - 1e-5)).all() if low > 0 else True
        assert (ours[near] <= high * true[near] * (1 + 1e-5)).all() if high < np.inf else True
    elif word == "certified":
        assert np.abs(got.values - exact.values).sum() <= got.bound + exact.bound + 1e-12
