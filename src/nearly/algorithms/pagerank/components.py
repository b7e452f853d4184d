"""PageRank one strongly connected component at a time (STIC-D: Garg and Kothapalli, 2016).

Ranks depend on the components upstream alone, so each component is brought to its end before the next one begins,
in topological order. Small components are taken together in batches, which one thread sweeps in place and in
order: where components are single vertices, one sweep is all it takes. A large one is swept by all threads, three
rounds in four over the vertices that still change, until a round over all of it changes little enough.
It solves the leaking system, which has no global term; redistribution over the teleport vector only scales that
solution. Tolerances are shared out so that all parts together keep `tol`; where scaling by a small sum leaves more,
plain sweeps over all vertices finish the work.

`freeze` is STIC-D as it was published and as Panyala et al. compare with it: within a component, small or large, a
vertex that a round has changed by no more than the tolerance is never computed again. That is less work, but what still
moves around a frozen vertex is lost; so the answer is certified by its own residual, not exact to `tol`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from nearly.algorithms.pagerank.components_kernels import ROUNDING, sweep_batch, topological
from nearly.algorithms.pagerank.problem import Problem, RankGoal
from nearly.algorithms.pagerank.residuals import Sent, leaking_start, renew, send
from nearly.algorithms.pagerank.sweeps import Sweeps
from nearly.algorithms.scc import scc
from nearly.engine.run import Did, Run

_LARGE = 16  # a component of more than 1/16 of the vertices and arcs is swept by all threads
_BATCH = 64  # small ones are taken together up to 1/64
_SAFE = 4  # parts keep a quarter of the tolerance: scaling may double a residual, and the ranks may sum to 1/2
_AGAIN = 4  # every so many rounds all vertices are looked at


class Components:
    """One part after the other; see the top of the file."""

    def __init__(self, run: Run, goal: RankGoal, freeze: bool = False) -> None:
        self.run, self.goal, self.problem, self.norm, self.tol = run, goal, goal.problem, goal.norm, goal.tol
        self.freeze = freeze
        problem, graph = goal.problem, goal.problem.graph
        inverse, jump = problem.inverse(np.float64), 1 - problem.damping
        rank = leaking_start(problem, goal.start, inverse)
        weights = graph.reverse.arrays.weights if problem.weighted else np.empty(0)
        scalars = np.array([problem.damping, 0.0])
        self.state = Sent(rank * inverse, rank, rank.copy(), inverse, jump * problem.teleport, weights, scalars)
        self.order, bounds = in_topological_order(run, problem)
        self.parts = self._parts(bounds)
        self.part, self.round, self.left = 0, 0, 0.0
        self.items = self.order[:0]
        self.finish: Sweeps | None = None

    def values(self) -> np.ndarray:
        return self.state.rank if self.finish is None else self.finish.values()

    def step(self) -> Sequence[Did] | None:
        if self.part == len(self.parts):
            return self._finish()
        low, high, large = self.parts[self.part]
        most = self.tol if self.freeze else self.tol / _SAFE
        share = most * (1 if self.norm == "max" else (high - low) / self.order.size)
        did, ended, total = self._sweep(low, high, share) if large else self._batch(low, high, share)
        self.round += 1
        if ended:
            self.part, self.round, self.left = self.part + 1, 0, self.left + total
        return [did]

    def _parts(self, bounds: np.ndarray) -> list[tuple[int, int, bool]]:
        """(low, high, whether it is one large component), as stretches of the order."""
        graph = self.problem.graph
        work = np.concatenate([[0], np.cumsum(graph.reverse.out_degrees[self.order].astype(np.int64) + 1)])[bounds]
        large, batch = work[-1] / _LARGE, work[-1] / _BATCH
        parts: list[tuple[int, int, bool]] = []
        begun = 0
        for k in np.flatnonzero(np.diff(work) > large).tolist():
            parts += [*_batches(bounds, work, begun, k, batch), (int(bounds[k]), int(bounds[k + 1]), True)]
            begun = k + 1
        return [*parts, *_batches(bounds, work, begun, bounds.size - 1, batch)]

    def _batch(self, low: int, high: int, share: float) -> tuple[Did, bool, float]:
        """Small components, all of them to the end."""
        graph, state = self.problem.graph, self.state
        offsets, targets, _ = graph.reverse.arrays
        items, largest = self.order[low:high].copy(), self.norm == "max"
        limit = self._limit(low, high, share) if self.freeze else -1.0
        ends = np.array([share, limit])
        arcs, total = self.run.launch(sweep_batch, offsets, targets, state, items, ends, largest, self.run.stop)
        return Did(high - low, int(arcs), extra={"change": float(total)}), True, float(total)

    def _limit(self, low: int, high: int, share: float) -> float:
        """A change that counts as none, of one of the vertices that may change by `share` together."""
        return share if self.norm == "max" else share / (high - low)

    def _sweep(self, low: int, high: int, share: float) -> tuple[Did, bool, float]:
        """One round in a large component; only one in which all vertices took part can be the last.

        Where vertices are frozen for good, the last is one in which few changes are left among those that are not.
        """
        state, everything = self.state, self.round == 0 if self.freeze else self.round % _AGAIN == 0
        items = self.order[low:high] if everything or not self.items.size else self.items
        arcs = self.run.reduce(self.problem.gather, renew, state, items, graph=self.problem.graph.reverse).edges
        moved = np.abs(state.rank[items] - state.sent[items])
        self.run.each(send, state, items)
        total, largest = float(moved.sum()), float(moved.max(initial=0.0))
        self.items = items[moved > self._limit(low, high, share)]
        still = (largest if self.norm == "max" else total) > share + ROUNDING * float(state.rank[items].sum())
        extra = {"change": total, "frozen": 1 - items.size / (high - low)}
        whole = self.freeze or items.size == high - low
        return Did(items.size, arcs, extra=extra), whole and not still, total

    def _finish(self) -> Sequence[Did] | None:
        """Sweeps over everything if the parts' residuals together, scaled as the ranks will be, are too large."""
        if self.freeze:
            return None
        if self.finish is None:
            scale = 1.0 if self.problem.leak else 2 / float(self.state.rank.sum())
            if scale * self.problem.damping * self.left <= self.goal.allowed:
                return None
            start = self.problem.normalise(self.state.rank.copy())
            self.finish = Sweeps(self.run, self.goal._replace(start=start))
        return self.finish.step()


def _batches(bounds: np.ndarray, work: np.ndarray, first: int, last: int, most: float) -> list[tuple[int, int, bool]]:
    """Components first to last - 1 as stretches of about `most` work."""
    if first == last:
        return []
    pieces = int((work[last] - work[first]) // most) + 1
    goals = work[first] + (work[last] - work[first]) * np.arange(1, pieces) / pieces
    cuts = np.unique(np.concatenate([[first], np.searchsorted(work, goals), [last]]))
    return [(int(bounds[a]), int(bounds[b]), False) for a, b in pairwise(cuts)]


def in_topological_order(run: Run, problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """All vertices, one component after the other, upstream first; and where each component begins."""
    graph = problem.graph
    label = scc(graph, threads=run.threads).values.astype(np.int64)
    component = (np.cumsum(label == np.arange(graph.n)) - 1)[label]
    member = np.argsort(component, kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(component))]).astype(np.uint64)
    order, bounds = np.empty(graph.n, graph.arrays.targets.dtype), np.zeros(first.size, np.int64)
    topological(*graph.arrays[:2], component.astype(np.uint64), member.astype(np.uint64), first, order, bounds)
    return order, bounds
