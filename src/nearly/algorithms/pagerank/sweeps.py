"""PageRank by sweeps over all vertices, round after round.

A sweep costs 4 bytes an arc (the neighbour's number) and one random read of a number, so these numbers are float32:
half the cache. The iterate is kept as x = base + e with a float64 base and a float32 e. F is affine, so base + e goes
to base + (F(base) - base) + L(e), L being F's linear part: the next e is r + L(e) with a fixed r. At first base = 0.
When the changes come close to e's rounding, e is added to the base, one float64 sweep gives the new r, and e starts
again, small: the float32 digits now resolve the small remainder. So all but a sweep or two run in float32 whatever
`tol` is. A small graph stays in float64. Techniques that change what a round does work with these sweeps, and so do
policies; the default is `in_place`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import prange

from nearly.algorithms.pagerank.problem import SINGLE, RankGoal, Ranks, in_order, settle
from nearly.base.jit import SUM_ORDER_FREE, kernel, parallel_kernel
from nearly.base.unsigned import U1, piece_bounds
from nearly.engine.primitives import PIECES
from nearly.engine.run import Did, Run
from nearly.engine.transform.clusters import Inside, reduce_inside
from nearly.engine.transform.replicas import Copies

_EPSILON = {np.dtype(t): float(np.finfo(t).eps) for t in (np.float32, np.float64)}


class Sweeps:
    """All vertices each round; see the top of the file."""

    settle = staticmethod(settle)  # what becomes of the sum over a vertex's in-arcs

    def __init__(self, run: Run, goal: RankGoal) -> None:
        self.run, self.problem, self.tol, self.largest = run, goal.problem, goal.tol, goal.norm == "max"
        problem, graph, self.gather = goal.problem, goal.problem.graph, goal.problem.gather
        self.dtype = np.dtype(np.float32 if graph.n + graph.m > SINGLE else np.float64)
        self.base: np.ndarray | None = None
        self.state = problem.ranks(goal.start.astype(self.dtype))
        self.size = 1.0  # bounds the L1 norm of e
        self.done = self.used_up = False
        self.rounds, self.fresh, self.ripe = 0, True, False
        alone = run.mapped is not None and run.mapped.clusters is not None and problem.copies is None
        self.inside = Inside(run, graph.reverse, reduce_inside(problem.gather, set_apart, resettle)) if alone else None

    def aim(self, tol: float) -> None:
        """Go on, or end, at this tolerance instead."""
        self.tol, self.done = tol, False

    def values(self) -> np.ndarray:
        x = self.state.rank.astype(np.float64)
        if self.base is not None:
            x += self.base
        return x

    def step(self) -> Sequence[Did] | None:
        if self.done:
            return None
        if self.used_up:
            return [self._rebase()]
        return [self._sweep()]

    def _sweep(self) -> Did:
        state, problem = self.state, self.problem
        edges = self._gathered(state)
        fresh, self.fresh = self.fresh, problem.copies is None or self._merge(problem.copies, state)
        change, loose = compare(state.rank, state.renewed, state.inverse)
        largest = float(np.abs(state.renewed - state.rank).max()) if self.largest else 0.0
        state.scalars[1] = problem.spread(loose)
        self.state = state.turned()
        did = self._judge(edges, change, largest)
        self.ripe, self.done = self.done, self.done and fresh  # what copies handed on may have been old
        over = self.done or self.used_up
        return did if over or self.inside is None else self._iterate_clusters(self.inside, did)

    def _gathered(self, state: Ranks) -> int:
        """The new ranks, into the state; how many arcs that visited."""
        return self.run.reduce(self.gather, self.settle, state, graph=self.problem.graph.reverse).edges

    def _iterate_clusters(self, inside: Inside, did: Did) -> Did:
        """Bring the ranks inside each cluster nearer to where they go if those outside stay."""
        state = self.state
        edges = inside(state._replace(share=state.following), state)
        if not self.problem.leak:  # keep the sum: an error in it would fade by no more than d a round
            total = float(state.rank.sum(dtype=np.float64))
            more = (1 / total - 1) * state.rank if self.base is None else -total * self.base
            np.add(state.rank, more, out=state.rank, casting="same_kind")
        state.scalars[1] = self.problem.spread(self.problem.hand_out(state.rank, state.inverse, state.share))
        return did._replace(edges=did.edges + edges)

    def _merge(self, copies: Copies, state: Ranks) -> bool:
        """Let copies know what their vertices hand on from now on, if that is due in this round; whether it was."""
        self.rounds += 1
        due = self.rounds % copies.every == 0 if copies.every else self.ripe
        slot, of = copies.slot, copies.of
        if due and copies.merge == "mean":
            merge_ranks(copies.heads, copies.first, slot, state)
        state.following[slot] = state.following[of] if due else state.share[slot]
        return due

    def _rebase(self) -> Did:
        """One exact round; the rest of the way is a small e on top of the base."""
        self.base = self.problem.normalise(self.values())  # rounding's error in the sum would only fade by d a round
        r = self.problem.image(self.run, self.base)
        r -= self.base
        change, largest = float(np.abs(r).sum()), float(np.abs(r).max())
        state = self.state = self.state._replace(rank=r.astype(self.dtype), fixed=r.astype(self.dtype))
        state.scalars[1] = self.problem.spread(self.problem.hand_out(state.rank, state.inverse, state.share))
        self.size = change / (1 - self.problem.damping)
        self.fresh = True
        return self._judge(self.problem.graph.m, change, largest)

    def _judge(self, edges: int, change: float, largest: float) -> Did:
        """Whether this was the last round, or the last that e's digits could resolve."""
        size = float(np.abs(self.state.rank).max()) if self.largest else self.size
        seen, rounding = largest if self.largest else change, 2 * _EPSILON[np.dtype(self.dtype)] * size
        self.done = seen + rounding <= self.tol
        self.used_up = seen <= 2 * rounding / (1 - self.problem.damping)  # roundings may go round in circles above that
        extra = {"change": change, "largest": largest} if self.largest else {"change": change}
        return Did(self.problem.graph.n, edges, extra=extra)


