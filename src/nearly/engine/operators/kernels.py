"""The operators' kernels (MG2): where a functor happens. Each is a factory that binds a functor into a compiled kernel.

`push(visit)`: visit the out-edges of a frontier; targets for which `visit(state, u, v, e)` is true form the
next frontier. Workers take batches of items from a shared cursor; items of more edges than `threshold`
are set aside, laid end to end, and expanded by all workers in equal shares of edges (that is the heavy-light
policy; others never set anything aside). A vertex enters the output once per round: its stamp is set to the
round's number with an atomic and never cleared. Idempotent functors may do without the atomic (`once`
false): duplicates are then only culled as far as a plain store can. `emit` false skips the output.
`push_serial(visit)`: the same on one thread, for as many rounds as the frontier stays small.
`pull(visit, wants)`: every vertex that still wants a value looks among its in-neighbours for one in the
frontier's bitmap; whole words of the output bitmap belong to one worker, so nothing is atomic.
`neighborhood_reduce`, `filter_items`, `for_each`, `intersect`: see each.

A functor is a plain function of one element. It may store into the state's arrays and must use atomics
where two edges may meet; it returns whether the target changed. Functors are compiled apart from
the loop, because stores through fields of a NamedTuple inside a `prange` body can be lost.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import prange

from nearly.base.atomics import exchange, fetch_add, going
from nearly.base.intrinsics import ticks
from nearly.base.jit import SUM_ORDER_FREE, kernel, parallel_kernel
from nearly.base.unsigned import U0, U1, U6, U63, piece_bounds
from nearly.engine.primitives import functor, functor_alone, load_balanced_search, pieces_for

CURSOR, EMITTED, EDGES, HEAVY = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
BUFFER = np.uint64(1024)
SHARE = np.uint64(4096)  # edges of a heavy item that one worker takes at a time


@cache
def push(visit: Callable[..., bool]) -> Any:
    """The kernel that visits the out-edges of a frontier; see the top of the file."""
    visits, keep = functor(visit), keeping(getattr(visit, "copied", False))

    @kernel
    def expand(offsets, targets, u, low, high, state, stamp, now, emit, once, kept, fill, out, counters):
        """Visit edges [low, high) of u; emitted targets wait in `kept` until there are enough to claim room for."""
        for e in range(low, high):
            v = targets[e]
            if visits(state, u, v, e) and emit and stamp[v] != now and claim(stamp, v, now, once):
                fill = keep(state, v, kept, fill, out, counters)
        return fill

    @parallel_kernel
    def run(
        offsets,
        targets,
        items,
        count,
        batch,
        threshold,
        heavy,
        out,
        counters,
        stamp,
        now,
        state,
        emit,
        once,
        workers,
        stop,
    ):
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
                        heavy[fetch_add(counters, HEAVY, U1)] = u
                    else:
                        fill = expand(
                            offsets, targets, u, low, high, state, stamp, now, emit, once, kept, fill, out, counters
                        )
                start = fetch_add(counters, CURSOR, batch)
            flush(kept, fill, out, counters)
            fetch_add(counters, EDGES, edges)
        if counters[HEAVY]:
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
                        high = low + upto - start
                        fill = expand(
                            offsets, targets, u, low, high, state, stamp, now, emit, once, kept, fill, out, counters
                        )
                        start = upto
                        i += U1
                    start = fetch_add(counters, CURSOR, SHARE)
                flush(kept, fill, out, counters)

    return run


@kernel
def claim(stamp, v, now, once):
    """Put this round's stamp on v. With `once` one caller a round hears True; without, one caller a worker may."""
    if once:
        return exchange(stamp, v, now) != now
    stamp[v] = now
    return True


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

    @kernel
    def put(v, kept, fill, out, counters):
        kept[fill] = v
        fill += U1
        if fill == BUFFER:
            flush(kept, fill, out, counters)
            fill = U0
        return fill

    @kernel
    def keep(state, v, kept, fill, out, counters):
        fill = put(v, kept, fill, out, counters)
        if copied:
            for j in range(state.first[v], state.first[v + U1]):
                fill = put(state.copy[j], kept, fill, out, counters)
        return fill

    return keep


