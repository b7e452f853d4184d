"""Visiting only some arcs (GP2): any functor, made to pass over arcs that a seeded hash leaves out of this round.

The hash is of the arc's number and the round, so a draw depends on neither order nor threads. An arc left
out costs a few multiplications and no random read of memory.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from nearly.base.random import draw, stream_key
from nearly.engine.primitives import functor
from nearly.engine.widened import widened

_STREAM = 0x7061  # which random numbers choose arcs


@cache
def sampled(visit: Callable[..., bool]) -> Callable[..., bool]:
    """`visit` on the arcs that stay, over a state made by `with_dial`."""
    visits = functor(visit)

    def visit_some(state, u, v, e):
        return draw(state.dial[0], e) <= state.dial[1] and visits(state, u, v, e)

    visit_some.copied = getattr(visit, "copied", False)  # type: ignore[attr-defined]
    return visit_some


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
