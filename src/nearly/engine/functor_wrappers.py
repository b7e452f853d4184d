"""Functors that do more than their own: visit only some arcs, or lower the copies of a vertex with it.

`sampled(visit)` (GP2) passes over arcs that a seeded hash leaves out of this round. The hash is of the arc's number
and the round, so a draw depends on neither order nor threads. An arc left out costs a few multiplications and no
random read of memory. `sampled_edges(visit)` hashes the two ends instead, so that an arc has one fate whether it is
seen in the graph or in its reverse, and both arcs of an undirected edge have one.

`sharing(visit)` (LB3, the atomic mode) is any functor that lowers values, made to lower the copies of a vertex at the
same time; operators see by its `copied` that these join the frontier as well. Rounds need nothing else, and every form
of a search runs as it does without copies.

Both need more arrays than the functor's own state has: `widened` adds fields to its NamedTuple.
"""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from nearly.base.atomics import atomic_min
from nearly.base.random import draw, stream_key
from nearly.base.unsigned import U1
from nearly.engine.functor import functor
from nearly.engine.transform.replicas import Copies

_STREAM = 0x7061  # which random numbers choose arcs
ALONG, BACK, BOTH = (np.uint64(i) for i in range(3))  # whether arcs are seen as they are, turned round, or either way
WAYS = {"along": ALONG, "back": BACK, "both": BOTH}


@cache
def sampled(visit: Callable[..., bool]) -> Callable[..., bool]:
    """`visit` on the arcs that stay, over a state made by `with_dial`."""
    visits = functor(visit)

    def visit_some(state, u, v, e):
        return draw(state.dial[0], e) <= state.dial[1] and visits(state, u, v, e)

    visit_some.copied = getattr(visit, "copied", False)  # type: ignore[attr-defined]
    return visit_some


@cache
def sampled_edges(visit: Callable[..., bool]) -> Callable[..., bool]:
    """As `sampled`, by the ends of arcs; the dial's third number says which way arcs are seen (one of WAYS)."""
    visits = functor(visit)

    def visit_drawn(state, u, v, e):
        a, b = np.uint64(u), np.uint64(v)
        if state.dial[2] == BACK or (state.dial[2] == BOTH and a > b):
            a, b = b, a
        return draw(draw(state.dial[0], a), b) <= state.dial[1] and visits(state, u, v, e)

    return visit_drawn


def with_dial(state: Any, dial: np.ndarray) -> Any:
    """The functor's state with one more array: the key of the round's draw, and the largest draw that stays."""
    return widened(state, dial=dial)


def set_dial(dial: np.ndarray, seed: int, round: int, keep: float) -> None:
    """Choose anew, for this round, which share of the arcs stays."""
    dial[0] = stream_key(np.uint64(seed), np.uint64(_STREAM + (round << 16)))
    dial[1] = limit_of(keep)


def limit_of(keep: float) -> np.uint64:
    """The largest of all 64-bit draws of which the share `keep` is no larger."""
    return np.uint64(min(int(keep * 2.0**64), 2**64 - 1))


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


def widened(state: Any, **arrays: Any) -> Any:
    """The state, a NamedTuple, with these fields after its own."""
    kind: Any = type(state)
    return _kind(kind, tuple(arrays))(*state, *arrays.values())


@cache
def _kind(kind: Any, names: tuple[str, ...]) -> Any:
    """The type of such a state. It is kept in this module by name: compiled code on disk refers to it so."""
    place = re.sub(r"\W", "_", f"{kind.__module__}_{kind.__qualname__}")  # a module may be called <run_path>
    name = f"of_{place}_with_{'_'.join(names)}"
    globals()[name] = namedtuple(name, (*kind._fields, *names), module=__name__)
    return globals()[name]
