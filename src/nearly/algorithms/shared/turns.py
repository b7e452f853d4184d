"""What peeling, colouring and independent sets share: every vertex acts exactly once, when others have let it.

A vertex waits for others; the last of them to let it go emits it, and it acts in the next round. Under policies
with a frontier that is what `Advance` does anyway. `topology` visits all vertices in every round, so there the functor
is wrapped: only a vertex emitted in the round before acts. `Turns` does that, for states with fields `stamp` and `now`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from nearly.engine.functor import functor
from nearly.engine.operators.advance import Advance
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

EVERY = np.uint64((1 << 12) - 1)  # a mask: serial kernels look at the stop flag every 4,096 vertices


class Turns(Advance):
    """`Advance` for a functor under which a vertex must act once only.

    The state needs `stamp` (uint32[n], the round in which a vertex was emitted) and `now` (uint32[1]).
    """

    def __init__(self, run: Run, graph: Graph, visit: Callable[..., bool], state: Any) -> None:
        super().__init__(run, graph, visit, state)
        if self.policy == "topology":
            self.visit = in_turn(visit)
        self.stamp, self.now = state.stamp, 1

    def start(self, vertices: Any) -> Turns:
        super().start(vertices)
        self.stamp[self.here[: self.size]] = self.now
        return self

    def push(self, items: np.ndarray) -> Any:
        self.state.now[0] = self.now
        return super().push(items)


@cache
def in_turn(visit: Callable[..., bool]) -> Callable[..., bool]:
    """`visit`, for those vertices only whose turn it is."""
    visits = functor(visit)

    def visit_in_turn(state, u, v, e):
        return state.stamp[u] == state.now[0] and visits(state, u, v, e)

    return visit_in_turn


def at_once(run: Run, work: Callable[[], Any]) -> bool:
    """Enact a direct kernel as one round of all vertices; `work` returns the edges it visited."""
    rounds = iter([work] if run.graph.n else [])
    return run.enact(lambda: [Did(run.graph.n, int(todo()))] if (todo := next(rounds, None)) else None)


def count_earlier(run: Run, rank: np.ndarray) -> np.ndarray:
    """int32[n]: how many neighbours of each vertex stand before it in line."""
    waiting = np.empty(run.graph.n, np.int32)
    run.reduce(is_earlier, put, Places(rank, waiting), start=np.int32(0), combine=add_whole)
    return waiting


class Places(NamedTuple):
    """What counting the neighbours before a vertex works on."""

    rank: np.ndarray
    waiting: np.ndarray


def is_earlier(state, u, v, e):
    """1 where u stands before v."""
    return np.int32(state.rank[u] < state.rank[v])


def add_whole(total, one):
    """The sum in 32 bits."""
    return np.int32(total + one)


def put(state, v, total):
    """How many there are before v."""
    state.waiting[v] = total
