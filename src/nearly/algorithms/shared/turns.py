"""What peeling, colouring and independent sets share: every vertex acts exactly once, when others have let it.

A vertex waits for others; whoever is the last to let it go emits it, and it acts in the next round. Under policies
with a frontier that is what `Advance` does anyway. `topology` visits all vertices in every round, so there the functor
is wrapped: only a vertex emitted in the round before acts. `Turns` does that, for states with fields `stamp` and `now`.

`ranking` gives every vertex a place in a line: by a key, and within one key at random by the seed.
The places are distinct, so there are no ties to break, and the line is the same for every policy and thread count.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from nearly.base.jit import kernel
from nearly.base.random import permutation, permuted, stream_key
from nearly.base.unsigned import U0, U1
from nearly.engine.operators.advance import Advance
from nearly.engine.operators.kernels import neighborhood_reduce
from nearly.engine.primitives import functor
from nearly.engine.row_pieces import row_cuts
from nearly.engine.run import Did, Run, enact
from nearly.graph.csr import Graph

EVERY = np.uint64((1 << 12) - 1)  # a mask: serial kernels look at the stop flag every 4,096 vertices
LINE = 0x11  # the stream of random numbers that rankings take


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
    """`visit`, for those only whose turn it is."""
    visits = functor(visit)

    def visit_in_turn(state, u, v, e):
        return state.stamp[u] == state.now[0] and visits(state, u, v, e)

    return visit_in_turn


def ranking(n: int, seed: int, key: np.ndarray | None = None) -> np.ndarray:
    """A place from 0 to n - 1 for every vertex: ascending by `key` (small whole numbers), at random where equal."""
    rank = np.empty(n, np.uint32)
    if n:
        key_of_line = np.uint64(stream_key(np.uint64(seed), np.uint64(LINE)))
        line_up(permutation(key_of_line, np.uint64(n)), rank, _keys(key))
    return rank


def in_line(rank: np.ndarray) -> np.ndarray:
    """The vertices in the order of their places."""
    line = np.empty_like(rank)
    line[rank] = np.arange(rank.size, dtype=rank.dtype)
    return line


def at_once(run: Run, work: Callable[[], Any]) -> bool:
    """Enact a direct kernel as one round of all vertices; `work` returns the edges it visited."""
    rounds = iter([work] if run.graph.n else [])
    return enact(run, lambda: [Did(run.graph.n, int(todo()))] if (todo := next(rounds, None)) else None)


def _keys(key: np.ndarray | None) -> np.ndarray:
    return np.zeros(0, np.uint32) if key is None else np.ascontiguousarray(key, np.uint32)


@kernel
def line_up(shuffle, rank, key):
    """A counting sort of 0..n-1 by key, those of one key in the order of the random bijection."""
    n = np.uint64(rank.size)
    if key.size == 0:
        for i in range(n):
            rank[permuted(shuffle, i)] = i
        return
    place = np.zeros(np.uint64(key.max()) + np.uint64(2), np.uint64)
    for v in range(n):
        place[np.uint64(key[v]) + U1] += U1
    for k in range(U1, np.uint64(place.size)):
        place[k] += place[k - U1]
    for i in range(U0, n):
        v = permuted(shuffle, i)
        k = np.uint64(key[v])
        rank[v] = place[k]
        place[k] += U1


def count_earlier(run: Run, rank: np.ndarray) -> np.ndarray:
    """int32[n]: how many neighbours of each vertex stand before it in line."""
    graph, waiting = run.graph, np.empty(run.graph.n, np.int32)
    offsets, targets, _ = graph.arrays
    tail = (np.int32(0), Places(rank, waiting), np.zeros(1, np.uint64), run.threads, run.stop)
    run.launch(neighborhood_reduce(is_earlier, add, put), offsets, targets, row_cuts(graph), *tail)
    return waiting


class Places(NamedTuple):
    rank: np.ndarray
    waiting: np.ndarray


def is_earlier(state, u, v, e):
    """1 where u stands before v."""
    return np.int32(state.rank[u] < state.rank[v])


def add(total, one):
    return np.int32(total + one)


def put(state, v, total):
    state.waiting[v] = total
