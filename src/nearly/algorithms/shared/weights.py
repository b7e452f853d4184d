"""What algorithms ask about a graph's weights before they use them; looked for once per graph."""

from __future__ import annotations

from typing import Any

from nearly.base.arguments import flag
from nearly.base.errors import InvalidArgumentError
from nearly.engine.run import Run
from nearly.graph.csr import Graph


def uses_weights(graph: Graph, weights: Any) -> bool:
    """Whether the argument `weights` and the graph both say that weights count."""
    return flag("weights", weights) and graph.weighted


def run_uses_weights(run: Run, weights: Any) -> bool:
    """The same for a run: a technique's graph has just the weights that count, some of which it may have made."""
    given = uses_weights(run.given, weights)
    return given if run.graph is run.given else run.graph.weighted


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
