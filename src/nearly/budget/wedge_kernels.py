"""Kernels that draw wedges, pairs of neighbours of a vertex, and look whether an edge closes them.

Three ways of drawing, all uniform:

- oriented: every edge leads to the end that comes later in an order of the vertices, and both ends of the wedge come
  after its corner, so that every triangle closes exactly one wedge. Any order would do; by degree there are few wedges.
  Degrees are told apart up to an eighth of a power of two, then numbers decide: a byte for each vertex, which stay in
  the second-level cache while all arcs are looked at once (`count_later`).
- all wedges of the graph alike: the corner in proportion to pairs of arcs, then two arcs; if one is a loop or a
  repetition, all is drawn again. What comes out is uniform among pairs of different neighbours, and no arc had to be
  looked at before.
- at a given vertex, or at one drawn from those of two arcs or more: at the others nothing can be closed. Short rows
  are looked through, in long ones arcs are drawn until two will do.

Trial i draws from a stream of its own, so outcomes do not depend on the number of threads. A trial that finds nothing
in LIMIT draws (rows of repetitions and loops) is FAILED; the caller then leaves the question to the exact run.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.triangle_count.local import adjacent, log2_floor
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, light_kernel, parallel_kernel
from nearly.base.random import below, draw, uniform, wrapping
from nearly.base.unsigned import U0, U1
from nearly.engine.primitives import load_balanced_search

U2, U3, U7 = np.uint64(2), np.uint64(3), np.uint64(7)
BLOCK = np.uint64(64)  # vertices whose pairs are summed up in `starts`
BATCH = np.uint64(64)  # vertices or trials that a worker takes at a time
SHORT = np.uint64(32)  # arcs of a row that is looked through
FEW, RARE = np.uint64(128), np.uint64(256)  # as is one of so few later neighbours, or one of so many arcs for each
LIMIT = np.uint64(1 << 8)  # draws of one trial where it is not known that there is anything to be found
ENDLESS = np.uint64(1 << 60)
ORIENTED, GLOBAL, ANYWHERE, AT = 0, 1, 2, 3  # ways: see the top; ANYWHERE is at one of `corners` drawn at random
OPEN, CLOSED, FAILED = np.uint8(0), np.uint8(1), np.uint8(2)
NO_COUNT = np.uint64(2**64 - 1)  # instead of a count, where a trial FAILED


class Wedges(NamedTuple):
    """What wedges are drawn from.

    offsets, targets : the rows of the graph, undirected.
    classes : uint8[n], by which vertices are ordered, then by number; empty where all neighbours count.
    counts : uint64[n], neighbours that count at each vertex; empty where all do.
    starts : uint64[blocks + 1], pairs of such neighbours before each block of vertices.
    corners : the vertices of two arcs or more; empty where none is drawn from them.
    """

    offsets: np.ndarray
    targets: np.ndarray
    classes: np.ndarray
    counts: np.ndarray
    starts: np.ndarray
    corners: np.ndarray


@kernel
def fill_corners(offsets, corners):
    """The vertices of two arcs or more; returns how many there are."""
    count = U0
    for v in range(np.uint64(offsets.size - 1)):
        corners[count] = v
        count += np.uint64(offsets[v + U1] - offsets[v] > U1)
    return count


@kernel
def degree_classes(offsets, classes):
    """Eight classes for each power of two."""
    for v in range(np.uint64(classes.size)):
        degree = offsets[v + U1] - offsets[v]
        power = log2_floor(degree)
        part = degree >> (power - U3) if power > U3 else degree << (U3 - power)
        classes[v] = (power << U3) | (part & U7)


@light_kernel
def later_of(offsets, targets, classes, u):
    """How many different neighbours of u come after it."""
    own, count, before = classes[u], U0, u
    for e in range(offsets[u], offsets[u + U1]):
        v = np.uint64(targets[e])
        other = classes[v]
        count += np.uint64(((other > own) | ((other == own) & (v > u))) & (v != before))
        before = v
    return count


@parallel_kernel
def count_later(offsets, targets, classes, counts, cursor, workers, stop):
    """How many different neighbours of each vertex come after it."""
    n = np.uint64(counts.size)
    for _ in prange(workers):
        start = fetch_add(cursor, U0, BATCH)
        while start < n and going(stop):
            for u in range(start, min(start + BATCH, n)):
                counts[u] = later_of(offsets, targets, classes, u)
            start = fetch_add(cursor, U0, BATCH)


@light_kernel
def pairs_of(count):
    """Pairs of so many things."""
    return (count * (count - U1)) >> U1 if count > U1 else U0


@light_kernel
def count_of(wedges, u):
    """How many arcs of u lead to neighbours that count; with loops and repetitions where all count."""
    return wedges.counts[u] if wedges.counts.size else wedges.offsets[u + U1] - wedges.offsets[u]


@kernel
def fill_starts(wedges):
    """Fill `starts`; returns how many pairs there are in all."""
    total, starts, n = U0, wedges.starts, np.uint64(wedges.offsets.size - 1)
    for block in range(np.uint64(starts.size - 1)):
        starts[block] = total
        for v in range(block * BLOCK, min((block + U1) * BLOCK, n)):
            total += pairs_of(count_of(wedges, v))
    starts[starts.size - 1] = total
    return total


@light_kernel
def corner_of(wedges, x):
    """The vertex at which wedge x lies, x below their number."""
    block = load_balanced_search(wedges.starts, x)
    u, at = block * BLOCK, wedges.starts[block] + pairs_of(count_of(wedges, block * BLOCK))
    while at <= x:
        u += U1
        at += pairs_of(count_of(wedges, u))
    return u


@light_kernel
def counted(wedges, u, e):
    """Whether arc e of u leads to a neighbour that counts, and does so for the first time in its row."""
    v = np.uint64(wedges.targets[e])
    if v == u or (e > wedges.offsets[u] and wedges.targets[e - U1] == v):
        return False
    if wedges.classes.size == 0:
        return True
    own, other = wedges.classes[u], wedges.classes[v]
    return other > own or (other == own and v > u)


@kernel
def pair_in_short_row(wedges, u, count, key):
    """The outcome for two of the `count` neighbours of u that count, by looking through its row."""
    one, two = below(draw(key, U1), count), below(draw(key, U2), count - U1)
    if two >= one:
        two += U1
    v = w = u
    rank = U0
    for e in range(wedges.offsets[u], wedges.offsets[u + U1]):
        if counted(wedges, u, e):
            if rank == one:
                v = np.uint64(wedges.targets[e])
            if rank == two:
                w = np.uint64(wedges.targets[e])
            rank += U1
            if rank > max(one, two):
                break
    return CLOSED if adjacent(wedges.offsets, wedges.targets, v, w) else OPEN


@kernel
def pair_in_long_row(wedges, u, limit, key):
    """The outcome for two neighbours of u that count, found by drawing arcs, `limit` at most."""
    low, degree = wedges.offsets[u], wedges.offsets[u + U1] - wedges.offsets[u]
    v, tries = u, U0
    while tries < limit:
        tries += U1
        e = low + below(draw(key, tries), degree)
        w = np.uint64(wedges.targets[e])
        if w == v or not counted(wedges, u, e):
            continue
        if v != u:
            return CLOSED if adjacent(wedges.offsets, wedges.targets, v, w) else OPEN
        v = w
    return FAILED


@kernel
def oriented_trial(wedges, key):
    """The outcome of one wedge of those oriented."""
    u = corner_of(wedges, below(draw(key, U0), wedges.starts[wedges.starts.size - 1]))
    count, degree = wedges.counts[u], wedges.offsets[u + U1] - wedges.offsets[u]
    if degree <= SHORT or count <= FEW or degree > RARE * count:
        return pair_in_short_row(wedges, u, count, key)
    return pair_in_long_row(wedges, u, ENDLESS, key)


@kernel
def global_trial(wedges, key):
    """The outcome of one wedge of all, each as likely as any other."""
    pairs, at = wedges.starts[wedges.starts.size - 1], U0
    while at < LIMIT:
        u = corner_of(wedges, below(draw(key, at), pairs))
        low, degree = wedges.offsets[u], wedges.offsets[u + U1] - wedges.offsets[u]
        e, f = low + below(draw(key, at + U1), degree), low + below(draw(key, at + U2), degree - U1)
        if f >= e:
            f += U1
        if counted(wedges, u, e) and counted(wedges, u, f):
            v, w = np.uint64(wedges.targets[e]), np.uint64(wedges.targets[f])
            return CLOSED if adjacent(wedges.offsets, wedges.targets, v, w) else OPEN
        at += U3
    return FAILED


@kernel
def trial_at(wedges, u, key):
    """The outcome of one wedge at u, OPEN where there is none."""
    low, high = wedges.offsets[u], wedges.offsets[u + U1]
    if high - low > SHORT:
        return pair_in_long_row(wedges, u, LIMIT, key)
    count = U0
    for e in range(low, high):
        count += np.uint64(counted(wedges, u, e))
    return pair_in_short_row(wedges, u, count, key) if count > U1 else OPEN


@wrapping
def key_of(key, trial):
    """The key of a trial's own stream."""
    return draw(key, trial)


