"""The kernels of `advance` (MG2): where a functor happens on edges. Each is a factory that binds a functor.

`push(visit)`: visit the out-edges of a frontier; targets for which `visit(state, u, v, e)` is true form the
next frontier. Workers take batches of items from a shared cursor; items of more edges than `threshold`
are set aside, laid end to end, and expanded by all workers in equal shares of edges (that is the heavy-light
policy; others never set anything aside). A vertex enters the output once per round: its stamp is set to the
round's number with an atomic and never cleared. Idempotent functors may do without the atomic (`once`
false): duplicates are then only culled as far as a plain store can. `emit` false skips the output.
`push_serial(visit)`: the same on one thread, for as many rounds as the frontier stays small.
`pull(visit, wants)`: every vertex that still wants a value looks among its in-neighbours for one in the
frontier's bitmap; whole words of the output bitmap belong to one worker, so nothing is atomic.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import exchange, fetch_add, going
from nearly.base.intrinsics import ticks
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1, U6, U63
from nearly.engine.functor import functor, functor_alone
from nearly.engine.primitives import load_balanced_search

CURSOR, EMITTED, EDGES, HEAVY = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
BUFFER = np.uint64(1024)
SHARE = np.uint64(4096)  # edges of a heavy item that one worker takes at a time


class Items(NamedTuple):
    """What to expand: vertices, or all where the array is empty."""

    items: np.ndarray
    size: np.uint64  # how many
    batch: np.uint64  # items that a worker takes at a time
    threshold: np.uint64  # items of more edges are set aside (split: edges of a virtual node)
    heavy: np.ndarray  # room for those (split: where the virtual nodes of each item start)


class Output(NamedTuple):
    """Where the targets go that the functor accepts."""

    out: np.ndarray
    counters: np.ndarray  # uint64[4]: CURSOR, EMITTED, EDGES, HEAVY
    stamp: np.ndarray  # uint32[n], the last round in which a vertex was emitted
    now: np.uint32  # the round
    emit: bool
    once: bool  # whether a vertex must not be emitted twice


@cache
def expanding(visit: Callable[..., bool]) -> Any:
    """The function that visits edges [low, high) of u; what it emits waits in `kept` until there is enough of it."""
    visits, keep = functor(visit), keeping(getattr(visit, "copied", False))

    @kernel(_nrt=False)
    def expand(targets, u, low, high, state, output, kept, fill):
        stamp, now, emit, once = output.stamp, output.now, output.emit, output.once
        for e in range(low, high):
            v = targets[e]
            if visits(state, u, v, e) and emit and stamp[v] != now and claim(stamp, v, now, once):
                fill = keep(state, v, kept, fill, output)
        return fill

    return expand


@cache
def push(visit: Callable[..., bool]) -> Any:
    """The kernel that visits the out-edges of a frontier; see the top of the file."""
    expand = expanding(visit)

    @parallel_kernel
    def run(rows, wanted, output, state, workers, stop):
        offsets, targets, items, heavy = rows.offsets, rows.targets, wanted.items, wanted.heavy
        count, batch, threshold = wanted.size, wanted.batch, wanted.threshold
        out, counters = output.out, output.counters
        for _ in prange(workers):
            kept = np.empty(BUFFER, out.dtype)
            fill, edges = U0, U0
            start = fetch_add(counters, CURSOR, batch)
            while start < count and going(stop):
                for i in range(start, min(start + batch, count)):
                    u = np.uint64(items[i]) if items.size else i
                    low, high = offsets[u], offsets[u + U1]
                    edges += high - low
                    if high - low > threshold:
                        set_aside(heavy, counters, u)
                    else:
                        fill = expand(targets, u, low, high, state, output, kept, fill)
                start = fetch_add(counters, CURSOR, batch)
            flush(kept, fill, out, counters)
            fetch_add(counters, EDGES, edges)
        if heavy_items(counters) > U0:
            first = heavy_edges(offsets, heavy, counters)
            total = first[first.size - 1]
            for _ in prange(workers):
                kept = np.empty(BUFFER, out.dtype)
                fill = U0
                start = fetch_add(counters, CURSOR, SHARE)
                while start < total and going(stop):
                    end = min(start + SHARE, total)
                    i = load_balanced_search(first, start)
                    while start < end:
                        u = np.uint64(heavy[i])
                        low, upto = offsets[u] + start - first[i], min(first[i + U1], end)
                        fill = expand(targets, u, low, low + upto - start, state, output, kept, fill)
                        start = upto
                        i += U1
                    start = fetch_add(counters, CURSOR, SHARE)
                flush(kept, fill, out, counters)

    return run


@kernel(_nrt=False)
def set_aside(heavy, counters, u):
    """Note a heavy item; apart, because a store in the parallel loop itself could be lost."""
    heavy[fetch_add(counters, HEAVY, U1)] = u


@kernel(_nrt=False)
def claim(stamp, v, now, once):
    """Put this round's stamp on v. With `once` one caller a round hears True; without, one caller a worker may."""
    if once:
        return exchange(stamp, v, now) != now
    stamp[v] = now
    return True


@kernel(_nrt=False)
def heavy_items(counters):
    """How many were set aside; apart, because a plain read after the parallel loop may be moved before it."""
    return counters[HEAVY]


