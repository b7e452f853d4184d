"""Advance on the device: how the out-edges of a frontier are mapped to threads.

`push(visit)` gives each item `lanes` neighbouring threads: 1 is a thread per vertex, 32 a warp, a block's size a block.
Items of more than `threshold` edges are only noted, for a second launch with a block each (LB4).
`merge_path(visit)` gives each thread the same number of steps along the path that merges items and edges (Merrill and
Garland, "Merge-based parallel sparse matrix-vector multiplication", SC 2016): a step takes an edge or goes on to the
next item, so neither long rows nor many empty ones leave a thread with more to do than another.

A target that the functor accepts is written to `out` once per round, by the thread that sets its stamp first, and with
it the copies of it that the functor has lowered too. `counters` tells how many there were, the edges visited, the items
noted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import cuda

from nearly.base.atomics import exchange, fetch_add
from nearly.base.unsigned import U0, U1
from nearly.engine.cuda.device import device_functor, device_kernel

EMITTED, EDGES, HEAVY = np.uint64(0), np.uint64(1), np.uint64(2)


class Output(NamedTuple):
    """Where accepted targets go."""

    out: Any
    counters: Any  # uint64[3]: EMITTED, EDGES, HEAVY
    stamp: Any  # uint32[n], the last round in which a vertex was emitted
    now: np.uint32  # the round


class Share(NamedTuple):
    """How an item is mapped to threads."""

    lanes: int  # threads of an item
    threshold: np.uint64  # items of more edges are only noted
    heavy: Any  # room for those


def emit(state, v, out, counters):
    """Put v into the next frontier."""
    out[fetch_add(counters, EMITTED, U1)] = v


def emit_group(state, v, out, counters):
    """Put v and its copies into the next frontier."""
    out[fetch_add(counters, EMITTED, U1)] = v
    for j in range(state.first[v], state.first[v + U1]):
        out[fetch_add(counters, EMITTED, U1)] = state.copy[j]


def emitting(visit: Callable[..., bool]) -> Any:
    """What a kernel emits targets with: their copies too, if the functor lowers these."""
    return device_functor(emit_group if getattr(visit, "copied", False) else emit)


@cache
def push(visit: Callable[..., bool]) -> Any:
    """The kernel that maps an item to `lanes` threads."""
    visits, emits = device_functor(visit), emitting(visit)

    @device_kernel
    def run(rows, items, count, share, output, state):
        offsets, targets = rows
        lanes, threshold, heavy = share
        out, counters, stamp, now = output
        lane, stride = np.uint64(cuda.grid(1) % lanes), np.uint64(lanes)
        edges = U0
        for i in range(cuda.grid(1) // lanes, count, cuda.gridsize(1) // lanes):
            u = np.uint64(items[i]) if items.size else np.uint64(i)
            low, high = offsets[u], offsets[u + U1]
            if high - low > threshold:
                if lane == U0:
                    heavy[fetch_add(counters, HEAVY, U1)] = u
            else:
                e = low + lane
                while e < high:
                    v = targets[e]
                    edges += U1
                    if visits(state, u, v, e) and stamp[v] != now and exchange(stamp, v, now) != now:
                        emits(state, v, out, counters)
                    e += stride
        fetch_add(counters, EDGES, edges)

    return run


@device_kernel
def row_sizes(offsets, items, count, sizes):
    """How many edges each item has."""
    for i in range(cuda.grid(1), count, cuda.gridsize(1)):
        u = np.uint64(items[i]) if items.size else np.uint64(i)
        sizes[i] = offsets[u + U1] - offsets[u]


@cache
def merge_path(visit: Callable[..., bool]) -> Any:
    """The kernel that gives each thread `steps` steps; `first` says where each item's edges start, laid end to end."""
    visits, emits = device_functor(visit), emitting(visit)

    @device_kernel
    def run(rows, items, count, first, steps, output, state):
        offsets, targets = rows
        out, counters, stamp, now = output
        edges = first[count]
        length, stride = edges + np.uint64(count), np.uint64(cuda.gridsize(1)) * steps
        start = np.uint64(cuda.grid(1)) * steps
        visited = U0
        while start < length:
            low = start - min(start, edges)  # where the path crosses the diagonal: i items and start - i edges done
            high = min(start, np.uint64(count))
            while low < high:
                i = (low + high) >> U1
                if first[i + U1] + i < start:
                    low = i + U1
                else:
                    high = i
            i, k = low, start - low
            end = min(start + steps, length)
            while i + k < end:
                if k == first[i + U1]:
                    i += U1
                    continue
                u = np.uint64(items[i]) if items.size else i
                e = offsets[u] + k - first[i]
                v = targets[e]
                visited += U1
                if visits(state, u, v, e) and stamp[v] != now and exchange(stamp, v, now) != now:
                    emits(state, v, out, counters)
                k += U1
            start += stride
        fetch_add(counters, EDGES, visited)

    return run
