"""Peeling on all threads (PKC: Kabir and Madduri, "Parallel k-core decomposition on multicore platforms", 2017).

For each k, workers look through the vertices that are left for those of degree k. Then they peel these, and go on with
the neighbours whose degree that brings down to k. Each worker has a stack of its own: within one k the order does
not matter, so no worker waits for another. What overflows a stack is shared out in another pass over the same k.
A worker that finds a degree already down to k puts back what it took, so that the degree of a peeled vertex stays at
its core number. One thread needs neither pieces nor atomics: `peel_alone`. It is also what finishes a graph of which
little is left, since there a level takes less time than it takes threads to meet.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add, going
from nearly.base.intrinsics import ticks
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1
from nearly.engine.operators.near_far_kernels import flush

COUNTERS = 7  # of which the last counts the arcs of all vertices peeled
CURSOR, LEFT, SPILLED, PEELED, EDGES, LEVEL, GONE = (np.uint64(i) for i in range(COUNTERS))
STACK, PIECE, SHARE = np.uint64(4096), np.uint64(1024), np.uint64(32)
NONE = np.int64(2**62)  # the least degree among no vertices
_EDGES_A_CALL = np.uint64(1 << 24)  # control comes back often enough for Ctrl-C
_SERIAL = np.uint64(1 << 12)  # vertices left below which one thread sifts faster
_DEGREE = np.uint64(32)  # arcs for each of a few vertices that are few too


class Lists(NamedTuple):
    """Lists of vertices, each with room for all; the first two change places with each level, so do the last two."""

    left: np.ndarray  # the vertices not yet peeled, counters[LEFT] of them
    spare: np.ndarray  # those that stay when the level's have gone
    ready: np.ndarray  # the vertices to peel next
    spill: np.ndarray  # those that did not fit a stack


@kernel
def loopless_degrees(offsets, targets, degree):
    """The number of arcs of each vertex that lead elsewhere."""
    for u in range(np.uint64(degree.size)):
        loops = U0
        for e in range(offsets[u], offsets[u + U1]):
            loops += np.uint64(np.uint64(targets[e]) == u)
        degree[u] = offsets[u + U1] - offsets[u] - loops


@kernel(_nrt=False)
def peel(rows, degree, k, stack, fill, spill, counters):
    """Peel the vertices on the stack, and those that this brings down to degree k; returns (vertices, edges)."""
    offsets, targets, _ = rows
    peeled, edges = U0, U0
    while fill > U0:
        fill -= U1
        u = np.uint64(stack[fill])
        peeled += U1
        edges += offsets[u + U1] - offsets[u]
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if degree[v] > k and v != u:
                before = fetch_add(degree, v, -1)
                if before <= k:
                    fetch_add(degree, v, 1)
                elif before == k + 1:
                    if fill < STACK:
                        stack[fill] = v
                        fill += U1
                    else:
                        spill[fetch_add(counters, SPILLED, U1)] = v
    return peeled, edges


@parallel_kernel
def sift(left, spare, ready, degree, k, counters, workers, stop):
    """Vertices left of degree k go to `ready`, of more to `spare`, peeled ones away; returns the least degree kept."""
    leasts = np.full(workers, NONE, np.int64)
    size = counters[LEFT]
    counters[CURSOR] = counters[LEFT] = counters[SPILLED] = U0
    for worker in prange(workers):
        now, later = np.empty(PIECE, left.dtype), np.empty(PIECE, left.dtype)
        least = NONE
        start = fetch_add(counters, CURSOR, PIECE)
        while start < size and going(stop):
            fill, stay = U0, U0
            for i in range(start, min(start + PIECE, size)):
                d = np.int64(degree[left[i]])
                if d == k:
                    now[fill] = left[i]
                    fill += U1
                elif d > k:
                    later[stay] = left[i]
                    stay += U1
                    least = min(least, d)
            flush(now, fill, ready, counters, SPILLED)
            flush(later, stay, spare, counters, LEFT)
            start = fetch_add(counters, CURSOR, PIECE)
        leasts[worker] = least
    return leasts.min()


@parallel_kernel
def peel_level(rows, degree, k, ready, spill, counters, workers, stop):
    """Peel the ready vertices and those that this brings down to k; what did not fit a stack is in `spill`."""
    size = counters[SPILLED]
    counters[CURSOR] = counters[SPILLED] = U0
    for _ in prange(workers):
        stack = np.empty(STACK, ready.dtype)
        start = fetch_add(counters, CURSOR, SHARE)
        while start < size and going(stop):
            fill = min(start + SHARE, size) - start
            for i in range(fill):
                stack[i] = ready[start + i]
            peeled, edges = peel(rows, degree, k, stack, fill, spill, counters)
            fetch_add(counters, PEELED, peeled)
            fetch_add(counters, EDGES, edges)
            start = fetch_add(counters, CURSOR, SHARE)


@kernel
def is_little(rows, counters, few):
    """Whether fewer vertices than `few` are left, with few arcs."""
    return counters[LEFT] < few and np.uint64(rows.targets.size) - counters[GONE] < few * _DEGREE


@kernel
def peel_levels(rows, degree, lists, counters, trace, few, workers, stop):
    """Level after level until no vertex is left; `degree` ends as core numbers. Returns how many rows `trace` got.

    A row is (peeled, edges, ticks). Comes back after enough edges, or when little is left; the vertices left are in
    `lists.left` then.
    """
    left, spare, ready, spill = lists
    levels, visited, turned = U0, U0, False
    while counters[LEFT] > U0 and levels < np.uint64(trace.shape[0]) and visited < _EDGES_A_CALL and going(stop):
        if levels > U0 and is_little(rows, counters, few):
            break
        since = ticks()
        k = np.int64(counters[LEVEL])
        counters[PEELED] = counters[EDGES] = U0
        least = sift(left, spare, ready, degree, k, counters, 1 if counters[LEFT] < _SERIAL else workers, stop)
        left, spare, turned = spare, left, not turned
        while counters[SPILLED] > U0 and going(stop):
            helpers = 1 if counters[SPILLED] < SHARE else workers
            peel_level(rows, degree, k, ready, spill, counters, helpers, stop)
            ready, spill = spill, ready
        if counters[PEELED] > U0:
            trace[levels, 0], trace[levels, 1], trace[levels, 2] = counters[PEELED], counters[EDGES], ticks() - since
            levels += U1
            visited += counters[EDGES]
            counters[GONE] += counters[EDGES]
            counters[LEVEL] += U1
        elif counters[LEFT] > U0:
            counters[LEVEL] = np.uint64(least)  # none was peeled, so the least degree is the next level
    if turned:
        for i in range(counters[LEFT]):
            spare[i] = left[i]
    return levels


@kernel
def peel_alone(rows, degree, left, stack, counters, trace, stop):
    """`peel_levels` on one thread: `left` are the vertices not yet peeled, `stack` has room for all vertices."""
    offsets, targets, _ = rows
    size, k, levels, visited = counters[LEFT], np.int64(counters[LEVEL]), U0, U0
    while size > U0 and levels < np.uint64(trace.shape[0]) and visited < _EDGES_A_CALL and going(stop):
        since, peeled, edges, fill, stay, least = ticks(), U0, U0, U0, U0, NONE
        for i in range(size):
            v = left[i]
            d = np.int64(degree[v])
            if d == k:
                stack[fill] = v
                fill += U1
            elif d > k:
                left[stay] = v
                stay += U1
                least = min(least, d)
        size = stay
        while fill > U0 and going(stop):
            fill -= U1
            u = np.uint64(stack[fill])
            peeled += U1
            edges += offsets[u + U1] - offsets[u]
            for e in range(offsets[u], offsets[u + U1]):
                v = np.uint64(targets[e])
                d = np.int64(degree[v])
                if d > k and v != u:
                    degree[v] = d - 1
                    if d == k + 1:
                        stack[fill] = v
                        fill += U1
        if peeled > U0:
            trace[levels, 0], trace[levels, 1], trace[levels, 2] = peeled, edges, ticks() - since
            levels += U1
            visited += edges
            k += 1
        elif size > U0:
            k = least  # none was peeled, so the least degree is the next level
    counters[LEFT], counters[LEVEL] = size, np.uint64(k)
    return levels


@kernel
def next_level(degree, core, left, size, out):
    """The next level k, the least degree of those left; vertices of that degree go to `out` with core number k.

    `left[:size]` may hold vertices peeled since; they go too. Returns (k, how many are out, how many are left).
    """
    k = NONE
    for i in range(size):
        if core[left[i]] < 0:
            k = min(k, np.int64(degree[left[i]]))
    fill, stay = U0, U0
    for i in range(size):
        v = left[i]
        if core[v] < 0:
            if degree[v] <= k:
                core[v] = k
                out[fill] = v
                fill += U1
            else:
                left[stay] = v
                stay += U1
    return k, fill, stay


@kernel
def support(offsets, targets, core):
    """How many neighbours of its own number or more each vertex has."""
    backing = np.zeros(core.size, np.int64)
    for u in range(np.uint64(core.size)):
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if v != u and core[v] >= core[u]:
                backing[u] += 1
    return backing


@kernel
def count_unpeelable(offsets, targets, core, backing):
    """How many vertices stay when each is peeled as soon as its `backing` is down to its number.

    A peeled vertex is taken from the backing of neighbours of the same number only.
    """
    stack = np.empty(core.size, np.uint64)
    gone = np.zeros(core.size, np.bool_)
    fill, left = U0, np.uint64(core.size)
    for v in range(np.uint64(core.size)):
        if backing[v] <= core[v]:
            gone[v] = True
            stack[fill] = v
            fill += U1
    while fill > U0:
        fill -= U1
        left -= U1
        u = stack[fill]
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if v != u and core[v] == core[u] and not gone[v]:
                backing[v] -= 1
                if backing[v] <= core[v]:
                    gone[v] = True
                    stack[fill] = v
                    fill += U1
    return left