@kernel
def heavy_edges(offsets, heavy, counters):
    """Where each heavy item's edges start when all are laid end to end; sets the cursor to the first."""
    first = np.zeros(counters[HEAVY] + U1, np.uint64)
    for i in range(counters[HEAVY]):
        u = np.uint64(heavy[i])
        first[i + U1] = first[i] + offsets[u + U1] - offsets[u]
    counters[CURSOR] = U0
    return first


@cache
def keeping(copied: bool) -> Any:
    """The function that puts a target, and its copies if `copied`, aside for the output; returns how many wait."""

    @kernel(_nrt=False)
    def put(v, kept, fill, output):
        kept[fill] = v
        fill += U1
        if fill == BUFFER:
            flush(kept, fill, output.out, output.counters)
            fill = U0
        return fill

    @kernel(_nrt=False)
    def keep(state, v, kept, fill, output):
        fill = put(v, kept, fill, output)
        if copied:
            for j in range(state.first[v], state.first[v + U1]):
                fill = put(state.copy[j], kept, fill, output)
        return fill

    return keep


@kernel(_nrt=False)
def flush(kept, fill, out, counters):
    """Claim room in `out` for what still waits in `kept`."""
    at = fetch_add(counters, EMITTED, fill)
    for j in range(fill):
        out[at + j] = kept[j]


class Piles(NamedTuple):
    """The two frontiers of rounds on one thread, and the stamps that keep a vertex from entering one twice."""

    here: np.ndarray
    there: np.ndarray
    stamp: np.ndarray


class Limits(NamedTuple):
    """How far rounds on one thread may go."""

    widest: np.uint64  # no vertex has more edges
    edges: np.uint64  # of a round
    visited: np.uint64  # edges of all rounds, after which control goes back


@cache
def push_serial(visit: Callable[..., bool]) -> Any:
    """Rounds on one thread, in one call, while a round has few edges; returns (size, rounds done).

    Frontiers alternate between `here` and `there`; `trace` takes (size, edges, ticks) per round.
    """
    visits = functor_alone(visit)
    settles = getattr(visit, "settles", False)  # each vertex changes at most once: no stamp is needed
    copied = getattr(visit, "copied", False)

    @kernel
    def run(rows, piles, size, limits, now, state, trace):
        offsets, targets = rows.offsets, rows.targets
        here, there, stamp = piles.here, piles.there, piles.stamp
        rounds, visited = U0, U0
        while size > U0 and rounds < np.uint64(trace.shape[0]) and visited < limits.visited:
            edges = U0
            if size * limits.widest > limits.edges:  # there may be too many: count
                for i in range(size):
                    u = np.uint64(here[i])
                    edges += offsets[u + U1] - offsets[u]
                if edges > limits.edges:
                    break
                edges = U0
            since = ticks()
            fill = U0
            for i in range(size):
                u = np.uint64(here[i])
                edges += offsets[u + U1] - offsets[u]
                for e in range(offsets[u], offsets[u + U1]):
                    v = targets[e]
                    if visits(state, u, v, e) and (settles or stamp[v] != now):
                        if not settles:
                            stamp[v] = now
                        there[fill] = v
                        fill += U1
                        if copied:
                            for j in range(state.first[v], state.first[v + U1]):
                                there[fill] = state.copy[j]
                                fill += U1
            trace[rounds, 0], trace[rounds, 1], trace[rounds, 2] = size, edges, ticks() - since
            visited += edges
            rounds += U1
            now += np.uint32(1)
            size = fill
            here, there = there, here
        return size, rounds

    return run


@cache
def pull(visit: Callable[..., bool], wants: Callable[..., bool]) -> Any:
    """The kernel in which vertices look for a neighbour in the frontier's bitmap; the first with a value will do.

    `rows` are those of the reverse graph. `counters[HEAVY]` becomes the number of arcs of the vertices that found one.
    """
    visits, wanting = functor(visit), functor(wants)

    @parallel_kernel
    def run(rows, bitmap, out, counters, state, workers, stop):
        offsets, targets = rows.offsets, rows.targets
        n = np.uint64(offsets.size - 1)
        words = np.uint64(out.size)
        batch = np.uint64(64)
        for _ in prange(workers):
            emitted, edges, degrees = U0, U0, U0
            start = fetch_add(counters, CURSOR, batch)
            while start < words and going(stop):
                for word in range(start, min(start + batch, words)):
                    found = U0
                    for v in range(word << U6, min((word + U1) << U6, n)):
                        if wanting(state, v):
                            for e in range(offsets[v], offsets[v + U1]):
                                u = np.uint64(targets[e])
                                edges += U1
                                if (bitmap[u >> U6] >> (u & U63)) & U1 and visits(state, u, v, e):
                                    found |= U1 << (v & U63)
                                    emitted += U1
                                    degrees += offsets[v + U1] - offsets[v]
                                    break
                    out[word] = found
                start = fetch_add(counters, CURSOR, batch)
            fetch_add(counters, EMITTED, emitted)
            fetch_add(counters, EDGES, edges)
            fetch_add(counters, HEAVY, degrees)

    return run
