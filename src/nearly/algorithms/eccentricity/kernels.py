"""What one search says about the eccentricities of all vertices, and which vertex to search from next.

A search from s gives d(s, v), one against the arcs d(v, s), and together the eccentricity of s. Then

    ecc(v) >= d(v, s)            and, where s and v reach each other,
    ecc(v) >= ecc(s) - d(s, v)   because the way from s through v is no shorter than the one from s,
    ecc(v) <= d(v, s) + ecc(s)   because v reaches what s reaches, through s.

Vertices that reach each other reach the same vertices, so that this holds whatever of the graph they reach.
"""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel, light_kernel
from nearly.base.unsigned import U0, U1

NO_WAY = np.uint32(2**32 - 1)
NONE = np.uint64(2**64 - 1)


@kernel
def farthest(level):
    """The largest level, and how many vertices have one."""
    most, count = np.uint32(0), U0
    for v in range(np.uint64(level.size)):
        if level[v] != NO_WAY:
            count += U1
            most = max(most, level[v])
    return most, count


@kernel
def tighten(low, high, sums, away, back, ecc):
    """Bounds after a search: `away` holds d(s, v), `back` d(v, s). Adds the distances to `sums`."""
    for v in range(np.uint64(low.size)):
        if back[v] != NO_WAY:
            sums[v] += np.uint64(back[v])
            low[v] = max(low[v], back[v])
            if away[v] != NO_WAY:
                if ecc > away[v]:
                    low[v] = max(low[v], ecc - away[v])
                high[v] = min(high[v], ecc + back[v])


@kernel
def next_for_all(low, high, sums, central):
    """(Open vertices, the one to search from next): of largest upper bound, or of smallest lower bound if `central`."""
    count, best = U0, NONE
    for v in range(np.uint64(low.size)):
        if low[v] < high[v]:
            count += U1
            if best == NONE:
                best = v
            elif central:
                if low[v] < low[best] or (low[v] == low[best] and sums[v] < sums[best]):
                    best = v
            elif high[v] > high[best] or (high[v] == high[best] and sums[v] > sums[best]):
                best = v
    return count, best


@light_kernel
def is_open(low, high, half, most, v):
    """Whether v may be an end of a pair farther apart than `most`; see `next_for_largest`."""
    return low[v] < high[v] and high[v] > most and (half[v] == NO_WAY or 2 * half[v] > most)


@kernel
def largest(low):
    """The largest lower bound."""
    most = np.uint32(0)
    for v in range(np.uint64(low.size)):
        most = max(most, low[v])
    return most


@kernel
def next_for_largest(low, high, sums, half, inner):
    """(Open, next, bound below, bound above) for the largest eccentricity.

    `half` holds distances from some vertex of an undirected graph, or NO_WAY: of two vertices farther apart than
    `most`, one is farther from it than `most / 2`, and one end is enough. The next one is the open vertex of largest
    upper bound, or, where vertices are marked in `inner`, the one of these that is nearest to those searched from.
    """
    most, count, best, central = largest(low), U0, NONE, NONE
    above = most
    for v in range(np.uint64(low.size)):
        if is_open(low, high, half, most, v):
            count += U1
            above = max(above, high[v])
            if best == NONE or high[v] > high[best] or (high[v] == high[best] and sums[v] > sums[best]):
                best = v
        if inner.size and inner[v] and (central == NONE or sums[v] < sums[central]):
            central = v
    return count, (best if central == NONE else central), most, above


@kernel
def tighten_pairs(low, high, away):
    """Lower upper bounds by a search: what matters are pairs of open vertices, and both ends are at most so far off."""
    most, off = largest(low), np.uint32(0)
    for v in range(np.uint64(low.size)):
        if away[v] != NO_WAY and low[v] < high[v] and high[v] > most:
            off = max(off, away[v])
    for v in range(np.uint64(low.size)):
        if away[v] != NO_WAY and low[v] < high[v]:
            high[v] = max(min(high[v], away[v] + off), low[v])


@kernel
def next_for_smallest(low, high, sums):
    """As `next_for_all` for the smallest eccentricity: (open, next, bound below, least upper bound)."""
    least, below, count, best = NO_WAY, NO_WAY, U0, NONE
    for v in range(np.uint64(low.size)):
        least = min(least, high[v])
    below = least
    for v in range(np.uint64(low.size)):
        if low[v] < least:
            count += U1
            below = min(below, low[v])
            if best == NONE or low[v] < low[best] or (low[v] == low[best] and sums[v] < sums[best]):
                best = v
    return count, best, below, least


@kernel
def pass_on(offsets, targets, low, high):
    """Lower upper bounds along arcs: a way from v goes through a neighbour, and on from there."""
    n = np.uint64(low.size)
    for i in range(n):
        v = n - U1 - i
        most, begin, end = np.uint32(0), offsets[v], offsets[v + U1]
        for e in range(begin, end):
            most = max(most, high[targets[e]])
        through = most + np.uint32(1) if begin < end else np.uint32(0)
        high[v] = max(min(high[v], through), low[v])
