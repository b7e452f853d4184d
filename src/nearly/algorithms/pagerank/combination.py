"""The last ranks combined: reduced rank extrapolation (Eddy 1979, Mesina 1977; Smith, Ford and Sidi 1987).

Of the ranks before and after each of the last few rounds, those after are combined with factors of sum 1 for which the
steps between them cancel best. If each round shrinks some parts of the error at rates of their own, this takes out as
many of them as there are steps, without knowing the rates. The ranks lie in a ring of `KEPT` rows.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.base.jit import SUM_ORDER_FREE, kernel, parallel_kernel
from nearly.base.unsigned import U0, U1

KEPT = np.uint64(6)  # the last ranks: five steps between them are combined
_STRETCH = np.uint64(1 << 10)  # vertices whose kept ranks stay in the first cache


@kernel(fastmath=SUM_ORDER_FREE)
def product(later, late, earlier, early, low, high):
    """The product of two steps, each from one kept rank to the next, over [low, high)."""
    total = 0.0
    for v in range(low, high):
        total += (np.float64(later[v]) - np.float64(late[v])) * (np.float64(earlier[v]) - np.float64(early[v]))
    return total


@kernel
def products(past, first, steps, low, high, sums):
    """The products of the steps between kept ranks with each other, in stretches that stay in the cache."""
    for k in range(np.uint64(sums.size)):
        sums[k] = 0.0
    while low < high:
        end, k = min(high, low + _STRETCH), U0
        for i in range(steps):
            later, late = (first + i + U1) % KEPT, (first + i) % KEPT
            for j in range(i + U1):
                earlier, early = (first + j + U1) % KEPT, (first + j) % KEPT
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
def add_times(total, ranks, factor, low, high):
    """Add ranks times a factor."""
    for v in range(low, high):
        total[v] += factor * ranks[v]


@kernel
def mix_piece(past, first, factors, positive, low, high):
    """The kept ranks times their factors, for vertices [low, high), in place of the ranks after the last."""
    steps = np.uint64(factors.size)
    mixed = past[(first + steps + U1) % KEPT]
    while low < high:
        end = min(high, low + _STRETCH)
        for v in range(low, end):
            mixed[v] = 0.0
        for i in range(steps):
            add_times(mixed, past[(first + i + U1) % KEPT], factors[i], low, end)
        if positive:
            for v in range(low, end):
                mixed[v] = max(mixed[v], mixed.dtype.type(0))
        low = end


@parallel_kernel
def gather_products(past, first, steps, cuts, parts):
    """The products of steps, a row a piece."""
    for p in prange(np.uint64(cuts.size - 1)):
        products(past, first, steps, cuts[p], cuts[p + U1], parts[p])


@parallel_kernel
def mix(past, first, factors, positive, cuts):
    """The combination, piece by piece."""
    for p in prange(np.uint64(cuts.size - 1)):
        mix_piece(past, first, factors, positive, cuts[p], cuts[p + U1])


@kernel
def combine(past, at, steps, cuts, positive):
    """Combine the ranks after the last `steps` rounds, of which `at` are the last, in the row after `at`.

    None is below 0 afterwards if they are to be `positive`. Returns whether there is a combination.
    """
    first, factors = (at + KEPT - steps) % KEPT, np.empty(steps)
    parts = np.empty((cuts.size - 1, steps * (steps + U1) // np.uint64(2)))
    gather_products(past, first, steps, cuts, parts)
    if not find_factors(parts, factors):
        return False
    mix(past, first, factors, positive, cuts)
    return True
