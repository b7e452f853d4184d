"""PageRank by rounds in place, the past ones combined: the fastest way there is here, and the default.

A round takes its vertices in pieces of equal arcs. Inside a piece each vertex reads what those before it have just
become (Gauss-Seidel), of other pieces what they were before the phase; pieces take turns in a few phases. Pieces are
cut by the graph alone, so that the answer is the same for any number of threads. Jumps hand out as much as keeps the
sum, as in a plain round: with y = c(y) p + d A y and c(y) = (1 - d) sum(y) + d (mass on dangling vertices), any
solution is a multiple of the ranks.

After every five rounds the last six ranks are combined, with factors of sum 1 for which the steps between them cancel
best (reduced rank extrapolation: Eddy 1979, Mesina 1977; Smith, Ford and Sidi 1987). This takes slow parts of the
error out, whatever their rates are, and halves to quarters the number of rounds. A combination after which the next
round changes more than the one before it is taken back.

When it ends: after a round, what one more plain round would change is d times what later vertices changed since an
earlier one read them, plus the drift of c; so d (sum of changes) + drift, over the sum, bounds it.

Numbers are float32 on large graphs: half the cache. The iterate is then x = base + e with a float64 base and a
float32 e. When changes come close to e's rounding, e is added to the base, one float64 round gives what is left, and e
starts again, small. Should changes not end within 300 rounds, plain sweeps finish: they shrink any error by d.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nearly.algorithms.pagerank.in_place_kernels import (
    AT,
    CHECK,
    DAMPING,
    HELD,
    KEPT,
    OFFSET,
    SINCE,
    WAIT,
    Flow,
    play,
)  # fmt: skip
from nearly.algorithms.pagerank.problem import SINGLE, RankGoal
from nearly.algorithms.pagerank.sweeps import Sweeps
from nearly.engine.row_pieces import balanced_cuts
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

SMALL = 1 << 16  # arcs and vertices that are one piece
FEW_PHASES, MANY_PHASES = 4, 16  # more of them take fewer rounds, and are worth it where each has enough to do
_PIECE, _PIECES = 1 << 15, 256  # arcs and vertices of a piece, at least; pieces, at most
_AT_ONCE = 1 << 22  # arcs that rounds of one compiled call may read
_ROUNDS, _ENOUGH = 64, 300  # rounds of one call, and rounds after which plain sweeps finish
_EPSILON = {np.dtype(t): float(np.finfo(t).eps) for t in (np.float32, np.float64)}


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


class InPlace:
    """Rounds in place; see the top of the file."""

    def __init__(self, run: Run, goal: RankGoal) -> None:
        self.run, self.goal, self.problem = run, goal, goal.problem
        self.tol, self.largest = goal.tol, goal.norm == "max"
        graph, problem = goal.problem.graph, goal.problem
        self.dtype = np.dtype(np.float32 if graph.n + graph.m > SINGLE else np.float64)
        self.cuts, self.phases = pieces_of(graph.reverse)
        inverse, weights = problem.shares(self.dtype)
        inverse *= self.dtype.type(problem.damping)
        teleport = problem.teleport.astype(self.dtype)
        fixed = (1 - problem.damping) * teleport if problem.leak else np.zeros(1, self.dtype)
        past, both = np.empty((int(KEPT), graph.n), self.dtype), np.empty(2 * graph.n, self.dtype)
        past[0] = goal.start
        self.flow = Flow(*graph.reverse.rows[:2], weights, both, past, inverse, fixed.astype(self.dtype), teleport)
        self.numbers, self.marks = np.zeros(6), np.zeros(5, np.uint64)
        self.numbers[DAMPING], self.numbers[OFFSET] = problem.damping, -1.0 if problem.leak else 0.0
        self.base: np.ndarray | None = None
        self.size = 1.0  # bounds the L1 norm of e
        self.rounds, self.done, self.used_up = 0, False, False
        self.finish: Sweeps | None = None
        self._begin()

    def values(self) -> np.ndarray:
        if self.finish is not None:
            return self.finish.values()
        x = self.flow.past[int(self.marks[AT])].astype(np.float64)
        if self.base is not None:
            x += self.base
        return x

    def step(self) -> Sequence[Did] | None:
        if self.finish is not None:
            return self.finish.step()
        if self.done:
            return None
        if self.used_up:
            return [self._rebase()]
        if self.rounds >= _ENOUGH:
            start = self.problem.normalise(self.values())
            self.finish = Sweeps(self.run, self.goal._replace(start=start))
            return self.finish.step()
        return self._play()

    def _begin(self) -> None:
        """Nothing is held but the ranks at AT, and nothing of them has been handed on."""
        self.marks[HELD], self.marks[WAIT], self.marks[SINCE], self.marks[CHECK] = 0, int(KEPT) - 1, 0, 0

    def _play(self) -> Sequence[Did]:
        """Rounds in one compiled call, until one is the last or the last that the digits could resolve."""
        graph = self.problem.graph
        rounding = self._rounding()
        enough = max(self.tol - rounding, 2 * rounding / (1 - self.problem.damping))
        most = 1 if self.run.techniques else min(_ROUNDS, self.run.rounds_left, 1 + _AT_ONCE // (graph.n + graph.m))
        done, none = np.empty((most, 2)), np.inf
        wanted = np.array([self.goal.allowed, enough] if self.largest else [enough, none])
        marks, numbers, stop = self.marks, self.numbers, self.run.stop
        count = int(self.run.launch(play, self.flow, self.cuts, self.phases, numbers, marks, wanted, done, stop))
        self.rounds += count
        if count:
            self._judge(float(done[count - 1, 0]), float(done[count - 1, 1]), rounding)
        return PlayedRounds(done[:count], graph, self.largest)

    def _rounding(self) -> float:
        """What the rounding of e may hide of a change."""
        size = float(np.abs(self.flow.past[int(self.marks[AT])]).max()) if self.largest else self.size
        return 2 * _EPSILON[self.dtype] * size

    def _judge(self, change: float, largest: float, rounding: float) -> None:
        """Whether this was the last round, or the last that e's digits could resolve."""
        seen = largest if self.largest else change
        self.done = seen + rounding <= self.tol and change <= self.goal.allowed
        self.used_up = not self.done and seen <= 2 * rounding / (1 - self.problem.damping)

    def _rebase(self) -> Did:
        """One exact round; the rest of the way is a small e on top of the base."""
        problem = self.problem
        self.base = problem.normalise(self.values())
        r = problem.image(self.run, self.base)
        r -= self.base
        change, largest = float(np.abs(r).sum()), float(np.abs(r).max())
        self.flow = self.flow._replace(fixed=r.astype(self.dtype))
        self.flow.past[0] = 0
        self.marks[AT] = 0
        if not problem.leak:
            self.numbers[OFFSET] = 1.0
        self.size = change / (1 - problem.damping)
        self.rounds += 1
        self._begin()
        self._judge(change, largest, self._rounding())
        self.used_up = False
        extra = {"change": change, "largest": largest} if self.largest else {"change": change}
        return Did(problem.graph.n, problem.graph.m, extra=extra)


def pieces_of(graph: Graph) -> tuple[np.ndarray, np.uint64]:
    """Where pieces of equal arcs begin, and in how many phases they take turns; by the graph alone."""
    work = graph.n + graph.m
    if work < SMALL:
        return np.array([0, graph.n], np.uint64), np.uint64(1)
    phases = MANY_PHASES if work >= 4 * MANY_PHASES * _PIECE else FEW_PHASES
    pieces = min(_PIECES, phases * max(1, work // (phases * _PIECE)))
    return balanced_cuts(graph.arrays.offsets, pieces), np.uint64(phases)
