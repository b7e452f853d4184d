"""Brandes' passes as rounds of the engine's operators, for the policies that cut work their own way.

A source takes one breadth-first search under the policy, then one reduction of in-rows per level for the number of
paths, and one reduction of out-rows per level, deepest first, for the dependencies. Under `topology` every
reduction goes over all vertices; under the other policies over the level's, whose rows `split` and `heavy-light` cut.
Copies of vertices share level and number of paths with the vertex they copy, whose dependency is the sum of theirs; or,
where values are to be merged by their mean, as Graffix does, the mean.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nearly.algorithms.betweenness.forward import FEW
from nearly.algorithms.betweenness.recount import HUGE, Tally, recount
from nearly.algorithms.bfs import UNREACHED, Levels, reach, unreached
from nearly.base.jit import kernel
from nearly.base.random import draw
from nearly.base.unsigned import U0, U1
from nearly.engine.devices import by_device
from nearly.engine.functor import functor
from nearly.engine.functor_wrappers import set_dial
from nearly.engine.operators.advance import Advance
from nearly.engine.run import Did, Run


class Passes(NamedTuple):
    level: np.ndarray  # uint32[n]
    now: np.ndarray  # uint32[2]: the level being summed, and the one it reads
    sigma: np.ndarray  # paths from the source
    part: np.ndarray  # (1 + delta) / sigma
    sums: np.ndarray
    arc_sums: np.ndarray  # empty where arcs do not count
    one: np.ndarray  # float64[1]: 1 if a path counts for its ends
    offsets: np.ndarray  # of the graph's rows
    dial: np.ndarray  # uint64[2]: the source's draw of arcs, and the largest that stays
    scale: np.ndarray  # float64[1]: what a drawn arc counts


def count_paths(state, u, v, e):
    """The paths that reach v through u."""
    return state.sigma[u] if state.level[u] == state.now[1] else 0.0


def keep_paths(state, v, total):
    """The paths that reach v."""
    if state.level[v] == state.now[0]:
        state.sigma[v] = total


def depend(state, u, v, e):
    """What v's dependency owes to its arc e to u."""
    part = state.part[u] if state.level[u] == state.now[1] else 0.0
    if state.arc_sums.size and part > 0.0 and state.level[v] == state.now[0]:
        state.arc_sums[e] += state.sigma[v] * part
    return part


depends = functor(depend)


def depend_partly(state, u, v, e):
    """`depend` on the arcs drawn for this source, of vertices that have many."""
    if state.offsets[v + U1] - state.offsets[v] <= FEW:
        return depends(state, u, v, e)
    return depends(state, u, v, e) * state.scale[0] if draw(state.dial[0], e) <= state.dial[1] else 0.0


def keep_dependency(state, v, total):
    """Book v's dependency, and leave its part for the level before."""
    if state.level[v] == state.now[0]:
        delta = state.sigma[v] * total
        state.part[v] = (1.0 + delta) / state.sigma[v]
        state.sums[v] += delta + state.one[0]


@kernel
def gather_parts(slot, of, level, depth, sigma, part):
    """Add the dependencies of copies on level `depth` to what their vertices leave for the level before."""
    for i in range(np.uint64(slot.size)):
        if level[slot[i]] == depth:
            part[of[i]] += part[slot[i]] - 1.0 / sigma[of[i]]


@kernel
def average_parts(groups, level, depth, sigma, part, sums):
    """Give vertices of level `depth` the mean of their dependency and their copies', and book that in its place."""
    heads, first, slot = groups
    for i in range(np.uint64(heads.size)):
        h = np.uint64(heads[i])
        if level[h] == depth:
            own = part[h] * sigma[h] - 1.0
            total = own
            for j in range(first[h], first[h + U1]):
                total += part[slot[j]] * sigma[h] - 1.0
            mean = total / np.float64(U1 + first[h + U1] - first[h])
            sums[h] += mean - own
            part[h] = (1.0 + mean) / sigma[h]


@kernel
def gather_sums(slot, of, level, one, averaged, sums):
    """Add what copies have booked to what their vertices have, unless these have the mean of it already; returns how
    many copies were reached."""
    reached = U0
    for i in range(np.uint64(slot.size)):
        if level[slot[i]] != UNREACHED:
            reached += U1
            if sums[slot[i]] != 0.0:
                sums[of[i]] += 0.0 if averaged else sums[slot[i]] - one
                sums[slot[i]] = 0.0
    return reached


