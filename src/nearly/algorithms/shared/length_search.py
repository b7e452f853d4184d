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
from functools import cache, partial
from typing import Any

import numpy as np
from numba import prange

from nearly.algorithms.shared.length_bins import (
    AGAIN,
    ARCS,
    BASE,
    BINS,
    BITS,
    CHUNK,
    CURSOR,
    FOUND,
    FULL,
    HANDLED,
    LONG,
    MARKS,
    NONE,
    NOW,
    PHASES,
    REACHED,
    SCALE,
    SINCE,
    Search,
    bin_of,
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
from nearly.algorithms.shared.level_search import UNREACHED, PlayedLevels
from nearly.algorithms.shared.weights import weight_range
from nearly.algorithms.shared.work_memory import give_back, take_memory
from nearly.base.atomics import atomic_min, fetch_add, going
from nearly.base.intrinsics import prefetch
from nearly.base.jit import inner_kernel, kernel, parallel_kernel
from nearly.base.threads import kernel_threads
from nearly.base.unsigned import U0, U1, piece_bounds
from nearly.engine.primitives import PIECES
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

FIRST, SECOND = np.uint64(8), np.uint64(4)  # entries ahead of which memory is asked for
FUSED = np.uint64(8)  # chunks of a bin that a worker keeps to itself
SHARES, FINISHED = np.uint64(1), np.uint64(2)
_LONG, _LARGE = np.uint64(1 << 15), np.uint64(4)  # arcs after which a search is long, chunks that make a bin large
_SOME, _FEW, _WIDER = np.uint64(64), np.uint64(16), 4.0  # phases to judge by, vertices that are few, how much wider
_NARROWEST = 1e-300
_SPARSE = 8  # one of so many vertices reached is few
_NEVER = np.uint64(2**63)
_SLACK = np.uint64(1 << 12)  # vertices that may be worked off again before the width is at fault
_PHASES, _ARCS = 1 << 10, np.uint64(1 << 24)  # of one call: control comes back often enough for Ctrl-C


@cache
def working_off(together: bool) -> Any:
    """The kernel that reads the rows of a chunk's vertices; (vertices, arcs, vertices reached and not noted)."""

    @inner_kernel
    def shorten(search, worker, count):
        """The second pass."""
        distance, found, through, far = search.distance, search.found, search.through, search.limits[0]
        base, scale, fresh = search.place[BASE], search.place[SCALE], U0
        reached, at = search.reached, search.marks[REACHED]
        for j in range(count):
            v, length = np.uint64(found[worker, j]), through[worker, j]
            before = distance[v]
            if length < before:
                if together:
                    before = atomic_min(distance, v, length)
                    if not length < before:
                        continue
                else:
                    distance[v] = length
                    reached[at + fresh] = v
                fresh += np.uint64(before == far)
                put(search, worker, bin_of(length, scale, base), v, length)
        if together:
            return fresh
        search.marks[REACHED] += fresh
        return U0

    @kernel(_nrt=False)
    def run(search, worker, chunk, size):
        offsets, targets, weights, distance = search.offsets, search.targets, search.weights, search.distance
        vertex, lengths, found, through = search.vertex, search.length, search.found, search.through
        last, first = search.limits[1], np.uint64(chunk) << BITS
        end, count, handled, arcs, fresh = first + size, U0, U0, U0, U0
        for i in range(first, end):
            if i + FIRST < end:
                prefetch(offsets, np.uint64(vertex[i + FIRST]))
                prefetch(distance, np.uint64(vertex[i + FIRST]))
                soon = offsets[vertex[i + SECOND]]
                prefetch(targets, soon)
                prefetch(weights, soon)
            u, length = np.uint64(vertex[i]), lengths[i]
            if distance[u] != length:
                continue
            if length > last:
                search.marks[LONG] = U1
                continue
            low, high = offsets[u], offsets[u + U1]
            handled += U1
            arcs += high - low
            while low < high:
                until = min(low + FOUND, high)
                for e in range(low, until):
                    v, way = targets[e], length + weights[e]
                    found[worker, count] = v
                    through[worker, count] = way
                    count += np.uint64(way < distance[v])
                low = until
                if count >= FOUND:
                    fresh += shorten(search, worker, count)
                    count = U0
        return handled, arcs, fresh + shorten(search, worker, count)

    return run


alone, together = working_off(False), working_off(True)


@inner_kernel
def work_off_own(search, worker, b):
    """Work off the first worker's bin on this thread, until it is empty or the width is at fault."""
    head, fill, after, marks = search.head, search.fill, search.after, search.marks
    while head[worker, b] != NONE and not too_wide(marks):
        chunk, size = head[worker, b], np.uint64(fill[worker, b])
        head[worker, b], fill[worker, b] = NONE, CHUNK
        while chunk != NONE:
            book(marks, alone(search, worker, chunk, size))
            following = after[chunk]
            hand_back(search, worker, chunk)
            chunk, size = following, CHUNK


@inner_kernel
def book(marks, did):
    """Add up what was done."""
    marks[HANDLED] += did[0]
    marks[ARCS] += did[1]
    marks[REACHED] += did[2]


@inner_kernel
def too_wide(marks):
    """Whether more vertices were worked off again than were reached, since that was found last."""
    return marks[HANDLED] > marks[REACHED] + marks[REACHED] + marks[AGAIN]


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
def search_alone(search, did, few, long, stop):
    """Phases on this thread, at most one for each row of `did`; (how many, why it ended: 0, SHARES or FINISHED).

    It ends too when it has read `long` arcs and comes to a large bin. Rows of `did` get vertices and arcs.
    """
    marks, r, most, until, why = search.marks, U0, np.uint64(did.shape[0]), search.marks[ARCS] + _ARCS, U0
    while r < most and marks[ARCS] < until and going(stop):
        if marks[FULL] != U0:
            enter_anew(search)
        b = fit(search, U1, few)
        if b > BINS or marks[LONG] != U0:
            why = FINISHED
            break
        if marks[ARCS] >= long and is_large(search, b, _LARGE):
            why = SHARES
            break
        did[r, 0], did[r, 1] = marks[HANDLED], marks[ARCS]
        work_off_own(search, U0, b)
        did[r, 0], did[r, 1] = marks[HANDLED] - did[r, 0], marks[ARCS] - did[r, 1]
        marks[PHASES] += U1
        r += U1
    return r, why


@kernel
def take_chunks(search, worker, b, count, stop):
    """Work off shared chunks until there are none, then what came of it in the same bin, while it is little."""
    shared, head, fill, after = search.shared, search.head, search.fill, search.after
    handled, arcs, fresh = U0, U0, U0
    i = fetch_add(search.marks, CURSOR, U1)
    while i < count and going(stop):
        did = together(search, worker, shared[i, 0], np.uint64(shared[i, 1]))
        handled, arcs, fresh = handled + did[0], arcs + did[1], fresh + did[2]
        i = fetch_add(search.marks, CURSOR, U1)
    while head[worker, b] != NONE and going(stop):
        chunk, length = head[worker, b], U0
        while chunk != NONE and length <= FUSED:
            length += U1
            chunk = after[chunk]
        if length > FUSED:
            break
        chunk, size = head[worker, b], np.uint64(fill[worker, b])
        head[worker, b], fill[worker, b] = NONE, CHUNK
        while chunk != NONE:
            did = together(search, worker, chunk, size)
            handled, arcs, fresh = handled + did[0], arcs + did[1], fresh + did[2]
            following = after[chunk]
            hand_back(search, worker, chunk)
            chunk, size = following, CHUNK
    return handled, arcs, fresh


@parallel_kernel
def share_out(search, b, count, workers, stop):
    """Work off shared chunks by all workers; (vertices, arcs, vertices reached)."""
    did = np.zeros((workers, 3), np.uint64)
    for worker in prange(workers):
        did[worker, 0], did[worker, 1], did[worker, 2] = take_chunks(search, np.uint64(worker), b, count, stop)
    handled, arcs, fresh = U0, U0, U0
    for worker in range(workers):
        handled, arcs, fresh = handled + did[worker, 0], arcs + did[worker, 1], fresh + did[worker, 2]
    return handled, arcs, fresh


@kernel
def search_together(search, did, few, workers, stop):
    """As `search_alone`, with large bins shared out."""
    marks, shared, r, most = search.marks, search.shared, U0, np.uint64(did.shape[0])
    until, why = marks[ARCS] + _ARCS, U0
    while r < most and marks[ARCS] < until and going(stop):
        if marks[FULL] != U0:
            enter_anew(search)
        b = fit(search, workers, few)
        if b > BINS or marks[LONG] != U0:
            why = FINISHED
            break
        did[r, 0], did[r, 1] = marks[HANDLED], marks[ARCS]
        count = collect(search, workers, b, U0)
        while count > U0 and going(stop):
            if count >= _LARGE + workers:
                marks[CURSOR] = U0
                book(marks, share_out(search, b, count, workers, stop))
            else:
                for k in range(count):
                    book(marks, alone(search, np.uint64(shared[k, 2]), shared[k, 0], np.uint64(shared[k, 1])))
            for k in range(count):
                hand_back(search, np.uint64(shared[k, 2]), shared[k, 0])
            count = U0 if too_wide(marks) else collect(search, workers, b, U0)
        did[r, 0], did[r, 1] = marks[HANDLED] - did[r, 0], marks[ARCS] - did[r, 1]
        marks[PHASES] += U1
        r += U1
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
        self.search = Search(offsets, targets, weights, *self.distances, limits, marks, place, *self.bins)
        begin(self.search, np.uint64(source), 1.0 / max(delta, _NARROWEST))
        self.did, self.finished, self.shares = np.empty((_PHASES, 2), np.uint64), False, False

    @property
    def too_long(self) -> bool:
        """Whether a way may be longer than can be told."""
        return bool(self.search.marks[LONG])

    def step(self) -> Sequence[Did] | None:
        """Some phases; None where all that can be reached have their distance."""
        run, search, did = self.run, self.search, self.did
        while not self.finished:
            if self.shares:
                count, why = run.launch(search_together, search, did, _FEW, np.uint64(run.threads), run.stop)
            else:
                long = _LONG if run.threads > 1 else _NEVER
                count, why = run.launch(search_alone, search, did, _FEW, long, run.stop)
            self.finished, self.shares = bool(why == FINISHED), self.shares or bool(why == SHARES)
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
        if self.shares or count > graph.n // _SPARSE:
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
