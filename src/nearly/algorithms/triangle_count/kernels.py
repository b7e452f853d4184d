"""Kernels that count triangles, each once, at its vertex of lowest degree.

Vertices are renamed by falling degree, so that hubs get the small numbers: vertex r is then `order[r]`. Row r of
`down` holds the neighbours of smaller number, the hubs (numbers below `hubs`) first. A triangle is u > v > w.

Where v is a hub, so is w. For such pairs the hubs' adjacency is a bit matrix that fits in cache, and u marks its hub
neighbours in as many bits: the bits that row v and the marks share are the corners that close a triangle
with u and v. Each such triangle is seen from v and from w, which gives each its count and u twice its own.
Where v is no hub, v marks its smaller neighbours in a bitmap over all vertices and every larger neighbour u looks up
its own smaller neighbours there: rows of u, of lower degree than v, are the shorter ones.

Where degrees are small, sorted rows are read as they are (`count_in_rows`), because renaming would cost more: u marks
its smaller neighbours, a byte each, and looks along the row of each of them for smaller ones that are marked.
Counts are whole numbers, one array per worker, so their sum does not depend on the number of threads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add, going
from nearly.base.intrinsics import ones, prefetch
from nearly.base.jit import inner_kernel, kernel, light_kernel, parallel_kernel
from nearly.base.unsigned import U0, U1, total_of

U2, U6, U63 = np.uint64(2), np.uint64(6), np.uint64(63)
BATCH = np.uint64(64)  # vertices a worker takes at a time
AHEAD = np.uint64(4)  # rows between the one that is read and the one that is prefetched
_SHORT = np.uint64(8)  # comparisons that cost less than a wrong guess
LINES, LINE = np.uint64(3), np.uint64(16)  # cache lines of a row that are prefetched, and targets in each


class Names(NamedTuple):
    """Vertices renamed by falling degree, then number."""

    order: np.ndarray  # by new name: the vertex
    rank: np.ndarray  # by vertex: its new name


class Sides(NamedTuple):
    """The rows of the renamed graph, split at the vertex itself."""

    down: np.ndarray  # uint64[n + 1]: row r of smaller neighbours is below[down[r]:down[r + 1]], hubs first
    below: np.ndarray
    up: np.ndarray  # uint64[n + 1]: row r of larger neighbours is above[up[r]:up[r + 1]]; hubs have none
    above: np.ndarray


@kernel
def by_degree(offsets, names):
    """Find the new names."""
    order, rank = names
    n = np.uint64(order.size)
    most = U0
    for v in range(n):
        most = max(most, offsets[v + U1] - offsets[v])
    place = np.zeros(most + np.uint64(2), np.uint64)
    for v in range(n):
        place[most - (offsets[v + U1] - offsets[v]) + U1] += U1
    for d in range(U1, most + U1):
        place[d] += place[d - U1]
    for v in range(n):
        d = most - (offsets[v + U1] - offsets[v])
        order[place[d]], rank[v] = v, place[d]
        place[d] += U1


@parallel_kernel
def count_sides(offsets, targets, names, lower, higher, cursor, workers, stop):
    """How many neighbours of each vertex have a smaller and a larger number; loops and repetitions do not count."""
    order, rank = names
    n = np.uint64(order.size)
    for _ in prange(workers):
        start = fetch_add(cursor, U0, BATCH)
        while start < n and going(stop):
            for r in range(start, min(start + BATCH, n)):
                u = np.uint64(order[r])
                low, high = offsets[u], offsets[u + U1]
                below, above = U0, U0
                for e in range(low, high):
                    if e > low and targets[e] == targets[e - U1]:
                        continue
                    below += np.uint64(rank[targets[e]] < r)
                    above += np.uint64(rank[targets[e]] > r)
                lower[r], higher[r] = below, above
            start = fetch_add(cursor, U0, BATCH)


@parallel_kernel
def fill_sides(offsets, targets, names, hubs, sides, cursor, workers, stop):
    """Rows of smaller neighbours, hubs from the front and others from the back, and of larger ones (hubs have none)."""
    order, rank = names
    down, below, up, above = sides
    n = np.uint64(order.size)
    for _ in prange(workers):
        start = fetch_add(cursor, U0, BATCH)
        while start < n and going(stop):
            for r in range(start, min(start + BATCH, n)):
                u = np.uint64(order[r])
                low, high = offsets[u], offsets[u + U1]
                front, back, over = down[r], down[r + U1], up[r]
                for e in range(low, high):
                    v = np.uint64(rank[targets[e]])
                    if v == r or (e > low and targets[e] == targets[e - U1]):
                        continue
                    if v > r:
                        if r >= hubs:
                            above[over] = v
                            over += U1
                    elif v < hubs:
                        below[front] = v
                        front += U1
                    else:
                        back -= U1
                        below[back] = v
            start = fetch_add(cursor, U0, BATCH)


@kernel
def hub_matrix(sides, matrix):
    """Set the bits of every two hubs that are neighbours, both ways."""
    down, below = sides.down, sides.below
    for u in range(np.uint64(matrix.shape[0])):
        for e in range(down[u], down[u + U1]):
            v = np.uint64(below[e])
            matrix[u, v >> U6] |= U1 << (v & U63)
            matrix[v, u >> U6] |= U1 << (u & U63)


@light_kernel
def shared_bits(row, marks, words):
    """How many bits are set in both."""
    count = U0
    for i in range(words):
        count += ones(row[i] & marks[i])
    return count


@light_kernel
def among_hubs(sides, u, matrix, marks, counts):
    """Triangles of u with two hubs."""
    down, below = sides.down, sides.below
    hubs, low, high = np.uint64(matrix.shape[0]), down[u], down[u]
    while high < down[u + U1] and below[high] < hubs:
        high += U1
    if high < low + np.uint64(2):
        return
    words = U0
    for e in range(low, high):
        v = np.uint64(below[e])
        marks[v >> U6] |= U1 << (v & U63)
        words = max(words, (v >> U6) + U1)
    twice = U0
    for e in range(low, high):
        v = np.uint64(below[e])
        count = shared_bits(matrix[v], marks, words)
        counts[v] += count
        twice += count
    counts[u] += twice >> U1
    for i in range(words):
        marks[i] = U0


@light_kernel
def look_up(below, low, high, marked, counts):
    """How many of [low, high) are marked; each is the third corner of a triangle."""
    count = U0
    for e in range(low, high):
        w = np.uint64(below[e])
        if (marked[w >> U6] >> (w & U63)) & U1:
            counts[w] += U1
            count += U1
    return count


@light_kernel
def at_middle(sides, v, marked, counts):
    """Triangles whose middle vertex is v, which is no hub."""
    down, below, up, above = sides
    low, high = down[v], down[v + U1]
    if low == high or up[v] == up[v + U1]:
        return
    for e in range(low, high):
        w = np.uint64(below[e])
        marked[w >> U6] |= U1 << (w & U63)
    total, last = U0, up[v + U1] - U1
    for e in range(up[v], up[v + U1]):
        ahead = down[above[min(e + AHEAD, last)]]
        prefetch(down, np.uint64(above[min(e + AHEAD + AHEAD, last)]))
        for line in range(LINES):
            prefetch(below, ahead + line * LINE)
        u = np.uint64(above[e])
        count = look_up(below, down[u], down[u + U1], marked, counts)
        counts[u] += count
        total += count
    counts[v] += total
    for e in range(low, high):
        marked[np.uint64(below[e]) >> U6] = U0


@parallel_kernel
def count_triangles(sides, matrix, counts, cursor, workers, stop):
    """The triangles at each vertex, summed over the rows of `counts`, one per worker."""
    n = np.uint64(sides.down.size - 1)
    for worker in prange(workers):
        marks, marked = np.zeros(matrix.shape[1], np.uint64), np.zeros((n + U63) >> U6, np.uint64)
        start = fetch_add(cursor, U0, BATCH)
        while start < n and going(stop):
            for v in range(start, min(start + BATCH, n)):
                among_hubs(sides, v, matrix, marks, counts[worker])
                at_middle(sides, v, marked, counts[worker])
            start = fetch_add(cursor, U0, BATCH)


@inner_kernel
def look_along(offsets, targets, v, marked, counts, alone):
    """How many smaller neighbours of v are marked; each gets a triangle. One that works alone adds without a branch:
    whether a neighbour is marked cannot be predicted."""
    found, e, end, before = U0, offsets[v], offsets[v + U1], v
    while e < end and targets[e] < v:
        w = np.uint64(targets[e])
        hit = np.uint64(marked[w]) & np.uint64(w != before)
        if alone:
            counts[w] += hit
        elif hit:
            fetch_add(counts, w, U1)
        found += hit
        before = w
        e += U1
    return found


@inner_kernel
def at_largest(offsets, targets, u, marked, counts, alone):
    """The triangles whose largest vertex is u, each given to its corners; how many there are."""
    low, end, own = offsets[u], offsets[u], U0
    while end < offsets[u + U1] and targets[end] < u:
        marked[targets[end]] = 1
        end += U1
    for e in range(low + U1, end):
        v = np.uint64(targets[e])
        if targets[e] != targets[e - U1]:
            found = look_along(offsets, targets, v, marked, counts, alone)
            own += found
            if found and alone:
                counts[v] += found
            elif found:
                fetch_add(counts, v, found)
    for e in range(low, end):
        marked[targets[e]] = 0
    if own and alone:
        counts[u] += own
    elif own:
        fetch_add(counts, u, own)
    return own


@inner_kernel
def closes_none(offsets, targets, u):
    """Whether u certainly is the largest vertex of no triangle, as most are where degrees are tiny: fewer than two
    neighbours are smaller, or there are two and the short row of one, compared without a branch, lacks the other."""
    low, end = offsets[u], offsets[u + U1]
    if low + U1 >= end or targets[low + U1] >= u:
        return True
    if low + U2 < end and targets[low + U2] < u:
        return False
    first, last, same = offsets[targets[low + U1]], offsets[targets[low + U1] + U1], False
    if last - first > _SHORT:
        return False
    for e in range(first, last):
        same |= targets[e] == targets[low]
    return not same


@inner_kernel
def count_piece(offsets, targets, low, high, marked, counts, alone):
    """The triangles whose largest vertex is one of [low, high), each given to its corners; how many there are."""
    total = U0
    for u in range(low, high):
        if not closes_none(offsets, targets, u):
            total += at_largest(offsets, targets, u, marked, counts, alone)
    return total


@parallel_kernel
def count_in_rows(offsets, targets, cuts, counts, cursor, workers, stop):
    """The triangles at each vertex from the sorted rows as they are, for graphs of small degrees; how many."""
    totals, alone = np.zeros(workers, np.uint64), workers == 1
    for worker in prange(workers):
        marked = np.zeros(offsets.size - 1, np.uint8)
        total, piece = U0, fetch_add(cursor, U0, U1)
        while piece < np.uint64(cuts.size - 1) and going(stop):
            total += count_piece(offsets, targets, cuts[piece], cuts[piece + U1], marked, counts, alone)
            piece = fetch_add(cursor, U0, U1)
        totals[worker] = total
    return total_of(totals)
