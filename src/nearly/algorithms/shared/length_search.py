"""Shortest paths by lengths in few compiled calls, for `auto` on a CPU: delta-stepping over bins.

Vertices wait in bins (`length_bins`), each as wide as `1 / scale`; the first bin that holds any is worked off, together
with what it puts into itself, then the next (Meyer and Sanders, "Delta-stepping: a parallelizable shortest path
algorithm", 2003). A vertex that came nearer after it was put in has another entry, so the first is passed over: no
row is read twice for one distance, and no marks are needed of what waits.

- Rows are read in two passes. The first notes every arc that shortens a way, without a branch: whether it does cannot
  be predicted, and a wrong guess costs more than an arc. The second shortens the ways and enters the vertices.
- The search begins on the calling thread, and takes others in once it has proved long and its bins large: what it
  costs goes with what it reaches. The chunks of a large bin are shared out, and each worker goes on with what
  it has put into the same bin itself, up to a size, before all meet again (bucket fusion: Zhang and others, "Optimizing
  ordered graph algorithms with GraphIt", CGO 2020).
- The width adapts: it grows where phases are small and nearly no vertex is worked off twice, and shrinks where more is
  worked off again than is reached.

The answer is the fixed point, which does not depend on the order of the work or the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numba import prange

from nearly.algorithms.shared.length_bins import (
    AGAIN,
    ARCS,
    BASE,
    BINS,
    FULL,
    HANDLED,
    LONG,
    MARKS,
    NOW,
    PHASES,
    REACHED,
    SCALE,
    SINCE,
    Search,
    collect,
    empty,
    enter_anew,
    is_large,
    make_bins,
    make_distances,
    next_bin,
    put,
    spread,
)
from nearly.algorithms.shared.length_kernels import share_out, take_chunks, too_wide, work_off
from nearly.algorithms.shared.level_search import UNREACHED, PlayedLevels
from nearly.algorithms.shared.weights import weight_range
from nearly.algorithms.shared.work_memory import give_back, take_memory
from nearly.base.atomics import going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.team import Team, arrive, clear, dismiss, team_for, wait_for_job
from nearly.base.threads import kernel_threads
from nearly.base.unsigned import U0, U1, piece_bounds
from nearly.engine.primitives import PIECES
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

TURNS, FINISHED = np.uint64(1), np.uint64(2)
_LONG = np.uint64(1 << 17)  # arcs after which a search is long: others take as long to wake
_CALM = np.uint64(1 << 15)  # arcs of a stretch of small bins that is long
_SOME, _WIDER = np.uint64(64), 4.0  # phases to judge the width by, and how much wider or narrower the next one is
_FEW_ALONE, _FEW = np.uint64(16), np.uint64(512)  # vertices of a phase that are few, for one thread and for more
_NARROWEST = 1e-300
_SPARSE = 8  # one of so many vertices reached is few
_NEVER = _BEGUN = np.uint64(2**63)
_SLACK = np.uint64(1 << 12)  # vertices that may be worked off again before the width is at fault
_PHASES, _ARCS = 1 << 10, np.uint64(1 << 24)  # of one call: control comes back often enough for Ctrl-C
_JOBS = 1 << 10  # bins shared out in one region


@kernel
def fit(search, workers, few):
    """The next bin to work off, more than BINS where there is none; first in other bins, if the width does not fit."""
    marks, place = search.marks, search.place
    b, scale = next_bin(search, workers, marks[NOW]), place[SCALE]
    if too_wide(marks):
        marks[AGAIN] = marks[HANDLED] - marks[REACHED] + _SLACK
        scale *= _WIDER
    elif marks[PHASES] >= _SOME:
        rarely_again = marks[HANDLED] * np.uint64(4) <= marks[REACHED] * np.uint64(5)
        if rarely_again and marks[HANDLED] < marks[SINCE] + _SOME * few:
            scale /= _WIDER
        marks[PHASES], marks[SINCE] = U0, marks[HANDLED]
    if scale != place[SCALE] or b == BINS:
        spread(search, workers, scale)
        b = next_bin(search, workers, U0)
    marks[NOW] = b
    return b


@kernel
def begin(search, source, scale):
    """Enter the source."""
    empty(search)
    for i in range(np.uint64(MARKS)):
        search.marks[i] = U0
    search.place[BASE], search.place[SCALE], search.marks[AGAIN] = 0.0, scale, _SLACK
    search.distance[source] = 0
    search.reached[0], search.marks[REACHED] = source, U1
    put(search, U0, U0, source, search.distance[source])


@kernel
def search_alone(search, did, source, scale, long, few, workers, stop):
    """Phases on this thread, at most one for each row of `did`; (how many, why it ended: 0, TURNS or FINISHED).

    It begins with `source`, unless that is _BEGUN. It ends too when it has read `long` arcs and a bin is large, or has
    become so. Rows of `did` get vertices and arcs.
    """
    if source != _BEGUN:
        begin(search, source, scale)
    marks, r, most, until, why = search.marks, U0, np.uint64(did.shape[0]), search.marks[ARCS] + _ARCS, U0
    while r < most and marks[ARCS] < until and going(stop):
        if marks[FULL] != U0:
            enter_anew(search)
        b = fit(search, workers, few)
        if b > BINS or marks[LONG] != U0:
            why = FINISHED
            break
        if marks[ARCS] >= long and is_large(search, b, workers):
            why = TURNS
            break
        did[r, 0], did[r, 1] = marks[HANDLED], marks[ARCS]
        work_off(search, b, workers, long)
        did[r, 0], did[r, 1] = marks[HANDLED] - did[r, 0], marks[ARCS] - did[r, 1]
        marks[PHASES] += U1
        r += U1
    return r, why


@kernel
def lead(team, search, did, few, workers, stop):
    """As `search_alone`, with large bins shared out; it ends too when there have been none for `_CALM` arcs."""
    marks, job, r, most, why = search.marks, U0, U0, np.uint64(did.shape[0]), U0
    until, since = marks[ARCS] + _ARCS, marks[ARCS]
    while r < most and marks[ARCS] < until and job < np.uint64(_JOBS) and going(stop):
        if marks[FULL] != U0:
            enter_anew(search)
        b = fit(search, workers, few)
        if b > BINS or marks[LONG] != U0:
            why = FINISHED
            break
        did[r, 0], did[r, 1] = marks[HANDLED], marks[ARCS]
        while job < np.uint64(_JOBS) and is_large(search, b, workers) and not too_wide(marks) and going(stop):
            share_out(team, search, job, b, collect(search, workers, b, U0))
            since, job = marks[ARCS], job + U1
        work_off(search, b, workers, _NEVER)
        did[r, 0], did[r, 1] = marks[HANDLED] - did[r, 0], marks[ARCS] - did[r, 1]
        marks[PHASES] += U1
        r += U1
        if marks[ARCS] - since > _CALM:
            why = TURNS
            break
    return r, why


@kernel
def take_part(team, search, did, few, workers, ended, stop):
    """Lead, if no other thread does, and else help."""
    number, job = arrive(team), U0
    if number == U0:
        ended[0], ended[1] = lead(team, search, did, few, workers, stop)
        dismiss(team)
        return
    while wait_for_job(team, job):
        take_chunks(team, search, job, number)
        job += U1


@parallel_kernel
def search_together(team, search, did, few, workers, ended, stop):
    """Phases by all threads in one region; `ended` gets how many, and why they ended."""
    clear(team)
    for _ in prange(workers):
        take_part(team, search, did, few, workers, ended, stop)


class LengthSearch:
    """Distances from a source; `step` makes many phases, for `run.enact`."""

    def __init__(self, run: Run, source: int, weights: np.ndarray, delta: float) -> None:
        self.run, graph, kind = run, run.graph, weights.dtype
        offsets, targets, _ = graph.rows
        self.keys = ("distances", kind), ("length bins", run.threads, kind)
        self.bins = take_memory(graph, self.keys[1], _memory, graph, run.threads, kind)
        limits, self.did = self.bins[0], self.bins[-1]
        self.distances = take_memory(graph, self.keys[0], make_distances, graph.n, targets.dtype, kind, limits[0])
        self.search = Search(offsets, targets, weights, *self.distances, *self.bins[:-1])
        self.source, self.scale = np.uint64(source), 1.0 / max(delta, _NARROWEST)
        self.finished = self.together = self.shared = False
        self.team: Team | None = None

    @property
    def too_long(self) -> bool:
        """Whether a way may be longer than can be told."""
        return bool(self.search.marks[LONG])

    def step(self) -> Sequence[Did] | None:
        """Some phases; None where all that can be reached have their distance."""
        while not self.finished:
            count, why = self._together() if self.together else self._alone()
            self.finished, self.together = bool(why == FINISHED), self.together ^ bool(why == TURNS)
            self.shared |= self.together
            if count:
                return PlayedLevels(self.did[:count].copy(), self.finished)
        return None

    def _alone(self) -> tuple[Any, Any]:
        run, (long, few) = self.run, (_NEVER, _FEW_ALONE) if self.run.threads == 1 else (_LONG, _FEW)
        source, self.source = self.source, _BEGUN
        workers = np.uint64(run.threads)
        return run.launch(search_alone, self.search, self.did, source, self.scale, long, few, workers, run.stop)

    def _together(self) -> tuple[Any, Any]:
        run, workers, ended = self.run, np.uint64(self.run.threads), np.zeros(2, np.uint64)
        self.team = self.team or team_for(_JOBS, 2)
        run.launch(search_together, self.team, self.search, self.did, _FEW, workers, ended, run.stop)
        return int(ended[0]), int(ended[1])

    def result(self) -> Callable[[], np.ndarray]:
        """What spells out the distances, inf where there is none; after this the search is over.

        Where one thread has reached few vertices, these are noted, and the array is kept for the next search.
        """
        graph, (distance, reached), far = self.run.graph, self.distances, self.search.limits[0]
        give_back(graph, self.keys[1], self.bins)
        count = int(self.search.marks[REACHED])
        if self.shared or count > graph.n // _SPARSE:
            return partial(spelled, distance)
        vertices = reached[:count].copy()
        lengths = distance[vertices]
        distance[vertices] = far
        give_back(graph, self.keys[0], self.distances)
        return partial(spread_out, graph.n, vertices, lengths)


def _memory(graph: Graph, workers: int, kind: Any) -> tuple[np.ndarray, ...]:
    """The fields of a search from `limits` on, and what phases did."""
    limits, marks, place = np.array(_limits(graph, kind), kind), np.empty(MARKS, np.uint64), np.empty(2)
    bins = make_bins(graph.n, workers, graph.rows.targets.dtype, kind)
    return limits, marks, place, *bins, np.empty((_PHASES, 2), np.uint64)


def _limits(graph: Graph, kind: Any) -> tuple[Any, Any]:
    """The distance of what is not reached, and the last one that can be added to."""
    if kind != np.uint32:
        return np.inf, np.inf
    return UNREACHED, max(int(UNREACHED) - 1 - int(weight_range(graph)[1]), 0)


def spread_out(n: int, vertices: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """An array of all distances from those of the vertices reached."""
    values = np.full(n, np.inf, np.float64 if lengths.dtype == np.uint32 else lengths.dtype)
    values[vertices] = lengths
    return values


def spelled(distance: np.ndarray) -> np.ndarray:
    """Distances as floats, infinity where there is no way."""
    if distance.dtype != np.uint32:
        return distance
    lengths = np.empty(distance.size)
    with kernel_threads(work=distance.size):
        as_lengths(distance, lengths)
    return lengths


@parallel_kernel
def as_lengths(distance, lengths):
    """Whole distances as floats, infinity where there is no way."""
    for p in prange(PIECES):
        low, high = piece_bounds(np.uint64(distance.size), p, PIECES)
        for v in range(low, high):
            lengths[v] = np.inf if distance[v] == UNREACHED else np.float64(distance[v])
