"""Kernels on a forest of parent pointers, `parent[v] <= v` always, so that a root is its tree's smallest member.

The parallel ones are Afforest's; `find` and what follows it are for one thread.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.base.atomics import compare_exchange, fetch_add, going
from nearly.base.jit import kernel, parallel_kernel
from nearly.graph.partition import U0, U1

BATCH = np.uint64(1 << 12)  # vertices a worker takes at a time


@kernel
def link(parent, u, v):
    """Put u and v into one tree: hook the larger root under the smaller; climb again when somebody else was first."""
    a, b = parent[u], parent[v]
    while a != b:
        high, low = max(a, b), min(a, b)
        above = parent[high]
        if above == low or (above == high and compare_exchange(parent, high, high, low) == high):
            break
        a, b = parent[parent[high]], parent[low]


@parallel_kernel
def link_first(offsets, targets, k, parent, cursor, workers, stop):
    """Link every vertex to its k-th neighbour; returns how many have one."""
    n = np.uint64(parent.size)
    linked = np.zeros(workers, np.uint64)
    for worker in prange(workers):
        count = U0
        start = fetch_add(cursor, U0, BATCH)
        while start < n and going(stop):
            for u in range(start, min(start + BATCH, n)):
                e = offsets[u] + k
                if e < offsets[u + U1]:
                    link(parent, u, np.uint64(targets[e]))
                    count += U1
            start = fetch_add(cursor, U0, BATCH)
        linked[worker] = count
    return linked.sum()


@parallel_kernel
def link_rest(offsets, targets, first, skip, parent, cuts, cursor, workers, stop):
    """Link all neighbours from the `first`-th on, of vertices outside the component `skip`; returns how many."""
    linked = np.zeros(workers, np.uint64)
    for worker in prange(workers):
        count = U0
        piece = fetch_add(cursor, U0, U1)
        while piece < np.uint64(cuts.size - 1) and going(stop):
            for u in range(cuts[piece], cuts[piece + U1]):
                low, high = offsets[u] + first, offsets[u + U1]
                if low < high and parent[u] != skip:
                    count += high - low
                    for e in range(low, high):
                        link(parent, u, np.uint64(targets[e]))
            piece = fetch_add(cursor, U0, U1)
        linked[worker] = count
    return linked.sum()


@parallel_kernel
def compress(parent, cursor, workers, stop):
    """Point every vertex at its root."""
    n = np.uint64(parent.size)
    for _ in prange(workers):
        start = fetch_add(cursor, U0, BATCH)
        while start < n and going(stop):
            for v in range(start, min(start + BATCH, n)):
                while parent[v] != parent[parent[v]]:
                    parent[v] = parent[parent[v]]
            start = fetch_add(cursor, U0, BATCH)


@kernel
def find(parent, v):
    """The root of v, halving the path on the way."""
    while parent[v] != v:
        parent[v] = parent[parent[v]]
        v = np.uint64(parent[v])
    return v


@kernel
def unite_arcs(offsets, targets, parent):
    """Unite the ends of every arc, on one thread."""
    for u in range(np.uint64(offsets.size - 1)):
        for e in range(offsets[u], offsets[u + U1]):
            a, b = find(parent, u), find(parent, np.uint64(targets[e]))
            parent[max(a, b)] = min(a, b)


@kernel
def find_all(parent):
    """Point every vertex at its root, on one thread."""
    for v in range(np.uint64(parent.size)):
        parent[v] = find(parent, v)