@kernel
def flush(kept, fill, out, counters):
    """Claim room in `out` for what still waits in `kept`."""
    at = fetch_add(counters, EMITTED, fill)
    for j in range(fill):
        out[at + j] = kept[j]


@cache
def push_split(visit: Callable[..., bool]) -> Any:
    """As `push`, over virtual nodes (LB5): `first` numbers each item's virtual nodes, each of at most `most` edges.

    The value stays one per vertex. With `strided`, virtual node k of K takes edges k, k + K, k + 2K, ...
    """
    visits, keep = functor(visit), keeping(getattr(visit, "copied", False))

    @parallel_kernel
    def run(offsets, targets, items, first, most, strided, out, counters, stamp, now, state, emit, once, workers, stop):
        total = first[first.size - 1]
        batch = max(U1, min(np.uint64(64), total // np.uint64(workers * 8)))
        for _ in prange(workers):
            kept = np.empty(BUFFER, out.dtype)
            fill, edges = U0, U0
            start = fetch_add(counters, CURSOR, batch)
            while start < total and going(stop):
                end = min(start + batch, total)
                i = load_balanced_search(first, start)
                for node in range(start, end):
                    while first[i + U1] <= node:
                        i += U1
                    u = np.uint64(items[i]) if items.size else i
                    low, high = offsets[u], offsets[u + U1]
                    k, nodes = node - first[i], first[i + U1] - first[i]
                    begin, stride = low + k * most, U1
                    finish = min(begin + most, high)
                    if strided:
                        begin, stride, finish = low + k, nodes, high
                    e = begin
                    while e < finish:
                        v = targets[e]
                        edges += U1
                        if visits(state, u, v, e) and emit and stamp[v] != now and claim(stamp, v, now, once):
                            fill = keep(state, v, kept, fill, out, counters)
                        e += stride
                start = fetch_add(counters, CURSOR, batch)
            flush(kept, fill, out, counters)
            fetch_add(counters, EDGES, edges)

    return run


@cache
def push_to_edges(visit: Callable[..., bool]) -> Any:
    """The kernel `run(offsets, targets, items, first, keep, edges, state)`: the items' out-edges, laid end to end.

    `edges[i]` is the i-th edge's number, `keep[i]` whether the functor took it; `first` says where each item's start.
    """
    visits = functor(visit)

    @parallel_kernel
    def run(offsets, targets, items, first, keep, edges, state):
        total = np.uint64(edges.size)
        pieces = pieces_for(total)
        for p in prange(pieces):
            at, high = piece_bounds(total, p, pieces)
            if at < high:
                i = load_balanced_search(first, at)
                while at < high:
                    u = np.uint64(items[i])
                    shift = offsets[u] - first[i]
                    for k in range(at, min(first[i + U1], high)):
                        edges[k] = k + shift
                        keep[k] = visits(state, u, targets[k + shift], k + shift)
                    at = max(at, min(first[i + U1], high))
                    i += U1

    return run


@cache
def push_serial(visit: Callable[..., bool]) -> Any:
    """Rounds on one thread, in one call, while a round has at most `limit` edges; returns (size, rounds done).

    Frontiers alternate between `here` and `there`; `trace` takes (size, edges, ticks) per round; no vertex has more
    than `widest` edges.
    """
    visits = functor_alone(visit)
    settles = getattr(visit, "settles", False)  # each vertex changes at most once: no stamp is needed
    copied = getattr(visit, "copied", False)

    @kernel
    def run(offsets, targets, here, there, size, widest, limit, most_edges, stamp, now, state, trace):
        rounds, visited = U0, U0
        while size > U0 and rounds < np.uint64(trace.shape[0]) and visited < most_edges:
            edges = U0
            if size * widest > limit:  # there may be too many: count
                for i in range(size):
                    u = np.uint64(here[i])
                    edges += offsets[u + U1] - offsets[u]
                if edges > limit:
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

    `counters[HEAVY]` tells how many arcs those who found one have.
    """
    visits, wanting = functor(visit), functor(wants)

    @parallel_kernel
    def run(offsets, targets, bitmap, out, counters, state, workers, stop):
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


@cache
def neighborhood_reduce(gather: Callable[..., Any], combine: Callable[..., Any], apply: Callable[..., Any]) -> Any:
    """The kernel `run(offsets, targets, cuts, start, state, cursor, workers, stop)` over the rows handed in.

    For each vertex v: `start` combined with `gather(state, u, v, e)` over its arcs, then `apply(state, v, total)`.
    Hand in the reverse graph to reduce over in-neighbours. The order of a sum is left to the compiler.
    """
    gathers, joins, applies = functor(gather), functor(combine), functor(apply)

    @kernel(fastmath=SUM_ORDER_FREE)
    def row(targets, low, high, v, start, state):
        total = start
        for e in range(low, high):
            total = joins(total, gathers(state, targets[e], v, e))
        return total

    @parallel_kernel
    def run(offsets, targets, cuts, start, state, cursor, workers, stop):
        for _ in prange(workers):
            piece = fetch_add(cursor, U0, U1)
            while piece < np.uint64(cuts.size - 1) and going(stop):
                for v in range(cuts[piece], cuts[piece + U1]):
                    applies(state, v, row(targets, offsets[v], offsets[v + U1], v, start, state))
                piece = fetch_add(cursor, U0, U1)

    return run


@cache
def filter_items(keep: Callable[..., bool]) -> Any:
    """The kernel `run(state, items, out)`: the items for which `keep(state, item)`, in order; returns how many."""
    keeps = functor(keep)

    @parallel_kernel
    def run(state, items, out):
        size = np.uint64(items.size)
        pieces = pieces_for(size)
        kept = np.zeros(pieces + 1, np.uint64)
        stay = np.empty(items.size, np.bool_)
        for p in prange(pieces):
            low, high = piece_bounds(size, p, pieces)
            count = U0
            for i in range(low, high):
                stay[i] = keeps(state, items[i])
                count += np.uint64(stay[i])
            kept[p + 1] = count
        for p in range(pieces):
            kept[p + 1] += kept[p]
        for p in prange(pieces):
            low, high = piece_bounds(size, p, pieces)
            at = kept[p]
            for i in range(low, high):
                if stay[i]:
                    out[at] = items[i]
                    at += U1
        return kept[pieces]

    return run


@cache
def for_each(do: Callable[..., Any]) -> Any:
    """The kernel `run(state, n)`: `do(state, v)` for v in 0..n-1."""
    does = functor(do)

    @parallel_kernel
    def run(state, n):
        pieces = pieces_for(n)
        for p in prange(pieces):
            low, high = piece_bounds(n, p, pieces)
            for v in range(low, high):
                does(state, v)

    return run


@cache
def intersect(found: Callable[..., Any]) -> Any:
    """The kernel that calls `found(state, u, v, w)` for every common out-neighbour w of the ends of every arc u -> v.

    Rows must ascend. Returns how many there were in all.
    """
    finds = functor(found)

    @kernel
    def common(offsets, targets, u, v, state):
        i, j = offsets[u], offsets[v]
        ends_i, ends_j = offsets[u + U1], offsets[v + U1]
        count = U0
        while i < ends_i and j < ends_j:
            a, b = targets[i], targets[j]
            if a == b:
                finds(state, u, v, np.uint64(a))
                count += U1
            if a <= b:
                i += U1
            if b <= a:
                j += U1
        return count

    @parallel_kernel
    def run(offsets, targets, cuts, state, cursor, workers, stop):
        counts = np.zeros(cuts.size - 1, np.uint64)
        for _ in prange(workers):
            piece = fetch_add(cursor, U0, U1)
            while piece < np.uint64(cuts.size - 1) and going(stop):
                count = U0
                for u in range(cuts[piece], cuts[piece + U1]):
                    for e in range(offsets[u], offsets[u + U1]):
                        count += common(offsets, targets, u, np.uint64(targets[e]), state)
                counts[piece] = count
                piece = fetch_add(cursor, U0, U1)
        return counts.sum()

    return run
