"""Brandes' passes in their plainest form, from known distances, with numbers of paths that do not overflow.

`recount` needs only the distances and the order in which vertices settled. It keeps each number of paths as a mantissa
with an exponent of its own. So it is used where float64 overflows, in hops and over weights; certificates recompute
with it too. An arc u -> v is tight when d[u] + w = d[v] and v settles after u; dependencies are summed over tight arcs,
in the opposite order.

U. Brandes, "A faster algorithm for betweenness centrality", Journal of Mathematical Sociology 25, 2001.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.algorithms.shared.shortest_paths import length
from nearly.base.jit import kernel, light_kernel
from nearly.base.unsigned import U1

TOP, DOWN = 2.0**256, 2.0**-512  # `recount` keeps a count as mantissa / DOWN**exponent, the mantissa at most TOP
HUGE = 1e290  # a larger sigma, times a degree, could overflow


class Tally(NamedTuple):
    """What the dependencies of sources are added to."""

    sums: np.ndarray  # float64[n]; where workers add apart, float64[slots, n]
    arc_sums: np.ndarray  # the same for arcs; empty where arcs do not count
    one: float  # 1.0 if a path counts for its two ends too, else 0.0


@light_kernel
def join(mantissa, exponent, v, u):
    """Add u's count to v's."""
    more = mantissa[u]
    if exponent[u] > exponent[v]:
        mantissa[v] = mantissa[v] * DOWN if exponent[u] == exponent[v] + 1 else 0.0
        exponent[v] = exponent[u]
    elif exponent[u] < exponent[v]:
        more = more * DOWN if exponent[u] == exponent[v] - 1 else 0.0
    mantissa[v] += more
    if mantissa[v] > TOP:
        mantissa[v] *= DOWN
        exponent[v] += 1


@light_kernel
def share_of(mantissa, exponent, u, v):
    """u's count over v's, which is at least as large."""
    steps = exponent[v] - exponent[u]
    ratio = mantissa[u] / mantissa[v]
    if steps == 0:
        return ratio
    return ratio * DOWN if steps == 1 else 0.0


@kernel
def recount(rows, distance, order, reached, tally, of):
    """Add the dependencies of source order[0], whose distances and order of settling are known.

    `of` says which vertex each one is a copy of, or itself; it is empty where there are no copies.
    """
    offsets, targets, weights = rows
    sums, arc_sums, one = tally
    n = distance.size
    place, delta = np.full(n, reached, np.uint64), np.zeros(n, np.float64)
    mantissa, exponent = np.zeros(n, np.float64), np.zeros(n, np.int64)
    for i in range(reached):
        place[order[i]] = i
    source = counted(of, np.uint64(order[0]))
    mantissa[source] = 1.0
    for i in range(reached):
        u = np.uint64(order[i])
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if place[v] > i and np.float64(distance[u]) + length(weights, e) == np.float64(distance[v]):
                join(mantissa, exponent, v, counted(of, u))
    for k in range(reached):
        i = reached - U1 - k
        u = np.uint64(order[i])
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if place[v] > i and np.float64(distance[u]) + length(weights, e) == np.float64(distance[v]):
                part = share_of(mantissa, exponent, counted(of, u), v) * (1.0 + delta[v])
                delta[counted(of, u)] += part
                if arc_sums.size:
                    arc_sums[e] += part
    for i in range(reached):
        u = np.uint64(order[i])
        if u != source and counted(of, u) == u:
            sums[u] += delta[u] + one


@light_kernel
def counted(of, u):
    """The vertex that u counts for."""
    return np.uint64(of[u]) if of.size else u
