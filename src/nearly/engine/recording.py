"""Which vertices were expanded in which round, for a model of other machines: `with recorded() as rounds: ...`.

While somebody records, `Advance` pushes every round by itself, one call each, as a GPU would launch it: no rounds
that run many to a call, no change of direction.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np

    from nearly.graph.csr import Graph


class Expanded(NamedTuple):
    """The rows one round visited: of the vertices `items`, or of all (None); and how many vertices it changed."""

    graph: Graph
    items: np.ndarray | None
    changed: int = 0


_rounds: list[Expanded] | None = None


@contextmanager
def recorded() -> Iterator[list[Expanded]]:
    """The rounds of all runs inside the block."""
    global _rounds
    before, _rounds = _rounds, []
    try:
        yield _rounds
    finally:
        _rounds = before


def recording() -> bool:
    """Whether anybody wants to know."""
    return _rounds is not None


def note(graph: Graph, items: np.ndarray, changed: int) -> None:
    """Tell of a round over `items` (none: over all vertices)."""
    if _rounds is not None:
        _rounds.append(Expanded(graph, items.copy() if items.size else None, changed))
