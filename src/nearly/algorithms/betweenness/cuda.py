"""Brandes' passes on the device: a search that lists vertices level by level, then one reduction per level each way.

The next level is written behind the current one, so that the search leaves the vertices in order. It goes by
frontiers under every policy; under `topology` the reductions go over all vertices. Sums stay on the device until asked
for. Copies of vertices are seen to as on the CPU, a thread to a group.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numba import cuda

from nearly.algorithms.betweenness.levels import Passes, count_paths, depend, depend_partly, keep_dependency, keep_paths
from nearly.algorithms.betweenness.recount import HUGE, Tally, recount
from nearly.algorithms.bfs import UNREACHED, reach
from nearly.base.atomics import fetch_add
from nearly.base.errors import DeviceUnavailableError
from nearly.base.unsigned import U0, U1
from nearly.engine.cuda.advance import Push
from nearly.engine.cuda.device import launch, put, state_arrays
from nearly.engine.cuda.primitives import for_each
from nearly.engine.cuda.reduce import Rows
from nearly.engine.functor_wrappers import set_dial, sharing, widened, with_copies
from nearly.engine.run import Did, Run


def forget(state, v):
    """Make v unreached."""
    state.level[v] = UNREACHED


def note_huge(state, v):
    """Note a number of paths that further sums could not hold."""
    if not state.sigma[v] < HUGE:
        state.found[0] = 1


def share_paths(state, h):
    """As many paths reach copies of h as reach h."""
    for j in range(state.first[h], state.first[h + U1]):
        state.sigma[state.copy[j]] = state.sigma[h]


def join_parts(state, h):
    """Add the dependencies of h's copies on the current level to what h leaves for the level before."""
    for j in range(state.first[h], state.first[h + U1]):
        if state.level[state.copy[j]] == state.now[0]:
            state.part[h] += state.part[state.copy[j]] - 1.0 / state.sigma[h]


def join_sums(state, h):
    """Add what h's copies have booked to what h has, and count those that were reached."""
    for j in range(state.first[h], state.first[h + U1]):
        c = state.copy[j]
        if state.level[c] != UNREACHED:
            fetch_add(state.found, U0, U1)
            if state.sums[c] != 0.0:
                state.sums[h] += state.sums[c] - state.one[0]
                state.sums[c] = 0.0


def level_rounds(run: Run, sums: np.ndarray, arc_sums: np.ndarray, endpoints: bool) -> Any:
    """What adds up dependencies level by level."""
    return LevelRounds(run, sums, arc_sums, endpoints)


