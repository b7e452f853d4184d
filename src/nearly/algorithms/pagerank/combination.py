"""The last ranks combined: reduced rank extrapolation (Eddy 1979, Mesina 1977; Smith, Ford and Sidi 1987).

Of the ranks before and after each of the last few rounds, those after are combined with factors of sum 1 for which the
steps between them cancel best. If each round shrinks some parts of the error at rates of their own, this takes out as
many of them as there are steps, without knowing the rates. The ranks lie in a ring of `KEPT` rows.
"""

from __future__ import annotations

import numpy as np

from nearly.base.jit import SUM_ORDER_FREE, kernel
from nearly.base.unsigned import U0, U1

KEPT = np.uint64(6)  # the last ranks: five steps between them are combined
STEPS, PRODUCTS = 5, 15  # and the products of these steps with each other
_STRETCH = np.uint64(1 << 10)  # vertices whose kept ranks stay in the first cache


@kernel(fastmath=SUM_ORDER_FREE)
def product(one, other, size):
    """The product of two steps over a stretch."""
    total = 0.0
    for k in range(size):
        total += one[k] * other[k]
    return total


@kernel
def step_of(later, late, low, size, out):
    """The step from one kept rank to the next over a stretch from `low` on."""
    for k in range(size):
        out[k] = np.float64(later[low + k]) - np.float64(late[low + k])


@kernel
def products(past, first, steps, low, high, sums):
    """The products of the steps between kept ranks with each other, in stretches that stay in the cache."""
    room = np.empty((steps, min(_STRETCH, high - low)), np.float64)
    for k in range(steps * (steps + U1) // np.uint64(2)):
        sums[k] = 0.0
    while low < high:
        size, k = min(high - low, _STRETCH), U0
        for i in range(steps):
            step_of(past[(first + i + U1) % KEPT], past[(first + i) % KEPT], low, size, room[i])
            for j in range(i + U1):
                sums[k] += product(room[i], room[j], size)
                k += U1
        low += size


@kernel
def solve(matrix, x):
    """Solve matrix x = 1 by elimination; the matrix is symmetric, positive and made a little more so."""
    size = np.uint64(matrix.shape[0])
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
def find_factors(parts, size, factors):
    """The factors, of sum 1, with which the last `size` steps cancel best; whether there are any."""
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
def mix_piece(past, first, steps, factors, positive, low, high):
    """The kept ranks times their factors, for vertices [low, high), in place of the ranks after the last.

    None is below 0 afterwards if they are to be `positive`.
    """
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
