"""One value of a result: of a vertex by its index or name, or of the arc between two of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.engine.result_columns import ARC, VERTEX, subject_of
from nearly.engine.vertex_names import index_of

if TYPE_CHECKING:
    from nearly.engine.result import Result


def value_at(result: Result, which: Any) -> Any:
    """The value of a vertex, or of the first arc between two; an error that says what is allowed where it has none."""
    graph, subject = result._graph, subject_of(result, result._graph)
    values = np.asarray(result.values)
    if subject.keys == VERTEX:
        n = values.size if graph is None else graph.n
        v = index_of(graph, which, n)
        indices = subject.indices[0]
        if subject.chosen is not None or (v < indices.size and indices[v] == v):  # values of all vertices, in order
            return values[v]
        found = np.flatnonzero(indices == v)
        if not found.size:
            raise InvalidArgumentError(f"vertex {which!r} is not among the {len(indices)} of this result")
        return values[found[0]]
    if subject.keys == ARC:
        if not isinstance(which, tuple) or len(which) != 2:
            raise InvalidArgumentError(f"values are about arcs here: result[source, target], not result[{which!r}]")
        n = int(max((ends.max(initial=0) for ends in subject.indices), default=0)) + 1 if graph is None else graph.n
        u, v = (index_of(graph, end, n) for end in which)
        found = np.flatnonzero((subject.indices[0] == u) & (subject.indices[1] == v))
        if not found.size:
            raise InvalidArgumentError(f"there is no value for the arc from {which[0]!r} to {which[1]!r}")
        return values[found[0]]
    raise InvalidArgumentError(f"{result.algorithm} has no value for each vertex; see .values")
