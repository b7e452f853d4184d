"""The compiled part of validation: one pass over the arcs, at memory speed."""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.base.jit import parallel_kernel
from nearly.base.unsigned import U0, U1, piece_bounds

_PIECES = 256


@parallel_kernel
def first_bad_arc(offsets, targets):
    """The first arc whose target is beyond n or falls within its row; the number of arcs where none does."""
    n, m = np.uint64(offsets.size - 1), np.uint64(targets.size)
    found = np.empty(_PIECES, np.uint64)
    for p in prange(_PIECES):
        low, high = piece_bounds(n, p, _PIECES)
        bad = m
        for u in range(low, high):
            before = U0
            for e in range(offsets[u], offsets[u + U1]):
                v = np.uint64(targets[e])
                if (v >= n or v < before) and bad == m:
                    bad = e
                before = v
        found[p] = bad
    for p in range(_PIECES):
        if found[p] < m:
            return found[p]  # pieces are in order
    return m
