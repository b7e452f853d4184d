"""Random shortest paths: a pair of vertices drawn at random, and one of its shortest paths, all equally likely.

A search goes out from both ends, one level at a time, from the end whose outermost level has fewer arcs. The two balls
stay apart until an arc joins them; then all shortest paths lead over the arcs between the two outermost levels. So one
array of marks and one of path counts serve both ends. Only ratios of counts within a level matter: a level whose
counts grow too large is scaled down. Once an arc joins the balls, the rest of the level is only looked at: mostly it is
larger than all levels before it together.
The path is one of those arcs, drawn in proportion to the product of counts at its ends, and a walk from there to each
end that draws predecessors in proportion to their counts.

Sample number i draws from a stream of its own, and counts are whole numbers: the same for any number of threads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.random import below, draw, uniform
from nearly.base.unsigned import U0, U1

LARGE, DOWN = 2.0**400, 2.0**-400
FORTH, BACK = np.uint64(0), np.uint64(1)  # the side of the path's begin, which follows arcs, and that of its end
U2, U3, U4, U5 = np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(5)
ONE, TWO = np.uint32(1), np.uint32(2)
FIRST = TWO  # the mark of the path's begin
TAKEN = np.uint64(8)  # samples a worker takes at a time


class Ways(NamedTuple):
    """The graph both ways."""

    offsets: np.ndarray
    targets: np.ndarray
    in_offsets: np.ndarray
    in_targets: np.ndarray


class Balls(NamedTuple):
    """One worker's memory. Between samples all marks are 0."""

    mark: np.ndarray  # uint32[n]: 2 * (1 + hops from its end) + side, 0 where not reached
    sigma: np.ndarray  # float64[n]: shortest paths from that end, up to a factor common to the level
    lists: np.ndarray  # [2, n]: the vertices of each side, level after level
    met: np.ndarray  # float64[n]: for a vertex of the outermost level, the paths that go on over its arcs
    counts: np.ndarray  # uint32[n]: sampled paths through each vertex, its ends not counted


@kernel
def grow(offsets, targets, vertices, balls, low, high, own, other):
    """The next level after vertices[low:high], up to the first vertex with an arc to the other side, of mark `other`.

    Returns where the new level ends, and where that vertex stands (`high`: there is none).
    """
    mark, sigma, next_mark = balls.mark, balls.sigma, own + TWO
    fill = high
    for i in range(low, high):
        u = np.uint64(vertices[i])
        paths = sigma[u]
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            seen = mark[v]
            if seen == 0:
                mark[v], sigma[v], vertices[fill] = next_mark, paths, v
                fill += U1
            elif seen == next_mark:
                sigma[v] += paths
            elif seen == other:
                return fill, i
    return fill, high


@kernel
def settle(offsets, vertices, low, high, sigma):
    """Scale a level's path counts down where they are large; returns how many arcs it has."""
    arcs, largest = U0, 0.0
    for i in range(low, high):
        v = np.uint64(vertices[i])
        arcs += offsets[v + U1] - offsets[v]
        largest = max(largest, sigma[v])
    if largest > LARGE:
        for i in range(low, high):
            sigma[vertices[i]] *= DOWN
    return arcs


@kernel
def look(offsets, targets, vertices, balls, low, high, other):
    """The paths over arcs from vertices[low:high] to the other side's outermost level; per vertex into `met`."""
    mark, sigma, met = balls.mark, balls.sigma, balls.met
    total = 0.0
    for i in range(low, high):
        u = np.uint64(vertices[i])
        paths = 0.0
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if mark[v] == other:
                paths += sigma[v]
        met[i] = paths * sigma[u]
        total += met[i]
    return total


@kernel
def drawn_neighbor(offsets, targets, u, wanted, mark, sigma, random):
    """One of u's neighbours of mark `wanted`, in proportion to sigma."""
    first, last = offsets[u], offsets[u + U1]
    total = 0.0
    for e in range(first, last):
        v = np.uint64(targets[e])
        if mark[v] == wanted:
            total += sigma[v]
    left, chosen = uniform(random) * total, u
    for e in range(first, last):
        v = np.uint64(targets[e])
        if mark[v] == wanted:
            chosen = v
            left -= sigma[v]
            if left < 0.0:
                break
    return chosen


@kernel
def walk(offsets, targets, u, key, balls):
    """Count u and the vertices of a random shortest path from it to its own end, which does not count."""
    mark, steps = balls.mark[u], U0
    while mark > FIRST + ONE:
        balls.counts[u] += ONE
        mark -= TWO
        u = drawn_neighbor(offsets, targets, u, mark, balls.mark, balls.sigma, draw(key, steps))
        steps += U1


