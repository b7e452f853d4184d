"""Copies of a vertex that change together with it (LB3, the atomic mode).

`sharing(visit)` is any functor that lowers values, made to lower the copies of a vertex in the same breath; operators
see by its `copied` that these join the frontier as well. Rounds need nothing else, and every form of a search runs
as it does without copies.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from nearly.base.atomics import atomic_min
from nearly.engine.copies import Copies
from nearly.engine.primitives import functor
from nearly.engine.widened import widened
from nearly.graph.partition import U1


@cache
def sharing(visit: Callable[..., bool]) -> Callable[..., bool]:
    """`visit`, over a state of `with_copies`: where it lowers v's value, in the first array, it lowers v's copies'."""
    visits = functor(visit)

    def visit_all(state, u, v, e):
        if not visits(state, u, v, e):
            return False
        value = state[0][v]
        for j in range(state.first[v], state.first[v + U1]):
            atomic_min(state[0], state.copy[j], value)
        return True

    visit_all.copied = True  # type: ignore[attr-defined]  # operators emit the copies too
    visit_all.settles = getattr(visit, "settles", False)  # type: ignore[attr-defined]
    return visit_all


def with_copies(state: Any, copies: Copies) -> Any:
    """The functor's state with the copies of each vertex."""
    return widened(state, first=copies.first, copy=copies.slot)