class LevelRounds:
    """One source after another, into `sums` and `arc_sums`, which `fetch` brings up to date."""

    def __init__(self, run: Run, sums: np.ndarray, arc_sums: np.ndarray, endpoints: bool) -> None:
        self.run, self.host, self.one, n = run, (sums, arc_sums), float(endpoints), run.graph.n
        visits = run.visits() if arc_sums.size == 0 else None
        if run.map.copies is not None and run.map.copies.merge == "mean":
            raise DeviceUnavailableError("betweenness merges copies by confluence='mean' on device='cpu' only")
        self.copies, self.keep = run.map.copies, 1.0 if visits is None else visits.share
        made: Any = Passes(
            np.empty(n, np.uint32), np.zeros(2, np.uint32), np.zeros(n), np.zeros(n), sums, arc_sums,
            np.array([self.one]), run.graph.arrays.offsets, np.zeros(2, np.uint64), np.array([1 / self.keep]),
        )  # fmt: skip
        made = widened(made, before=made.level, found=np.zeros(1, np.uint64))
        if self.copies is not None:
            made, self.heads = with_copies(made, self.copies), cuda.to_device(self.copies.heads)
        self.state = state_arrays(made, run.graph)
        by_list = replace(run, policy="frontier") if run.policy == "topology" else run
        self.push = Push(by_list, run.graph, reach if self.copies is None else sharing(reach))
        self.forward = Rows(run, run.graph.reverse, count_paths, keep_paths)
        self.backward = Rows(run, run.graph, depend if self.keep == 1.0 else depend_partly, keep_dependency)
        self.order = cuda.device_array(n, run.graph.arrays.targets.dtype)
        self.stamp, self.now = cuda.to_device(np.zeros(n, np.uint32)), 0

    def add(self, source: int) -> Did:
        """Add one source's dependencies; says what that took."""
        state, own, chosen = self.state, slice(source, source + 1), np.zeros(2, np.uint64)
        before = float(state.sums[own].copy_to_host()[0])
        set_dial(chosen, self.run.seed, source, self.keep)
        state.dial.copy_to_device(chosen)
        edges, ends = self._levels(source)
        edges -= self.forward.edges + self.backward.edges
        put(state.sigma[own], 1.0)
        self._in_groups(share_paths)
        for depth in range(1, len(ends) - 1):
            self._reduce(self.forward, ends, depth, depth - 1)
            self._in_groups(share_paths)
        if self._found(note_huge, self.order, ends[-1]):
            self._recount(ends[-1])
        else:
            for depth in range(len(ends) - 2, -1, -1):
                self._reduce(self.backward, ends, depth, depth + 1)
                self._in_groups(join_parts)
        copies = 0 if self.copies is None else self._found(join_sums, self.heads, self.heads.size)
        put(state.sums[own], before + self.one * (ends[-1] - copies - 1))
        return Did(ends[-1], edges + self.forward.edges + self.backward.edges)

    def fetch(self) -> None:
        """Bring the sums back."""
        for there, here in zip((self.state.sums, self.state.arc_sums), self.host):
            there.copy_to_host(here)

    def _levels(self, source: int) -> tuple[int, list[int]]:
        """Levels by breadth-first search: arcs visited, and where each level starts in `order`."""
        state, n, begin = self.state, self.run.graph.n, np.asarray(self.run.map.group(source), self.order.dtype)
        launch(for_each(forget), n, state, self.order[:0], n)
        self.order[: begin.size].copy_to_device(begin)
        for v in begin.tolist():
            put(state.level[v : v + 1], 0)
        edges, ends = 0, [0, begin.size]
        while ends[-1] > ends[-2]:
            here, room, self.now = self.order[ends[-2] : ends[-1]], self.order[ends[-1] :], self.now + 1
            found, visited = self.push(state, here, ends[-1] - ends[-2], room, self.stamp, self.now)
            edges += visited
            ends.append(ends[-1] + found)
        return edges, ends[:-1]

    def _reduce(self, rows: Rows, ends: list[int], depth: int, reads: int) -> None:
        put(self.state.now, depth, reads)
        if self.run.policy == "topology":
            rows(self.state)
        else:
            rows(self.state, self.order[ends[depth] : ends[depth + 1]], ends[depth + 1] - ends[depth])

    def _in_groups(self, do: Callable[..., None]) -> None:
        """`do(state, h)` for every vertex h that has copies."""
        if self.copies is not None:
            launch(for_each(do), self.heads.size, self.state, self.heads, self.heads.size)

    def _found(self, look: Callable[..., None], items: Any, count: int) -> int:
        """`look(state, item)` for these items; what that leaves in `found`."""
        put(self.state.found, 0)
        launch(for_each(look), count, self.state, items, count)
        return int(self.state.found.copy_to_host()[0])

    def _recount(self, reached: int) -> None:
        """The source again, on the host, with numbers that have exponents of their own."""
        level, order = self.state.level.copy_to_host(), self.order.copy_to_host()
        of = order[:0] if self.copies is None else self.copies.originals
        self.fetch()
        recount(self.run.graph.rows, level, order, np.uint64(reached), Tally(*self.host, self.one), of)
        for there, here in zip((self.state.sums, self.state.arc_sums), self.host):
            there.copy_to_device(here)
