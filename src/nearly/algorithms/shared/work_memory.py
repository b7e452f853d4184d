"""Memory to work in, kept with a graph from one call to the next.

A search that reaches little must not pay for arrays as long as the graph. Fresh ones cost that even where nothing is
written to them: pages come and go. A call takes the memory away, and gives it back when it has come to its end, in the
state in which the next one wants to find it. So a call inside another one makes its own, and what was interrupted is
dropped. Memory is not copied or saved with the graph.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nearly.graph.csr import Graph

_MOST = 1 << 26  # bytes that stay


class Kept(dict[Any, Any]):
    """What is kept, by key; the first part of a key is its name. A copy of it is empty."""

    def __init__(self) -> None:
        self.last: dict[Any, Any] = {}  # by name, the key that was given back last and is not too large to be kept

    def __reduce__(self) -> Any:
        return Kept, ()


def take_memory(graph: Graph, key: tuple[Any, ...], make: Callable[..., Any], *arguments: Any) -> Any:
    """What was given back under this key, or else what `make(*arguments)` makes."""
    kept = graph.__dict__.get("_work_memory")
    memory = None if kept is None else kept.pop(key, None)
    return make(*arguments) if memory is None else memory


def give_back(graph: Graph, key: tuple[Any, ...], memory: Any, most: int = _MOST) -> None:
    """Keep arrays, unless they have more than `most` bytes; instead of what has the same name and another key.

    Bundles of arrays among them are kept too, and not counted.
    """
    kept = graph.__dict__.get("_work_memory")
    if kept is None:
        kept = graph.__dict__["_work_memory"] = Kept()
    before = kept.last.get(key[0])
    if before != key:
        if sum(array.nbytes for array in memory if isinstance(array, np.ndarray)) > most:
            return
        kept.pop(before, None)
        kept.last[key[0]] = key
    kept[key] = memory
