"""PageRank with freezing: what has nearly stopped changing is passed over.

`FrozenVertices` (pull): a vertex whose rank changed by no more than its limit when it was last computed keeps it
for 2, 4, 8, then 16 rounds. Limits are in proportion to how many arcs it takes to compute the vertex, and add up to
the allowance: so the change that is given up buys the most work. Sweeps are in place (`pagerank_frozen_kernels`).
They solve the leaking system; redistribution only scales that solution. Dangling vertices, on which nothing
depends, are computed once, at the end.

`FrozenEdges` (push into one slot per arc, then sum the slots): arcs are frozen, in groups of one source and
of targets of similar importance. A group of bin b is sent when the source's share has changed by more than c / 4^(b+1),
so that all frozen changes of a target of importance s add up to less than c / s. Measured against what was
last sent, frozen changes cannot build up; measured against the round before, as in the paper, they can.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from nearly.algorithms.pagerank.problem import SINGLE, RankGoal, settle
from nearly.algorithms.pagerank.residuals import leaking_start
from nearly.algorithms.pagerank.sweeps import compare
from nearly.base.memory import require
from nearly.engine.primitives import balanced_cuts
from nearly.engine.row_pieces import row_cuts
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph, vertex_dtype
from nearly.techniques.freeze_edges.arc_bins import BINS, Groups, arc_groups
from nearly.techniques.freeze_edges.kernels import PARTS, Entering, Ranks, Terms, point, send, sweep_in_place

_STEP = 1 << 20  # arcs and vertices in a step of a sweep in place: one that takes much longer than starting it
_STEPS = 32
_TYPICAL = 1e8  # vertices of the graphs that a constant is for which is to be scaled
_NOW, _NEVER = np.uint32(0), np.uint32(2**32 - 1)
_FINE = 1e-5  # an allowance that float32 would spoil
_TINY = 1e-300
_ENOUGH = 0.25  # the share of the allowance that one round may still change when the run ends


class Freezing(NamedTuple):
    """What is frozen and when; see the top of the file."""

    constant: float
    moving: bool  # changes are measured against the round before
    scaled: bool
    importance: Callable[[Graph], np.ndarray]

    def allowance(self, n: int) -> float:
        """The constant for a graph of n vertices."""
        return self.constant * (_TYPICAL / n if self.scaled else 1.0)


class FrozenVertices:
    """Sweeps in place over the vertices that are not frozen; see the top of the file."""

    def __init__(self, run: Run, goal: RankGoal, freezing: Freezing) -> None:
        self.run, self.problem = run, goal.problem
        problem, graph, n = goal.problem, goal.problem.graph, goal.problem.graph.n
        allowed, self.largest = freezing.allowance(n) * n, goal.norm == "max"
        self.enough = max(_ENOUGH * (allowed / n if self.largest else allowed), goal.tol)
        double = problem.weighted or n + graph.m <= SINGLE or allowed < _FINE
        dtype = np.dtype(np.float64 if double else np.float32)
        self.inverse, jump = problem.inverse(dtype), 1 - problem.damping
        self.dangling = self.inverse == 0
        rank = leaking_start(problem, goal.start, self.inverse)
        self.rank, self.shares = rank.astype(dtype), np.tile((rank * self.inverse).astype(dtype), 2)
        self.due = _where(self.dangling, _NEVER, _NOW)
        weight = np.asarray(freezing.importance(graph), np.float64)
        self.limits = (weight * (allowed / max(weight.sum(), _TINY))).astype(np.float32)
        self.fixed = jump * problem.teleport
        self.weights = graph.reverse.arrays.weights if problem.weighted else np.empty(0)
        steps = min(_STEPS, 1 + (n + graph.m) // _STEP)
        offsets, sources, _ = graph.reverse.arrays
        self.cuts = balanced_cuts(offsets, steps * PARTS)
        number = vertex_dtype(2 * n)
        require(graph.m * number.itemsize + 40 * n, "ranks, and where arcs find them")
        self.places, self.line = np.empty(graph.m, number), np.empty(n, number)
        point(offsets, sources, self.cuts, np.uint64(n), self.places)
        self.round, self.done = 0, False

    def step(self) -> list[Did] | None:
        if self.done:
            return None
        before = self.rank.copy() if self.largest else self.rank
        arcs, change = self._sweep()
        extra = {"change": change}
        if self.largest:
            extra["largest"] = float(np.abs(self.rank - before).max(initial=0.0))
        self.round, self.done = self.round + 1, extra.get("largest", change) <= self.enough
        graph = self.problem.graph
        return [Did(graph.n, arcs, extra={**extra, "frozen": 1 - arcs / max(graph.m, 1)})]

    def values(self) -> np.ndarray:
        """The ranks, those of dangling vertices computed from the others'."""
        self.due = _where(self.dangling, _NOW, _NEVER)
        self._sweep()
        return self.rank.astype(np.float64)

    def _sweep(self) -> tuple[int, float]:
        entering = Entering(self.problem.graph.reverse.arrays.offsets, self.places, self.weights)
        ranks = Ranks(self.rank, self.shares, self.due, self.line)
        terms = Terms(self.limits, self.inverse, self.fixed, self.problem.damping)
        arcs, change = self.run.launch(
            sweep_in_place, entering, ranks, terms, self.cuts, np.uint32(self.round), self.run.threads, self.run.stop
        )
        return int(arcs), float(change)


