"""PageRank by rounds in place, the past ones combined: the fastest way there is here, and the default.

A round takes its vertices in pieces of equal arcs, which take turns in a few phases (`layout`). A vertex reads what
other pieces were before the phase and, where the numbering is local, what vertices of its own piece have just become
(Gauss-Seidel). Dangling vertices are left out until the end. Jumps hand out what is left to a sum of 1: for ranks x
that sum to 1, c = (1 - d) + d (mass on dangling vertices) is 1 - d (mass on the others), and with
x = (1 - d sum(x)) p + d A x on the vertices that are not dangling, the dangling ones make the sum 1.

Every five rounds the last ranks are combined (`combination`). This takes slow parts of the error out, and halves to
quarters the number of rounds. A combination after which the next round changes more than the one before it is taken
back. On an undirected graph with jumps to everywhere, ranks begin near degrees, which would stay if there were
no jumps, and are first combined after three rounds.

When it ends: after a round, what one more plain round would change is d times what later vertices changed since an
earlier one read them, plus the drift of c; so d (sum of changes) + drift bounds it. Dangling vertices are then
computed from what the others hand on. Ranks are divided by their sum at last, which moves c by as much as the sum is
off 1: that is added.

Numbers are float32 on large graphs: half the cache. The iterate is then x = base + e with a float64 base and a
float32 e. When changes come close to e's rounding, e is added to the base, one float64 round gives what is left, and e
starts again, small. Should changes not end within 300 rounds, plain sweeps finish: they shrink any error by d.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nearly.algorithms.pagerank.combination import KEPT, PRODUCTS, STEPS
from nearly.algorithms.pagerank.in_place_kernels import (
    ANCHOR,
    AT,
    CHECK,
    DAMPING,
    HELD,
    SIGNED,
    SINCE,
    TAKEN,
    WAIT,
    Flow,
    finish,
    prepare,
)  # fmt: skip
from nearly.algorithms.pagerank.layout import by_order, layout_of
from nearly.algorithms.pagerank.play import JOB, JOBS, Played, play
from nearly.algorithms.pagerank.problem import SINGLE, RankGoal
from nearly.algorithms.pagerank.sweeps import Sweeps
from nearly.base.team import team_for
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

_TILED = 32  # rounding errors of a sum in float32, in its epsilon: those of a thousand arcs
_AT_ONCE = 1 << 25  # arcs that rounds of one compiled call may read: a tenth of a second at most
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
        self.by_degrees = goal.any_start and not graph.directed and problem.teleport.size == 1
        past = np.empty((int(KEPT), graph.n), self.dtype)  # rounds write a row before they read it
        inverse, weights = self._prepare(past[0])
        teleport = problem.teleport.astype(self.dtype)
        fixed = (1 - problem.damping) * teleport if problem.leak else np.zeros(1, self.dtype)
        layout = layout_of(problem, inverse)
        if layout.order.size:  # but not the dangling vertices there
            past[1:, np.flatnonzero(inverse == 0)] = 0
        if weights.size:
            weights = by_order(layout.offsets, weights, layout.cuts, layout.order)
        self.cuts = layout.cuts
        given = np.empty((1 if self.cuts.size == 2 else 2) * graph.n, self.dtype)
        totals = np.empty((run.threads, int(np.diff(self.cuts).max()) if layout.tiles.strips.size else 0), self.dtype)
        phases = np.array([layout.phases], np.uint64)
        sums = (totals, phases, weights, given, past, inverse, fixed.astype(self.dtype), teleport)
        self.flow = Flow(*layout[:5], *layout.tiles, *sums)
        self.numbers, self.marks = np.zeros(6), np.zeros(6, np.uint64)
        room = (np.empty((self.cuts.size - 1, 3)), np.empty((self.cuts.size - 1, PRODUCTS)), np.empty(STEPS))
        self.played = Played(*room, self.numbers, self.marks, np.empty(1))
        self.numbers[DAMPING] = problem.damping
        if not problem.leak:
            self.numbers[ANCHOR], self.numbers[TAKEN] = 1.0, problem.damping
        self.base: np.ndarray | None = None
        self.size = 1.0  # bounds the L1 norm of e
        self.rounds, self.done, self.used_up = 0, False, False
        self.finish: Sweeps | None = None
        self.ranks: np.ndarray | None = None  # those at the end
        self._begin(3 if self.by_degrees else int(KEPT) - 1)

    def _prepare(self, ranks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Write the first ranks; what ranks are multiplied by at their vertex and at an arc (nothing there for 1)."""
        problem, goal, graph = self.problem, self.goal, self.problem.graph
        if not problem.weighted and goal.any_start and problem.teleport.size == 1:
            inverse, everywhere, damping = np.empty(graph.n, self.dtype), float(problem.teleport[0]), problem.damping
            line = ((1 - damping) * everywhere, damping / max(graph.m, 1)) if self.by_degrees else (everywhere, 0.0)
            self.run.launch(prepare, graph.rows[0], np.array([damping, *line]), inverse, ranks)
            return inverse, np.empty(0, self.dtype)
        inverse, weights = problem.shares(self.dtype)
        inverse *= self.dtype.type(problem.damping)
        start = problem.by_degrees() if self.by_degrees else goal.start
        ranks[:] = 0
        np.copyto(ranks, start, "same_kind", inverse > 0)
        return inverse, weights

    def aim(self, tol: float) -> None:
        """Go on, or end, at this tolerance instead."""
        self.tol, self.goal, self.done = tol, self.goal._replace(tol=tol), False
        if self.finish is not None:
            self.finish.aim(tol)

    def keep(self) -> dict[str, Any] | None:
        """The ranks held and how far they are; see `nearly.engine.checkpoint`. Plain sweeps at the end keep nothing."""
        if self.finish is not None or self.done:
            return None
        arrays = {"past": self.flow.past, "given": self.flow.given, "fixed": self.flow.fixed}
        arrays |= {"numbers": self.numbers, "marks": self.marks, "spread": self.played.spread}
        arrays |= {"factors": self.played.factors, "parts": self.played.parts, "sums": self.played.sums}
        if self.base is not None:
            arrays["base"] = self.base
        return {**arrays, "size": self.size, "rounds": self.rounds, "used_up": bool(self.used_up)}

    def take(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.flow = self.flow._replace(fixed=state["fixed"])
        self.flow.past[:], self.flow.given[:] = state["past"], state["given"]
        self.numbers[:], self.marks[:] = state["numbers"], state["marks"]
        for name in ("spread", "factors", "parts", "sums"):
            getattr(self.played, name)[:] = state[name]
        self.base = state.get("base")
        self.size, self.rounds, self.used_up = float(state["size"]), int(state["rounds"]), bool(state["used_up"])

    def values(self) -> np.ndarray:
        """The ranks as they are now; those that a judgement has looked at are not computed again."""
        ranks, self.ranks = self.ranks, None
        return self._values() if ranks is None else ranks

    def _values(self) -> np.ndarray:
        if self.finish is not None:
            return self.finish.values()
        if not self.rounds:
            return np.array(self.goal.start, np.float64)
        if self.flow.order.size and self.marks[HELD]:  # else nothing was handed on since the base was made
            self.run.launch(finish, self.flow, self.marks[AT], self.cuts, self.numbers)
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

    def _begin(self, wait: int) -> None:
        """Nothing is held but the ranks at AT, and nothing of them has been handed on."""
        self.marks[HELD], self.marks[WAIT], self.marks[SINCE], self.marks[CHECK] = 0, wait, 0, 0

    def _play(self) -> Sequence[Did]:
        """Rounds in one compiled call, until one is the last or the last that the digits could resolve."""
        graph = self.problem.graph
        rounding = self._rounding()
        enough = max(self.tol - rounding, 2 * rounding / (1 - self.problem.damping))
        most = 1 if self.run.techniques else min(_ROUNDS, self.run.rounds_left, 1 + _AT_ONCE // (graph.n + graph.m))
        done, none = np.empty((most, 2)), np.inf
        wanted = np.array([self.goal.allowed, enough] if self.largest else [enough, none])
        team = team_for(1 + most * (2 * int(self.flow.phases[0]) + JOBS), JOB)
        count = int(self.run.launch(play, team, self.flow, self.cuts, self.played, wanted, done, self.run.stop).sum())
        self.rounds += count
        if count:
            self._judge(float(done[count - 1, 0]), float(done[count - 1, 1]), rounding)
        return PlayedRounds(done[:count], graph, self.largest)

    def _rounding(self) -> float:
        """What the rounding of e may hide of a change."""
        size = float(np.abs(self.flow.past[int(self.marks[AT])]).max()) if self.largest else self.size
        return (_TILED if self.flow.strips.size else 2) * _EPSILON[self.dtype] * size

    def _judge(self, change: float, largest: float, rounding: float) -> None:
        """Whether this was the last round, or the last that e's digits could resolve."""
        seen = largest if self.largest else change
        self.done = seen + rounding <= self.tol and change <= self.goal.allowed
        if self.done and not self.problem.leak:
            ranks = self._values()
            off = abs(float(ranks.sum()) - 1.0)
            most = off * float(self.problem.teleport.max()) if self.largest else off
            self.done = seen + rounding + most <= self.tol and change + off <= self.goal.allowed
            self.ranks = ranks if self.done else None
        self.used_up = not self.done and seen <= 2 * rounding / (1 - self.problem.damping)

    def _rebase(self) -> Did:
        """One exact round; the rest of the way is a small e on top of the base."""
        problem = self.problem
        self.base = problem.normalise(self.values())
        r = problem.image(self.run, self.base)
        r -= self.base
        change, largest = float(np.abs(r).sum()), float(np.abs(r).max())
        self.flow = self.flow._replace(fixed=r.astype(self.dtype))
        self.flow.past[:] = 0
        self.marks[AT], self.marks[SIGNED], self.numbers[ANCHOR] = 0, 1, 0.0
        self.size = change / (1 - problem.damping)
        self.rounds += 1
        self._begin(int(KEPT) - 1)
        self._judge(change, largest, self._rounding())
        self.used_up = False
        extra = {"change": change, "largest": largest} if self.largest else {"change": change}
        return Did(problem.graph.n, problem.graph.m, extra=extra)
