"""The share of a pair's shortest paths that each inner vertex is on, for all of them at once.

For a pair drawn at random, a vertex gets the share of the pair's shortest paths that pass it: its mean over all ordered
pairs is the vertex's betweenness, as it is with one path drawn for each pair (Riondato and Kornaropoulos, 2014), but
what the draw of the path would add to the variance is left out. From the arcs between two balls (`search`) a walk back
to both ends finds the vertices and arcs that lie on shortest paths. A level is searched from the side with fewer arcs:
from the vertices found beyond it, or from its own vertices, which are few near the ends, where hubs have long rows.
Over these arcs paths are counted from the ends to the middle, and shares handed on from the middle to the ends. Only
ratios within a level matter: a level whose counts grow too large is scaled down.

Shares are added up as whole numbers of 2**-31, and so are their squares, rounded up: sums are the same for any number
of threads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.algorithms.betweenness.pairs.search import U2, prefetch_rows
from nearly.base.jit import inner_kernel
from nearly.base.unsigned import U0, U1

LARGE, DOWN = 2.0**400, 2.0**-400
FOUND = np.uint64(1 << 31)  # in a mark: the vertex is in `found`
BITS, UNIT = np.uint64(31), 2.0**31
_CEIL = np.uint64((1 << 31) - 1)


class Web(NamedTuple):
    """Vertices and arcs on shortest paths: those between the balls, and back to the ends level by level."""

    mark: np.ndarray  # uint32[n]: the stamp of a sample, plus twice the hops from its end, plus which end
    found: np.ndarray  # [n]: the vertices
    begins: np.ndarray  # uint64[n + 4]: where levels of them begin
    inner: np.ndarray  # [m]: the ends of the arcs, that closer to the end of the side,
    outer: np.ndarray  # [m]: and the other one
    ranges: np.ndarray  # uint64[n + 4]: where the arcs that lead to a level begin
    scales: np.ndarray  # float64[n + 4]: what its paths were multiplied by
    paths: np.ndarray  # float64[n]: shortest paths from the end of its side, up to a factor common to the level
    share: np.ndarray  # float64[n]: of the pair's shortest paths; all 0 between samples
    sums: np.ndarray  # uint64[n]: shares of all samples, in units
    squares: np.ndarray  # uint64[n]: their squares, rounded up


@inner_kernel
def add(web, v, share):
    """Count the share of an inner vertex."""
    units = np.uint64(min(share, 1.0) * UNIT + 0.5)
    web.sums[v] += units
    web.squares[v] += (units * units + _CEIL) >> BITS


@inner_kernel
def find(web, v, fill):
    """Put v into `found` at place `fill`; returns the next."""
    web.mark[v] += FOUND
    web.found[fill], web.paths[v] = v, 0.0
    return fill + U1


@inner_kernel
def join(rows, ball, web, touch):
    """Find the arcs between the balls, and their ends: level 0 is on the side of `ball`; returns how many it has."""
    mark, inner, outer, count, fill = web.mark, web.inner, web.outer, U0, U0
    for i in range(touch.low, touch.high):
        u = np.uint64(ball.reached[i])
        prefetch_rows(rows, ball.reached, i, touch.high)
        before = fill
        for e in range(rows.offsets[u], rows.offsets[u + U1]):
            v = np.uint64(rows.targets[e])
            if mark[v] == touch.other:
                inner[fill], outer[fill] = u, v
                fill += U1
        if fill > before:
            count = find(web, u, count)
    web.ranges[0], web.begins[0], web.begins[1] = fill, U0, count
    return count


@inner_kernel
def cross(web, level):
    """Begin the other side, with the other ends of the arcs between the balls as level `level`."""
    fill = web.begins[level]
    for e in range(web.ranges[0]):
        v = np.uint64(web.outer[e])
        if web.mark[v] < FOUND:
            fill = find(web, v, fill)
    web.begins[level + U1], web.ranges[level] = fill, web.ranges[level - U1]


@inner_kernel
def degrees(rows, vertices, low, high):
    """The arcs of vertices[low:high]."""
    arcs = U0
    for i in range(low, high):
        u = np.uint64(vertices[i])
        arcs += rows.offsets[u + U1] - rows.offsets[u]
    return arcs


@inner_kernel
def before_by_rows(turned, web, low, fill, arcs, wanted):
    """Find the level before found[low:fill], of mark `wanted`, over the arcs that lead to them."""
    mark, inner, outer, found = web.mark, web.inner, web.outer, wanted + FOUND
    for i in range(low, fill):
        x = np.uint64(web.found[i])
        for e in range(turned.offsets[x], turned.offsets[x + U1]):
            u = np.uint64(turned.targets[e])
            seen = mark[u]
            if seen == wanted or seen == found:  # noqa: SIM109  (a tuple is slower to compile)
                inner[arcs], outer[arcs] = u, x
                arcs += U1
                if seen == wanted:
                    fill = find(web, u, fill)
    return fill, arcs


@inner_kernel
def before_by_level(rows, ball, web, level, fill, arcs, wanted):
    """Find those of a level of the ball, of mark `wanted`, that have arcs to vertices found beyond it."""
    mark, inner, outer, beyond = web.mark, web.inner, web.outer, wanted + U2 + FOUND
    for i in range(ball.begins[level], ball.begins[level + U1]):
        u = np.uint64(ball.reached[i])
        before = arcs
        for e in range(rows.offsets[u], rows.offsets[u + U1]):
            x = np.uint64(rows.targets[e])
            if mark[x] == beyond:
                inner[arcs], outer[arcs] = u, x
                arcs += U1
        if arcs > before:
            fill = find(web, u, fill)
    return fill, arcs


@inner_kernel
def walk_back(rows, turned, ball, web, at, hops, stamp):
    """Find everything between level `at` of the web, so many hops from the ball's end, and the end.

    Returns the level of the end, and the arcs visited.
    """
    fill, arcs, visited = web.begins[at + U1], web.ranges[at], U0
    while hops > U0:
        low = web.begins[at]
        hops -= U1
        wanted = stamp + hops + hops
        long, short = degrees(turned, web.found, low, fill), ball.arcs[hops]
        visited += min(long, short)
        if long < short:
            fill, arcs = before_by_rows(turned, web, low, fill, arcs, wanted)
        else:
            fill, arcs = before_by_level(rows, ball, web, hops, fill, arcs, wanted)
        at += U1
        web.begins[at + U1], web.ranges[at] = fill, arcs
    return at, visited


@inner_kernel
def count_paths(web, first, last):
    """Count the shortest paths from the end, which is level `last`, to the levels down to `first`."""
    paths = web.paths
    paths[web.found[web.begins[last]]] = 1.0
    for k in range(last - first):
        level = last - U1 - k
        for e in range(web.ranges[level], web.ranges[level + U1]):
            paths[web.outer[e]] += paths[web.inner[e]]
        largest = 0.0
        for i in range(web.begins[level], web.begins[level + U1]):
            largest = max(largest, paths[web.found[i]])
        web.scales[level] = 1.0
        if largest > LARGE:
            web.scales[level] = DOWN
            for i in range(web.begins[level], web.begins[level + U1]):
                paths[web.found[i]] *= DOWN


@inner_kernel
def share_out(web):
    """Give the ends of the arcs between the balls their shares of all paths."""
    paths, share, inner, outer, total = web.paths, web.share, web.inner, web.outer, 0.0
    for e in range(web.ranges[0]):
        total += paths[inner[e]] * paths[outer[e]]
    for e in range(web.ranges[0]):
        part = paths[inner[e]] * paths[outer[e]] / total
        share[inner[e]] += part
        share[outer[e]] += part


@inner_kernel
def hand_back(web, first, last):
    """Count the shares of levels `first` to `last`, the end, which has none, and hand them on from level to level."""
    paths, share = web.paths, web.share
    for level in range(first, last + U1):
        for i in range(web.begins[level], web.begins[level + U1]):
            u = np.uint64(web.found[i])
            web.mark[u] -= FOUND
            if level < last:
                add(web, u, share[u])
                share[u] *= web.scales[level] / paths[u]
        if level < last:
            for e in range(web.ranges[level], web.ranges[level + U1]):
                u = np.uint64(web.inner[e])
                share[u] += share[web.outer[e]] * paths[u]
        for i in range(web.begins[level], web.begins[level + U1]):
            share[web.found[i]] = 0.0


@inner_kernel
def add_shares(rows, turned, own, other, web, touch, stamp, other_stamp):
    """Count the shares of the vertices between a pair; `own` is the ball that grew last, along `rows`.

    Returns the arcs visited, beyond those of the search.
    """
    join(rows, own, web, touch)
    middle, one = walk_back(rows, turned, own, web, U0, own.levels[0] - U1, stamp)
    second = middle + U1
    cross(web, second)
    last, two = walk_back(turned, rows, other, web, second, other.levels[0] - U1, other_stamp)
    count_paths(web, U0, middle)
    count_paths(web, second, last)
    share_out(web)
    hand_back(web, U0, middle)
    hand_back(web, second, last)
    return one + two
