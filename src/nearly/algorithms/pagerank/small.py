"""PageRank of a small graph: many rounds in one compiled call, as Python between them would take most of the time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nearly.base.jit import kernel
from nearly.base.unsigned import U1
from nearly.engine.trace import Did
from nearly.graph.csr import Graph

SMALL = 1 << 16  # arcs and vertices
ROUNDS = 64  # of one call, so that Ctrl-C and progress have their turn


class PlayedRounds(Sequence[Did]):
    """What each round did, spelled out when it is read."""

    def __init__(self, done: np.ndarray, graph: Graph, largest: bool) -> None:
        self._done, self._graph, self._largest = done, graph, largest

    def __len__(self) -> int:
        return len(self._done)

    def __getitem__(self, i: Any) -> Any:
        change, largest = self._done[i].tolist()
        extra = {"change": change, "largest": largest} if self._largest else {"change": change}
        return Did(self._graph.n, self._graph.m, extra=extra)


@kernel
def play_rounds(offsets, targets, state, leak, enough, done):
    """Rounds over the reverse graph, at most one for each row of `done`, until one changes little enough; how many.

    `enough` holds the sum of changes and the largest change that are small enough. Rows of `done` get both of a round.
    After an odd number of rounds, the state has to be turned.
    """
    share, following, rank, renewed = state.share, state.following, state.rank, state.renewed
    inverse, fixed, teleport, weights = state.inverse, state.fixed, state.teleport, state.weights
    damping, spread = state.scalars[0], state.scalars[1]
    last_fixed, last_teleport, weighted = np.uint64(fixed.size - 1), np.uint64(teleport.size - 1), weights.size > 0
    for r in range(done.shape[0]):
        change, largest, loose = 0.0, 0.0, 0.0
        for v in range(np.uint64(rank.size)):
            total = 0.0
            for e in range(offsets[v], offsets[v + U1]):
                given = share[targets[e]]
                total += given * weights[e] if weighted else given
            new = fixed[min(v, last_fixed)] + spread * teleport[min(v, last_teleport)] + damping * total
            renewed[v] = new
            following[v] = new * inverse[v]
            step = abs(new - rank[v])
            change += step
            largest = max(largest, step)
            if inverse[v] == 0.0:
                loose += new
        spread = 0.0 if leak else damping * loose
        share, following, rank, renewed = following, share, renewed, rank
        done[r, 0], done[r, 1] = change, largest
        if change <= enough[0] or largest <= enough[1]:
            state.scalars[1] = spread
            return r + 1
    state.scalars[1] = spread
    return done.shape[0]
