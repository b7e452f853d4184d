"""Searches that end as soon as a vertex cannot be among the closest any more.

A search from v has seen so many vertices, at distances that add up to S, and comes to the end of level d. Of those that
are left of the r it can reach, at most as many as the last level has arcs are at d + 1, and all others beyond d + 1:
that bounds the sum of all distances from below, and the closeness from above. Where r is not known, the bound is
largest at one end of the range in which it lies, or where those at d + 1 are used up
(Bergamini, Borassi, Crescenzi, Marino, Meyerhenke 2019).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, light_kernel, parallel_kernel
from nearly.base.unsigned import U0, U1

CUT = -1.0


class Desk(NamedTuple):
    """What a worker searches with."""

    stamp: np.ndarray  # uint32[n]: one more than the last vertex that was searched from and saw it
    queue: np.ndarray  # uint32[n]


class Race(NamedTuple):
    """What is searched, and what comes out."""

    vertices: np.ndarray  # uint32: to search from
    most: np.ndarray  # uint32[n]: how many vertices each can reach at most, itself counted
    known: bool  # whether it reaches as many
    improved: bool  # whether the share of vertices that reach it counts
    threshold: float  # the closeness below which a vertex is out
    values: np.ndarray  # float64: the closeness of each of `vertices`, CUT where its search was ended


@kernel
def score(reached, total, n, improved):
    """The closeness of a vertex from `reached` others whose distances add up to `total`."""
    if total <= 0.0:
        return 0.0
    share = reached / (n - 1.0) if improved else 1.0
    return reached / total * share


@light_kernel
def best_possible(r, seen, total, level, arcs, n, improved):
    """The largest closeness of a vertex that reaches r, itself counted, of which it has seen some."""
    left = r - seen
    near = min(arcs, left)
    return score(r - 1.0, total + near * (level + 1.0) + (left - near) * (level + 2.0), n, improved)


@light_kernel
def closeness_or_cut(offsets, targets, desk, v, race):
    """The closeness of v, or CUT."""
    stamp, queue = desk
    _, most, known, improved, threshold, _ = race
    n, now, all_of_it = np.float64(stamp.size), np.uint32(v + U1), np.float64(most[v])
    stamp[v], queue[0] = now, v
    begin, end, level, total = U0, U1, 0.0, 0.0
    while begin < end:
        arcs = U0
        for i in range(begin, end):
            u = np.uint64(queue[i])
            arcs += offsets[u + U1] - offsets[u]
        seen = np.float64(end)
        near = np.float64(arcs)
        bound = best_possible(all_of_it, seen, total, level, near, n, improved)
        if not known:
            bound = max(bound, best_possible(seen, seen, total, level, near, n, improved))
            bound = max(bound, best_possible(min(seen + near, all_of_it), seen, total, level, near, n, improved))
        if bound < threshold:
            return CUT
        level += 1.0
        fill = end
        for i in range(begin, end):
            u = np.uint64(queue[i])
            for e in range(offsets[u], offsets[u + U1]):
                w = np.uint64(targets[e])
                if stamp[w] != now:
                    stamp[w] = now
                    queue[fill] = w
                    fill += U1
        total += level * np.float64(fill - end)
        begin, end = end, fill
    return score(np.float64(end) - 1.0, total, n, improved)


@kernel
def some_vertices(offsets, targets, desk, race, cursor, stop):
    """Vertices one after the other, as long as there are any."""
    i = fetch_add(cursor, U0, U1)
    while i < np.uint64(race.vertices.size) and going(stop):
        race.values[i] = closeness_or_cut(offsets, targets, desk, np.uint64(race.vertices[i]), race)
        i = fetch_add(cursor, U0, U1)
    return U0


@parallel_kernel
def all_vertices(offsets, targets, desks, race, cursor, stop):
    """Every worker takes vertices; `desks` has a row for each."""
    workers = desks.stamp.shape[0]
    done = np.zeros(workers, np.uint64)
    for w in prange(workers):
        done[w] = some_vertices(offsets, targets, Desk(desks.stamp[w], desks.queue[w]), race, cursor, stop)
