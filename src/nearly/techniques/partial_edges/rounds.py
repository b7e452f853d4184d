"""PageRank's rounds over a share of the arcs that is drawn anew each time.

An arc that is drawn carries what it carries, over the share of arcs drawn: on average a round does what a round over
all arcs does. Ranks then come near the true ones but never settle: each draw moves them. So rounds end when for some
time none has changed the ranks less than one before, and the answer is the mean of these rounds, in which the draws'
errors partly cancel. Where the share grows until it is all arcs, rounds go on to the fixed point as they would
without. However it ends, the bound on the error is computed from the answer.
"""

from __future__ import annotations

import math

import numpy as np

from nearly.algorithms.pagerank.problem import RankGoal, Ranks
from nearly.algorithms.pagerank.sweeps import Sweeps
from nearly.base.random import draw
from nearly.engine.functor_wrappers import set_dial, widened
from nearly.engine.run import Did, Run

_PATIENCE = 8  # rounds without a smaller change, after which draws are all that still moves the ranks
_LESS = 0.9  # what counts as a smaller change


def hand_on_drawn(state, u, v, e):
    """What u gives along arc e if it is drawn, which makes up for those that are not."""
    return state.share[u] * state.scale[0] if draw(state.dial[0], e) <= state.dial[1] else 0.0


def hand_on_drawn_weighted(state, u, v, e):
    """The same in proportion to the arc's weight."""
    return state.share[u] * state.weights[e] * state.scale[0] if draw(state.dial[0], e) <= state.dial[1] else 0.0


class DrawnSweeps(Sweeps):
    """All vertices each round, over arcs that are drawn; see the top of the file."""

    def __init__(self, run: Run, goal: RankGoal) -> None:
        super().__init__(run, goal)
        self.drawn = hand_on_drawn_weighted if goal.problem.weighted else hand_on_drawn
        self.dial, self.scale, self.round, self.part = np.zeros(2, np.uint64), np.ones(1), 0, 1.0
        self.least, self.idle, self.total = math.inf, 0, np.zeros(goal.problem.graph.n)

    def values(self) -> np.ndarray:
        return self.total / self.idle if self.idle else super().values()

    def _gathered(self, state: Ranks) -> int:
        visits = self.run.visits()
        self.part, self.round = 1.0 if visits is None else visits.share, self.round + 1
        if self.part == 1.0:
            return super()._gathered(state)
        set_dial(self.dial, self.run.seed, self.round, self.part)
        self.scale[0] = 1 / self.part
        drawn, back = widened(state, dial=self.dial, scale=self.scale), self.problem.graph.reverse
        return int(self.part * self.run.reduce(self.drawn, self.settle, drawn, graph=back).edges)

    def _judge(self, edges: int, change: float, largest: float) -> Did:
        did = super()._judge(edges, change, largest)
        if self.part == 1.0:
            self.idle = 0
            return did
        seen = largest if self.largest else change
        if seen < _LESS * self.least:
            self.least, self.idle, self.total[:] = seen, 0, 0.0
        else:
            self.idle += 1
            self.total += self.state.rank
        self.done, self.used_up = self.idle >= _PATIENCE, False
        return did
