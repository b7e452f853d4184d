"""What algorithms ask about a graph's weights before they use them; looked for once per graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.base.arguments import flag
from nearly.base.errors import InvalidArgumentError, InvalidGraphError
from nearly.engine.run import Run
from nearly.graph.csr import Graph

_MOST, _LARGEST = 1e150, float(np.finfo(np.float64).max)


def uses_weights(graph: Graph, weights: Any) -> bool:
    """Whether the argument `weights` and the graph both say that weights count."""
    counts = flag("weights", weights) and graph.weighted
    if counts:
        forbid_extremes(graph, 0.0, _LARGEST)
    return counts


def run_uses_weights(run: Run, weights: Any) -> bool:
    """The same for a run: a technique's graph has just the weights that count, some of which it may have made."""
    given = uses_weights(run.given, weights)
    return given if run.graph is run.given else run.graph.weighted


def forbid_extremes(graph: Graph, least: float = 1 / _MOST, most: float = _MOST) -> None:
    """An error if the sizes of weights, their sum included, are outside this range, and results might overflow.

    No path is longer than all arcs together, so that a finite sum is enough where weights are added. Where sums are
    divided by one another or squared, the default range keeps results within a float64. Weights of 32 bits always are.
    """
    if not graph.weighted or graph.arrays.weights.dtype != np.float64:
        return
    known = graph.__dict__.get("_weight_sizes")
    if known is None:
        size = np.abs(graph.arrays.weights)
        with np.errstate(over="ignore"):
            known = float(size.min(where=size > 0, initial=1.0)), float(size.sum())
        graph.__dict__["_weight_sizes"] = known
    if known[0] < least or not known[1] <= most:
        wanted = f"between {least:g} and {most:g}" if least else f"at most {most:g}"
        raise InvalidGraphError(
            f"the sizes of weights, and their sum, must be {wanted}, else results would overflow; multiply all "
            "weights by a constant, or pass weights=False"
        )


def weight_range(graph: Graph) -> tuple[float, float]:
    """The least and the largest weight; (0, 0) where there is no arc."""
    known = graph.__dict__.get("_weight_range")
    if known is None:
        weight = graph.arrays.weights
        known = (float(weight.min()), float(weight.max())) if weight.size else (0.0, 0.0)
        graph.__dict__["_weight_range"] = known
    return known


def forbid_negative(graph: Graph, name: str, instead: str) -> None:
    """An error if the graph has a negative weight; `instead` says what weights=False would do."""
    least = weight_range(graph)[0]
    if least < 0:
        raise InvalidArgumentError(
            f"{name} needs weights of at least 0, but the graph has {least:g}; shift or drop negative weights, "
            f"or pass weights=False to {instead}"
        )
