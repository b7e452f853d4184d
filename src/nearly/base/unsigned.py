"""What every kernel counts with: unsigned constants, the bounds of equal pieces, places in sorted arrays.

Offsets, ids and loop variables of kernels are unsigned; literals must be too, because `uint64 + 1` is int64 and
`min(uint64, int64)` is float64.
"""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel

U0, U1, U6, U63 = np.uint64(0), np.uint64(1), np.uint64(6), np.uint64(63)


@kernel
def piece_bounds(size, piece, pieces):
    """The share `[low, high)` of `size` items that belongs to one of `pieces`."""
    total, p, k = np.uint64(size), np.uint64(piece), np.uint64(pieces)
    return total * p // k, total * (p + U1) // k


@kernel
def count_up_to(ascending, value):
    """How many of the ascending numbers are at most `value`. (numba's searchsorted takes half a second to compile.)"""
    low, high = U0, np.uint64(ascending.size)
    while low < high:
        middle = (low + high) >> U1
        if ascending[middle] <= value:
            low = middle + U1
        else:
            high = middle
    return low


@kernel
def first_at_least(ascending, low, high, value):
    """The first place from `low` to `high` whose number is at least `value`; `high` where there is none."""
    while low < high:
        middle = (low + high) >> U1
        if ascending[middle] < value:
            low = middle + U1
        else:
            high = middle
    return low


@kernel
def count_below(ascending, value):
    """How many of the ascending numbers are less than `value`."""
    return first_at_least(ascending, U0, np.uint64(ascending.size), value)


@kernel
def total_of(counts):
    """The sum of whole numbers. (An array's own `sum` brings in more of numba, and is made parallel in its turn.)"""
    total = U0
    for i in range(np.uint64(counts.size)):
        total += counts[i]
    return total
