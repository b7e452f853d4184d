"""A functor's state with more arrays, for what an operator adds to any functor: a draw of arcs, copies of vertices."""

from __future__ import annotations

from collections import namedtuple
from functools import cache
from typing import Any


def widened(state: Any, **arrays: Any) -> Any:
    """The state, a NamedTuple, with these fields after its own."""
    kind: Any = type(state)
    return _kind(kind, tuple(arrays))(*state, *arrays.values())


@cache
def _kind(kind: Any, names: tuple[str, ...]) -> Any:
    """The type of such a state. It is kept in this module by name: compiled code on disk refers to it so."""
    name = f"{kind.__module__.replace('.', '_')}_{kind.__qualname__.replace('.', '_')}_with_{'_'.join(names)}"
    globals()[name] = namedtuple(name, (*kind._fields, *names), module=__name__)
    return globals()[name]
