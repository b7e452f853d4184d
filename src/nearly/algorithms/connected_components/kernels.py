"""Kernels on a forest of parent pointers, `parent[v] <= v` always, so that a root is its tree's smallest member.

The parallel ones are Afforest's; `find` and what follows it are for one thread.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.base.atomics import compare_exchange, fetch_add, going
from nearly.base.jit import kernel, light_kernel, parallel_kernel
from nearly.base.unsigned import U0, U1

FOUR, EIGHT = np.uint64(4), np.uint64(8)
CANDIDATES, SAMPLES = np.uint64(32), np.uint64(1024)
BATCH = np.uint64(1 << 12)  # vertices a worker takes at a time


@light_kernel
def link(parent, u, v):
    """Put u and v into one tree, beside other threads that do the same.

    Both climb at once, and the one whose parent is larger is moved under the parent of the other on its way (Rem's
    algorithm; Patwary, Refsnes and Manne, IPDPS 2012): paths stay short without a pass of their own. A parent
    only ever gets smaller, and what is moved is united before the call ends, so that any order of threads gives
    the same trees.
    """
    above_u, above_v = parent[u], parent[v]
    while above_u != above_v:
        if above_u < above_v:
            u, v, above_u, above_v = v, u, above_v, above_u
        found = compare_exchange(parent, u, above_u, above_v)
        if found == above_u and np.uint64(above_u) == u:
            return
        u = np.uint64(above_u)
        above_u, above_v = parent[u], parent[v]


@light_kernel
def own_tree(parent, low, high):
    """Make each vertex a tree by itself."""
    for v in range(low, high):
        parent[v] = v


@kernel
def leads_up(offsets, targets):
    """Whether rows are not short, and most vertices of an even sample have no smaller neighbour."""
    n, smaller = np.uint64(offsets.size - 1), U0
    if np.uint64(targets.size) <= FOUR * n:
        return False  # the ends of a row are most of it, or there is no vertex
    for k in range(SAMPLES):
        u = k * n // SAMPLES
        smaller += np.uint64(offsets[u] < offsets[u + U1] and np.uint64(targets[offsets[u]]) < u)
    return smaller < SAMPLES // FOUR


@light_kernel
def hook_first(offsets, targets, parent, last, low, high):
    """Put vertices under their smallest neighbour if that is smaller than themselves, and note the largest in `last`.

    Rows ascend, so these are the ends of the row, and the ends of neighbouring rows share a cache line.
    """
    for u in range(low, high):
        begin, end = offsets[u], offsets[u + U1]
        small = large = u
        if begin < end:
            small, large = min(u, np.uint64(targets[begin])), np.uint64(targets[end - U1])
        parent[u], last[u] = small, large


@light_kernel
def link_last(last, parent, low, high):
    """Link vertices to their largest neighbour."""
    for u in range(low, high):
        link(parent, u, np.uint64(last[u]))


@light_kernel
def link_row(targets, low, high, skip, parent, u):
    """Link u to its neighbours until one is in the tree of `skip`; returns how many that took."""
    for e in range(low, high):
        v = np.uint64(targets[e])
        if parent[v] != parent[u]:
            link(parent, u, v)
        if parent[v] == skip:
            return e - low + U1
    return high - low


@light_kernel
def link_arcs(targets, low, high, parent, u):
    """Link u to all its neighbours."""
    for e in range(low, high):
        v = np.uint64(targets[e])
        if parent[v] != parent[u]:
            link(parent, u, v)


@light_kernel
def link_outside(targets, low, high, skip, parent):
    """Link to the tree of `skip` what arcs from inside lead to; nearly all stay inside, so eight are tested at once."""
    e = low
    while e < high:
        until = min(e + EIGHT, high)
        if until == e + EIGHT:
            outside = False
            for k in range(EIGHT):
                outside |= parent[targets[e + k]] != skip
            if not outside:
                e = until
                continue
        while e < until:
            v = np.uint64(targets[e])
            if parent[v] != skip:
                link(parent, np.uint64(skip), v)
            e += U1


@kernel
def link_piece(rows, back, skip, one_way, parent, u, end):
    """Link vertices u..end-1 to their neighbours; returns how many arcs that took.

    Vertices in the tree of `skip` are passed over, and others look until they are in it, along both kinds of rows.
    Where arcs are known one way only, all are looked at, those of successive vertices in the tree as one row.
    """
    (offsets, targets), (back_offsets, back_targets), count = rows, back, U0
    while u < end:
        first = u
        while u < end and parent[u] == skip:
            u += U1
        if one_way and first < u:
            link_outside(targets, offsets[first], offsets[u], skip, parent)
            count += offsets[u] - offsets[first]
        if u < end:
            if one_way:
                link_arcs(targets, offsets[u], offsets[u + U1], parent, u)
                count += offsets[u + U1] - offsets[u]
            else:
                count += link_row(targets, offsets[u], offsets[u + U1], skip, parent, u)
                if back_offsets.size and parent[u] != skip:
                    count += link_row(back_targets, back_offsets[u], back_offsets[u + U1], skip, parent, u)
            u += U1
    return count


@light_kernel
def compress_some(parent, low, high):
    """Point vertices at their roots."""
    for v in range(low, high):
        while parent[v] != parent[parent[v]]:
            parent[v] = parent[parent[v]]


@parallel_kernel
def compress(parent, cursor, workers, stop):
    """Point every vertex at its root."""
    n = np.uint64(parent.size)
    for _ in prange(workers):
        start = fetch_add(cursor, U0, BATCH)
        while start < n and going(stop):
            compress_some(parent, start, min(start + BATCH, n))
            start = fetch_add(cursor, U0, BATCH)


@kernel
def commonest(label):
    """The label of an even sample that is most frequent in a larger one; any answer is right, this one saves most."""
    n = np.uint64(label.size)
    best, most = n, U0
    for i in range(min(CANDIDATES, n)):
        candidate, count = np.uint64(label[i * n // CANDIDATES]), U0
        for k in range(SAMPLES):
            count += np.uint64(label[k * n // SAMPLES] == candidate)
        if count > most:
            best, most = candidate, count
    return best


@light_kernel
def find(parent, v):
    """The root of v, halving the path on the way."""
    while parent[v] != v:
        parent[v] = parent[parent[v]]
        v = np.uint64(parent[v])
    return v


@light_kernel
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
    own_tree(parent, U0, n)
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
