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
ROUGH = {"eigenvector": 1e-7}  # an eigenvalue that is there twice leaves half the digits of its vector
SUMMED = (judges.RANKS, judges.SCORES, judges.LEADERS, judges.ARC_SCORES)  # sums of floats, whose order may differ


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
        return bool(np.allclose(a, b, rtol=1e-6, atol=ROUGH.get(name, 1e-12), equal_nan=True))
    return bool(np.array_equal(a, b, equal_nan=np.asarray(a).dtype.kind == "f"))


def ordered(name: str, result: Result) -> np.ndarray:
    """The values as numbers to compare: where there is no way it is infinitely long, a forest has a weight."""
    if ALGORITHMS.get(name).judge is judges.FORESTS:
        return np.array([result.weight])
    values = np.asarray(result.values, np.float64)
    return np.where(values < 0, np.inf, values) if name == "bfs" else values


def check_promise(name: str, word: str, exact: Result, got: Result) -> None:
    """Fail where an answer breaks what its guarantee promises; only the rounding of sums is allowed for."""
    ours, true = ordered(name, got), ordered(name, exact)
    forest = ALGORITHMS.get(name).judge is judges.FORESTS
    if forest and word in ("exact", "upper bound"):
        assert got.values.size == exact.values.size, "the forest does not span"
    if ALGORITHMS.get(name).judge is judges.PARTS:
        check_parts(word, exact.values, got.values)
        assert got.count == np.unique(got.values).size, f"{got.count} parts are said to be in {got.values.tolist()}"
    size, finest = np.size(got.values), max(_epsilon(np.asarray(x.values)) for x in (got, exact))
    rounding = 1e-12 if forest else size * finest
    if word == "upper bound":
        assert (ours >= true * (1 - rounding)).all(), f"{ours.tolist()} is not above {true.tolist()}"
    elif word == "lower bound":
        assert (ours <= true * (1 + rounding)).all(), f"{ours.tolist()} is not below {true.tolist()}"
    elif word == "exact" and forest:
        assert np.allclose(ours, true, rtol=rounding, atol=0), f"the forest weighs {got.weight}, not {exact.weight}"
    elif word == "certified" and ALGORITHMS.get(name).judge is judges.PATHS:
        low, high = got.factors
        near = true > 0  # infinity times 0 is no number
        assert low == 0 or (ours[near] >= low * true[near] * (1 - rounding)).all(), f"{ours.tolist()}, {true.tolist()}"
        assert high == np.inf or (ours[near] <= high * true[near] * (1 + rounding)).all(), (
            f"{ours.tolist()}, {true.tolist()}"
        )
    elif word == "certified" or (word == "exact" and ALGORITHMS.get(name).judge is judges.RANKS):
        off, allowed = np.abs(got.values - exact.values).sum(), got.certificate().bound + exact.certificate().bound
        assert off <= allowed + 1e-12, f"off by {off}, which is more than {allowed}"
    elif word == "exact":
        assert same(name, exact, got), f"{ours.tolist()} is not {true.tolist()}"


def check_parts(word: str, true: np.ndarray, ours: np.ndarray) -> None:
    """An upper bound divides further, so that each part lies within a true one; a lower bound less far."""
    together, are = ours[:, None] == ours, true[:, None] == true
    if word in ("exact", "upper bound"):
        assert (are | ~together).all(), f"{ours.tolist()} joins what {true.tolist()} divides"
    if word in ("exact", "lower bound"):
        assert (together | ~are).all(), f"{ours.tolist()} divides what {true.tolist()} joins"


def _epsilon(values: np.ndarray) -> float:
    return float(np.finfo(values.dtype).eps) if values.dtype.kind == "f" else 0.0
