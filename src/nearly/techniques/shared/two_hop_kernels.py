"""The compiled part of adding arcs: a bounded search for 2-hop neighbours, and the lightest of those found.

What: `find_two_hop` looks, for each of many vertices, for paths of two arcs to vertices that it has no arc to, and
keeps as many of the lightest as the vertex wants.

How: a vertex that wants k arcs looks at no more than TRIES * k + ROOM of its 2-hop paths: at some arcs of each
neighbour, then at some more of each. Workers take the next vertex from a shared cursor, because the work for a vertex
is hard to foresee; each writes its answers where the sum of the wishes before says.

Why: the bound keeps vertices of high degree from looking at much of the graph. A search begins anywhere in a
neighbour's row (a hash says where), so that vertices of low numbers are not favoured.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.shared.row_search import first_from
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.random import draw
from nearly.base.unsigned import U0, U1

TRIES, ROOM = np.uint64(8), np.uint64(64)


class Wishes(NamedTuple):
    """The vertices that want arcs."""

    vertices: np.ndarray  # uint64
    wanted: np.ndarray  # uint64: how many each wants at most
    starts: np.ndarray  # uint64: where its answers begin, and where those of the last one end


class Answers(NamedTuple):
    """The paths chosen: those for wish i are places starts[i] up to starts[i] + counts[i]."""

    dst: np.ndarray  # uint64: where a path leads to
    first: np.ndarray  # uint64: its arcs
    second: np.ndarray
    counts: np.ndarray  # uint64, one for each wish


class Found(NamedTuple):
    """Room for the paths that a search finds from one vertex."""

    heads: np.ndarray  # uint64: where each leads to
    lengths: np.ndarray  # float64
    firsts: np.ndarray  # uint64: its arcs
    seconds: np.ndarray


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
def search(rows, key, u, budget, paths):
    """Look at 2-hop paths from u to vertices it has no arc to; how many were found, repetitions included."""
    offsets, targets, weights = rows
    heads, lengths, firsts, seconds = paths
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
    """Which of the paths found to take: of paths to one vertex the lightest, of these the `wanted` lightest."""
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


@kernel
def serve_wishes(rows, wishes, key, answers, cursor, stop):
    """One worker's part: take the next wish from the cursor, search, and write the answers."""
    dst, first, second, counts = answers
    most = U0
    for i in range(np.uint64(wishes.wanted.size)):
        most = max(most, wishes.wanted[i])
    room = TRIES * most + ROOM
    paths = Found(np.empty(room, np.uint64), np.empty(room), np.empty(room, np.uint64), np.empty(room, np.uint64))
    i = fetch_add(cursor, U0, U1)
    while i < np.uint64(wishes.vertices.size) and going(stop):
        wanted, start = wishes.wanted[i], wishes.starts[i]
        found = search(rows, key, np.uint64(wishes.vertices[i]), TRIES * wanted + ROOM, paths)
        chosen = lightest(paths.heads, paths.lengths, found, wanted)
        for j in range(np.uint64(chosen.size)):
            c = chosen[j]
            dst[start + j] = paths.heads[c]
            first[start + j], second[start + j] = paths.firsts[c], paths.seconds[c]
        counts[i] = np.uint64(chosen.size)
        i = fetch_add(cursor, U0, U1)


@parallel_kernel
def find_two_hop(rows, wishes, key, answers, cursor, workers, stop):
    """For each wish up to as many new targets as it wants, with the arcs that lead there."""
    for _ in prange(workers):
        serve_wishes(rows, wishes, key, answers, cursor, stop)
