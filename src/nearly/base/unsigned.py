"""What every kernel counts with: unsigned constants, and the bounds of equal pieces.

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
