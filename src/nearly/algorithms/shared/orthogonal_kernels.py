"""What vectors of a basis and another vector have in common, and that vector without it: the sums of Arnoldi's method.

Columns are cut into pieces of a fixed size, whose sums are added in order, so that the number of threads does not show.
Taking parts away and finding what is left of them is one pass over the basis.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.base.jit import SUM_ORDER_FREE, kernel, parallel_kernel

PIECE = np.uint64(2048)  # columns


def pieces_of(n: int) -> int:
    """How many pieces there are."""
    return (n + int(PIECE) - 1) // int(PIECE)


@kernel(fastmath=SUM_ORDER_FREE)
def dot_piece(row, w, low, high):
    """The product of a row and a vector along one piece."""
    total = 0.0
    for c in range(low, high):
        total += row[c] * w[c]
    return total


@kernel
def take_piece(row, part, w, low, high):
    """Take a part of a row from a vector, along one piece."""
    for c in range(low, high):
        w[c] -= part * row[c]


@kernel
def work_on_piece(basis, count, parts, w, sums, piece):
    """Take the parts away, then find what the piece adds to each product; last the square of what is left."""
    low = piece * PIECE
    high = min(low + PIECE, np.uint64(w.size))
    for i in range(np.uint64(parts.size)):
        take_piece(basis[i], parts[i], w, low, high)
    for i in range(count):
        sums[piece, i] = dot_piece(basis[i], w, low, high)
    sums[piece, count] = dot_piece(w, w, low, high)


@parallel_kernel
def without_parts(basis, count, parts, w, sums):
    """`work_on_piece` for all pieces; `parts` is empty where nothing is to be taken away yet."""
    for piece in prange(np.uint64(sums.shape[0])):
        work_on_piece(basis, np.uint64(count), parts, w, sums, np.uint64(piece))
