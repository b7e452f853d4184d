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
    CURSOR,
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
    hand_back,
    is_large,
    make_bins,
    make_distances,
    next_bin,
    put,
    spread,
)
from nearly.algorithms.shared.length_kernels import book, share_out, too_wide, work_off
from nearly.algorithms.shared.level_search import UNREACHED, PlayedLevels
from nearly.algorithms.shared.weights import weight_range
from nearly.algorithms.shared.work_memory import give_back, take_memory
from nearly.base.atomics import going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.threads import kernel_threads
from nearly.base.unsigned import U0, U1, piece_bounds
from nearly.engine.primitives import PIECES
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

TURNS, FINISHED = np.uint64(1), np.uint64(2)
_LONG = np.uint64(1 << 15)  # arcs after which a search, or a stretch of small bins in it, is long
_SOME, _WIDER = np.uint64(64), 4.0  # phases to judge the width by, and how much wider or narrower the next one is
_FEW_ALONE, _FEW = np.uint64(16), np.uint64(512)  # vertices of a phase that are few, for one thread and for more
_NARROWEST = 1e-300
_SPARSE = 8  # one of so many vertices reached is few
_NEVER = np.uint64(2**63)
_SLACK = np.uint64(1 << 12)  # vertices that may be worked off again before the width is at fault
_PHASES, _ARCS = 1 << 10, np.uint64(1 << 24)  # of one call: control comes back often enough for Ctrl-C


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
def search_alone(search, did, long, few, workers, stop):
    """Phases on this thread, at most one for each row of `did`; (how many, why it ended: 0, TURNS or FINISHED).

    It ends too when it has read `long` arcs and comes to a large bin. Rows of `did` get vertices and arcs.
    """
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
        work_off(search, b, workers)
        did[r, 0], did[r, 1] = marks[HANDLED] - did[r, 0], marks[ARCS] - did[r, 1]
        marks[PHASES] += U1
        r += U1
    return r, why


@kernel
def search_together(search, did, few, workers, stop):
    """As `search_alone`, with large bins shared out; it ends too when there have been none for `_LONG` arcs."""
    marks, shared, r, most, why = search.marks, search.shared, U0, np.uint64(did.shape[0]), U0
    until, since = marks[ARCS] + _ARCS, marks[ARCS]
    while r < most and marks[ARCS] < until and going(stop):
        if marks[FULL] != U0:
            enter_anew(search)
        b = fit(search, workers, few)
        if b > BINS or marks[LONG] != U0:
            why = FINISHED
            break
        did[r, 0], did[r, 1] = marks[HANDLED], marks[ARCS]
        while is_large(search, b, workers) and not too_wide(marks) and going(stop):
            count = collect(search, workers, b, U0)
            marks[CURSOR] = U0
            book(marks, share_out(search, b, count, workers, stop))
            for k in range(count):
                hand_back(search, np.uint64(shared[k, 2]), shared[k, 0])
            since = marks[ARCS]
        work_off(search, b, workers)
        did[r, 0], did[r, 1] = marks[HANDLED] - did[r, 0], marks[ARCS] - did[r, 1]
        marks[PHASES] += U1
        r += U1
        if marks[ARCS] - since > _LONG:
            why = TURNS
            break
    return r, why


class LengthSearch:
    """Distances from a source; `step` makes many phases, for `run.enact`."""

    def __init__(self, run: Run, source: int, weights: np.ndarray, delta: float) -> None:
        self.run, graph, kind = run, run.graph, weights.dtype
        offsets, targets, _ = graph.rows
        far, last = _limits(graph, kind)
        self.keys = ("distances", kind), ("length bins", run.threads, kind)
        self.distances = take_memory(graph, self.keys[0], lambda: make_distances(graph.n, targets.dtype, kind, far))
        self.bins = take_memory(graph, self.keys[1], lambda: make_bins(graph.n, run.threads, targets.dtype, kind))
        marks, place = np.zeros(MARKS, np.uint64), np.empty(2)
        limits = np.array([far, last], kind)
        self.search = Search._make((offsets, targets, weights, *self.distances, limits, marks, place, *self.bins))
        begin(self.search, np.uint64(source), 1.0 / max(delta, _NARROWEST))
        self.did = np.empty((_PHASES, 2), np.uint64)
        self.finished = self.together = self.shared = False

    @property
    def too_long(self) -> bool:
        """Whether a way may be longer than can be told."""
        return bool(self.search.marks[LONG])

    def step(self) -> Sequence[Did] | None:
        """Some phases; None where all that can be reached have their distance."""
        run, search, did, workers = self.run, self.search, self.did, np.uint64(self.run.threads)
        while not self.finished:
            few = _FEW_ALONE if run.threads == 1 else _FEW
            if self.together:
                count, why = run.launch(search_together, search, did, few, workers, run.stop)
            else:
                long = _NEVER if run.threads == 1 else _LONG
                count, why = run.launch(search_alone, search, did, long, few, workers, run.stop)
            self.finished, self.together = bool(why == FINISHED), self.together ^ bool(why == TURNS)
            self.shared |= self.together
            if count:
                return PlayedLevels(did[: int(count)].copy())
        return None

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


@kernel
def begin(search, source, scale):
    """Enter the source."""
    empty(search)
    search.place[BASE], search.place[SCALE], search.marks[AGAIN] = 0.0, scale, _SLACK
    search.distance[source] = 0
    search.reached[0], search.marks[REACHED] = source, U1
    put(search, U0, U0, source, search.distance[source])