@by_device("nearly.algorithms.betweenness.cuda")
def level_rounds(run: Run, sums: np.ndarray, arc_sums: np.ndarray, endpoints: bool) -> Any:
    """What adds up dependencies level by level."""
    return LevelRounds(run, sums, arc_sums, endpoints)


class LevelRounds:
    """One source after another, into `sums` and `arc_sums`."""

    def __init__(self, run: Run, sums: np.ndarray, arc_sums: np.ndarray, endpoints: bool) -> None:
        self.run, n, self.copies = run, run.graph.n, None if run.mapped is None else run.mapped.copies
        self.averaged = self.copies is not None and self.copies.merge == "mean"
        self.groups = None if self.copies is None else self.copies.groups
        level, one = np.empty(n, np.uint32), np.array([float(endpoints)])
        visits = run.visits() if arc_sums.size == 0 else None
        self.keep = 1.0 if visits is None else visits.share
        part = (run.graph.arrays.offsets, np.zeros(2, np.uint64), np.array([1 / self.keep]))
        self.state = Passes(level, np.zeros(2, np.uint32), np.zeros(n), np.zeros(n), sums, arc_sums, one, *part)
        self.forward = run.graph.reverse, count_paths, keep_paths
        self.backward = run.graph, depend if self.keep == 1.0 else depend_partly, keep_dependency

    def add(self, source: int) -> Did:
        """Add one source's dependencies; says what that took."""
        state, before = self.state, float(self.state.sums[source])
        set_dial(state.dial, self.run.seed, source, self.keep)
        edges, order, ends = self._levels(source)
        state.sigma[self._group(source)] = 1.0
        for depth in range(1, ends.size - 1):
            edges += self._reduce(self.forward, order, ends, depth, depth - 1)
            if self.copies is not None:
                state.sigma[self.copies.slot] = state.sigma[self.copies.of]
        huge = bool(state.sigma[order].max() >= HUGE)  # then dependencies of copies are summed whatever the rule
        if not huge:
            for depth in range(ends.size - 2, -1, -1):
                edges += self._reduce(self.backward, order, ends, depth, depth + 1)
                if self.averaged:
                    average_parts(self.groups, state.level, np.uint32(depth), state.sigma, state.part, state.sums)
                elif self.copies is not None:
                    gather_parts(*self._pairs, state.level, np.uint32(depth), state.sigma, state.part)
        else:
            rows, tally = self.run.graph.rows, Tally(state.sums, state.arc_sums, state.one[0])
            of = order[:0] if self.copies is None else self.copies.originals
            recount(rows, state.level, order, np.uint64(order.size), tally, of)
        counted = order.size
        if self.copies is not None:
            averaged = self.averaged and not huge
            counted -= int(gather_sums(*self._pairs, state.level, state.one[0], averaged, state.sums))
        state.sums[source] = before + state.one[0] * (counted - 1)
        return Did(order.size, edges)

    @property
    def _pairs(self) -> tuple[np.ndarray, np.ndarray]:
        assert self.copies is not None
        return self.copies.slot, self.copies.of

    def fetch(self) -> None:
        """Sums are here at all times."""

    def _levels(self, source: int) -> tuple[int, np.ndarray, np.ndarray]:
        """Levels by breadth-first search; arcs visited, the reached vertices by level, where each level starts."""
        level, graph, edges = self.state.level, self.run.graph, 0
        level[:] = UNREACHED
        begin = self._group(source)
        level[begin] = 0
        levels = Levels(level, level)
        search = Advance(self.run, graph, reach, levels, wants=unreached, copies=self.copies).start(begin)
        while did := search.step():
            edges += sum(d.edges for d in did)
        seen = np.flatnonzero(level != UNREACHED)
        order = seen[np.argsort(level[seen], kind="stable")].astype(graph.arrays.targets.dtype)
        ends = np.searchsorted(level[order], np.arange(int(level[order[-1]]) + 2))
        return edges, order, ends

    def _group(self, source: int) -> Any:
        """A vertex of the graph worked on, and its copies."""
        return [source] if self.copies is None else self.copies.group(source)

    def _reduce(self, sweep: Any, order: np.ndarray, ends: np.ndarray, depth: int, reads: int) -> int:
        self.state.now[:] = depth, reads
        graph, gather, apply = sweep
        items = None if self.run.policy == "topology" else order[ends[depth] : ends[depth + 1]]
        return self.run.reduce(gather, apply, self.state, items, graph=graph).edges
