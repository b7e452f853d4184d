"""Extrapolation: PageRank's rounds led on from one to the next, so that fewer are needed (Chebyshev's semi-iteration).

It pays where plain rounds converge slowly and most arcs have one back: road networks, grids, social networks. Where
it does not help, the rounds notice and go on plainly.

A plain round brings an error along an eigenvector down by its eigenvalue. Mixed with the round before last, rounds damp
all real eigenvalues within [-rho, rho] at the rate rho / (1 + sqrt(1 - rho^2)): for 0.85, 0.56 a round (Golub and
Varga, 1961). Eigenvalues are real where every arc has its way back, and nearly so where most have. rho is read off
the rounds themselves: first from how fast plain ones converge, later from how much slower than they should
extrapolated ones do. Where changes grow, whether rho was found or given, the rest is done by plain rounds. The last
round is a plain one, so that its change is the residual.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nearly.algorithms.pagerank import check_plain
from nearly.algorithms.pagerank.problem import RankGoal, pick
from nearly.algorithms.pagerank.sweeps import Sweeps
from nearly.engine.knob import Knob
from nearly.engine.run import Did, Run
from nearly.engine.technique import Task, Technique, technique
from nearly.engine.traits import OtherRounds

_WATCHED = 4  # rounds after which their rate says something
_MARGIN = 1.1  # plain rounds still become slower after these
_SLACK = 0.05  # rounds may be slower than they should by this


@technique("extrapolate", reference="PR: rounds of Panyala et al., extrapolated")
class Extrapolate(Technique):
    """Lead PageRank's rounds on from one to the next (Chebyshev's semi-iteration)."""

    rate = Knob(
        "auto", "the slowest rate to speed up, of a plain round", exact=0.0, low=0, high=1, below=True, words=("auto",)
    )
    effects = (OtherRounds(RankGoal),)

    def in_rounds(self, task: Task) -> bool:
        return True

    def make_rounds(self, run: Run, goal: Any) -> Any:
        if not isinstance(goal, RankGoal):
            return None
        check_plain(run, "extrapolation")
        return Chebyshev(run, goal, None if self.rate == "auto" else self.rate)


def settle_ahead(state, v, total):
    """v's rank, led on beyond the new one from where it was two rounds ago, and what it will hand on."""
    new = pick(state.fixed, v) + state.scalars[1] * pick(state.teleport, v) + state.scalars[0] * total
    before = state.renewed[v]
    new = before + state.scalars[2] * (new - before)
    state.renewed[v] = new
    state.following[v] = new * state.inverse[v]


class Chebyshev(Sweeps):
    """Extrapolated sweeps; see the top of the file. `rate` is rho, None where it is to be found."""

    settle = staticmethod(settle_ahead)

    def __init__(self, run: Run, goal: RankGoal, rate: float | None) -> None:
        super().__init__(run, goal)
        self.state = self.state._replace(scalars=np.append(self.state.scalars, 1.0))
        self.fixed, self.rho, self.change = rate is not None, rate or 0.0, math.inf
        self._restart()

    def _restart(self) -> None:
        """Let the next round be a plain one."""
        self.weight, self.count = 1.0, 0
        self.state.renewed[:] = self.state.rank

    def _rebase(self) -> Did:
        did = super()._rebase()
        self._restart()
        return did

    def _sweep(self) -> Did:
        self.state.scalars[2] = self.weight
        did = super()._sweep()
        change, before, self.change = did.extra["change"], self.change, did.extra["change"]
        self.count += 1
        if self.done and self.weight != 1.0:
            self.done = False
            self._restart()
        elif self.rho > 0.0 and self.count >= _WATCHED and change > before:
            self.rho, self.fixed = 0.0, True  # they lead astray: plain rounds from here on
            self._restart()
        elif not self.fixed and self.count >= _WATCHED and not self._adapt(change / before):
            self._restart()
        else:
            self.weight = 1 / (1 - self.rho**2 * (0.5 if self.count == 1 or self.weight == 1.0 else self.weight / 4))
        return did

    def _adapt(self, seen: float) -> bool:
        """Correct rho by the rate seen; False where the rounds have to start again."""
        rho, damping = self.rho, self.problem.damping
        if rho == 0.0:
            self.rho = min(_MARGIN * seen, damping) if seen < 1 else 0.0
            return True
        reach = 1 + math.sqrt(1 - rho**2)
        if seen <= rho / reach + _SLACK or rho == damping:
            return True
        z = seen * reach  # Chebyshev polynomials grow by this factor at an eigenvalue outside of [-rho, rho]
        self.rho = min((z + rho**2 / z) / 2 * _MARGIN, damping)
        return False
