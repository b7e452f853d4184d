"""Memory to work in, kept with a graph from one call to the next.

A search that reaches little must not pay for arrays as long as the graph. Fresh ones cost that even where nothing is
written to them: pages come and go. A call takes the memory away, and gives it back when it has come to its end, in the
state in which the next one wants to find it. So a call inside another one makes its own, and what was interrupted is
dropped. Memory is not copied or saved with the graph.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nearly.graph.csr import Graph

_MOST = 1 << 26  # bytes that stay


class Kept(dict[Any, Any]):
    """What is kept, by name and size. A copy of it is empty."""

    def __reduce__(self) -> Any:
        return Kept, ()


def take_memory(graph: Graph, key: tuple[Any, ...], make: Callable[[], tuple[Any, ...]]) -> Any:
    """What was given back under this key, or else what `make` makes."""
    kept = graph.__dict__.get("_work_memory")
    memory = None if kept is None else kept.pop(key, None)
    return make() if memory is None else memory


def give_back(graph: Graph, key: tuple[Any, ...], memory: Any, most: int = _MOST) -> None:
    """Keep a tuple of arrays, unless they have more than `most` bytes; instead of what has another size."""
    if sum(array.nbytes for array in memory) <= most:
        kept = graph.__dict__.setdefault("_work_memory", Kept())
        for other in [other for other in kept if other[0] == key[0]]:
            del kept[other]
        kept[key] = memory
