"""Kernels between plain arrays of triangles and the records of `nearly.mesh.triangle_records`.

`pack` makes records from triangles alone and finds out which ones are neighbours; `load` makes them from arrays that
know the neighbours; `unpack` goes back. `raise_walls` marks edges as segments, `list_walls` lists them.
"""

from __future__ import annotations

import numpy as np

from nearly.base.jit import inner_kernel, kernel
from nearly.mesh.triangle_records import (
    FLAGS,
    INSIDE,
    NOTHING,
    STAMP,
    U0,
    U1,
    U2,
    U3,
    U4,
    WALL,
    across,
    following,
    join,
    place,
    start,
)


@kernel
def pack(triangles, records, first, links):
    """Records from a (t, 3) array; returns how many edges have three or more triangles, or two on the same side.

    `first` (n + 1 zeros) and `links` (3t) are room to sort half-edges by their smaller end.
    """
    count = np.uint64(triangles.shape[0])
    for t in range(count):
        for i in range(U3):
            u, v = triangles[t, i], triangles[t, (i + U1) % U3]
            records[(t << U3) + i] = u
            records[(t << U3) + U4 + i] = NOTHING
            first[min(u, v) + 1] += 1
        records[(t << U3) + STAMP], records[(t << U3) + FLAGS] = U0, U0
    for v in range(1, first.size):
        first[v] += first[v - 1]
    for t in range(count):
        for i in range(U3):
            low = min(triangles[t, i], triangles[t, (i + U1) % U3])
            links[first[low]] = (t << U2) + i
            first[low] += 1
    return _match(records, first, links)


@inner_kernel
def _match(records, first, links):
    """Join the half-edges that have the same two ends; `first[v]` is where v's bucket ends."""
    wrong, low = 0, np.uint64(0)
    for v in range(first.size - 1):
        high = np.uint64(first[v])
        for i in range(low, high):
            h = np.uint64(links[i])
            for j in range(i + U1, high):
                g = np.uint64(links[j])
                a, b = start(records, h), start(records, following(h))
                c, d = start(records, g), start(records, following(g))
                if a == c and b == d:
                    wrong += 1
                elif a == d and b == c:
                    if across(records, h) != NOTHING or across(records, g) != NOTHING:
                        wrong += 1
                    else:
                        join(records, h, g)
        low = high
    return wrong


@kernel
def order_by_number(numbers, first, order):
    """The items in the order of their numbers; `first` comes as zeros, one more than there are numbers."""
    for i in range(np.uint64(order.size)):
        first[numbers[i] + U1] += U1
    for v in range(U1, np.uint64(first.size)):
        first[v] += first[v - U1]
    for i in range(np.uint64(order.size)):
        order[first[numbers[i]]] = i
        first[numbers[i]] += U1


@kernel
def find_smallest(triangles, numbers, smallest):
    """The smallest number of each triangle's vertices, vertex v being `numbers[v]`."""
    for t in range(np.uint64(smallest.size)):
        a, b, c = numbers[triangles[t, 0]], numbers[triangles[t, 1]], numbers[triangles[t, 2]]
        low = a if a < b else b
        smallest[t] = low if low < c else c


@kernel
def load(triangles, neighbours, order, position, numbers, records):
    """Records from arrays that know the neighbours: triangle `order[i]` becomes i, vertex v becomes `numbers[v]`.

    `position` is the inverse of the whole order, of which `order` may be a part, and `records` the same part.
    """
    for i in range(np.uint64(order.size)):
        old = order[i]
        for j in range(3):
            records[(i << U3) + np.uint64(j)] = numbers[triangles[old, j]]
            other = neighbours[old, (j + 2) % 3]
            word = NOTHING
            if other >= 0:
                k = 0
                while triangles[other, k] != triangles[old, (j + 1) % 3]:
                    k += 1
                word = (np.uint64(position[other]) << U2) + np.uint64(k)
            records[(i << U3) + U4 + np.uint64(j)] = word
        records[(i << U3) + STAMP], records[(i << U3) + FLAGS] = U0, U0


@kernel
def unpack(records, numbers, triangles, neighbours):
    """The vertices (v as `numbers[v]`), and across from each vertex the neighbouring triangle or -1."""
    for t in range(np.uint64(triangles.shape[0])):
        for i in range(U3):
            triangles[t, i] = numbers[records[(t << U3) + i]]
            word = np.uint64(records[(t << U3) + U4 + (i + U1) % U3])
            neighbours[t, i] = -1 if word == NOTHING else np.int64((word & INSIDE) >> U2)


@kernel
def raise_walls(records, owner, share, first, items, segments):
    """Make the given (s, 2) segments walls, numbered from 1, then every other edge with nothing across it.

    This is done for the triangles from `share[0]` to `share[1]`.
    `items[first[v]:first[v + 1]]` are the segments whose smaller end is v.
    Returns how many segments were found to be edges, and how many walls were numbered in the end.
    """
    found, number = 0, segments.shape[0]
    for t in range(np.uint64(share[0]), np.uint64(share[1])):
        for i in range(U3):
            h = (t << U2) + i
            word, mine = across(records, h), 0
            u, v = start(records, h), start(records, following(h))
            low, high = (u, v) if u < v else (v, u)
            for k in range(first[low], first[low + U1]):
                s = items[k]
                if segments[s, 0] == high or segments[s, 1] == high:
                    mine = s + 1
                    found += word == NOTHING or h < (word & INSIDE)
            if mine == 0 and word == NOTHING:
                number += 1
                mine = number
            if mine:
                owner[h] = mine
                records[place(h) + U4] = word | WALL
    return found, number


@kernel
def list_walls(records, owner, count, ends, numbers):
    """Every wall once: its two ends and the segment it belongs to; returns how many (also where there is no room)."""
    found = 0
    for t in range(np.uint64(count)):
        for i in range(U3):
            h = (t << U2) + i
            word = across(records, h)
            if word >= WALL and (word == NOTHING or h < (word & INSIDE)):
                if found < numbers.size:
                    ends[found, 0], ends[found, 1] = start(records, h), start(records, following(h))
                    numbers[found] = owner[h]
                found += 1
    return found


@kernel
def compact(records, owner, count, renumbered):
    """Move each triangle to its new, never higher, number; those without one (`NOTHING`) go, leaving nothing behind."""
    for t in range(count):
        new = np.uint64(renumbered[t])
        if new == NOTHING:
            continue
        for i in range(U3):
            word = across(records, (t << U2) + i)
            wall = word & WALL
            records[(new << U3) + i] = records[(t << U3) + i]
            owner[(new << U2) + i] = owner[(t << U2) + i]
            if word != NOTHING:
                half = word & INSIDE
                there = np.uint64(renumbered[half >> U2])
                word = NOTHING if there == NOTHING else (there << U2) + (half & U3) + wall
            records[(new << U3) + U4 + i] = word
        records[(new << U3) + STAMP], records[(new << U3) + FLAGS] = U0, U0
