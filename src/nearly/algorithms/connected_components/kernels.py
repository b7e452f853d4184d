"""Kernels on a forest of parent pointers, `parent[v] <= v` always, so that a root is its tree's smallest member.

The parallel ones are Afforest's; `find` and what follows it are for one thread.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.base.atomics import compare_exchange, fetch_add, going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1, total_of

BATCH = np.uint64(1 << 12)  # vertices a worker takes at a time


@kernel
def link(parent, u, v):
    """Put u and v into one tree: hook the larger root under the smaller; climb again when another thread was first."""
    a, b = parent[u], parent[v]
    while a != b:
        high, low = max(a, b), min(a, b)
        above = parent[high]
        if above == low or (above == high and compare_exchange(parent, high, high, low) == high):
            break
        a, b = parent[parent[high]], parent[low]


@parallel_kernel
def hook_first(offsets, targets, parent, last, cursor, workers, stop):
    """Put every vertex under its smallest neighbour if that is smaller than itself, and note its largest in `last`.

    Rows ascend, so these are the ends of the row, and the ends of neighbouring rows share a cache line.
    """
    n = np.uint64(parent.size)
    for _ in prange(workers):
        start = fetch_add(cursor, U0, BATCH)
        while start < n and going(stop):
            for u in range(start, min(start + BATCH, n)):
                low, high = offsets[u], offsets[u + U1]
                small = large = u
                if low < high:
                    small, large = min(u, np.uint64(targets[low])), np.uint64(targets[high - U1])
                parent[u], last[u] = small, large
            start = fetch_add(cursor, U0, BATCH)


@parallel_kernel
def link_last(last, parent, cursor, workers, stop):
    """Link every vertex to its largest neighbour."""
    n = np.uint64(parent.size)
    for _ in prange(workers):
        start = fetch_add(cursor, U0, BATCH)
        while start < n and going(stop):
            for u in range(start, min(start + BATCH, n)):
                link(parent, u, np.uint64(last[u]))
            start = fetch_add(cursor, U0, BATCH)


@kernel
def link_row(targets, low, high, skip, parent, u):
    """Link u to its neighbours until one is in the tree of `skip`; returns how many that took."""
    for e in range(low, high):
        v = np.uint64(targets[e])
        if parent[v] != parent[u]:
            link(parent, u, v)
        if parent[v] == skip:
            return e - low + U1
    return high - low


@parallel_kernel
def link_rest(offsets, targets, skip, parent, cuts, cursor, workers, stop):
    """Link vertices to their neighbours until they are in the tree of `skip`; returns how many arcs that took."""
    linked = np.zeros(workers, np.uint64)
    for worker in prange(workers):
        count = U0
        piece = fetch_add(cursor, U0, U1)
        while piece < np.uint64(cuts.size - 1) and going(stop):
            for u in range(cuts[piece], cuts[piece + U1]):
                if parent[u] != skip:
                    count += link_row(targets, offsets[u], offsets[u + U1], skip, parent, u)
            piece = fetch_add(cursor, U0, U1)
        linked[worker] = count
    return total_of(linked)


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
def unite(parent, u, v):
    """Put u and v into one tree; whether they were in two. Both climb at once and shorten their paths (Rem)."""
    above_u, above_v = np.uint64(parent[u]), np.uint64(parent[v])
    while above_u != above_v:
        if above_u < above_v:
            parent[v] = above_u
            if v == above_v:
                return True
            v = above_v
            above_v = np.uint64(parent[v])
        else:
            parent[u] = above_v
            if u == above_u:
                return True
            u = above_u
            above_u = np.uint64(parent[u])
    return False


@kernel
def join_all(offsets, targets, parent):
    """Unite the ends of every arc, then point every vertex at its root: parents come before their children."""
    n = np.uint64(parent.size)
    for u in range(n):
        for e in range(offsets[u], offsets[u + U1]):
            unite(parent, u, np.uint64(targets[e]))
    for v in range(n):
        parent[v] = parent[parent[v]]


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
