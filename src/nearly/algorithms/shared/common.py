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

from nearly.engine.devices import by_device
from nearly.engine.operators import kernels
from nearly.engine.operators.advance import Advance
from nearly.engine.run import Did, Run, enact
from nearly.engine.transform.clusters import Iterated
from nearly.engine.transform.confluence import Confluence

_SIGNED_32 = 2**31


def is_direct(run: Run) -> bool:
    """Whether the specialised kernel answers this run."""
    return run.policy == "auto" and run.device == "cpu" and not run.cut_short


def synchronous_step(advance: Advance, now: np.ndarray, before: np.ndarray) -> Sequence[Did] | None:
    """One round whose functor reads `before` and writes `now`: what it did depends on no order, so it may be the last.

    A run that ends at its fixed point needs no such care: there both are the same array and `advance.step` does.
    """
    if now is before:
        return advance.step()
    if advance.size == 0:
        return None
    return [advance.one_round(now, before)]


@by_device("nearly.engine.cuda.search")
def search_from(
    run: Run, source: int, visit: Any, state: Any, nowhere: Any, wants: Callable[..., bool] | None = None
) -> bool:
    """Lower values to their fixed point, in rounds from `source` on; whether it was reached.

    The first two arrays of `state` are the values, `nowhere` where there are none, and what they were before the round.
    Copies of vertices get their values as they ask to; clusters are iterated where every round visits all vertices.
    """
    copies, now, before = run.map.copies, state[0], state[1]
    shared = copies if copies is not None and copies.at_once else None
    advance = Advance(run, run.graph, visit, state, wants=wants, partly=True, copies=shared)
    advance.start(run.map.group(source))
    if copies is None and run.map.clusters is not None and advance.policy == "topology":
        clusters = Iterated(run, visit, state)
        return enact(run, lambda: clusters.after(synchronous_step(advance, now, before)))
    if copies is None or shared is not None:
        return enact(run, lambda: synchronous_step(advance, now, before))
    return enact(run, Confluence(copies, advance, now, before, nowhere).step)


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
