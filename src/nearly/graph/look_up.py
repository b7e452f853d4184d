"""Looking many values up at once, on all threads."""

from __future__ import annotations

from numba import prange

from nearly.base.jit import parallel_kernel
from nearly.graph.partition import piece_bounds

PIECES = 64


@parallel_kernel
def look_up(values, numbers, found):
    """`values[numbers]` into `found`."""
    for piece in prange(PIECES):
        low, high = piece_bounds(numbers.size, piece, PIECES)
        for i in range(low, high):
            found[i] = values[numbers[i]]
