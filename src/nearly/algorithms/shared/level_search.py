"""Breadth-first levels by one compiled call for many levels, for `auto` on a CPU.

A small frontier is pushed: its vertices look at their arcs, and a target that had no level gets one and enters the
next frontier by the same atomic operation, so that an arc costs one random access. Workers take frontiers in batches
and gather what they find in buffers of their own. A large frontier is pulled: vertices without a level look for a
neighbour in a bitmap of the frontier, a word of 64 vertices at a time, and stop at the first (Beamer, Asanovic and
Patterson, SC 2012). A bitmap of those that still look is made by the first level that is pulled; vertices without arcs
are not in it, so that later ones read little. Where looking back took many times the arcs of the frontier, as in web
graphs, whose vertices look in vain for many levels, the search does it no more. A frontier of few arcs is searched by
the calling thread alone: on long graphs most are, and other threads that sleep take longer to wake than a small graph
to search.

Where rows are short and levels fit the cache, one thread enters every target into the next frontier and keeps it there
if it had no level: whether it had one cannot be predicted, and a wrong guess costs more than a store.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nearly.algorithms.shared.level_kernels import (
    FOUND,
    UNREACHED,
    Search,
    arcs_of,
    begin_search,
    has_short_rows,
    pull,
    pull_some,
    push,
    push_alone,
    push_blindly,
    to_bits,
    to_queue,
)
from nearly.algorithms.shared.work_memory import give_back, take_memory
from nearly.base.atomics import going
from nearly.base.jit import ALONE, kernel
from nearly.base.unsigned import U0, U1
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

__all__ = ["UNREACHED", "LevelSearch", "PlayedLevels"]

_PULL_WHEN, _PUSH_WHEN = np.uint64(15), np.uint64(18)  # Beamer's alpha and beta
_ALONE = np.uint64(1 << 14)  # arcs of a frontier that one thread searches before others would have begun
_PULL_ALONE = np.uint64(1 << 18)  # arcs and vertices left that one thread pulls, of which few are looked at
_DEAR = np.uint64(4)  # arcs looked at for each that would have been pushed
_FEW = np.uint64(1 << 12)  # arcs of a frontier that is never pulled
_LEVELS, _ARCS = 1 << 12, 1 << 24  # levels and arcs of one call: control comes back often enough for Ctrl-C
SIZE, DEPTH, WAITING, LEFT, TURNED = range(5)  # what `marks` holds
NOT_BEGUN = np.uint64(2)  # in place of the half of the queue; SIZE is then the source
PULLS, FINISHED = np.uint64(1), np.uint64(2)


@kernel
def search_levels(search, back, bits, marks, may_pull, did, workers, stop):
    """Levels, at most one for each row of `did`; (how many, why it ended: 0, PULLS or FINISHED).

    `back` holds the rows to look back along, `bits` three bitmaps. `marks` holds the frontier's size and depth, its
    arcs, the arcs not looked at yet, and in which half of the queue it lies. Rows of `did` get size and arcs.
    """
    n, half, counters = np.uint64(search.level.size), marks[TURNED], search.counters
    size, depth, waiting, left = marks[SIZE], marks[DEPTH], marks[WAITING], marks[LEFT]
    if half == NOT_BEGUN:
        waiting = begin_search(search, size, workers)
        size, left, half = U1, np.uint64(search.targets.size), U0
    r, most, spent, why = U0, np.uint64(did.shape[0]), U0, U0
    pulled, fresh, side, blind = False, True, U0, has_short_rows(search)
    pull_when = n + left if blind and (ALONE or workers == U1) else _FEW
    while r < most and going(stop) and spent < np.uint64(_ARCS):
        if size == U0:
            why = FINISHED
            break
        if not pulled and waiting > left // _PULL_WHEN and waiting > pull_when:
            if not may_pull:
                why = PULLS
                break
            to_bits(search.queue, half, size, bits[side])
            pulled, fresh = True, True
        depth += U1
        did[r, 0] = size
        level = np.uint32(depth)
        if pulled:
            before, counters[0] = size, U0
            if ALONE or workers == U1 or n + left < _PULL_ALONE:
                size, did[r, 1] = pull_some(back, search.level, bits, side, fresh, level, counters)
            else:
                size, did[r, 1] = pull(back, search.level, bits, side, fresh, level, counters, workers)
            side, dear, fresh = U1 - side, fresh and did[r, 1] > _DEAR * waiting, False
            if dear:
                size = to_queue(bits[side], search.queue, half)
                pulled, waiting, pull_when = False, arcs_of(search, half, size), n + left
            elif size < before and size <= n // _PUSH_WHEN:
                size = to_queue(bits[side], search.queue, half)
                pulled, waiting = False, U1
        else:
            did[r, 1] = waiting
            left = left - waiting if left > waiting else U0
            if not (ALONE or workers == U1 or waiting < _ALONE):
                size, waiting = push(search, half, size, level, workers)
            elif blind:
                size, waiting = push_blindly(search, half, size, level)
            else:
                size, waiting = push_alone(search, half, size, level)
            half = U1 - half
        spent += did[r, 1]
        r += U1
    if pulled:
        size = to_queue(bits[side], search.queue, half)
        waiting = U1
    marks[SIZE], marks[DEPTH], marks[WAITING], marks[LEFT], marks[TURNED] = size, depth, waiting, left, half
    return r, why


class PlayedLevels(Sequence[Did]):
    """What each level did, spelled out when it is read."""

    def __init__(self, did: np.ndarray) -> None:
        self._did = did

    def __len__(self) -> int:
        return len(self._did)

    def __getitem__(self, i: Any) -> Any:
        size, arcs = self._did[i].tolist()
        return Did(int(size), int(arcs), share=float(arcs + size))


def _memory(n: int, kind: Any, workers: int) -> tuple[np.ndarray, ...]:
    """Two frontiers, what workers find, three bitmaps, and what levels did; whatever was in them before."""
    bits, did = np.empty((3, (n + 63) // 64), np.uint64), np.empty((_LEVELS, 2), np.uint64)
    return np.empty((2, n + 1), kind), np.empty((workers, int(FOUND)), kind), bits, did


class LevelSearch:
    """Levels from a source; `step` makes many of them, for `run.enact`."""

    def __init__(self, run: Run, graph: Graph, source: int) -> None:
        self.run, self.graph = run, graph
        offsets, targets, _ = graph.rows
        self.level, self.key = np.empty(graph.n, np.uint32), ("levels", run.threads)
        self.memory = take_memory(graph, self.key, lambda: _memory(graph.n, targets.dtype, run.threads))
        queue, found, self.bits, self.did = self.memory
        self.search = Search(offsets, targets, self.level, queue, found, np.zeros(3, np.uint64))
        self.marks = np.zeros(5, np.uint64)
        self.marks[SIZE], self.marks[TURNED] = source, NOT_BEGUN
        self.finished, self.may_pull, self.back = False, not graph.directed, (offsets, targets)

    def step(self) -> Sequence[Did] | None:
        """Some levels; None where all that can be reached have one."""
        while not self.finished:
            most = min(_LEVELS, self.run.rounds_left)
            count, why = self.run.launch(
                search_levels, self.search, self.back, self.bits, self.marks, self.may_pull, self.did[:most],
                np.uint64(self.run.threads), self.run.stop,
            )  # fmt: skip
            self.finished = why == FINISHED
            if self.finished:
                give_back(self.graph, self.key, self.memory)
            if why == PULLS:
                self.may_pull, self.back = True, self.graph.reverse.rows[:2]
            if count:
                return PlayedLevels(self.did[: int(count)].copy())
        return None
