"""One value for each vertex, from what a caller names: a measure, a result, an array.

A name is "degree", "communities", or that of an algorithm that needs no more than the graph.
"""

from __future__ import annotations

from inspect import Parameter
from typing import Any, NamedTuple

import numpy as np

from nearly.base.arguments import as_array
from nearly.base.errors import InvalidArgumentError
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.result import Result
from nearly.graph.csr import Graph

_CLASSES = ("parts", "classes", "members")  # answers whose values are labels rather than amounts


class VertexValues(NamedTuple):
    """A value for each vertex, what it is called, and whether it is a label."""

    values: np.ndarray
    name: str
    classes: bool


def values_for(graph: Graph, role: str, asked: Any, **common: Any) -> VertexValues | None:
    """The values that a caller asks for as `role` ("size", "colour"); None where it is None."""
    if asked is None:
        return None
    if isinstance(asked, str) and asked == "degree":
        return VertexValues(degrees(graph), "degree", False)
    if isinstance(asked, str):
        asked = _computed(graph, role, asked, common)
    if isinstance(asked, Result):
        values, name = np.asarray(asked.values), asked.algorithm
        if asked.per != "vertex" or values.shape != (graph.n,):
            raise InvalidArgumentError(f"{role}: {name} has no value for each of the {graph.n} vertices of this graph")
        classes = asked.shows in _CLASSES or values.dtype.kind == "b"
        return VertexValues(_finite(values), _NAMES.get(name, name.replace("_", " ")), classes)
    values = as_array(role, asked)
    if values.shape != (graph.n,) or values.dtype.kind not in "biuf":
        raise InvalidArgumentError(
            f"{role} must be the name of a measure, a result, or {graph.n} numbers, one for each vertex"
        )
    return VertexValues(_finite(values), role, values.dtype.kind == "b")


_NAMES = {"leiden": "communities", "louvain": "communities", "pagerank": "PageRank", "kcore": "core number"}


def degrees(graph: Graph) -> np.ndarray:
    """The arcs at each vertex, of both directions; an undirected edge counts once."""
    return graph.out_degrees + graph.in_degrees if graph.directed else graph.out_degrees


def _computed(graph: Graph, role: str, name: str, common: dict[str, Any]) -> Result:
    entry = ALGORITHMS.get("leiden" if name == "communities" else name)
    needed = [p.name for p in entry.parameters.values() if p.default is Parameter.empty]
    if needed:
        raise InvalidArgumentError(
            f"{role}: {entry.name} also needs {', '.join(needed)}; call nearly.{entry.name} and pass its result"
        )
    return entry.function(graph, **common)


def _finite(values: np.ndarray) -> np.ndarray:
    """Infinite ones (what is not reached) as a little more than the largest."""
    if values.dtype.kind != "f" or np.isfinite(values).all():
        return values
    known = values[np.isfinite(values)]
    return np.where(np.isfinite(values), values, known.max(initial=0.0) + 1)
