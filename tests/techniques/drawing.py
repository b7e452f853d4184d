"""Random questions to techniques: a graph, an algorithm with its arguments, one to three techniques with any knobs.

Everything is drawn from the registries, so that a new algorithm, technique or knob is among the cases the day it is
registered. A case is known by its number: `case(number)` is the same everywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from tests.algorithms.questions import BUILT_IN, needs_vertex

from nearly import Graph, InvalidArgumentError
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.knob import Knob
from nearly.engine.technique import TECHNIQUES, Technique

MOST = 14  # vertices
ARGUMENTS: dict[str, dict[str, list[Any]]] = {
    "betweenness": {"normalized": [True, False], "endpoints": [False, True], "weights": [False, True]},
    "label_propagation": {"weights": [True, False]},
    "louvain": {"weights": [True, False], "resolution": [1.0, 0.5], "order": ["random", "natural"]},
    "mst": {"weights": [True, False]},
    "pagerank": {
        "damping": [0.85, 0.5, 0.99], "tol": [1e-8, 1e-4, 1e-10], "norm": ["l1", "max"],
        "dangling": ["redistribute", "leak"], "weights": [True, False],
    },
    "sssp": {"weights": [True, False], "delta": ["auto", 1.0, 7.5]},
}  # fmt: skip
AROUND = {"c": 1e-9, "warp": 8, "mda": 3, "chunk": 4, "slack": 2, "max_cluster": 4, "levels": 5, "base": 2.0}


@dataclass(frozen=True)
class Case:
    """A question and the techniques it is asked with."""

    number: int
    graph: Graph
    algorithm: str
    arguments: dict[str, Any]
    techniques: tuple[Technique, ...]

    def __str__(self) -> str:
        g = self.graph
        arcs = list(zip(g.arc_sources().tolist(), g.targets.tolist(), strict=True))
        weights = None if g.weights is None else (g.weights.tolist(), str(g.weights.dtype))
        return (
            f"case {self.number}: {self.algorithm}({self.arguments}) by {list(self.techniques)} on n={g.n}, "
            f"directed={g.directed}, arcs={arcs}, weights={weights}"
        )


def case(number: int) -> Case:
    """The case of this number."""
    rng = np.random.default_rng([number, 20])
    names = open_algorithms()
    algorithm = names[number % len(names)]
    graph = draw_graph(rng)
    techniques: list[Technique] = []
    while not techniques or (len(techniques) < 3 and rng.random() < 0.6):
        techniques.append(draw_technique(rng, algorithm))
    arguments = {key: pick(rng, values) for key, values in ARGUMENTS.get(algorithm, {}).items() if rng.random() < 0.4}
    if needs_vertex(algorithm):
        arguments["source"] = int(rng.integers(graph.n))
    if rng.random() < 0.3:
        arguments["policy"] = pick(rng, ALGORITHMS.get(algorithm).policies)
    return Case(number, graph, algorithm, {**arguments, "seed": int(rng.integers(9))}, tuple(techniques))


def draw_graph(rng: np.random.Generator) -> Graph:
    """Any small graph: loops, parallel arcs, lone vertices, skew, ties, weights of 0, whole ones and others."""
    n = int(rng.integers(1, MOST + 1))
    reach = int(rng.integers(1, n + 1))  # vertices from here on have no arcs
    skew = pick(rng, (1, 1, 2, 3))
    src, dst = np.floor(reach * rng.random((2, int(rng.integers(0, 4 * n + 1)))) ** skew).astype(np.int64)
    if rng.random() < 0.3:  # something long
        src, dst = np.r_[src[: n // 2], np.arange(n - 1)], np.r_[dst[: n // 2], np.arange(1, n)]
    kind, dtype = pick(rng, ("none", "few", "whole", "real", "ties", "wide")), pick(rng, (None, "float32", "float64"))
    drawn = {
        "none": None,
        "few": rng.integers(0, 3, src.size),
        "whole": rng.integers(1, 1000, src.size),
        "real": rng.random(src.size),
        "ties": 1 + 1e-9 * rng.integers(0, 3, src.size),
        "wide": 10.0 ** rng.integers(-6, 7, src.size),
    }[kind]
    given = {} if drawn is None or dtype is None else {"weight_dtype": dtype}
    directed = bool(rng.random() < 0.5)
    kept = {"duplicates": "keep"} if directed and rng.random() < 0.3 else {}
    return Graph.from_edges(src, dst, drawn, n=n, directed=directed, **kept, **given)


@cache
def open_algorithms() -> tuple[str, ...]:
    """The algorithms that some technique applies to."""
    return tuple(name for name in BUILT_IN if any(name in cls.guarantees for cls in TECHNIQUES))


@cache
def applying(algorithm: str) -> tuple[type[Technique], ...]:
    """The techniques that apply to the algorithm."""
    return tuple(cls for cls in TECHNIQUES if algorithm in cls.guarantees)


def draw_technique(rng: np.random.Generator, algorithm: str) -> Technique:
    """One that applies to the algorithm, with any knobs."""
    while True:
        cls = pick(rng, applying(algorithm))
        turned = {knob.name: draw_value(rng, knob) for knob in cls.dials.values() if rng.random() < 0.6}
        try:
            made = cls(**turned)
        except InvalidArgumentError:  # knobs that do not go together
            continue
        if made.guarantee(algorithm):
            return made


def draw_value(rng: np.random.Generator, knob: Knob) -> Any:
    """A value of the knob: one of its words, the ends of its range or something between."""
    if knob.words and (knob.low is None or rng.random() < 0.3):
        return pick(rng, knob.words)
    assert knob.low is not None
    low, high = knob.low, knob.high
    if high == math.inf or high > 100:
        middle = AROUND.get(knob.name, knob.default if isinstance(knob.default, (int, float)) else 2)
        value = middle * 2.0 ** rng.normal(0, 1.5)
    else:
        value = pick(rng, (low, high)) if rng.random() < 0.2 else low + (high - low) * rng.random()
    value = min(max(value, low), high)
    if knob.whole:
        value = round(value)
    if (knob.above and value <= low) or (knob.below and value >= high):
        return knob.default
    return int(value) if knob.whole else float(value)


def pick(rng: np.random.Generator, values: Any) -> Any:
    """One of them."""
    return values[int(rng.integers(len(values)))]