def set_apart(state, v, total):
    """What of v's rank comes from outside its cluster; `renewed` is free between rounds."""
    state.renewed[v] = state.rank[v] - state.scalars[0] * total


def resettle(state, v, total):
    """v's rank once more, with what now comes from inside its cluster; by how much it changed."""
    new, old = state.renewed[v] + state.scalars[0] * total, state.rank[v]
    state.rank[v] = new
    state.share[v] = new * state.inverse[v]
    return abs(np.float64(new) - np.float64(old))


@kernel
def merge_ranks(heads, first, slot, state):
    """The paper's merging: a vertex's rank becomes the mean of its own and of those its copies still stand for."""
    for i in range(np.uint64(heads.size)):
        v = np.uint64(heads[i])
        if state.inverse[v] > 0.0:
            total = np.float64(state.renewed[v])
            for j in range(first[v], first[v + U1]):
                total += np.float64(state.share[slot[j]]) / np.float64(state.inverse[v])
            state.renewed[v] = total / np.float64(U1 + first[v + U1] - first[v])
            state.following[v] = state.renewed[v] * state.inverse[v]


@kernel(fastmath=SUM_ORDER_FREE)
def compare_piece(rank, renewed, inverse, low, high):
    """The sum of changes, and the new ranks' mass on dangling vertices."""
    total, loose = 0.0, 0.0
    for v in range(low, high):
        new = np.float64(renewed[v])
        total += abs(new - np.float64(rank[v]))
        loose += new if inverse[v] == 0.0 else 0.0
    return total, loose


@parallel_kernel
def compare(rank, renewed, inverse):
    """`compare_piece` for all vertices, as sums over fixed pieces in order."""
    sums = np.zeros((2, PIECES), np.float64)
    for p in prange(PIECES):
        low, high = piece_bounds(np.uint64(rank.size), p, PIECES)
        sums[0, p], sums[1, p] = compare_piece(rank, renewed, inverse, low, high)
    return in_order(sums[0]), in_order(sums[1])
