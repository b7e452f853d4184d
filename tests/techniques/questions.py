"""How the tests of techniques ask each algorithm, and how they compare its answers."""

from __future__ import annotations

from typing import Any

import numpy as np

import nearly
from nearly import Graph
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.result import Result


def ask(name: str, g: Graph, **common: Any) -> Result:
    """Run the algorithm with arguments that every graph allows; source: the vertex of largest degree."""
    own: dict[str, Any] = {}
    if "source" in ALGORITHMS.get(name).parameters:
        own["source"] = int(np.argmax(g.out_degrees))
    return getattr(nearly, name)(g, **own, **common)


def needs_vertex(name: str) -> bool:
    return "source" in ALGORITHMS.get(name).parameters


def same(name: str, a: Result, b: Result) -> bool:
    """Whether two answers are the same: bit for bit, or to rounding where sums may be ordered otherwise."""
    if name in ("pagerank", "betweenness"):
        return bool(np.allclose(a.values, b.values, rtol=1e-6, atol=1e-12, equal_nan=True))
    return bool(np.array_equal(a.values, b.values))
