"""Searches on the device: the rounds of `nearly.algorithms.shared.common`, for any functor that lowers values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nearly.engine.cuda.advance import Advance
from nearly.engine.cuda.clusters import Iterated
from nearly.engine.cuda.device import fetch
from nearly.engine.cuda.replicas import Confluence
from nearly.engine.run import Run, enact


def search_from(
    run: Run, source: int, visit: Any, state: Any, nowhere: Any, wants: Callable[..., bool] | None = None
) -> bool:
    """Lower values to their fixed point, in rounds from `source` on; every round pushes, so `wants` is not asked."""
    copies = run.map.copies
    shared = copies if copies is not None and copies.at_once else None
    advance = Advance(run, run.graph, visit, state, partly=True, copies=shared).start(run.map.group(source))
    now, before = advance.state[0], advance.state[1]
    if copies is None and run.map.clusters is not None and run.policy == "topology":
        clusters = Iterated(run, visit, type(state)(*advance.state[: len(state)]))
        finished = enact(run, lambda: [clusters.after(advance.one_round(now, before))] if advance.size else None)
    elif copies is None or shared is not None:
        finished = advance.to_fixed_point(now, before)
    else:
        finished = enact(run, Confluence(copies, advance, now, before, nowhere).step)
    fetch(advance.state, state, run.graph)
    return finished
