"""`advance` on the device: rounds to the fixed point of a functor that lowers values, with copies and clusters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nearly.engine.cuda.advance import Advance
from nearly.engine.cuda.clusters import Iterated
from nearly.engine.cuda.device import fetch
from nearly.engine.cuda.replicas import Confluence
from nearly.engine.run import Run
from nearly.graph.csr import Graph


def advance(run: Run, visit: Callable[..., bool], state: Any, start: Any, graph: Graph | None = None) -> bool:
    """Rounds from the vertices `start` on until nothing changes; every round pushes. False if stopped before."""
    if run.cut_short and "before" in state._fields:
        state = state._replace(before=state[0].copy())
    mapped = run.mapped if graph is None else None
    copies, clustered = (None, False) if mapped is None else (mapped.copies, mapped.clusters is not None)
    shared = copies if copies is not None and copies.at_once else None
    graph = graph or run.graph
    rounds = Advance(run, graph, visit, state, partly=True, copies=shared).start(start)
    if copies is None and clustered and run.policy == "topology":
        clusters = Iterated(run, visit, type(state)(*rounds.state[: len(state)]))
        finished = run.enact(lambda: [clusters.after(rounds.one_round())] if rounds.size else None)
    elif copies is None or shared is not None:
        finished = run.enact(rounds.step)
    else:
        finished = run.enact(Confluence(copies, rounds).step)
    fetch(rounds.state, state, graph)
    return finished
