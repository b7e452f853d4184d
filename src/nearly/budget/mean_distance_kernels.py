"""What is counted over a whole graph before mean distances are drawn: ways of two arcs, and the mean of predictions.

Never fewer ways of two arcs begin at a vertex than there are vertices at distance 2 from it.
"""

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


@kernel
def predicted_mean(features, weights, bounds, edge):
    """The mean of predictions that are sums of features times weights, kept within the edges of each member's bounds.

    `bounds` has the members' lower bounds, the widths up to the upper ones, and their shares of the mean.
    """
    low, width, share = bounds
    total = 0.0
    for s in range(np.uint64(low.size)):
        value = 0.0
        for k in range(np.uint64(weights.size)):
            value += weights[k] * features[k, s]
        least, most = low[s] + edge * width[s], low[s] + (1.0 - edge) * width[s]
        total += share[s] * min(max(value, least), most)
    return total
