"""Pickling: a result takes its fields and the names of its vertices along, and leaves the graph behind.

Fields that are computed when first read are computed before. Of the graph stay the names, and where rows are about arcs
the ends and weights of these: so tables are the same on the other side, and a pickled result is about as large as its
values. `result.certificate(graph)` needs the graph again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nearly.engine.result_columns import ARC, is_number, subject_of
from nearly.engine.vertex_names import arcless

if TYPE_CHECKING:
    from nearly.engine.result import Result

_REGISTERED: Any = "registered"  # stands for the check that the algorithm is registered with


def state_of(result: Result) -> dict[str, Any]:
    """What is pickled of a result."""
    state = {name: getattr(result, name) if name in result.fields else held for name, held in vars(result).items()}
    graph = state.pop("_graph")
    check = state["_certify"]
    if check is not None and "<locals>" in getattr(check, "__qualname__", "<locals>"):
        state["_certify"] = _REGISTERED  # such functions cannot be pickled, but found again
    if graph is None:
        return state
    if not is_number(result):
        subject = subject_of(result, graph)
        if subject.keys == ARC:
            state["_subject"] = subject
        if np.asarray(result.values) is getattr(result, "edges", None) and graph.weights is not None:
            state.setdefault("_weights", graph.weights[result.values])
    return {**state, "_names": (graph.n, graph.directed, graph.ids, getattr(graph, "vertex_columns", None))}


def restore(result: Result, state: dict[str, Any]) -> None:
    """Fill a result from what was pickled."""
    names = state.pop("_names", None)
    vars(result).update(state)
    if result._certify == _REGISTERED:
        from nearly.engine.technique import ALGORITHMS

        entry = ALGORITHMS.find(result.algorithm)
        result._certify = None if entry is None else entry.certificate
    result._graph = None if names is None else arcless(*names)
    if names is not None:
        vars(result)["_arcless"] = True
    if "values" in state and state.get("edges") is not None and np.array_equal(state["edges"], state["values"]):
        vars(result)["edges"] = state["values"]  # the same array, as tables of edges expect
