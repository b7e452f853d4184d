"""How many ways of two arcs begin at each vertex: never fewer than there are vertices at distance 2."""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1


@kernel
def some_two_hop_arcs(offsets, targets, degrees, low, high, counts):
    """Those of the vertices low..high-1; returns how many there are."""
    total = U0
    for v in range(low, high):
        ways = U0
        for e in range(offsets[v], offsets[v + U1]):
            ways += np.uint64(degrees[targets[e]])
        counts[v] = ways
        total += ways
    return total


@parallel_kernel
def two_hop_arcs(offsets, targets, degrees, cuts, counts):
    """The ways of two arcs from each vertex, in `counts`; `cuts` has pieces of about as many arcs each."""
    pieces = cuts.size - 1
    done = np.zeros(pieces, np.uint64)
    for p in prange(pieces):
        done[p] = some_two_hop_arcs(offsets, targets, degrees, cuts[p], cuts[p + 1], counts)
