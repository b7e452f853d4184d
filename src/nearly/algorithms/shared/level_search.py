"""Breadth-first levels by one compiled call for many levels, for `auto` on a CPU.

A small frontier is pushed: its vertices look at their arcs, and a target that had no level gets one and enters the
next frontier by the same atomic operation, so that an arc costs one random access. Workers take frontiers in batches
and gather what they find in buffers of their own. A large frontier is pulled: vertices without a level look for a
neighbour in a bitmap of the frontier, a word of 64 vertices at a time, and stop at the first (Beamer, Asanovic and
Patterson, SC 2012). A frontier of few arcs is searched by the calling thread alone: on long graphs most are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.shared.work_memory import give_back, take_memory
from nearly.base.atomics import atomic_min, fetch_add, going
from nearly.base.intrinsics import trailing_zeros
from nearly.base.jit import ALONE, kernel, parallel_kernel
from nearly.base.unsigned import U0, U1, U6, U63, piece_bounds
from nearly.engine.primitives import PIECES
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

UNREACHED = np.uint32(2**32 - 1)
_PULL_WHEN, _PUSH_WHEN = np.uint64(15), np.uint64(18)  # Beamer's alpha and beta
_ALONE = np.uint64(1 << 12)  # arcs of a frontier that one thread searches before others would have begun
_BATCH, _FOUND = np.uint64(64), np.uint64(1 << 11)  # vertices taken at once, and kept before they are handed in
_WORDS = np.uint64(32)  # words of 64 vertices taken at once
_LEVELS, _ARCS = 1 << 12, 1 << 24  # levels and arcs of one call: control comes back often enough for Ctrl-C
SIZE, DEPTH, WAITING, LEFT, TURNED = range(5)  # what `marks` holds
PULLS, FINISHED = np.uint64(1), np.uint64(2)


class Search(NamedTuple):
    """What a search works on."""

    offsets: np.ndarray
    targets: np.ndarray
    level: np.ndarray  # uint32[n], UNREACHED where not reached
    queue: np.ndarray  # the frontier, and the next one
    found: np.ndarray  # [workers, _FOUND], what each has found
    counters: np.ndarray  # next batch, end of the next frontier, its arcs


@kernel
def hand_in(search, worker, count, after):
    """Copy what a worker has found to the next frontier."""
    queue, found, counters = search.queue, search.found, search.counters
    at = fetch_add(counters, U1, count)
    for i in range(count):
        queue[after, at + i] = found[worker, i]


@kernel
def push_some(search, worker, now, size, depth):
    """Take batches of the frontier until there are none; returns arcs of the vertices found."""
    offsets, targets, level, queue, found, counters = search
    count, arcs, after = U0, U0, U1 - now
    while True:
        begin = fetch_add(counters, U0, _BATCH)
        if begin >= size:
            break
        for i in range(begin, min(begin + _BATCH, size)):
            u = np.uint64(queue[now, i])
            for e in range(offsets[u], offsets[u + U1]):
                v = np.uint64(targets[e])
                if level[v] == UNREACHED and atomic_min(level, v, depth) == UNREACHED:
                    found[worker, count] = v
                    count += U1
                    arcs += offsets[v + U1] - offsets[v]
                    if count == _FOUND:
                        hand_in(search, worker, count, after)
                        count = U0
    hand_in(search, worker, count, after)
    return arcs


@kernel
def push_alone(search, now, size, depth):
    """The same by one thread, without atomics; (vertices found, their arcs)."""
    offsets, targets, level, queue, _, _ = search
    count, arcs, after = U0, U0, U1 - now
    for i in range(size):
        u = np.uint64(queue[now, i])
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if level[v] == UNREACHED:
                level[v] = depth
                queue[after, count] = v
                count += U1
                arcs += offsets[v + U1] - offsets[v]
    return count, arcs


@parallel_kernel
def push(search, now, size, depth, workers):
    """One level by all workers; (vertices found, their arcs)."""
    counters, arcs = search.counters, np.zeros(workers, np.uint64)
    counters[0], counters[1] = U0, U0
    for worker in prange(workers):
        arcs[worker] = push_some(search, np.uint64(worker), now, size, depth)
    total = U0
    for worker in range(workers):
        total += arcs[worker]
    return read(counters, U1), total


@kernel
def read(array, i):
    """array[i], as it is now."""
    return array[i]


@kernel
def pull_some(offsets, targets, level, front, following, depth, counters):
    """Take words of vertices until there are none; (vertices found, arcs looked at)."""
    n, words = np.uint64(level.size), np.uint64(front.size)
    count, looked = U0, U0
    while True:
        begin = fetch_add(counters, U0, _WORDS)
        if begin >= words:
            break
        for w in range(begin, min(begin + _WORDS, words)):
            bits = U0
            first = w << U6
            for v in range(first, min(first + np.uint64(64), n)):
                if level[v] == UNREACHED:
                    e, end = offsets[v], offsets[v + U1]
                    start = e
                    while e < end:
                        u = np.uint64(targets[e])
                        e += U1
                        if (front[u >> U6] >> (u & U63)) & U1:
                            level[v] = depth
                            bits |= U1 << (v & U63)
                            count += U1
                            break
                    looked += e - start
            following[w] = bits
    return count, looked


@parallel_kernel
def pull(offsets, targets, level, front, following, depth, counters, workers):
    """One level by looking back; (vertices found, arcs looked at)."""
    counts, looked = np.zeros(workers, np.uint64), np.zeros(workers, np.uint64)
    counters[0] = U0
    for worker in prange(workers):
        counts[worker], looked[worker] = pull_some(offsets, targets, level, front, following, depth, counters)
    total, all_looked = U0, U0
    for worker in range(workers):
        total += counts[worker]
        all_looked += looked[worker]
    return total, all_looked


@kernel
def word_of(level, first, depth):
    """Which of the 64 vertices from `first` on have this level."""
    bits = U0
    for v in range(first, min(first + np.uint64(64), np.uint64(level.size))):
        bits |= np.uint64(level[v] == depth) << (v & U63)
    return bits


@parallel_kernel
def to_bits(level, depth, bits):
    """The vertices of a level as a bitmap."""
    for p in prange(PIECES):
        low, high = piece_bounds(np.uint64(bits.size), p, PIECES)
        for w in range(low, high):
            bits[w] = word_of(level, w << U6, depth)


@parallel_kernel
def forget(level):
    """No vertex has a level."""
    for p in prange(PIECES):
        low, high = piece_bounds(np.uint64(level.size), p, PIECES)
        for v in range(low, high):
            level[v] = UNREACHED


@kernel
def to_queue(bits, queue, now):
    """The bitmap as a frontier."""
    count = U0
    for w in range(np.uint64(bits.size)):
        left = bits[w]
        while left:
            queue[now, count] = (w << U6) + trailing_zeros(left)
            count += U1
            left &= left - U1
    return count


@kernel
def search_levels(search, back, bits, marks, may_pull, did, workers, stop):
    """Levels, at most one for each row of `did`; (how many, why it ended: 0, PULLS or FINISHED).

    `back` holds the rows to look back along, `bits` two bitmaps. `marks` holds the frontier's size and depth, its
    arcs, the arcs not looked at yet, and in which half of the queue it lies. Rows of `did` get size and arcs.
    """
    n, half = np.uint64(search.level.size), marks[TURNED]
    size, depth, waiting, left = marks[SIZE], marks[DEPTH], marks[WAITING], marks[LEFT]
    r, most, spent, why = U0, np.uint64(did.shape[0]), U0, U0
    pulled, side = False, U0
    while r < most and going(stop) and spent < np.uint64(_ARCS):
        if size == U0:
            why = FINISHED
            break
        if not pulled and waiting > left // _PULL_WHEN and waiting > _ALONE:
            if not may_pull:
                why = PULLS
                break
            to_bits(search.level, np.uint32(depth), bits[side])
            pulled = True
        depth += U1
        did[r, 0] = size
        if pulled:
            before, level = size, np.uint32(depth)
            found = pull(back[0], back[1], search.level, bits[side], bits[U1 - side], level, search.counters, workers)
            size, did[r, 1] = found
            side = U1 - side
            if size < before and size <= n // _PUSH_WHEN:
                size = to_queue(bits[side], search.queue, half)
                pulled, waiting = False, U1
        else:
            did[r, 1] = waiting
            left = left - waiting if left > waiting else U0
            if ALONE or workers == U1 or waiting < _ALONE:
                size, waiting = push_alone(search, half, size, np.uint32(depth))
            else:
                size, waiting = push(search, half, size, np.uint32(depth), workers)
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
    """Two frontiers, what workers find, two bitmaps, and what levels did; whatever was in them before."""
    bits, did = np.empty((2, (n + 63) // 64), np.uint64), np.empty((_LEVELS, 2), np.uint64)
    return np.empty((2, n), kind), np.empty((workers, int(_FOUND)), kind), bits, did


class LevelSearch:
    """Levels from a source; `step` makes many of them, for `run.enact`."""

    def __init__(self, run: Run, graph: Graph, source: int) -> None:
        self.run, self.graph = run, graph
        offsets, targets, _ = graph.rows
        self.level = np.empty(graph.n, np.uint32)
        forget(self.level)
        self.level[source] = 0
        self.key = ("levels", run.threads)
        self.memory = take_memory(graph, self.key, lambda: _memory(graph.n, targets.dtype, run.threads))
        queue, found, self.bits, self.did = self.memory
        queue[0, 0] = source
        self.search = Search(offsets, targets, self.level, queue, found, np.zeros(3, np.uint64))
        self.marks = np.array([1, 0, int(offsets[source + 1] - offsets[source]), graph.m, 0], np.uint64)
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
