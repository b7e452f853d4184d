"""PageRank on the device: sweeps over all vertices, or over what changed (policy `frontier`), in float64 throughout.

Ranks are pulled, so no float is added atomically. The host sees, each round, the change and the mass on dangling
vertices, or how many vertices have something new to tell.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from nearly.algorithms.pagerank.problem import RankGoal, settle
from nearly.algorithms.pagerank.residuals import first_state, renew, send, stale, touch, worth
from nearly.base.errors import DeviceUnavailableError
from nearly.engine.cuda.advance import Push
from nearly.engine.cuda.device import launch, put, state_arrays
from nearly.engine.cuda.primitives import Filter, Total, broadcast, copy_at, for_each
from nearly.engine.cuda.reduce import Rows
from nearly.engine.functor import functor
from nearly.engine.operators import most
from nearly.engine.run import Did, Run
from nearly.engine.transform.replicas import Copies

_ROUNDING = 2 * float(np.finfo(np.float64).eps)
_FEW = 16  # recompute everything when more than 1/16 of the vertices changed
is_stale = functor(stale)


def rounds_of(run: Run, goal: RankGoal) -> Any:
    """Plain rounds: over all vertices, or over what changed."""
    return (Residuals if run.policy == "frontier" else Sweeps)(run, goal)


def change(state, v):
    """How far v's rank moves in this round."""
    return abs(state.renewed[v] - state.rank[v])


def loose(state, v):
    """What v, if it is dangling, has nowhere to hand on to."""
    return state.renewed[v] if state.inverse[v] == 0.0 else 0.0


def rank(state, v):
    """v's rank."""
    return state.rank[v]


def news(state, v):
    """How far v's rank is from what its neighbours know, if that is worth telling."""
    return abs(state.rank[v] - state.sent[v]) if is_stale(state, v) else 0.0


class Shares:
    """Copies of vertices hand on what their vertex does, since the last time that they were told."""

    def __init__(self, copies: Copies) -> None:
        if copies.merge == "mean" or not isinstance(copies.merge, str):
            raise DeviceUnavailableError("pagerank merges copies by another rule than 'auto' on device='cpu' only")
        self.every, self.size = copies.every, copies.slot.size
        self.slot, self.of = cuda.to_device(copies.slot), cuda.to_device(copies.of)

    def due(self, rounds: int, ripe: bool) -> bool:
        """Whether copies are told after this round; `ripe`: nothing else is left to do."""
        return rounds % self.every == 0 if self.every else ripe

    def tell(self, share: Any) -> None:
        """Tell copies what their vertices hand on."""
        launch(broadcast, self.size, self.slot, self.of, self.size, share)

    def keep(self, share: Any, following: Any) -> None:
        """Let copies hand on what they did before."""
        launch(copy_at, self.size, self.slot, self.size, share, following)


class Sweeps:
    """All vertices each round."""

    def __init__(self, run: Run, goal: RankGoal) -> None:
        problem, self.problem, self.tol, self.largest = goal.problem, goal.problem, goal.tol, goal.norm == "max"
        self.rounds, self.ripe, self.done = 0, False, False
        self.state = state_arrays(problem.ranks(goal.start.astype(np.float64)), problem.graph.reverse)
        self.rows = Rows(run, problem.graph.reverse, problem.gather, settle)
        self.shares = None if problem.copies is None else Shares(problem.copies)
        self.change, self.loose, self.most = Total(change), Total(loose), Total(change, most)

    def values(self) -> np.ndarray:
        return self.state.rank.copy_to_host()

    def step(self) -> list[Did] | None:
        if self.done:
            return None
        state, graph, extra = self.state, self.problem.graph, {}
        self.rows(state)
        told = self._tell_copies(state)
        extra["change"] = self.change(state, graph.n)
        if self.largest:
            extra["largest"] = self.most(state, graph.n)
        put(state.scalars, self.problem.damping, self.problem.spread(self.loose(state, graph.n)))
        self.state = state.turned()
        self.ripe = extra["largest" if self.largest else "change"] + _ROUNDING <= self.tol
        self.done = self.ripe and told
        return [Did(graph.n, graph.m, extra=extra)]

    def _tell_copies(self, state: Any) -> bool:
        """Let copies know what their vertices hand on from now on, if that is due in this round; whether it was."""
        self.rounds += 1
        if self.shares is None:
            return True
        due = self.shares.due(self.rounds, self.ripe)
        if due:
            self.shares.tell(state.following)
        else:
            self.shares.keep(state.share, state.following)
        return due


class Residuals:
    """Rounds over what changed; as `nearly.algorithms.pagerank.residuals.Residuals`."""

    def __init__(self, run: Run, goal: RankGoal) -> None:
        self.run, self.problem, self.tol = run, goal.problem, goal.allowed
        problem, graph, n = goal.problem, goal.problem.graph, goal.problem.graph.n
        self.state = state_arrays(first_state(problem, goal.start, self.tol), graph.reverse)
        self.shares = None if problem.copies is None else Shares(problem.copies)
        self._tell_copies()
        self.rows, self.push = Rows(run, graph.reverse, problem.gather, renew), Push(run, graph, touch)
        self.stale, self.rank, self.news = Filter(stale, n), Total(rank), Total(news)
        self.active, self.items = (cuda.device_array(n, graph.arrays.targets.dtype) for _ in range(2))
        self.none, self.stamp = self.active[:0], cuda.to_device(np.zeros(n, np.uint32))
        self.count, self.listed, self.moving, self.now = n, False, n, 0

    def values(self) -> np.ndarray:
        return self.state.rank.copy_to_host()

    def step(self) -> list[Did] | None:
        if not self.moving:
            return None
        state, n, count, before = self.state, self.problem.graph.n, self.count, self.rows.edges
        self.rows(state, self.items if self.listed else None, count)
        if self.listed:
            self.moving = self.stale(state, self.items, count, self.active)
        if not self.listed or not self.moving:  # before the end the ranks' sum has to be looked at again
            put(state.scalars, self.problem.damping, worth(self.problem, self.tol, self.rank(state, n)))
            self.moving = self.stale(state, self.none, n, self.active)
        extra: dict[str, float] = {"active": self.moving}
        if self.run.techniques:
            extra["change"] = self.news(state, n) / self.rank(state, n)
        launch(for_each(send), self.moving, state, self.active, self.moving)
        self._tell_copies()
        pushed = self._choose_items()
        return [Did(count, self.rows.edges - before + pushed, extra=extra)]

    def _tell_copies(self) -> None:
        if self.shares is not None:
            self.shares.tell(self.state.share)

    def _choose_items(self) -> int:
        """The vertices to compute next: all, or where few moved those that these lead to."""
        n = self.problem.graph.n
        self.listed, self.count = False, n
        if not self.moving or self.moving * _FEW > n or self.problem.copies is not None:
            return 0
        self.now += 1
        size, pushed = self.push(self.state, self.active, self.moving, self.items, self.stamp, self.now)
        if 2 * size < n:
            self.listed, self.count = True, size
        return pushed
