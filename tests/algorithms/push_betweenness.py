"""One source's dependencies without any choice of direction: what the real kernels are measured against.

Every level of the forward pass pushes (levels by compare-and-exchange, paths as integers by atomic addition), every
level of the backward pass looks at all out-arcs and compares levels.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.base.atomics import compare_exchange, fetch_add
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.threads import kernel_threads
from nearly.base.unsigned import U0, U1

UNSEEN = np.uint32(2**32 - 1)
BATCH = np.uint64(64)
KEPT = 1024


@kernel
def push_rows(offsets, targets, order, low, high, level, depth, paths, kept, fill, counters):
    for i in range(low, high):
        u = np.uint64(order[i])
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if level[v] == UNSEEN and compare_exchange(level, v, UNSEEN, depth) == UNSEEN:
                kept[fill] = v
                fill += U1
                if fill == np.uint64(KEPT):
                    fill = emit(order, kept, fill, counters)
            if level[v] == depth:
                fetch_add(paths, v, paths[u])
    return fill


@kernel
def emit(order, kept, fill, counters):
    at = fetch_add(counters, U1, fill)
    for j in range(fill):
        order[at + j] = kept[j]
    return U0


@kernel
def emitted(counters):
    """A call, because numba may move a plain read above a loop that writes only inside calls."""
    return counters[1]


@kernel
def back_rows(offsets, targets, order, low, high, level, depth, paths, delta):
    for i in range(low, high):
        u = np.uint64(order[i])
        total = 0.0
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if level[v] == depth + np.uint32(1):
                total += (1.0 + delta[v]) / np.float64(paths[v])
        delta[u] = np.float64(paths[u]) * total


@parallel_kernel
def push_source(offsets, targets, source, workers):
    n = offsets.size - 1
    level, paths, delta = np.full(n, UNSEEN, np.uint32), np.zeros(n, np.uint64), np.zeros(n, np.float64)
    order, starts = np.empty(n, np.uint32), np.zeros(n + 2, np.uint64)
    counters = np.zeros(2, np.uint64)
    level[source], paths[source], order[0] = np.uint32(0), U1, source
    low, high, depth = U0, U1, np.uint64(0)
    while low < high:
        counters[0], counters[1] = low, high
        depth += U1
        now = np.uint32(depth)
        for _ in prange(workers):
            kept, fill = np.empty(KEPT, np.uint32), U0
            i = fetch_add(counters, U0, BATCH)
            while i < high:
                top = min(i + BATCH, high)
                fill = push_rows(offsets, targets, order, i, top, level, now, paths, kept, fill, counters)
                i = fetch_add(counters, U0, BATCH)
            emit(order, kept, fill, counters)
        low, high = high, emitted(counters)
        starts[depth], starts[depth + U1] = low, high
    while depth > U1:
        depth -= U1
        low, high = starts[depth], starts[depth + U1]
        counters[0] = low
        now = np.uint32(depth)
        for _ in prange(workers):
            i = fetch_add(counters, U0, BATCH)
            while i < high:
                back_rows(offsets, targets, order, i, min(i + BATCH, high), level, now, paths, delta)
                i = fetch_add(counters, U0, BATCH)
    return delta


def push_dependencies(graph, source):
    """The dependencies of one source, `delta[source]` being 0."""
    offsets, targets, _ = graph.arrays
    with kernel_threads() as workers:
        return push_source(offsets, targets, np.uint64(source), workers)
