"""Which vertices were expanded in which round, for a model of other machines: `with recorded() as rounds: ...`.

While rounds are recorded, `Advance` pushes every round by itself, one call each, as a GPU would launch it: no rounds
that run many to a call, no change of direction. Rounds read what the round before wrote: how many there are depends
neither on threads nor on the order of rows, so that no layout seems better than another because of it.
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


rounds: list[Expanded] | None = None  # what is recorded; None while nothing is


@contextmanager
def recorded() -> Iterator[list[Expanded]]:
    """The rounds of all runs inside the block."""
    global rounds
    before, rounds = rounds, []
    try:
        yield rounds
    finally:
        rounds = before


def note(graph: Graph, items: np.ndarray, changed: int) -> None:
    """Tell of a round over `items` (none: over all vertices)."""
    if rounds is not None:
        rounds.append(Expanded(graph, items.copy() if items.size else None, changed))
