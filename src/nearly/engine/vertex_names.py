"""Vertices by the names their graph has for them, in one place for all that is shown or asked of a result.

A graph that was read with names, or with ids other than 0..n-1, shows these; others show indices. A whole number that
comes in is an index, as `values[i]` is; anything else is a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from nearly.base.arguments import is_whole, shown, vertex
from nearly.base.errors import InvalidArgumentError
from nearly.graph.csr import Graph


def names_of(graph: Graph | None, indices: Any) -> np.ndarray:
    """The names of these vertices, as an array; None where an index is -1."""
    indices = np.asarray(indices).astype(np.int64)
    if graph is None or graph.ids is None:
        names = indices
    elif hasattr(graph, "ids_of"):
        names = np.asarray(graph.ids_of(np.maximum(indices, 0)))
    else:
        names = graph.ids[np.maximum(indices, 0)]
    if not (indices < 0).any():
        return names
    missing = names.astype(object)
    missing[indices < 0] = None
    return missing


def index_of(graph: Graph | None, wanted: Any, n: int) -> int:
    """The index of a vertex given by its index or its name."""
    if is_whole(wanted):
        return vertex("vertex", wanted, n)
    if graph is None or graph.ids is None:
        raise InvalidArgumentError(
            f"vertex must be a number from 0 to {n - 1}: this graph has no names; not {shown(wanted)}"
        )
    if hasattr(graph, "index"):
        return int(graph.index(wanted))
    found = np.flatnonzero(graph.ids == wanted)
    if not found.size:
        raise InvalidArgumentError(f"no vertex is called {wanted!r}{_alike(wanted, graph.ids)}")
    return int(found[0])


def _alike(wanted: Any, names: Iterable[Any]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(str(wanted), [str(name) for name in names][:100_000], 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def attribute_columns(graph: Graph | None) -> dict[str, np.ndarray]:
    """The columns of attributes that the graph's vertices have, by name."""
    table: Any = getattr(graph, "vertices", None)
    if table is None or callable(table):
        return {}
    if isinstance(table, Mapping):
        return {str(name): np.asarray(column) for name, column in table.items()}
    if hasattr(table, "column_names"):  # of Arrow
        return {name: table.column(name).to_numpy() for name in table.column_names}
    return {str(name): table[name].to_numpy() for name in table.columns}


def arcless(n: int, directed: bool, ids: Any, columns: dict[str, np.ndarray] | None = None) -> Graph:
    """A graph of the same vertices without arcs: what stays of a graph where only its names are needed."""
    graph = Graph(np.zeros(n + 1, np.uint64), np.zeros(0, np.uint32), directed=directed, ids=ids)
    if columns is not None:
        vars(graph)["vertex_columns"] = columns
    return graph
