"""Kernels of PageRank's rounds in place: a round in pieces, and the combination of past rounds.

Both arrays of what vertices hand on lie in one, `both`: the first half holds what was handed on before the phase, the
second half what is handed on now. A vertex of a piece reads its own piece's from the second half, the others' from
the first, by one addition to the place it reads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import going
from nearly.base.jit import SUM_ORDER_FREE, kernel, parallel_kernel
from nearly.base.unsigned import U0, U1

KEPT = np.uint64(6)  # the last ranks: five steps between them are combined
SUM, LOOSE, DAMPING, OFFSET, BEFORE = range(5)  # what `numbers` holds
AT, HELD, SINCE, WAIT, CHECK = range(5)  # what `marks` holds
_BLOCK = np.uint64(256)  # arcs that are summed in the ranks' own type


class Flow(NamedTuple):
    """What a round reads and writes."""

    offsets: np.ndarray  # the rows of the reverse graph
    targets: np.ndarray
    weights: np.ndarray  # of its arcs; empty for 1
    both: np.ndarray  # what an arc of each vertex carries: before the phase, and now
    past: np.ndarray  # [KEPT, n], the last ranks, in a ring
    inverse: np.ndarray  # from a rank to what an arc carries, damping included; 0 for dangling vertices
    fixed: np.ndarray  # what arrives whatever the others hold; one element for the same everywhere
    teleport: np.ndarray  # where the rest goes, likewise


@kernel(fastmath=SUM_ORDER_FREE)
def sum_arcs(targets, both, start, end, low, high, half):
    """What arrives along arcs [start, end), the piece [low, high) handing on what it does now."""
    total = both.dtype.type(0)
    for e in range(start, end):
        u = targets[e]
        total += both[u + half] if low <= u < high else both[u]
    return total


@kernel(fastmath=SUM_ORDER_FREE)
def sum_weighted(targets, weights, both, start, end, low, high, half):
    """The same where arcs carry a share in proportion to their weights."""
    total = both.dtype.type(0)
    for e in range(start, end):
        u = targets[e]
        given = both[u + half] if low <= u < high else both[u]
        total += given * weights[e]
    return total


@kernel
def sweep_piece(flow, spread, old, new, cuts, p):
    """Renew the vertices of piece p in order; (sum of changes, largest change, change of the sum, and on dangling)."""
    offsets, targets, weights, both, past, inverse, fixed, teleport = flow
    n, low, high = np.uint64(inverse.size), cuts[p], cuts[p + U1]
    kind, own = targets.dtype.type, both.dtype.type
    first, beyond, half = kind(low), kind(high), kind(n)
    change, largest, more, loose = 0.0, 0.0, 0.0, 0.0
    last_fixed, last_teleport, weighted = np.uint64(fixed.size - 1), np.uint64(teleport.size - 1), weights.size > 0
    for v in range(low, high):
        total, start, end = 0.0, offsets[v], offsets[v + U1]
        while start < end:
            stop = min(end, start + _BLOCK)
            if weighted:
                total += sum_weighted(targets, weights, both, start, stop, first, beyond, half)
            else:
                total += sum_arcs(targets, both, start, stop, first, beyond, half)
            start = stop
        rank = own(fixed[min(v, last_fixed)] + spread * teleport[min(v, last_teleport)] + total)
        step = np.float64(rank) - np.float64(past[old, v])
        past[new, v] = rank
        both[n + v] = rank * inverse[v]
        change += abs(step)
        largest = max(largest, abs(step))
        more += step
        if inverse[v] == 0.0:
            loose += step
    return change, largest, more, loose


@kernel
def show(both, n, low, high):
    """Let the other pieces read what vertices [low, high) hand on."""
    for v in range(low, high):
        both[v] = both[n + v]


@kernel
def spread_of(numbers):
    """What goes to all by jumps, so that the sum stays; an `OFFSET` below 0 says that ranks leak."""
    if numbers[OFFSET] < 0.0:
        return 0.0
    return (1.0 - numbers[DAMPING]) * numbers[SUM] + numbers[DAMPING] * numbers[LOOSE]


@parallel_kernel
def sweep(flow, old, new, cuts, phases, numbers, sums):
    """One round: the sum of changes, the largest, and how far the spread of any phase is from that at the end."""
    both, n = flow.both, np.uint64(flow.inverse.size)
    pieces = np.uint64(cuts.size - 1)
    change, largest, least, most = 0.0, 0.0, np.inf, -np.inf
    for phase in range(phases):
        spread = spread_of(numbers)
        least, most = min(least, spread), max(most, spread)
        turns = (pieces - phase + phases - U1) // phases
        for k in prange(turns):
            p = phase + k * phases
            found = sweep_piece(flow, spread, old, new, cuts, p)
            sums[p, 0], sums[p, 1], sums[p, 2], sums[p, 3] = found
        for k in prange(turns):
            p = phase + k * phases
            show(both, n, cuts[p], cuts[p + U1])
        for p in range(phase, pieces, phases):
            change += sums[p, 0]
            largest = max(largest, sums[p, 1])
            numbers[SUM] += sums[p, 2]
            numbers[LOOSE] += sums[p, 3]
    spread = spread_of(numbers)
    return change, largest, max(spread - least, most - spread)


@kernel
def products(past, at, low, high, sums):
    """The products of the steps between kept ranks with each other, over [low, high)."""
    steps = np.empty(KEPT - U1)
    for i in range(sums.size):
        sums[i] = 0.0
    for v in range(low, high):
        before = np.float64(past[(at + U1) % KEPT, v])
        for i in range(KEPT - U1):
            after = np.float64(past[(at + U1 + U1 + i) % KEPT, v])
            steps[i] = after - before
            before = after
        k = U0
        for i in range(KEPT - U1):
            for j in range(i + U1):
                sums[k] += steps[i] * steps[j]
                k += U1


@kernel
def solve(matrix, x):
    """Solve matrix x = 1 by elimination; the matrix is symmetric, positive and made a little more so."""
    size = np.uint64(x.size)
    trace = 0.0
    for i in range(size):
        trace += matrix[i, i]
        x[i] = 1.0
    for i in range(size):
        matrix[i, i] += 1e-12 * trace
    for i in range(size):
        if matrix[i, i] <= 0.0:
            return False
        for j in range(i + U1, size):
            factor = matrix[j, i] / matrix[i, i]
            for k in range(i, size):
                matrix[j, k] -= factor * matrix[i, k]
            x[j] -= factor * x[i]
    for back in range(size):
        i = size - U1 - back
        for j in range(i + U1, size):
            x[i] -= matrix[i, j] * x[j]
        x[i] /= matrix[i, i]
    return True


@kernel
def mix_piece(flow, at, new, factors, positive, low, high):
    """The kept ranks times their factors, as new ranks of [low, high); their sum, and that on dangling vertices."""
    both, past, inverse = flow.both, flow.past, flow.inverse
    n, total, loose = np.uint64(inverse.size), 0.0, 0.0
    for v in range(low, high):
        mixed = 0.0
        for i in range(KEPT - U1):
            mixed += factors[i] * np.float64(past[(at + U1 + U1 + i) % KEPT, v])
        if positive and mixed < 0.0:
            mixed = 0.0
        past[new, v] = mixed
        set_share(both, inverse, n, v, past[new, v])
        total += past[new, v]
        if inverse[v] == 0.0:
            loose += past[new, v]
    return total, loose


@kernel
def set_share(both, inverse, n, v, rank):
    """Both what v hands on now and what it did."""
    both[v] = rank * inverse[v]
    both[n + v] = both[v]


@kernel
def set_piece(flow, at, low, high):
    """What vertices [low, high) hand on by the kept ranks `at`; their sum, and that on dangling vertices."""
    both, past, inverse = flow.both, flow.past, flow.inverse
    n, total, loose = np.uint64(inverse.size), 0.0, 0.0
    for v in range(low, high):
        set_share(both, inverse, n, v, past[at, v])
        total += past[at, v]
        if inverse[v] == 0.0:
            loose += past[at, v]
    return total, loose


@parallel_kernel
def restart(flow, at, cuts, numbers, sums):
    """Go on from the kept ranks `at`."""
    pieces = np.uint64(cuts.size - 1)
    for p in prange(pieces):
        sums[p, 0], sums[p, 1] = set_piece(flow, at, cuts[p], cuts[p + U1])
    add_up(sums, pieces, numbers)


@kernel
def add_up(sums, pieces, numbers):
    """The sum of the ranks and that on dangling vertices, piece after piece."""
    numbers[SUM], numbers[LOOSE] = 0.0, 0.0
    for p in range(pieces):
        numbers[SUM] += sums[p, 0]
        numbers[LOOSE] += sums[p, 1]


@parallel_kernel
def gather_products(past, at, cuts, parts):
    """The products of steps, a row a piece."""
    for p in prange(np.uint64(cuts.size - 1)):
        products(past, at, cuts[p], cuts[p + U1], parts[p])


@parallel_kernel
def mix(flow, at, new, factors, cuts, numbers, sums):
    """The new ranks: kept ones times their factors, not below 0 unless they stand on an offset."""
    pieces, positive = np.uint64(cuts.size - 1), numbers[OFFSET] <= 0.0
    for p in prange(pieces):
        sums[p, 0], sums[p, 1] = mix_piece(flow, at, new, factors, positive, cuts[p], cuts[p + U1])
    add_up(sums, pieces, numbers)


@kernel
def find_factors(parts, factors):
    """The factors, of sum 1, with which the steps cancel best; whether there are any."""
    size = np.uint64(factors.size)
    matrix, k = np.empty((size, size)), U0
    for i in range(size):
        for j in range(i + U1):
            total = 0.0
            for p in range(np.uint64(parts.shape[0])):
                total += parts[p, k]
            matrix[i, j] = total
            matrix[j, i] = total
            k += U1
    if not solve(matrix, factors):
        return False
    total = 0.0
    for i in range(size):
        total += factors[i]
    for i in range(size):
        factors[i] /= total
    return abs(total) > 0.0 and factors[size - U1] == factors[size - U1]


@kernel
def play(flow, cuts, phases, numbers, marks, enough, done, stop):
    """Rounds, at most one for each row of `done`, until one is small enough; how many.

    `enough` holds the sum and the largest of changes that are. Rows of `done` get both of a round, relative to the sum.
    """
    pieces = np.uint64(cuts.size - 1)
    sums, parts = np.empty((pieces, 4)), np.empty((pieces, (KEPT - U1) * KEPT // np.uint64(2)))
    factors, damping = np.empty(KEPT - U1), numbers[DAMPING]
    for r in range(np.uint64(done.shape[0])):
        if not going(stop):
            return r
        at = marks[AT]
        new = (at + U1) % KEPT
        change, largest, drift = sweep(flow, at, new, cuts, phases, numbers, sums)
        size = 1.0 if numbers[OFFSET] < 0.0 else numbers[OFFSET] + numbers[SUM]
        done[r, 0], done[r, 1] = (damping * change + drift) / size, largest / size
        marks[AT], marks[HELD], marks[SINCE] = new, min(marks[HELD] + U1, KEPT), marks[SINCE] + U1
        if done[r, 0] <= enough[0] and done[r, 1] <= enough[1]:
            return r + U1
        if marks[CHECK] and change > numbers[BEFORE]:  # the combination was no gain: go on from the ranks before it
            marks[AT], marks[HELD], marks[SINCE], marks[CHECK] = (at + KEPT - U1) % KEPT, U1, U0, U0
            marks[WAIT] += marks[WAIT]
            restart(flow, marks[AT], cuts, numbers, sums)
        elif marks[HELD] == KEPT and marks[SINCE] >= marks[WAIT]:
            gather_products(flow.past, new, cuts, parts)
            marks[CHECK], marks[SINCE] = U0, U0
            if find_factors(parts, factors):
                after = (new + U1) % KEPT
                mix(flow, new, after, factors, cuts, numbers, sums)
                numbers[BEFORE] = change
                marks[AT], marks[HELD], marks[CHECK] = after, U1, U1
        else:
            marks[CHECK] = U0
    return np.uint64(done.shape[0])