@light_kernel
def one_trial(wedges, way, vertex, key):
    """One trial of a way."""
    if way == ORIENTED:
        return oriented_trial(wedges, key)
    if way == GLOBAL:
        return global_trial(wedges, key)
    if way == ANYWHERE:
        return trial_at(wedges, np.uint64(wedges.corners[below(draw(key, U0), np.uint64(wedges.corners.size))]), key)
    return trial_at(wedges, vertex, key)


class Draw(NamedTuple):
    """Which trials: the way, the vertex (of AT), the key of their streams, the number of the first."""

    way: int
    vertex: np.uint64
    key: np.uint64
    first: np.uint64


@parallel_kernel
def try_wedges(wedges, drawn, outcomes, cursor, workers, stop):
    """The outcomes of trials, as many as there is room for."""
    size = np.uint64(outcomes.size)
    way, vertex, key, first = drawn
    for _ in prange(workers):
        start = fetch_add(cursor, U0, BATCH)
        while start < size and going(stop):
            for i in range(start, min(start + BATCH, size)):
                outcomes[i] = one_trial(wedges, way, vertex, key_of(key, first + i))
            start = fetch_add(cursor, U0, BATCH)


@kernel
def count_closed(wedges, drawn, count):
    """How many of so many trials find a closed wedge, on one thread; NO_COUNT where one finds none at all."""
    way, vertex, key, first = drawn
    closed = U0
    for i in range(count):
        outcome = one_trial(wedges, way, vertex, key_of(key, first + i))
        if outcome == FAILED:
            return NO_COUNT
        closed += np.uint64(outcome)
    return closed


@kernel
def until_successes(outcomes, key, first, wanted, found, waited):
    """Go through outcomes in order, with an Exp(1) draw each, until `wanted` are CLOSED.

    `found` were, and `waited` is the sum of the draws, before these; returns both after them.
    """
    for i in range(np.uint64(outcomes.size)):
        waited -= np.log(1.0 - uniform(draw(key, first + i)))
        if outcomes[i] == CLOSED:
            found += U1
            if found == wanted:
                break
    return found, waited
