"""The near/far queue (MG4): work in order of priority, roughly, at the price of two piles instead of a heap.

`NearFar(run, graph, visit, priority, state, delta)` runs the functor `visit(state, u, v, e)` to a fixed point
as `Advance` does, but lets vertices wait whose `priority(state, v)` is beyond a bound. Rounds work through
the near pile; a vertex that changed joins the next round if its priority is within the bound, else the far
pile. When nothing is near, the bound moves up by `delta` and the far pile is parted anew. With distances as
priorities that is delta-stepping (Meyer and Sanders, "Delta-stepping: a parallelizable shortest path
algorithm", 2003) in the two-pile form of Davidson, Baxter, Garland and Owens (IPDPS 2014). The answer
is the fixed point, which does not depend on the order; order only saves work.

Delta adapts: it doubles while a phase (all rounds under one bound) handles too few vertices to pay for the
parting, and halves when so many come at once that order is lost.

One stamp a vertex, only ever raised, keeps both piles free of duplicates. Priorities never rise and the
bound never falls, so a vertex goes far at most once (stamp 1) and, once near, never again; every round has a
larger number, which its near pile's vertices carry. A far entry whose vertex came within an earlier bound is
stale, because the vertex was near then, and is dropped when the pile is parted.

Frontiers jump about in memory, so rows, and for large rounds the targets' state, are asked for ahead.
Whole phases run inside compiled code, many to a call; rounds of few edges run on one thread.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import prange

from nearly.base.atomics import atomic_max, fetch_add, going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.prefetch import prefetch
from nearly.engine.clock import ticks
from nearly.engine.enact import Did, Run, enact
from nearly.engine.primitives import functor
from nearly.graph.csr import Graph
from nearly.graph.partition import U0, U1

import os
TUNE=[4.0,8.0]
HEAD,SCAN,FIXED,RATIO=np.uint64(8),np.uint64(int(os.environ.get("SCAN","4"))),np.uint64(int(os.environ.get("FIXED","256"))),np.uint64(int(os.environ.get("RATIO","8")))
FEW, MANY = np.uint64(2048), np.uint64(131_000)  # vertices a phase should handle at least and at most
SERIAL = np.uint64(1 << 13)  # a round of fewer edges, or a pile of fewer vertices, is faster on one thread
_EDGES_A_CALL = np.uint64(1 << 24)  # some tens of milliseconds: control comes back often enough for Ctrl-C
_PHASES_A_CALL = 1 << 10
BUFFER, BATCH, PIECE = np.uint64(512), np.uint64(64), np.uint64(2048)
CURSOR, NEAR, FAR, EDGES, ROUND = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
FIRST, SECOND, EDGE = np.uint64(12), np.uint64(6), np.uint64(12)  # how many iterations ahead memory is asked for
WAITING = np.uint32(1)  # the stamp of a vertex in the far pile; rounds have larger numbers


class NearFar:
    """One functor and its priority, bound to a graph.

    Parameters
    ----------
    run : the run this belongs to.
    graph : whose arcs are visited.
    visit : `visit(state, u, v, e) -> bool`, whether v changed.
    priority : `priority(state, v) -> float`; must not rise when v changes.
    state : a NamedTuple of arrays, the first of them what `visit` reads of v.
    delta : how far the bound moves at first.
    """

    def __init__(
        self,
        run: Run,
        graph: Graph,
        visit: Callable[..., bool],
        priority: Callable[..., float],
        state: Any,
        delta: float,
    ) -> None:
        self.run, self.graph, self.state = run, graph, state
        self.phases = near_far(visit, priority)
        dtype = graph.arrays.targets.dtype
        self.far, *self.others = (np.empty(graph.n, dtype) for _ in range(3))
        self.counters = np.zeros(5, np.uint64)
        self.counters[ROUND] = WAITING
        self.bound = np.array([-np.inf, delta, *TUNE])
        self.stamp = np.zeros(graph.n, np.uint32)

    def start(self, vertices: Any) -> NearFar:
        """Begin with these vertices."""
        vertices = np.asarray(vertices, self.far.dtype)
        self.far[: vertices.size] = vertices
        self.stamp[vertices] = WAITING
        self.counters[FAR] = vertices.size
        return self

    def to_fixed_point(self) -> bool:
        """Phases until nothing changes; False if stopped before."""
        return enact(self.run, self.step)

    def step(self) -> list[Did] | None:
        """As many phases as fit into one call; None when there is nothing to do."""
        trace = np.zeros((min(self.run.rounds_left, _PHASES_A_CALL), 3), np.uint64)
        phases = self.run.launch(
            self.phases, *self.graph.arrays, self.far, *self.others, self.counters, self.bound, self.stamp, self.state,
            trace, self.run.threads, self.run.stop,
        )  # fmt: skip
        return [Did(int(s), int(e), float(t)) for s, e, t in trace[: int(phases)].tolist()] or None


@cache
def near_far(visit: Callable[..., bool], priority: Callable[..., float]) -> Any:
    """The kernel that runs phases until both piles are empty, the trace is full or enough edges were visited."""
    visits, ranks = functor(visit), functor(priority)
    alone, together = round_alone(visits, ranks), round_together(visits, ranks)
    part = parting(ranks)

    @kernel
    def run(offsets, targets, weights, far, here, there, counters, bound, stamp, state, trace, workers, stop):
        phases, visited = U0, U0
        while counters[FAR] > U0 and phases < np.uint64(trace.shape[0]) and visited < _EDGES_A_CALL and going(stop):
            since = ticks()
            handled, parted, counters[EDGES] = U0, counters[FAR], U0
            stale = bound[0]
            bound[0] += bound[1]
            least = part(far, here, counters, stale, bound[0], state, workers)
            if counters[NEAR] == U0 and counters[FAR] > U0:  # nothing in this step: skip the gap
                bound[0] = least + bound[1]
                part(far, here, counters, stale, bound[0], state, workers)
            size = counters[NEAR]
            while size > U0 and going(stop):
                handled += size
                counters[ROUND] += U1
                counters[NEAR] = counters[CURSOR] = U0
                if few_edges(offsets, here, size):
                    alone(offsets, targets, weights, here, size, there, far, counters, bound[0], stamp, state)
                else:
                    together(
                        offsets,
                        targets,
                        weights,
                        here,
                        size,
                        there,
                        far,
                        counters,
                        bound[0],
                        stamp,
                        state,
                        workers,
                        stop,
                    )
                here, there = there, here
                size = counters[NEAR]
            trace[phases, 0], trace[phases, 1], trace[phases, 2] = handled, counters[EDGES], ticks() - since
            phases += U1
            visited += counters[EDGES]
            work, price = np.float64(counters[EDGES] + HEAD * handled), bound[2] * np.float64(parted + FIXED)
            if price > work:
                bound[1] *= 2.0
            elif price * bound[3] < work:
                bound[1] *= 0.5
        return phases

    return run


@kernel
def few_edges(offsets, items, size):
    """Whether a frontier is worth only one thread."""
    if size >= SERIAL:
        return False
    edges = U0
    for i in range(size):
        u = np.uint64(items[i])
        edges += offsets[u + U1] - offsets[u]
    return edges < SERIAL


@kernel
def ask_for_row(offsets, targets, weights, items, i, size):
    """Ask for the rows of items some places after i: first where they start, then what is there."""
    if i + FIRST < size:
        prefetch(offsets, np.uint64(items[i + FIRST]))
        start = offsets[items[i + SECOND]]
        prefetch(targets, start)
        prefetch(weights, start)


@cache
def round_alone(visits: Any, ranks: Any) -> Any:
    """One round on one thread."""

    @kernel
    def run(offsets, targets, weights, items, size, near, far, counters, bound, stamp, state):
        now = np.uint32(counters[ROUND])
        nears, fars, edges = U0, counters[FAR], U0
        for i in range(size):
            ask_for_row(offsets, targets, weights, items, i, size)
            u = np.uint64(items[i])
            low, high = offsets[u], offsets[u + U1]
            edges += high - low
            for e in range(low, high):
                v = targets[e]
                if visits(state, u, v, e):
                    if ranks(state, v) <= bound:
                        if stamp[v] < now:
                            stamp[v] = now
                            near[nears] = v
                            nears += U1
                    elif stamp[v] < WAITING:
                        stamp[v] = WAITING
                        far[fars] = v
                        fars += U1
        counters[NEAR], counters[FAR] = nears, fars
        counters[EDGES] += edges

    return run


@cache
def round_together(visits: Any, ranks: Any) -> Any:
    """One round on all workers, each with a buffer per pile."""

    @kernel
    def expand(
        offsets, targets, weights, items, low, high, size, near, far, counters, bound, stamp, state, kept, aside, fills
    ):
        now = np.uint32(counters[ROUND])
        nears, fars, edges = fills[0], fills[1], U0
        for i in range(low, high):
            ask_for_row(offsets, targets, weights, items, i, size)
            u = np.uint64(items[i])
            first, last = offsets[u], offsets[u + U1]
            edges += last - first
            for e in range(first, last):
                prefetch(state[0], np.uint64(targets[min(e + EDGE, last - U1)]))
                v = targets[e]
                if visits(state, u, v, e):
                    if ranks(state, v) <= bound:
                        if stamp[v] < now and atomic_max(stamp, v, now) < now:
                            kept[nears] = v
                            nears += U1
                            if nears == BUFFER:
                                nears = flush(kept, nears, near, counters, NEAR)
                    elif stamp[v] < WAITING and atomic_max(stamp, v, WAITING) < WAITING:
                        aside[fars] = v
                        fars += U1
                        if fars == BUFFER:
                            fars = flush(aside, fars, far, counters, FAR)
        fills[0], fills[1] = nears, fars
        return edges

    @parallel_kernel
    def run(offsets, targets, weights, items, size, near, far, counters, bound, stamp, state, workers, stop):
        for _ in prange(workers):
            kept, aside = np.empty(BUFFER, near.dtype), np.empty(BUFFER, far.dtype)
            fills = np.zeros(2, np.uint64)
            edges = U0
            start = fetch_add(counters, CURSOR, BATCH)
            while start < size and going(stop):
                end = min(start + BATCH, size)
                edges += expand(
                    offsets, targets, weights, items, start, end, size, near, far,
                    counters, bound, stamp, state, kept, aside, fills,
                )  # fmt: skip
                start = fetch_add(counters, CURSOR, BATCH)
            flush(kept, fills[0], near, counters, NEAR)
            flush(aside, fills[1], far, counters, FAR)
            fetch_add(counters, EDGES, edges)

    return run


@kernel
def flush(kept, fill, pile, counters, which):
    """Claim room in `pile` for what waits in `kept`; returns how much waits then: nothing."""
    at = fetch_add(counters, which, fill)
    for j in range(fill):
        pile[at + j] = kept[j]
    return U0


@cache
def parting(ranks: Any) -> Any:
    """The kernel that parts the far pile: ranks beyond `bound` stay, those up to `stale` go, the rest is near.

    Returns the least rank that stays.
    """

    @kernel
    def part(far, low, high, near, nears, stale, bound, state):
        """Items [low, high): what stays moves to the front; returns its end, the near pile's, and the least that stays."""
        least, end = np.inf, low
        for i in range(low, high):
            v = far[i]
            rank = ranks(state, v)
            if rank > bound:
                far[end] = v
                end += U1
                least = min(least, rank)
            elif rank > stale:
                near[nears] = v
                nears += U1
        return end, nears, least

    @parallel_kernel
    def part_together(far, near, counters, stale, bound, state, workers):
        size = counters[FAR]
        pieces = (size + PIECE - U1) // PIECE
        ends, leasts = np.empty(pieces, np.uint64), np.empty(pieces, np.float64)
        counters[CURSOR] = counters[NEAR] = U0
        for _ in prange(workers):
            kept = np.empty(PIECE, near.dtype)
            piece = fetch_add(counters, CURSOR, U1)
            while piece < pieces:
                low, high = piece * PIECE, min((piece + U1) * PIECE, size)
                ends[piece], fill, leasts[piece] = part(far, low, high, kept, U0, stale, bound, state)
                flush(kept, fill, near, counters, NEAR)
                piece = fetch_add(counters, CURSOR, U1)
        end = ends[0]
        for piece in range(U1, pieces):
            for i in range(piece * PIECE, ends[piece]):
                far[end] = far[i]
                end += U1
        counters[FAR] = end
        return leasts.min()

    @kernel
    def run(far, near, counters, stale, bound, state, workers):
        if counters[FAR] >= SERIAL:
            return part_together(far, near, counters, stale, bound, state, workers)
        counters[FAR], counters[NEAR], least = part(far, U0, counters[FAR], near, U0, stale, bound, state)
        return least

    return run
