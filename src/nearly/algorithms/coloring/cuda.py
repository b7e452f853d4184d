"""Colouring on the device: the first in line begin, and a vertex takes its turn when the last one before it has.

How many stand before a vertex is a pull reduction, the first in line are found by compaction, rounds are the engine's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nearly.algorithms.coloring import NO_COLOR, Line, pass_on
from nearly.algorithms.shared.turns import Places, in_turn, is_earlier, put
from nearly.engine.cuda.advance import Advance
from nearly.engine.cuda.device import launch, state_arrays
from nearly.engine.cuda.device import put as put_there
from nearly.engine.cuda.primitives import Filter, for_each
from nearly.engine.cuda.reduce import Rows
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph


class Turns(Advance):
    """`Advance` for a functor under which a vertex must act once only; as `nearly.algorithms.shared.turns.Turns`."""

    def __init__(self, run: Run, graph: Graph, visit: Callable[..., bool], state: Any) -> None:
        super().__init__(run, graph, in_turn(visit) if run.policy == "topology" else visit, state)
        self.stamp, self.now = self.state.stamp, 1

    def push(self) -> Did:
        put_there(self.state.now, self.now)
        return super().push()


def is_first(state, v):
    """Whether no neighbour of v stands before it."""
    return state.waiting[v] == 0


def begin(state, v):
    """Give v, which is first in line, the first colour and the first turn."""
    state.color[v] = 0
    state.stamp[v] = 1


def _in_rounds(run: Run, rank: np.ndarray) -> tuple[np.ndarray, bool]:
    graph, n = run.graph, run.graph.n
    offsets, targets, _ = graph.arrays
    color, marks = np.full(n, NO_COLOR, np.int32), (np.zeros(n, np.uint32), np.zeros(1, np.uint32))
    state = state_arrays(Line(color, np.zeros(n, np.int32), rank, offsets, targets, *marks), graph)
    Rows(run, graph, is_earlier, put, np.int32(0))(Places(state.rank, state.waiting))
    turns = Turns(run, graph, pass_on, state)
    turns.size = Filter(is_first, n)(state, turns.none, n, turns.here)
    launch(for_each(begin), turns.size, state, turns.here, turns.size)
    finished = run.enact(turns.step)
    return state.color.copy_to_host(color), finished
