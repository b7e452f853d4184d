"""Kernels of label propagation: what label a vertex would take, taking it, and labels in canonical form.

The weights of the labels around a vertex are added up in a small hash table (open addressing, at least twice as many
slots as neighbours), one per worker, whose used slots are listed and emptied afterwards. One worker adds up one vertex
in the order of its arcs, so the sums are the same for any number of threads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.random import draw
from nearly.base.unsigned import U0, U1

CURSOR, CHANGED, LOOKED, EDGES = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
EMPTY = np.uint64(2**64 - 1)
CLASSES = np.uint64(4)
BATCH = np.uint64(256)
U5, U11 = np.uint64(5), np.uint64(11)


class Tables(NamedTuple):
    keys: np.ndarray  # uint64[workers, slots], EMPTY between vertices
    sums: np.ndarray  # float64[workers, slots]
    used: np.ndarray  # uint64[workers, slots], the slots in use


@kernel(_nrt=False)
def add_up(offsets, targets, weights, label, v, keys, sums, used):
    """The weight of each label among the neighbours of v, self-loops left out; returns how many labels there are."""
    low, high = offsets[v], offsets[v + U1]
    mask = U1
    while mask < high - low:
        mask += mask
    mask = mask + mask - U1
    count = U0
    for e in range(low, high):
        u = np.uint64(targets[e])
        if u != v:
            wanted = np.uint64(label[u])
            slot = (wanted + (wanted >> U5) + (wanted >> U11)) & mask
            while keys[slot] != wanted and keys[slot] != EMPTY:
                slot = (slot + U1) & mask
            if keys[slot] == EMPTY:
                keys[slot] = wanted
                sums[slot] = 0.0
                used[count] = slot
                count += U1
            sums[slot] += np.float64(weights[e]) if weights.size else 1.0
    return count


@kernel(_nrt=False)
def heaviest(own, v, key, free, count, keys, sums, used):
    """The label of the largest sum: `own` if it is one and not `free`, else by the vertex's private order.

    Empties the table.
    """
    top, mine = -1.0, 0.0
    for i in range(count):
        top = max(top, sums[used[i]])
        if keys[used[i]] == own:
            mine = sums[used[i]]
    best, least = own, EMPTY
    private = draw(key, v)
    for i in range(count):
        slot = used[i]
        if (free or mine < top) and sums[slot] == top:
            place = draw(private, keys[slot])
            if place <= least:
                best, least = keys[slot], place
        keys[slot] = EMPTY
    return best


@kernel(_nrt=False)
def look_round(
    offsets, targets, weights, low, high, label, wish, awake, turn, lot, key, free, keys, sums, used, changed, counters
):
    """`propose` for the vertices from low to high; returns (vertices that looked, their edges)."""
    looked, edges = U0, U0
    for v in range(low, high):
        if awake[v] and draw(lot, v) % CLASSES == turn:
            awake[v] = np.uint8(free)
            looked += U1
            edges += offsets[v + U1] - offsets[v]
            count = add_up(offsets, targets, weights, label, v, keys, sums, used)
            best = heaviest(np.uint64(label[v]), v, key, free, count, keys, sums, used)
            if best != np.uint64(label[v]):
                wish[v] = best
                changed[fetch_add(counters, CHANGED, U1)] = v
    return looked, edges


@parallel_kernel
def propose(
    offsets, targets, weights, cuts, label, wish, awake, turn, lot, key, free, tables, changed, counters, workers, stop
):
    """What label each vertex wants that is awake and whose turn it is; `changed` lists those who want another."""
    for worker in prange(workers):
        keys, sums, used = tables.keys[worker], tables.sums[worker], tables.used[worker]
        piece = fetch_add(counters, CURSOR, U1)
        while piece < np.uint64(cuts.size - 1) and going(stop):
            looked, edges = look_round(
                offsets, targets, weights, cuts[piece], cuts[piece + U1], label, wish, awake, turn, lot, key, free,
                keys, sums, used, changed, counters,
            )  # fmt: skip
            fetch_add(counters, LOOKED, looked)
            fetch_add(counters, EDGES, edges)
            piece = fetch_add(counters, CURSOR, U1)


@parallel_kernel
def adopt(offsets, targets, label, wish, awake, changed, counters, workers):
    """Take the wished labels and wake the neighbours."""
    size = counters[CHANGED]
    counters[CURSOR] = U0
    for _ in prange(workers):
        start = fetch_add(counters, CURSOR, BATCH)
        while start < size:
            for i in range(start, min(start + BATCH, size)):
                v = np.uint64(changed[i])
                label[v] = wish[v]
                for e in range(offsets[v], offsets[v + U1]):
                    awake[targets[e]] = 1
            start = fetch_add(counters, CURSOR, BATCH)


@kernel
def name_by_smallest(label):
    """Labels renamed, in place, to their smallest members."""
    first = np.full(label.size, EMPTY, np.uint64)
    for v in range(np.uint64(label.size)):
        old = np.uint64(label[v])
        if first[old] == EMPTY:
            first[old] = v
        label[v] = first[old]


@kernel
def count_restless(offsets, targets, weights, label, keys, sums, used):
    """How many vertices have neighbours of some other label that together weigh more than those of their own."""
    found = U0
    for v in range(np.uint64(label.size)):
        count = add_up(offsets, targets, weights, label, v, keys, sums, used)
        top, mine = 0.0, 0.0
        for i in range(count):
            top = max(top, sums[used[i]])
            if keys[used[i]] == np.uint64(label[v]):
                mine = sums[used[i]]
            keys[used[i]] = EMPTY
        found += np.uint64(mine < top)
    return found
