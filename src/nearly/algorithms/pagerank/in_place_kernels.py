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
SUM, LOOSE, DAMPING, OFFSET, BEFORE, LAST = range(6)  # what `numbers` holds
AT, HELD, SINCE, WAIT, CHECK = range(5)  # what `marks` holds
U2 = np.uint64(2)
_BLOCK = np.uint64(256)  # arcs that are summed in the ranks' own type
_STRETCH = np.uint64(1 << 10)  # vertices whose kept ranks stay in the first cache


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
def sum_blocks(flow, start, end, low, high):
    """What arrives along arcs [start, end), the piece [low, high) handing on what it does now; summed in blocks."""
    targets, weights, both = flow.targets, flow.weights, flow.both
    half, weighted, total = np.uint64(flow.inverse.size), weights.size > 0, 0.0
    while start < end:
        stop, part = min(end, start + _BLOCK), both.dtype.type(0)
        for e in range(start, stop):
            u = targets[e]
            given = both[u + half] if low <= u < high else both[u]
            part += given * weights[e] if weighted else given
        total += part
        start = stop
    return both.dtype.type(total)


@kernel
def sweep_piece(flow, spread, old, new, cuts, p):
    """Renew the vertices of piece p in order; (sum of changes, largest change, change of the sum, and on dangling)."""
    offsets, targets, weights, both, past, inverse, fixed, teleport = flow
    n, low, high = np.uint64(inverse.size), cuts[p], cuts[p + U1]
    kind, own = targets.dtype.type, both.dtype.type
    first, beyond, half = kind(low), kind(high), kind(n)
    change, largest, more, loose = 0.0, 0.0, 0.0, 0.0
    some_fixed, some_teleport, weighted = fixed.size > 1, teleport.size > 1, weights.size > 0
    arrives = fixed[0] + spread * teleport[0]
    before, after = past[old], past[new]
    end = offsets[low]
    for v in range(low, high):
        start, end = end, offsets[v + U1]
        if weighted or end - start > _BLOCK:
            total = sum_blocks(flow, start, end, first, beyond)
        else:
            total, other = own(0), own(0)  # two sums: an addition need not wait for the one before it
            while start + U1 < end:
                u, w = targets[start], targets[start + U1]
                total += both[u + half] if first <= u < beyond else both[u]
                other += both[w + half] if first <= w < beyond else both[w]
                start += U2
            if start < end:
                u = targets[start]
                total += both[u + half] if first <= u < beyond else both[u]
            total += other
        if some_fixed or some_teleport:
            arrives = (fixed[v] if some_fixed else fixed[0]) + spread * (teleport[v] if some_teleport else teleport[0])
        rank, onward = own(arrives + total), inverse[v]
        step = np.float64(rank - before[v])
        after[v] = rank
        both[n + v] = rank * onward
        size = abs(step)
        change += size
        if size > largest:
            largest = size
        more += step
        if onward == 0.0:
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


@kernel(fastmath=SUM_ORDER_FREE)
def product(later, late, earlier, early, low, high):
    """The product of two steps, each from one kept rank to the next, over [low, high)."""
    total = 0.0
    for v in range(low, high):
        total += (np.float64(later[v]) - np.float64(late[v])) * (np.float64(earlier[v]) - np.float64(early[v]))
    return total


@kernel
def products(past, at, low, high, sums):
    """The products of the steps between kept ranks with each other, in stretches that stay in the cache."""
    for k in range(np.uint64(sums.size)):
        sums[k] = 0.0
    while low < high:
        end, k = min(high, low + _STRETCH), U0
        for i in range(KEPT - U1):
            later, late = (at + i + U1 + U1) % KEPT, (at + i + U1) % KEPT
            for j in range(i + U1):
                earlier, early = (at + j + U1 + U1) % KEPT, (at + j + U1) % KEPT
                sums[k] += product(past[later], past[late], past[earlier], past[early], low, end)
                k += U1
        low = end


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
    """The kept ranks times their factors, as new ranks of [low, high), in place of the oldest."""
    past, mixed = flow.past, flow.past[new]
    for v in range(low, high):
        mixed[v] = 0.0
    for i in range(KEPT - U1):
        add_times(mixed, past[(at + U1 + U1 + i) % KEPT], factors[i], low, high)
    if positive:
        for v in range(low, high):
            mixed[v] = max(mixed[v], mixed.dtype.type(0))


@kernel
def add_times(total, ranks, factor, low, high):
    """Add ranks times a factor."""
    for v in range(low, high):
        total[v] += factor * ranks[v]


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
        mix_piece(flow, at, new, factors, positive, cuts[p], cuts[p + U1])
        sums[p, 0], sums[p, 1] = set_piece(flow, new, cuts[p], cuts[p + U1])
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
    if marks[HELD] == U0:
        restart(flow, marks[AT], cuts, numbers, sums)
        marks[HELD] = U1
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
        soon = done[r, 0] * change <= enough[0] * numbers[LAST]  # as the last round did, the next would be the last
        numbers[LAST] = change
        if marks[CHECK] and change > numbers[BEFORE]:  # the combination was no gain: go on from the ranks before it
            marks[AT], marks[HELD], marks[SINCE], marks[CHECK] = (at + KEPT - U1) % KEPT, U1, U0, U0
            marks[WAIT] += marks[WAIT]
            restart(flow, marks[AT], cuts, numbers, sums)
        elif marks[HELD] == KEPT and marks[SINCE] >= marks[WAIT] and not soon:
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
