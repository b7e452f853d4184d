"""Kernels of label propagation: what label a vertex would take, taking it, and labels in canonical form.

The weights of the labels around a vertex are added up in a small hash table (open addressing, at least twice as many
slots as neighbours). Every worker has one; its used slots are listed, and emptied afterwards. One worker adds up one
vertex in the order of its arcs, so the sums are the same for any number of threads.
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


class Labels(NamedTuple):
    """The labels, and which vertices may change theirs."""

    label: np.ndarray  # unsigned[n]
    wish: np.ndarray  # unsigned[n], the label that a vertex of `changed` wants
    awake: np.ndarray  # uint8[n], 0 for a vertex that need not look around
    changed: np.ndarray  # the vertices that want another label, counters[CHANGED] of them


class Turn(NamedTuple):
    """Which vertices choose, and how they break ties."""

    number: np.uint64  # below CLASSES: vertices choose whose draw by `lot` falls into this class
    lot: np.uint64
    key: np.uint64  # the key of the draws that break ties
    free: bool  # whether a vertex's own label is one among equals


class Tables(NamedTuple):
    """Hash tables from labels to weights; one row a worker, or one worker's row."""

    keys: np.ndarray  # uint64[workers, slots], EMPTY between vertices
    sums: np.ndarray  # float64[workers, slots]
    used: np.ndarray  # uint64[workers, slots], the slots in use


@kernel
def table_of(tables, worker):
    """One worker's table."""
    return Tables(tables.keys[worker], tables.sums[worker], tables.used[worker])


@kernel(_nrt=False)
def add_up(rows, label, v, table):
    """The weight of each label among the neighbours of v, self-loops left out; returns how many labels there are."""
    offsets, targets, weights = rows
    keys, sums, used = table
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
def heaviest(turn, own, v, table, count):
    """The label of the largest sum; of several, `own` unless the turn is `free`, else the first in the draw of v.

    Empties the table.
    """
    keys, sums, used = table
    top, mine = -1.0, 0.0
    for i in range(count):
        top = max(top, sums[used[i]])
        if keys[used[i]] == own:
            mine = sums[used[i]]
    best, least = own, EMPTY
    private = draw(turn.key, v)
    for i in range(count):
        slot = used[i]
        if (turn.free or mine < top) and sums[slot] == top:
            place = draw(private, keys[slot])
            if place <= least:
                best, least = keys[slot], place
        keys[slot] = EMPTY
    return best


@kernel(_nrt=False)
def look_around(rows, labels, turn, low, high, table, counters):
    """`propose` for the vertices from low to high; returns (vertices that looked, their edges)."""
    label, wish, awake, changed = labels
    offsets, looked, edges = rows.offsets, U0, U0
    for v in range(low, high):
        if awake[v] and draw(turn.lot, v) % CLASSES == turn.number:
            awake[v] = np.uint8(turn.free)
            looked += U1
            edges += offsets[v + U1] - offsets[v]
            count = add_up(rows, label, v, table)
            best = heaviest(turn, np.uint64(label[v]), v, table, count)
            if best != np.uint64(label[v]):
                wish[v] = best
                changed[fetch_add(counters, CHANGED, U1)] = v
    return looked, edges


@parallel_kernel
def propose(rows, cuts, labels, turn, tables, counters, workers, stop):
    """What label each vertex wants that is awake and has its turn; `changed` lists the vertices that want another."""
    for worker in prange(workers):
        table = table_of(tables, worker)
        piece = fetch_add(counters, CURSOR, U1)
        while piece < np.uint64(cuts.size - 1) and going(stop):
            looked, edges = look_around(rows, labels, turn, cuts[piece], cuts[piece + U1], table, counters)
            fetch_add(counters, LOOKED, looked)
            fetch_add(counters, EDGES, edges)
            piece = fetch_add(counters, CURSOR, U1)


@parallel_kernel
def adopt(rows, labels, counters, workers):
    """Take the wished labels and wake the neighbours."""
    offsets, targets, _ = rows
    label, wish, awake, changed = labels
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
def count_restless(rows, label, table):
    """How many vertices have neighbours of some other label that together weigh more than those of their own."""
    keys, sums, used = table
    found = U0
    for v in range(np.uint64(label.size)):
        count = add_up(rows, label, v, table)
        top, mine = 0.0, 0.0
        for i in range(count):
            top = max(top, sums[used[i]])
            if keys[used[i]] == np.uint64(label[v]):
                mine = sums[used[i]]
            keys[used[i]] = EMPTY
        found += np.uint64(mine < top)
    return found
