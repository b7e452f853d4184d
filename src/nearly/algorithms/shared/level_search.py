"""Breadth-first levels by one compiled call for many levels, for `auto` on a CPU.

A small frontier is pushed: its vertices look at their arcs, and a target that had no level gets one and enters the
next frontier by the same atomic operation, so that an arc costs one random access. Threads take frontiers in batches
and gather what they find in buffers of their own. A large frontier is pulled: vertices without a level look for a
neighbour in a bitmap of the frontier, a word of 64 vertices at a time, and stop at the first (Beamer, Asanovic and
Patterson, SC 2012). A bitmap of those that still look is made by the first level that is pulled; vertices without arcs
are not in it, so that later ones read little. Where looking back took many times the arcs of the frontier, as in web
graphs, whose vertices look in vain for many levels, the search does it no more.

A frontier is large if it has a fourth of the arcs left, or an eighth where levels do not fit the second cache and a
pushed arc costs more. Both ways find the same vertices, so the cheaper one is right for a level by itself: where a
share p of the arcs leads to the frontier, a vertex looks at up to 1/p of its arcs, and pushing looks at p of them all.
A frontier of few arcs is searched by the calling thread alone: on long graphs most are, and other threads that sleep
take longer to wake than a tiny graph to search. With the first frontier that is worth it all threads enter one
parallel region and stay there to the end of the search: the first leads, the others help (`base.team`).

Where rows are short and levels fit the cache, one thread enters every target into the next frontier and keeps it there
if it had no level: whether it had one cannot be predicted, and a wrong guess costs more than a store.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.shared.level_kernels import (
    ARCS,
    BATCH,
    COUNT,
    FOUND,
    UNREACHED,
    WORDS,
    Search,
    arcs_of,
    begin_search,
    hand_in,
    has_short_rows,
    pull_some,
    push_level,
    push_some,
    to_bits,
    to_queue,
)
from nearly.algorithms.shared.work_memory import give_back, take_memory
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import ALONE, kernel, parallel_kernel
from nearly.base.team import (
    arrive,
    clear,
    dismiss,
    next_piece,
    pieces_done,
    post,
    seen,
    team_for,
    wait_for_all,
    wait_for_job,
)
from nearly.base.unsigned import U0, U1
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

__all__ = ["UNREACHED", "LevelSearch", "PlayedLevels"]

_NEAR, _FAR, _PUSH_WHEN = np.uint64(4), np.uint64(8), np.uint64(18)  # Beamer's alpha in the cache and out of it; beta
_CACHED = np.uint64(1 << 17)  # vertices whose levels fit the second cache
_ALONE = np.uint64(1 << 14)  # arcs of a frontier that one thread searches before others would have begun
_PULL_ALONE = np.uint64(1 << 17)  # arcs and vertices left that one thread pulls, of which few are looked at
_DEAR = np.uint64(4)  # arcs looked at for each that would have been pushed
_FEW = np.uint64(1 << 12)  # arcs of a frontier that is never pulled
_LEVELS, _ARCS = 1 << 12, 1 << 24  # levels and arcs of one call: control comes back often enough for Ctrl-C
_JOBS = 256  # levels done together in one region
SIZE, DEPTH, WAITING, LEFT, TURNED, PULLED, SIDE, FRESH, PULL_FROM = range(9)  # what `marks` holds
NOT_BEGUN = np.uint64(2)  # in place of the half of the queue; SIZE is then the source
PULLS, FINISHED, TOGETHER = np.uint64(1), np.uint64(2), np.uint64(3)
PUSH, PULL = U0, U1


class Task(NamedTuple):
    """How far a search is, and what it may do; flat, as bundles in parallel regions must be."""

    back_offsets: np.ndarray  # the rows to look back along
    back_targets: np.ndarray
    bits: np.ndarray  # three bitmaps
    marks: np.ndarray  # the frontier: size, depth, arcs, arcs not looked at yet, half of the queue; and how it is kept
    did: np.ndarray  # size and arcs of each level
    may_pull: bool


@kernel
def do_pieces(team, search, task, job, worker):
    """Pieces of a level, as long as there are any; what was found is handed in before they count as done."""
    row, back = team.jobs[job], (task.back_offsets, task.back_targets)
    count, arcs, done, depth = U0, U0, U0, np.uint32(row[3])
    k = next_piece(team, job)
    while k < row[0]:
        if row[1] == PUSH:
            low = k * BATCH
            count, more = push_some(search, worker, count, row[4], low, min(low + BATCH, row[2]), depth)
        else:
            low = k * WORDS
            found, more = pull_some(
                back, search.level, task.bits, row[4], row[5] > U0, depth, low, min(low + WORDS, row[2])
            )
            count += found
        arcs += more
        done += U1
        k = next_piece(team, job)
    if done > U0:
        if row[1] == PUSH:
            hand_in(search, worker, count, U1 - row[4])
        else:
            fetch_add(search.counters, COUNT, count)
        fetch_add(search.counters, ARCS, arcs)
        pieces_done(team, job, done)


@kernel
def level_together(team, search, task, job, row):
    """A level by all threads; (vertices found, arcs of them where it was pushed, arcs looked at where pulled)."""
    counters, jobs = search.counters, team.jobs[job]
    counters[COUNT] = counters[ARCS] = U0
    batch = BATCH if row[0] == PUSH else WORDS
    jobs[0] = (row[1] + batch - U1) // batch
    jobs[1], jobs[2], jobs[3], jobs[4], jobs[5] = row
    post(team)
    do_pieces(team, search, task, job, U0)
    wait_for_all(team, job)
    return seen(counters, COUNT), seen(counters, ARCS)


@kernel
def one_level(team, search, task, job, alone):
    """The next level, pulled, or pushed by all; (vertices found, their arcs if pushed, arcs looked at if pulled)."""
    marks = task.marks
    size, half, depth = marks[SIZE], marks[TURNED], marks[DEPTH]
    if marks[PULLED]:
        words = np.uint64(task.bits.shape[1])
        if ALONE or alone:
            fresh, level, back = marks[FRESH] > U0, np.uint32(depth), (task.back_offsets, task.back_targets)
            return pull_some(back, search.level, task.bits, marks[SIDE], fresh, level, U0, words)
        return level_together(team, search, task, job, (PULL, words, depth, marks[SIDE], marks[FRESH]))
    return level_together(team, search, task, job, (PUSH, size, depth, half, U0))


@kernel
def after_pull(search, task, before, looked):
    """What follows a level that was pulled: the same again, or pushing where few are left or it was dear."""
    marks, n = task.marks, np.uint64(search.level.size)
    marks[SIDE] = U1 - marks[SIDE]
    dear = marks[FRESH] and looked > _DEAR * marks[WAITING]
    marks[FRESH] = U0
    if dear or (marks[SIZE] < before and marks[SIZE] <= n // _PUSH_WHEN):
        marks[PULLED], marks[SIZE] = U0, to_queue(task.bits[marks[SIDE]], search.queue, marks[TURNED])
        marks[WAITING] = arcs_of(search, marks[TURNED], marks[SIZE]) if dear else U1
        if dear:
            marks[PULL_FROM] = n + marks[LEFT]


@kernel
def some_levels(team, search, task, first, helped, workers, stop):
    """Levels from row `first` of `did` on; (the next row, why it ended: 0, PULLS, FINISHED or TOGETHER)."""
    marks, did = task.marks, task.did
    n, job, spent = np.uint64(search.level.size), U0, U0
    r, most, pull_when = first, np.uint64(did.shape[0]), _NEAR if n <= _CACHED else _FAR
    while r < most and going(stop) and spent < np.uint64(_ARCS) and job < np.uint64(_JOBS):
        size, waiting, left = marks[SIZE], marks[WAITING], marks[LEFT]
        if size == U0:
            return r, FINISHED
        if not marks[PULLED] and waiting > left // pull_when and waiting > marks[PULL_FROM]:
            if not task.may_pull:
                return r, PULLS
            to_bits(search.queue, marks[TURNED], size, task.bits[marks[SIDE]])
            marks[PULLED] = marks[FRESH] = U1
        few = n + left < _PULL_ALONE if marks[PULLED] else waiting < _ALONE
        alone = ALONE or workers == U1 or few
        if not alone and not helped:
            return r, TOGETHER
        marks[DEPTH] += U1
        if alone and not marks[PULLED]:  # long graphs have many such levels, so nothing else is done for them
            found, arcs = push_level(search, marks[TURNED], size, np.uint32(marks[DEPTH]))
        else:
            found, arcs = one_level(team, search, task, job, alone)
        job += U0 if alone else U1
        marks[SIZE] = found
        did[r, 0], did[r, 1] = size, arcs if marks[PULLED] else waiting
        if marks[PULLED]:
            after_pull(search, task, size, arcs)
        else:
            marks[LEFT] = left - waiting if left > waiting else U0
            marks[WAITING], marks[TURNED] = arcs, U1 - marks[TURNED]
        spent += did[r, 1]
        r += U1
    return r, U0


@kernel
def take_part(team, search, task, first, ended, workers, stop):
    """Lead, if no other thread does, and else help."""
    number, job = arrive(team), U0
    if number == U0:
        ended[0], ended[1] = some_levels(team, search, task, first, True, workers, stop)
        dismiss(team)
        return
    while wait_for_job(team, job):
        do_pieces(team, search, task, job, number)
        job += U1


@parallel_kernel
def levels_together(team, search, task, first, ended, workers, stop):
    """`some_levels` by all threads in one region; `ended` gets what it returns."""
    for _ in prange(workers):
        take_part(team, search, task, first, ended, workers, stop)


@kernel
def search_levels(team, search, task, workers, stop):
    """Levels, at most one for each row of `did`; (how many, why it ended: 0, PULLS or FINISHED)."""
    marks = task.marks
    if marks[TURNED] == NOT_BEGUN:
        marks[WAITING] = begin_search(search, marks[SIZE], workers)
        marks[SIZE], marks[LEFT], marks[TURNED] = U1, np.uint64(search.targets.size), U0
        marks[DEPTH] = marks[PULLED] = marks[SIDE] = marks[FRESH] = U0
        blind = has_short_rows(search) and (ALONE or workers == U1)
        marks[PULL_FROM] = np.uint64(search.level.size) + marks[LEFT] if blind else _FEW
    r, why = some_levels(team, search, task, U0, False, workers, stop)
    if ALONE or why != TOGETHER:
        return r, why
    clear(team)
    ended = np.zeros(2, np.uint64)
    levels_together(team, search, task, r, ended, workers, stop)
    return seen(ended, U0), seen(ended, U1)


class PlayedLevels(Sequence[Did]):
    """What each level did, spelled out when it is read; and whether none follows."""

    def __init__(self, did: np.ndarray, last: bool = False) -> None:
        self._did, self.last = did, last

    def __len__(self) -> int:
        return len(self._did)

    def __getitem__(self, i: Any) -> Any:
        size, arcs = self._did[i].tolist()
        return Did(int(size), int(arcs), share=float(arcs + size))


def _memory(graph: Graph, workers: int) -> tuple[Any, ...]:
    """Two frontiers, what threads find, three bitmaps, counters, a task and a team; whatever was in them before."""
    n, kind, counters = graph.n, graph.rows.targets.dtype, np.empty(16, np.uint64)
    bits, did = np.empty((3, (n + 63) // 64), np.uint64), np.empty((_LEVELS, 2), np.uint64)
    offsets, targets, _ = graph.rows
    task = Task(offsets, targets, bits, np.empty(9, np.uint64), did, not graph.directed)
    return np.empty((2, n + 1), kind), np.empty((workers, int(FOUND)), kind), counters, bits, task, team_for(_JOBS, 6)


class LevelSearch:
    """Levels from a source; `step` makes many of them, for `run.enact`."""

    def __init__(self, run: Run, graph: Graph, source: int) -> None:
        self.run, self.graph, self.key = run, graph, ("levels", run.threads)
        offsets, targets, _ = graph.rows
        self.level = np.empty(offsets.size - 1, np.uint32)
        self.memory = take_memory(graph, self.key, _memory, graph, run.threads)
        queue, found, counters, _, self.task, self.team = self.memory
        self.search = Search(offsets, targets, self.level, queue, found, counters)
        marks = self.task.marks
        marks[SIZE], marks[TURNED] = source, NOT_BEGUN
        self.finished = False

    def step(self) -> Sequence[Did] | None:
        """Some levels; None where all that can be reached have one."""
        run, most = self.run, _LEVELS
        if run.max_rounds is not None:
            most = min(_LEVELS, run.rounds_left)
        while not self.finished:
            task = self.task if most == _LEVELS else self.task._replace(did=self.task.did[:most])
            count, why = run.launch(search_levels, self.team, self.search, task, np.uint64(run.threads), run.stop)
            self.finished = why == FINISHED
            if self.finished:
                give_back(self.graph, self.key, self.memory)
            elif why == PULLS:
                self._look_back()
            if count:
                return PlayedLevels(task.did[:count].copy(), self.finished)
        return None

    def _look_back(self) -> None:
        """From now on, and in later searches of this graph, levels may be pulled."""
        offsets, targets, _ = self.graph.reverse.rows
        self.task = self.task._replace(may_pull=True, back_offsets=offsets, back_targets=targets)
        self.memory = *self.memory[:4], self.task, self.team