def _where(chosen: np.ndarray, there: np.uint32, elsewhere: np.uint32) -> np.ndarray:
    return np.where(chosen, there, elsewhere).astype(np.uint32)


def take_slot(state, u, v, e):
    """What was last sent along arc e; `share` holds the slots of all arcs."""
    return state.share[e]


def take_slot_weighted(state, u, v, e):
    """The same, in proportion to the arc's weight."""
    return state.share[e] * state.weights[e]


class FrozenEdges:
    """Rounds of sending along the arcs that are not frozen, and summing what lies in the slots; float64."""

    def __init__(self, run: Run, goal: RankGoal, freezing: Freezing) -> None:
        self.problem, self.tol, self.largest, self.moving = goal.problem, goal.tol, goal.norm == "max", freezing.moving
        problem, graph = goal.problem, goal.problem.graph
        require(graph.m * 16, "a slot for every arc")
        self.groups = groups_of(graph, freezing.importance(graph))
        self.limits = freezing.allowance(graph.n) / 4.0 ** np.arange(1, BINS + 1)
        state = problem.ranks(goal.start.astype(np.float64))
        self.scale = np.ones(1)  # from a change of the share to that of an arc of mean weight
        if problem.totals is not None:
            self.scale = np.maximum(problem.totals / np.maximum(graph.out_degrees, 1), np.finfo(np.float64).tiny)
        self.sent = np.full(self.groups.bin.size, np.inf)  # so that the first round sends everything
        self.gather = take_slot_weighted if problem.weighted else take_slot
        self.state = state._replace(share=np.empty(graph.m), following=state.share)
        self.run, self.done = run, False

    def step(self) -> list[Did] | None:
        if self.done:
            return None
        state, graph = self.state, self.problem.graph
        frozen = send(
            self.groups, state.following, self.scale, self.sent, self.limits, self.moving, state.share, row_cuts(graph)
        )
        self.run.reduce(self.gather, settle, state, graph=graph.reverse)
        change, loose = compare(state.rank, state.renewed, state.inverse)
        largest = float(np.abs(state.renewed - state.rank).max()) if self.largest else 0.0
        state.scalars[1] = self.problem.spread(loose)
        self.state = state._replace(rank=state.renewed, renewed=state.rank)
        self.done = (largest if self.largest else change) <= self.tol
        extra = {"change": change, "frozen": int(frozen) / max(graph.m, 1)}
        return [Did(graph.n, graph.m - int(frozen), extra={**extra, "largest": largest} if self.largest else extra)]

    def values(self) -> np.ndarray:
        return self.state.rank


def groups_of(graph: Graph, importance: np.ndarray) -> Groups:
    """The graph's arcs in groups, made once and kept with it."""
    known, groups = graph.__dict__.get("_arc_groups", (None, None))
    if groups is None or not np.array_equal(known, importance):
        groups = arc_groups(graph, np.asarray(importance, np.float64))
        graph.__dict__["_arc_groups"] = importance, groups
    return groups
