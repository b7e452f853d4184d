"""Kernels of frozen PageRank: sweeps in place that pass over frozen vertices, and sending along arcs not frozen.

A sweep in place uses new ranks as soon as they are known, which takes fewer rounds than computing all from the old;
to be the same for any number of threads it is cut the same way everywhere: the rows lie in PARTS stretches, each
stretch in slices, and step k computes slice k of all stretches. A slice reads its own new values at once and those
of other slices once their step is over. `shares` holds what is known to all and, behind it, what the slices of the
current step have made of it; arcs point to where they find what they need, so that each needs one read. The vertices
that are due are lined up first: whether one is cannot be foreseen, and a wrong guess costs as much as a short row.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.algorithms.pagerank.sweeps import in_order, pick
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import SUM_ORDER_FREE, kernel, parallel_kernel
from nearly.base.unsigned import U0, U1

PARTS = 16
BITS = np.uint32(3)  # of a due date: how often the wait has doubled; above them, the round
MOST = np.uint32(4)  # doublings, so that no vertex stays frozen for more than 16 rounds


@parallel_kernel
def point(offsets, targets, cuts, n, places):
    """Where in `shares` each arc finds what its source hands on: behind n if both its ends are in one slice."""
    for k in prange(np.uint64(cuts.size - 1)):
        low, high = cuts[k], cuts[k + U1]
        for e in range(offsets[low], offsets[high]):
            u = np.uint64(targets[e])
            places[e] = u + n if low <= u < high else u


@parallel_kernel
def sweep_in_place(
    offsets, places, weights, cuts, shares, rank, due, line, limits, inverse, fixed, damping, round, workers, stop
):
    """Compute the vertices that are due; returns (arcs read, the sum of changes)."""
    steps = np.uint64(cuts.size - 1) // np.uint64(PARTS)
    arcs, changes = np.zeros(cuts.size - 1, np.uint64), np.zeros(cuts.size - 1)
    cursor = np.zeros(steps, np.uint64)
    n = np.uint64(rank.size)
    for step in range(steps):
        for _ in prange(workers):
            part = fetch_add(cursor, step, U1)
            while part < np.uint64(PARTS) and going(stop):
                k = part * steps + step
                count = line_up(due, line, cuts[k], cuts[k + U1], round)
                arcs[k], changes[k] = compute(
                    offsets, places, weights, line, cuts[k], cuts[k] + count, shares, rank, due, limits, inverse,
                    fixed, damping, round,
                )  # fmt: skip
                part = fetch_add(cursor, step, U1)
        for part in prange(np.uint64(PARTS)):
            k = part * steps + step
            for v in range(cuts[k], cuts[k + U1]):
                shares[v] = shares[n + v]
    return arcs.sum(), in_order(changes)


@kernel(_nrt=False)
def line_up(due, line, low, high, round):
    """List those of vertices [low, high) that are due, from line[low] on; returns how many."""
    now, count = np.uint32((round << BITS) + np.uint32(7)), low
    for v in range(low, high):
        line[count] = v
        count += np.uint64(due[v] <= now)
    return count - low


@kernel(fastmath=SUM_ORDER_FREE, _nrt=False)
def compute(offsets, places, weights, line, low, high, shares, rank, due, limits, inverse, fixed, damping, round):
    """Compute the vertices line[low:high]; one that hardly changes waits twice as long as before."""
    arcs, changes, n = U0, 0.0, np.uint64(rank.size)
    spread = U1 if fixed.size > 1 else U0  # one number stands for the same everywhere
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


@kernel(inline="always")
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
def send(first, start, bin, order, share, scale, sent, limits, moving, slots, cuts):
    """Write what vertices hand on now to the slots of their arcs, but for groups that changed too little to matter.

    `sent` is what each group was sent last; `moving` puts the present share there even if it was not sent. Returns
    how many arcs are frozen.
    """
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
