"""Filter and compute (MG2): the items that a functor keeps, and a functor on every item."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import prange

from nearly.base.jit import parallel_kernel
from nearly.base.unsigned import piece_bounds
from nearly.engine.functor import functor
from nearly.engine.primitives import compact, pieces_for, transform


def filter_items(keep: Callable[..., bool], state: Any, items: np.ndarray) -> np.ndarray:
    """The items for which `keep(state, item)` holds, in order."""
    stay, out = np.empty(items.size, np.bool_), np.empty_like(items)
    mark(keep)(state, items, stay)
    return out[: int(compact(items, stay, out))]


def for_each(do: Callable[..., Any], state: Any, items: np.ndarray, count: int) -> None:
    """`do(state, item)` for every item; for 0..count-1 where `items` is empty."""
    transform(do)(state, items, np.uint64(count))


@cache
def mark(keep: Callable[..., bool]) -> Any:
    """The kernel `run(state, items, stay)` that says of each item whether it stays."""
    keeps = functor(keep)

    @parallel_kernel
    def run(state, items, stay):
        pieces = pieces_for(items.size)
        for p in prange(pieces):
            low, high = piece_bounds(items.size, p, pieces)
            for i in range(low, high):
                stay[i] = keeps(state, items[i])

    return run
