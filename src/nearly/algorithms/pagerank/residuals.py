"""PageRank by what changed (policy `frontier`).

Only vertices with an in-neighbour whose rank moved by more than a share of `tol` since it was last sent are computed
again. A round: sum the in-rows of the vertices concerned, filter those whose rank moved, let these send, and
advance to their out-neighbours. Sums read what was sent, so the order of work within a round does not matter.
It solves the leaking system, which has no global term; redistribution over the teleport vector only scales
that solution. With every unsent change below tol / n the residual is at most d * tol.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.algorithms.pagerank.problem import Problem, RankGoal, pick
from nearly.base.errors import InvalidArgumentError
from nearly.engine.operators.advance import Advance
from nearly.engine.run import Did, Run

_FEW = 16  # recompute everything when the changed vertices have more than 1/16 of the arcs


class Sent(NamedTuple):
    """What `Residuals` works on, all float64."""

    share: np.ndarray
    rank: np.ndarray
    sent: np.ndarray  # the rank that `share` was made from
    inverse: np.ndarray
    fixed: np.ndarray
    weights: np.ndarray
    scalars: np.ndarray  # damping, and the change that is worth sending


def renew(state, v, total):
    """v's rank from what its in-neighbours sent."""
    state.rank[v] = pick(state.fixed, v) + state.scalars[0] * total


def stale(state, v):
    """Whether v's rank has moved away from what its neighbours know."""
    return abs(state.rank[v] - state.sent[v]) > state.scalars[1] and state.inverse[v] > 0.0


def send(state, v):
    """Let v's neighbours know its rank."""
    state.sent[v] = state.rank[v]
    state.share[v] = state.rank[v] * state.inverse[v]


def touch(state, u, v, e):
    """v has to be computed again."""
    return True


def leaking_start(problem: Problem, start: np.ndarray, inverse: np.ndarray) -> np.ndarray:
    """Where to begin solving the leaking system: ranks that the caller gave are scaled as its solution is."""
    if np.array_equal(start, np.broadcast_to(problem.teleport, start.shape)):
        return start.copy()
    jump = 1 - problem.damping
    return start * (jump / (jump + problem.spread(float(start[inverse == 0].sum()))))


def first_state(problem: Problem, start: np.ndarray, tol: float) -> Sent:
    """What all vertices have sent before the first round; `tol` is in the sum of changes."""
    copies = problem.copies
    if copies is not None and (copies.merge != "auto" or copies.every != 1):
        raise InvalidArgumentError("pagerank by policy 'frontier' merges copies by confluence='auto' each round only")
    weights = problem.graph.reverse.arrays.weights if problem.weighted else np.empty(0)
    jump, inverse = 1 - problem.damping, problem.inverse(np.float64)
    rank, scalars = leaking_start(problem, start, inverse), np.array([problem.damping, worth(problem, tol, 1.0)])
    return Sent(rank * inverse, rank, rank.copy(), inverse, jump * problem.teleport, weights, scalars)


def worth(problem: Problem, tol: float, mass: float) -> float:
    """The change worth sending so that n unsent ones leave a residual of at most d * tol; ranks sum to `mass`."""
    return tol / problem.graph.n * (1.0 if problem.leak else mass / 2)


class Residuals:
    """Rounds over what changed; see the top of the file."""

    def __init__(self, run: Run, goal: RankGoal) -> None:
        self.run, self.problem, self.tol = run, goal.problem, goal.allowed
        graph = goal.problem.graph
        self.state = first_state(goal.problem, goal.start, self.tol)
        self._share_with_copies()
        self.out = Advance(run, graph, touch, self.state)
        self.vertices = np.arange(graph.n, dtype=graph.arrays.targets.dtype)
        self.items: np.ndarray | None = None  # to be computed again; None for all
        self.active = self.vertices[:1]

    def values(self) -> np.ndarray:
        return self.state.rank

    def step(self) -> list[Did] | None:
        if not self.active.size:
            return None
        graph = self.problem.graph.reverse
        edges = self.run.reduce(self.problem.gather, renew, self.state, self.items, graph=graph).edges
        count = self.vertices.size if self.items is None else self.items.size
        if self.items is not None:
            self._find_active(self.items)
        if self.items is None or not self.active.size:  # before the end the ranks' sum has to be looked at again
            self.state.scalars[1] = worth(self.problem, self.tol, float(self.state.rank.sum()))
            self._find_active(self.vertices)
        extra: dict[str, float] = {"active": self.active.size}
        if self.run.techniques:
            rank, sent = self.state.rank, self.state.sent
            extra["change"] = float(np.abs(rank[self.active] - sent[self.active]).sum() / rank.sum())
        self.run.each(send, self.state, self.active)
        self._share_with_copies()
        return [Did(count, edges + self._choose_items(), extra=extra)]

    def _share_with_copies(self) -> None:
        copies = self.problem.copies
        if copies is not None:
            self.state.share[copies.slot] = self.state.share[copies.of]

    def _find_active(self, items: np.ndarray) -> None:
        self.active = self.run.filter(stale, self.state, items)

    def _choose_items(self) -> int:
        """The vertices to compute next: all, or where few arcs are concerned those the active lead to."""
        degrees, m = self.problem.graph.out_degrees, self.problem.graph.m
        self.items, active = None, self.active
        if self.problem.copies is not None and active.size:
            active = self.problem.copies.with_copies(active)
        if not active.size or degrees[active].sum() > m // _FEW:
            return 0
        pushed = self.out.push(active).edges
        touched = self.out.here[: self.out.size]
        if self.problem.graph.reverse.out_degrees[touched].sum() < m // 2:
            self.items = touched
        return pushed
