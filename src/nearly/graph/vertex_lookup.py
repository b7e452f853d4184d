"""From what a caller says of a vertex to its index: the one place where names become indices.

A string is a vertex's name; a whole number is an index, as in `values[i]`, whatever the ids. So a number is never
looked up here but by `index_of`, which takes ids. Errors say the index and the id.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from nearly.base.arguments import is_whole, shown, vertex
from nearly.base.errors import InvalidArgumentError
from nearly.graph.names import Names

if TYPE_CHECKING:
    from nearly.graph.stored_graph import StoredGraph


def index_of(graph: StoredGraph, label: Any, name: str = "") -> int:
    """The index of the vertex with this id or name; `name` is the argument that an error speaks of."""
    found = find(graph, label)
    if found is not None:
        return found
    about = f"{name}: " if name else ""
    if graph.labels is None:
        raise InvalidArgumentError(f"{about}no vertex has the id {label!r}; they are {_span(graph)}")
    raise InvalidArgumentError(f"{about}no vertex {_called(graph)} {label!r}{_hint(graph, label)}")


def find(graph: StoredGraph, label: Any) -> int | None:
    """The index of the vertex with this id or name, None where there is none."""
    labels = graph.labels
    if labels is None:
        return int(label) if is_whole(label) and 0 <= label < graph.n else None
    if isinstance(labels, Names):
        found = int(labels.find([label])[0]) if isinstance(label, str) else -1
        return None if found < 0 else found
    if labels.dtype.kind in "iu":
        here = np.flatnonzero(labels == label).tolist() if is_whole(label) else []
    else:
        here = [v for v, one in enumerate(labels.tolist()) if type(one) is type(label) and one == label]
    return int(here[0]) if here else None


def vertex_index(graph: StoredGraph, name: str, value: Any) -> int:
    """One vertex as its index, from an index or a name."""
    if isinstance(value, str):
        return _of_name(graph, name, value)
    if is_whole(value) and not 0 <= value < graph.n and graph.labels is not None:
        raise _beyond(graph, name, value)
    return vertex(name, value, graph.n)


def with_indices(graph: StoredGraph, name: str, value: Any) -> Any:
    """What an argument says of vertices, with indices in place of names: a name, several, pairs, or {name: number}.

    What holds no names comes back as it is, but that whole numbers beyond the last index are refused where ids may
    have been meant.
    """
    if isinstance(value, str):
        return _of_name(graph, name, value)
    if isinstance(value, Mapping):
        keys = with_indices(graph, name, list(value))
        return dict(zip(keys.tolist() if isinstance(keys, np.ndarray) else keys, value.values()))
    if not isinstance(value, (list, tuple, np.ndarray)) and not hasattr(value, "__array__"):
        return value
    given = value if isinstance(value, np.ndarray) else _array(value)
    if given.dtype.kind in "iu" and given.size and graph.labels is not None:
        wrong = given[(given < 0) | (given >= graph.n)]
        if wrong.size:
            raise _beyond(graph, name, int(wrong[0]))
    if given.dtype.kind not in "UO":
        return value
    flat = given.ravel().tolist()
    texts = [i for i, one in enumerate(flat) if isinstance(one, str)]
    if not texts:
        return value
    for i, v in zip(texts, _of_names(graph, name, [flat[i] for i in texts])):
        flat[i] = v
    if not all(is_whole(one) for one in flat):
        raise InvalidArgumentError(f"{name} must hold names or indices, not {shown(value)}")
    return np.array(flat, np.int64).reshape(given.shape)


def _array(value: Any) -> np.ndarray:
    """As an array whose strings are still strings and whose numbers are numbers."""
    try:
        array = np.asarray(value)
        return np.array(value, object) if array.dtype.kind == "U" else array
    except ValueError:  # rows of different lengths, which the algorithm refuses in its own words
        return np.empty(0)


def _of_name(graph: StoredGraph, name: str, value: str) -> int:
    return int(_of_names(graph, name, [value])[0])


def _of_names(graph: StoredGraph, name: str, wanted: list[str]) -> list[int]:
    if not isinstance(graph.labels, Names):
        if graph.labels is not None and graph.labels.dtype.kind == "O":
            return [index_of(graph, one, name) for one in wanted]
        what = "have no names" if graph.labels is None else "have numbers for ids: g.index(id) gives the index of one"
        raise InvalidArgumentError(f"{name}: {wanted[0]!r} is a name, but the vertices of this graph {what}")
    found = graph.labels.find(wanted).tolist()
    if -1 in found:
        index_of(graph, wanted[found.index(-1)], name)
    return found


def _span(graph: StoredGraph) -> str:
    return f"0 to {graph.n - 1}" if graph.n else "none: the graph has no vertices"


def _called(graph: StoredGraph) -> str:
    return "is called" if graph.named else "has the id"


def _hint(graph: StoredGraph, label: Any) -> str:
    """What may have been meant."""
    if isinstance(graph.labels, Names) and isinstance(label, str):
        near = graph.labels.similar(label)
        return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    if is_whole(label) and 0 <= label < graph.n:
        return f"; the vertex with the index {label} is g.id({label}), {graph_label(graph, int(label))!r}"
    return ""


def _beyond(graph: StoredGraph, name: str, value: int) -> InvalidArgumentError:
    """The error for a whole number that is no index, where it may be an id."""
    known = find(graph, int(value))
    meant = f"; the vertex with the id {value} has the index {known}: g.index({value})" if known is not None else ""
    kinds = "names" if graph.named else "ids"
    return InvalidArgumentError(
        f"{name} {value} is not a vertex of this graph ({_span(graph)}; whole numbers are indices, not {kinds}){meant}"
    )


def graph_label(graph: StoredGraph, v: int) -> Any:
    """The original id or name of a vertex; its index where it has none."""
    if graph.labels is None:
        return v
    label = graph.labels[v]
    return label.item() if isinstance(label, np.generic) else label