@kernel
def step(offsets, targets, side, balls, low, high, own, other):
    """Let one ball grow by a level until the two touch; its outermost level is low..high of its list, of mark `own`.

    Returns where the new level ends, how many arcs it has, and where the first vertex with a meeting stands.
    """
    vertices = balls.lists[side]
    fill, first = grow(offsets, targets, vertices, balls, low, high, own, other)
    return fill, settle(offsets, vertices, high, fill, balls.sigma), first


@kernel
def meeting(ways, balls, source, target, ends):
    """Let both balls grow until they touch.

    Returns the side that grew last, which of its vertices have meetings (none: there is no path), the other's mark,
    and how many arcs were visited. `ends` takes the sizes of both balls.
    """
    balls.lists[FORTH, 0], balls.lists[BACK, 0] = source, target
    balls.mark[source], balls.mark[target], balls.sigma[source], balls.sigma[target] = FIRST, FIRST + ONE, 1.0, 1.0
    ends[FORTH], ends[BACK] = U1, U1
    forth, back, low_forth, low_back, visited = FIRST, FIRST + ONE, U0, U0, U0
    arcs_forth = settle(ways.offsets, balls.lists[FORTH], U0, U1, balls.sigma)
    arcs_back = settle(ways.in_offsets, balls.lists[BACK], U0, U1, balls.sigma)
    while arcs_forth > U0 and arcs_back > U0:
        if arcs_forth <= arcs_back:
            visited += arcs_forth
            low, high = low_forth, ends[FORTH]
            ends[FORTH], arcs_forth, first = step(ways.offsets, ways.targets, FORTH, balls, low, high, forth, back)
            if first < high:
                return FORTH, first, high, back, visited
            low_forth, forth = high, forth + TWO
        else:
            visited += arcs_back
            low, high = low_back, ends[BACK]
            ends[BACK], arcs_back, first = step(ways.in_offsets, ways.in_targets, BACK, balls, low, high, back, forth)
            if first < high:
                return BACK, first, high, forth, visited
            low_back, back = high, back + TWO
    return FORTH, U0, U0, back, visited


@kernel
def join(balls, offsets, targets, side, low, high, other, own):
    """A random arc between the balls, in proportion to the paths over it: its end on `side`, and the one beyond."""
    vertices, met = balls.lists[side], balls.met
    left = uniform(draw(own, U2)) * look(offsets, targets, vertices, balls, low, high, other)
    i = chosen = low
    while left >= 0.0 and i < high:
        if met[i] > 0.0:
            chosen = i
        left -= met[i]
        i += U1
    u = np.uint64(vertices[chosen])
    return u, drawn_neighbor(offsets, targets, u, other, balls.mark, balls.sigma, draw(own, U3))


@kernel
def sample(ways, balls, key, index, ends):
    """Draw sample number `index` and count its inner vertices; returns the arcs visited."""
    n, own = np.uint64(balls.mark.size), draw(key, index)
    source, target = below(draw(own, U0), n), below(draw(own, U1), n - U1)
    if target >= source:
        target += U1
    side, low, high, other, visited = meeting(ways, balls, source, target, ends)
    if low < high:
        if side == FORTH:
            u, v = join(balls, ways.offsets, ways.targets, side, low, high, other, own)
        else:
            v, u = join(balls, ways.in_offsets, ways.in_targets, side, low, high, other, own)
        walk(ways.in_offsets, ways.in_targets, u, draw(own, U4), balls)
        walk(ways.offsets, ways.targets, v, draw(own, U5), balls)
    for s in range(U2):
        for i in range(ends[s]):
            balls.mark[balls.lists[s, i]] = np.uint32(0)
    return visited


@kernel
def balls_of(balls, worker):
    """One worker's row of the balls."""
    return Balls(balls.mark[worker], balls.sigma[worker], balls.lists[worker], balls.met[worker], balls.counts[worker])


@kernel
def take(ways, balls, worker, key, low, high, stop):
    """Samples low..high-1 by one worker; returns the arcs visited."""
    own, visited, ends = balls_of(balls, worker), U0, np.empty(2, np.uint64)
    for index in range(low, high):
        if going(stop):
            visited += sample(ways, own, key, index, ends)
    return visited


@parallel_kernel
def sample_paths(ways, balls, key, low, high, workers, stop):
    """Samples low..high-1, each counted in the row of the worker that took it; returns the arcs visited."""
    cursor, visited = np.zeros(1, np.uint64), np.zeros(workers, np.uint64)
    for worker in prange(workers):
        at = low + fetch_add(cursor, U0, TAKEN)
        while at < high:
            visited[worker] += take(ways, balls, np.uint64(worker), key, at, min(at + TAKEN, high), stop)
            at = low + fetch_add(cursor, U0, TAKEN)
    return visited.sum()
