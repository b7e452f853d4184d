"""The compiled part of adding arcs: a bounded search for 2-hop neighbours, and the lightest of those found.

A vertex that wants k arcs looks at most at TRIES * k + ROOM of its 2-hop paths: some arcs of each neighbour, then
some more of each, beginning anywhere in a neighbour's row (a hash says where) so that low numbers are not favoured.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.algorithms.shared.row_search import first_from
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.random import draw
from nearly.base.unsigned import U0, U1

TRIES, ROOM = np.uint64(8), np.uint64(64)


@kernel
def has_arc(offsets, targets, u, v):
    """Whether there is an arc from u to v."""
    at = first_from(targets, offsets[u], offsets[u + U1], v)
    return at < offsets[u + U1] and np.uint64(targets[at]) == v


@kernel
def length_of(weights, e, f):
    """The length of the path over arcs e and f."""
    return np.float64(weights[e]) + np.float64(weights[f]) if weights.size else 2.0


@kernel
def search(offsets, targets, weights, key, u, budget, heads, lengths, firsts, seconds):
    """Look at 2-hop paths from u to vertices it has no arc to; how many were found, repetitions included."""
    low, high = offsets[u], offsets[u + U1]
    share = max(budget // max(high - low, U1), U1)
    found, tried, depth, more = U0, U0, U0, True
    while more and tried < budget:
        more = False
        for e in range(low, high):
            v = np.uint64(targets[e])
            size = offsets[v + U1] - offsets[v]
            if v == u or size <= depth or tried >= budget:
                continue
            end = min(depth + share, size)
            more = more or end < size
            begin = draw(key, e) % size
            for i in range(depth, end):
                f = begin + i
                f = offsets[v] + (f - size if f >= size else f)
                w = np.uint64(targets[f])
                tried += U1
                if w != u and tried <= budget and not has_arc(offsets, targets, u, w):
                    heads[found], lengths[found] = w, length_of(weights, e, f)
                    firsts[found], seconds[found] = e, f
                    found += U1
        depth += share
    return found


@kernel
def lightest(heads, lengths, found, wanted):
    """Which of those found to take: of paths to one vertex the lightest, of these the `wanted` lightest."""
    order = np.argsort(heads[:found], kind="mergesort")  # stable: of equals the one found first
    best = np.empty(found, np.int64)
    kept = 0
    for i in order:
        if kept and heads[best[kept - 1]] == heads[i]:
            if lengths[i] < lengths[best[kept - 1]]:
                best[kept - 1] = i
        else:
            best[kept] = i
            kept += 1
    if np.uint64(kept) <= wanted:
        return best[:kept]
    best = np.sort(best[:kept])
    return best[np.argsort(lengths[best], kind="mergesort")[:wanted]]


@parallel_kernel
def find_two_hop(offsets, targets, weights, vertices, wanted, starts, key, dst, first, second, counts, cursor, workers,
                 stop):  # fmt: skip
    """For vertices[i] up to wanted[i] new targets, with the arcs that lead there, from starts[i] on."""
    most = U0
    for i in range(np.uint64(wanted.size)):
        most = max(most, wanted[i])
    room = TRIES * most + ROOM
    for _ in prange(workers):
        heads, lengths = np.empty(room, np.uint64), np.empty(room, np.float64)
        firsts, seconds = np.empty(room, np.uint64), np.empty(room, np.uint64)
        i = fetch_add(cursor, U0, U1)
        while i < np.uint64(vertices.size) and going(stop):
            budget = TRIES * wanted[i] + ROOM
            u = np.uint64(vertices[i])
            found = search(offsets, targets, weights, key, u, budget, heads, lengths, firsts, seconds)
            chosen = lightest(heads, lengths, found, wanted[i])
            for j in range(np.uint64(chosen.size)):
                c = chosen[j]
                dst[starts[i] + j] = heads[c]
                first[starts[i] + j], second[starts[i] + j] = firsts[c], seconds[c]
            counts[i] = np.uint64(chosen.size)
            i = fetch_add(cursor, U0, U1)
