"""What several algorithms share: when a specialised kernel serves, the form of labels, a filter between rounds.

The fastest exact method is sometimes not made of rounds (filter-Kruskal, Pearce's components, Afforest). It
serves the policy `auto`, unless the caller limits rounds or applies techniques: those act between
rounds, so the round form runs instead.

A label is the smallest member's index. Inside kernels labels have the type of the graph's targets; a caller gets signed
integers, so that differences of labels mean what they say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nearly.engine import kernels
from nearly.engine.advance import Advance
from nearly.engine.enact import Did, Run

_SIGNED_32 = 2**31


def is_direct(run: Run) -> bool:
    """Whether the specialised kernel answers this run."""
    return run.policy == "auto" and not run.cut_short


def synchronous_step(advance: Advance, now: np.ndarray, before: np.ndarray) -> Sequence[Did] | None:
    """One round whose functor reads `before` and writes `now`: what it did depends on no order, so it may be the last.

    A run that ends at its fixed point needs no such care: there both are the same array and `advance.step` does.
    """
    if now is before:
        return advance.step()
    if advance.size == 0:
        return None
    did = advance.push(advance.everything if advance.policy == "topology" else advance.here[: advance.size])
    changed = advance.here[: advance.size]
    before[changed] = now[changed]
    return [did]


def cursor() -> np.ndarray:
    """A fresh shared counter from which workers take pieces."""
    return np.zeros(1, np.uint64)


def kept(keep: Callable[..., bool], state: Any, items: np.ndarray) -> np.ndarray:
    """The items for which `keep(state, item)` holds, in order."""
    out = np.empty_like(items)
    return out[: int(kernels.filter_items(keep)(state, items, out))].copy()


def as_labels(labels: np.ndarray) -> np.ndarray:
    """Kernel labels as signed integers, without a copy where 32 bits do."""
    if labels.dtype == np.uint32 and labels.size <= _SIGNED_32:
        return labels.view(np.int32)
    return labels.astype(np.int64)


def count_labels(labels: np.ndarray) -> int:
    """How many parts there are: the vertices that are their own label."""
    return int(np.count_nonzero(labels == np.arange(labels.size)))
