"""Kernels of frozen PageRank: sweeps in place that skip frozen vertices, and sending along arcs that are not frozen.

What: `sweep_in_place` computes the vertices that are due. It uses new ranks as soon as they are known, which takes
fewer rounds than computing all of them from the old ones. `send` writes what vertices hand on to a slot for each arc.

How: the answer of a sweep must be the same for any number of threads, so the work is cut the same way everywhere. The
rows lie in PARTS stretches, each stretch in slices, and step k computes slice k of all stretches. A slice reads its
own new values at once, and those of other slices once their step is over. For that, `shares` has two halves: the
first holds the values that all slices may read, the second the values that the slices of the current step have made.
`point` tells each arc beforehand in which half it finds its value, so that an arc needs one read.

Why the vertices that are due are listed first (`line_up`): a processor cannot predict whether a vertex is due, and a
wrong prediction costs as much as a short row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.pagerank.problem import in_order, pick
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import SUM_ORDER_FREE, kernel, light_kernel, parallel_kernel
from nearly.base.unsigned import U0, U1

PARTS = 16
BITS = np.uint32(3)  # the low bits of a due date say how often the wait has doubled; those above, the round
MOST = np.uint32(4)  # doublings, so that no vertex stays frozen for more than 16 rounds


class Entering(NamedTuple):
    """The arcs that enter each vertex: rows of the reverse graph."""

    offsets: np.ndarray  # uint64[n + 1]
    places: np.ndarray  # unsigned[m]: where in `Ranks.shares` each arc finds what its source hands on
    weights: np.ndarray  # of the arcs, empty where they do not count


class Ranks(NamedTuple):
    """What a sweep reads and writes."""

    rank: np.ndarray  # float32 or float64 [n]
    shares: np.ndarray  # [2 n]: rank over degree as all slices may read it, then as this step has made it
    due: np.ndarray  # uint32[n]: from which round on a vertex is computed again, and how often its wait has doubled
    line: np.ndarray  # unsigned[n]: room to list the vertices that are due


class Terms(NamedTuple):
    """What stays the same in all sweeps."""

    limits: np.ndarray  # float32[n]: a vertex that changes by no more is frozen
    inverse: np.ndarray  # [n]: what part of its rank a vertex hands on along one arc; 0 where it has none
    fixed: np.ndarray  # float64, [n] or one for all: the rank that does not come along arcs
    damping: float


@parallel_kernel
def point(offsets, targets, cuts, n, places):
    """Where in `shares` each arc finds its value: in the second half, from n on, if both its ends are in one slice."""
    for k in prange(np.uint64(cuts.size - 1)):
        low, high = cuts[k], cuts[k + U1]
        for e in range(offsets[low], offsets[high]):
            u = np.uint64(targets[e])
            places[e] = u + n if low <= u < high else u


@parallel_kernel
def sweep_in_place(entering, ranks, terms, cuts, round, workers, stop):
    """Compute the vertices that are due; returns (arcs read, the sum of changes)."""
    shares, due, line = ranks.shares, ranks.due, ranks.line
    steps = np.uint64(cuts.size - 1) // np.uint64(PARTS)
    arcs, changes = np.zeros(cuts.size - 1, np.uint64), np.zeros(cuts.size - 1)
    cursor = np.zeros(steps, np.uint64)
    n = np.uint64(due.size)
    for step in range(steps):
        for _ in prange(workers):
            part = fetch_add(cursor, step, U1)
            while part < np.uint64(PARTS) and going(stop):
                k = part * steps + step
                count = line_up(due, line, cuts[k], cuts[k + U1], round)
                arcs[k], changes[k] = compute(entering, ranks, terms, cuts[k], cuts[k] + count, round)
                part = fetch_add(cursor, step, U1)
        for part in prange(np.uint64(PARTS)):
            k = part * steps + step
            for v in range(cuts[k], cuts[k + U1]):
                shares[v] = shares[n + v]
    return arcs.sum(), in_order(changes)


@kernel(_nrt=False)
def line_up(due, line, low, high, round):
    """List the vertices of [low, high) that are due, from line[low] on; returns how many."""
    now, count = np.uint32((round << BITS) + np.uint32(7)), low
    for v in range(low, high):
        line[count] = v
        count += np.uint64(due[v] <= now)
    return count - low


@kernel(fastmath=SUM_ORDER_FREE, _nrt=False)
def compute(entering, ranks, terms, low, high, round):
    """Compute the vertices line[low:high]; one that hardly changes waits twice as long as before."""
    offsets, places, weights = entering
    rank, shares, due, line = ranks
    limits, inverse, fixed, damping = terms
    arcs, changes, n = U0, 0.0, np.uint64(rank.size)
    spread = U1 if fixed.size > 1 else U0  # one number serves all vertices
    for i in range(low, high):
        v = np.uint64(line[i])
        arcs += offsets[v + U1] - offsets[v]
        total = sum_row(places, weights, offsets[v], offsets[v + U1], shares)
        new = fixed[v * spread] + damping * total
        change = abs(new - np.float64(rank[v]))
        changes += change
        doubled = min((due[v] & np.uint32(7)) + np.uint32(1), MOST) if change <= limits[v] else np.uint32(0)
        due[v] = ((round + (np.uint32(1) << doubled)) << BITS) + doubled
        rank[v], shares[n + v] = new, new * inverse[v]
    return arcs, changes


@light_kernel
def sum_row(places, weights, start, end, shares):
    """What arrives along arcs [start, end)."""
    total = 0.0
    if weights.size:
        for e in range(start, end):
            total += shares[np.uint64(places[e])] * weights[e]
    else:
        for e in range(start, end):
            total += np.float64(shares[np.uint64(places[e])])
    return total


@parallel_kernel
def send(groups, share, scale, sent, limits, moving, slots, cuts):
    """Write what vertices hand on now to the slots of their arcs, except for groups that changed too little to matter.

    `groups` is a `Groups` of `arc_bins`. `sent` is what each group was sent last; with `moving` it becomes the present
    share even if that was not sent. Returns how many arcs are frozen.
    """
    first, start, bin, order = groups
    frozen = np.zeros(cuts.size - 1, np.uint64)
    for p in prange(np.uint64(cuts.size - 1)):
        count = U0
        for v in range(cuts[p], cuts[p + U1]):
            for g in range(first[v], first[v + U1]):
                change = abs(share[v] - sent[g]) * pick(scale, v)
                if change <= limits[bin[g]]:
                    count += start[g + U1] - start[g]
                    if moving:
                        sent[g] = share[v]
                else:
                    sent[g] = share[v]
                    for i in range(start[g], start[g + U1]):
                        slots[order[i]] = share[v]
        frozen[p] = count
    return frozen.sum()
