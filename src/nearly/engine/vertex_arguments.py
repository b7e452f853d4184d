"""Arguments of algorithms that are vertices: names become indices before a technique, a planner or a kernel sees them.

Which arguments these are is told by their own names, in every algorithm alike: `source` and `target` are one vertex;
`sources`, `vertices`, `pairs`, and what gives vertices a number each (`personalization`, `start`, `beta`) are several.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nearly.graph.csr import Graph
from nearly.graph.vertex_lookup import vertex_index, with_indices

_ONE = frozenset(("source", "target"))
_SEVERAL = frozenset(("sources", "targets", "vertices", "pairs", "personalization", "start", "beta"))


def about_vertices(names: Iterable[str]) -> bool:
    """Whether one of these arguments is a vertex, or several."""
    return any(name in _ONE or name in _SEVERAL for name in names)


def indexed(
    names: Iterable[str], graph: Graph, args: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments with indices in place of vertices' names; `names` are those of `args`."""
    made = [_index(graph, name, value) for name, value in zip(names, args)]
    return (*made, *args[len(made) :]), {name: _index(graph, name, value) for name, value in keywords.items()}


def _index(graph: Graph, name: str, value: Any) -> Any:
    if value is None:
        return None
    if name in _ONE:
        return value if type(value) is int and 0 <= value < graph.n else vertex_index(graph, name, value)
    return with_indices(graph, name, value) if name in _SEVERAL else value
