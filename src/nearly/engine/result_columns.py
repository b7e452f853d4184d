"""The rows of a result: what each is about (a vertex, an arc, a pair), and its columns.

A table begins with the columns that say what a row is about: `vertex`, or `source` and `target`. The value follows,
under the name that the result's class declares, then the other fields that have columns, then `low` and `high` where
the answer is not exact and both bounds say something, then the attributes that the graph's vertices have. An answer
that is one number is one row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nearly.engine.vertex_names import attribute_columns, names_of
from nearly.graph.csr import Graph

if TYPE_CHECKING:
    from nearly.engine.result import Result

VERTEX, ARC = ("vertex",), ("source", "target")


class Subject(NamedTuple):
    """What rows are about: indices of vertices, or of the two ends of arcs; and which values are theirs."""

    keys: tuple[str, ...]  # the names of the columns
    indices: tuple[np.ndarray, ...]
    chosen: np.ndarray | None = None  # places of the values, None for all in order


class Columns(NamedTuple):
    """A table: its columns by name, those that say what a row is about, and the one that is its value."""

    columns: dict[str, np.ndarray]
    keys: tuple[str, ...]
    value: str


def is_number(result: Result) -> bool:
    """Whether the answer is one number (or several by name) rather than an array."""
    return result.values is None or np.ndim(result.values) == 0


def value_name(result: Result) -> str:
    """What the values are called in tables."""
    return result.fields["values"].column or "value"


def subject_of(result: Result, graph: Graph | None) -> Subject:
    """What the rows of a result are about."""
    known = result.__dict__.get("_subject")  # of a pickled one
    if known is not None:
        return known
    values, vertices = np.asarray(result.values), getattr(result, "vertices", None)
    if values is getattr(result, "edges", None) and graph is not None:
        return Subject(ARC, ends_of(graph, values))
    ranked = "scores" in result.fields and result.per != "rank"  # values of all vertices, of which some are named
    if vertices is not None and (ranked or values.shape == np.shape(vertices)):
        chosen = np.asarray(vertices, np.int64)
        return Subject(VERTEX, (chosen,), chosen if ranked else None)
    if result.per == "arc":
        pairs = getattr(result, "pairs", None)
        if pairs is not None and "edges" not in result.fields:
            return Subject(ARC, (np.asarray(pairs)[:, 0], np.asarray(pairs)[:, 1]))
        if graph is not None and values.shape == (graph.m,):
            return Subject(ARC, (graph.arc_sources(), graph.targets))
    if result.per == "vertex" and values.ndim == 1:
        return Subject(VERTEX, (np.arange(values.size),))
    return Subject((), ())


def ends_of(graph: Graph, arcs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The sources and the targets of arcs given by their indices."""
    offsets, targets, _ = graph.arrays
    return np.searchsorted(offsets, arcs.astype(np.uint64), side="right") - 1, targets[arcs]


def table_of(result: Result) -> Columns:
    """The whole table of a result."""
    if is_number(result):
        return _one_row(result)
    graph, name = result._graph, value_name(result)
    subject = subject_of(result, graph)
    columns = {key: names_of(graph, index) for key, index in zip(subject.keys, subject.indices)}
    size = np.asarray(result.values).shape
    if np.asarray(result.values) is getattr(result, "edges", None):
        name = "weight" if "_weights" in result.__dict__ or (graph is not None and graph.weights is not None) else "arc"
        columns[name] = _weights(result) if name == "weight" else result.values
        columns["arc"] = result.values
        return Columns(columns, subject.keys, name)
    columns[name] = picked(result.values, subject)
    for other, declared in result.fields.items():
        if declared.column and other != "values":
            held = getattr(result, other, None)
            if isinstance(held, np.ndarray) and held.shape == size:
                column = picked(held, subject)
                columns[declared.column] = names_of(graph, column) if declared.vertices else column
    columns.update({end: picked(bound, subject) for end, bound in bounds_of(result).items()})
    if subject.keys == VERTEX:
        more = attribute_columns(graph)
        columns.update({key: held[subject.indices[0]] for key, held in more.items() if key not in columns})
    return Columns(columns, subject.keys, name)


def bounds_of(result: Result) -> dict[str, np.ndarray]:
    """`low` and `high` of every value, those that say something."""
    interval = None if result.guarantee == "exact" else result.interval
    if interval is None:
        return {}
    values = np.asarray(result.values)
    ends = {"low": np.asarray(interval[0]), "high": np.asarray(interval[1])}
    return {
        name: end
        for name, end in ends.items()
        if end.shape == values.shape and np.isfinite(end).any() and not np.array_equal(end, values)
    }


def picked(values: Any, subject: Subject) -> np.ndarray:
    """The values of the rows: all of them, or those of the vertices that are named."""
    return np.asarray(values) if subject.chosen is None else np.asarray(values)[subject.chosen]


def _weights(result: Result) -> np.ndarray:
    kept = result.__dict__.get("_weights")
    return result._graph.weights[result.values] if kept is None else kept  # type: ignore[union-attr,index]


def _one_row(result: Result) -> Columns:
    """The one row of an answer without an array: its numbers by name, ends of intervals, vertices by name."""
    numbers = dict(result.scalars)
    name = value_name(result)
    if result.values is not None:
        numbers = {name: np.asarray(result.values).item(), **numbers}
    else:
        name = next(iter(numbers), name)
    interval = None if result.guarantee == "exact" else result.interval
    if interval is not None and np.ndim(interval[0]) == 0:
        numbers |= {"low": float(interval[0]), "high": float(interval[1])}
    columns = {key: np.array([number]) for key, number in numbers.items()}
    for other, declared in result.fields.items():
        held = getattr(result, other, None) if declared.vertices else None
        if held is not None:
            columns[declared.column] = (
                names_of(result._graph, np.atleast_1d(held)) if np.ndim(held) == 0 else _pair(result, held)
            )
    return Columns(columns, (), name)


def _pair(result: Result, held: Any) -> np.ndarray:
    """Several vertices in one cell."""
    cell = np.empty(1, object)
    cell[0] = tuple(names_of(result._graph, held).tolist())
    return cell
