"""Kernels of label propagation: what label a vertex would take, taking it, and labels in canonical form.

The weights of the labels around a vertex are added up in a small hash table (open addressing, at least twice as many
slots as neighbours). Every worker has one; its used slots are listed, and emptied afterwards. One worker adds up one
vertex in the order of its arcs, so the sums are the same for any number of threads.

Of the kernels of rounds Python calls `play_rounds` alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add, going
from nearly.base.jit import inner_kernel, kernel, parallel_kernel
from nearly.base.random import draw, stream_key
from nearly.base.unsigned import U0, U1

CURSOR, CHANGED, LOOKED, EDGES = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
EMPTY = np.uint64(2**64 - 1)
CLASSES = np.uint64(4)
BATCH = np.uint64(256)
U5, U11 = np.uint64(5), np.uint64(11)
TIES, LOTS = np.uint64(0x21), np.uint64(0x1000)  # streams of random numbers: for ties, and one per round from here on


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


class Plan(NamedTuple):
    """Which rounds are played."""

    first: np.uint64  # the number of the first, from 0
    explore: np.uint64  # rounds before this one are free, until one changes nothing
    seed: np.uint64


class Tables(NamedTuple):
    """Hash tables from labels to weights, one row a worker."""

    keys: np.ndarray  # uint64[workers, slots], EMPTY between vertices
    sums: np.ndarray  # float64[workers, slots]
    used: np.ndarray  # uint64[workers, slots], the slots in use


@inner_kernel
def add_up(rows, label, v, tables, worker):
    """The weight of each label among the neighbours of v, self-loops left out; returns how many labels there are."""
    offsets, targets, weights = rows
    keys, sums, used = tables
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
            while keys[worker, slot] != wanted and keys[worker, slot] != EMPTY:
                slot = (slot + U1) & mask
            if keys[worker, slot] == EMPTY:
                keys[worker, slot] = wanted
                sums[worker, slot] = 0.0
                used[worker, count] = slot
                count += U1
            sums[worker, slot] += np.float64(weights[e]) if weights.size else 1.0
    return count


@inner_kernel
def heaviest(turn, own, v, tables, worker, count):
    """The label of the largest sum, and how many have it; of several, `own` unless the turn is `free`, else the first
    in the draw of v.

    Empties the table.
    """
    keys, sums, used = tables
    top, mine = -1.0, 0.0
    for i in range(count):
        slot = used[worker, i]
        if sums[worker, slot] > top:
            top = sums[worker, slot]
        if keys[worker, slot] == own:
            mine = sums[worker, slot]
    best, least, equals = own, EMPTY, U0
    private = draw(turn.key, v)
    for i in range(count):
        slot = used[worker, i]
        equals += np.uint64(sums[worker, slot] == top)
        if (turn.free or mine < top) and sums[worker, slot] == top:
            place = draw(private, keys[worker, slot])
            if place <= least:
                best, least = keys[worker, slot], place
        keys[worker, slot] = EMPTY
    return best, equals


@inner_kernel
def look_around(rows, labels, turn, start, tables, worker, counters):
    """`propose` for the vertices of the batch that begins with `start`.

    A vertex falls asleep until a neighbour changes; but where ties are drawn, one that has a tie draws again.
    """
    label, wish, awake, changed = labels
    offsets, looked, edges = rows.offsets, U0, U0
    for v in range(start, min(start + BATCH, np.uint64(label.size))):
        if awake[v] and draw(turn.lot, v) % CLASSES == turn.number:
            looked += U1
            edges += offsets[v + U1] - offsets[v]
            own = np.uint64(label[v])
            best, equals = heaviest(turn, own, v, tables, worker, add_up(rows, label, v, tables, worker))
            awake[v] = np.uint8(turn.free and equals > U1)
            if best != own:
                wish[v] = best
                changed[fetch_add(counters, CHANGED, U1)] = v
    fetch_add(counters, LOOKED, looked)
    fetch_add(counters, EDGES, edges)


@parallel_kernel(no_cpython_wrapper=True)
def propose(rows, labels, turn, tables, counters, workers, stop):
    """What label each vertex wants that is awake and has its turn; `changed` lists the vertices that want another."""
    size = np.uint64(labels.label.size)
    for worker in prange(np.uint64(workers)):
        while True:
            start = fetch_add(counters, CURSOR, BATCH)
            if start >= size or not going(stop):
                break
            look_around(rows, labels, turn, start, tables, worker, counters)


@inner_kernel
def take_wishes(rows, labels, start, size):
    """`adopt` for the batch that begins with `start` of the `size` vertices that want another label."""
    offsets, targets, _ = rows
    label, wish, awake, changed = labels
    for i in range(start, min(start + BATCH, size)):
        v = np.uint64(changed[i])
        label[v] = wish[v]
        for e in range(offsets[v], offsets[v + U1]):
            awake[targets[e]] = 1


@parallel_kernel(no_cpython_wrapper=True)
def adopt(rows, labels, counters, workers):
    """Take the wished labels and wake the neighbours."""
    size = counters[CHANGED]
    counters[CURSOR] = U0
    for _ in prange(workers):
        while True:
            start = fetch_add(counters, CURSOR, BATCH)
            if start >= size:
                break
            take_wishes(rows, labels, start, size)


@kernel
def play_rounds(rows, labels, tables, plan, counters, did, workers, stop):
    """Rounds of four turns, at most one for each row of `did`, until no vertex is awake; returns how many.

    A row says how many vertices looked around, over how many edges, and how many changed. In a round that is not
    counted, because no vertex is awake, nothing happens.
    """
    ties, explore = stream_key(plan.seed, TIES), plan.explore
    for r in range(np.uint64(did.shape[0])):
        now = plan.first + r
        lot, free, moved = stream_key(plan.seed, LOTS + now), now < explore, U0
        counters[LOOKED] = counters[EDGES] = U0
        for number in range(CLASSES):
            counters[CURSOR] = counters[CHANGED] = U0
            turn = Turn(number, lot, lot if free else ties, free)
            propose(rows, labels, turn, tables, counters, workers, stop)
            adopt(rows, labels, counters, workers)
            moved += counters[CHANGED]
        if counters[LOOKED] == U0 or not going(stop):
            return r
        did[r, 0], did[r, 1], did[r, 2] = counters[LOOKED], counters[EDGES], moved
        if moved == U0:
            explore = U0
    return np.uint64(did.shape[0])


def name_by_smallest(label: np.ndarray) -> None:
    """Rename labels below n, in place, to their smallest members."""
    first, members = np.empty_like(label), np.arange(label.size, dtype=label.dtype)
    first[label[::-1]] = members[::-1]  # of several members the last one assigned stays: the smallest
    label[:] = first[label]


@kernel
def count_restless(rows, label, tables):
    """How many vertices have neighbours of some other label that together weigh more than those of their own."""
    keys, sums, used = tables
    found = U0
    for v in range(np.uint64(label.size)):
        count = add_up(rows, label, v, tables, U0)
        top, mine = 0.0, 0.0
        for i in range(count):
            slot = used[U0, i]
            if sums[U0, slot] > top:
                top = sums[U0, slot]
            if keys[U0, slot] == np.uint64(label[v]):
                mine = sums[U0, slot]
            keys[U0, slot] = EMPTY
        found += np.uint64(mine < top)
    return found
