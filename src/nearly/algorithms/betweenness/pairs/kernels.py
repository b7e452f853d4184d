"""Pairs drawn at random, in order of their numbers: pair i depends on the key and on i alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.betweenness.pairs.search import Ball, Rows, begin, meet
from nearly.algorithms.betweenness.pairs.shares import FOUND, Web, add_shares
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, light_kernel, parallel_kernel
from nearly.base.random import below, draw
from nearly.base.unsigned import U0, U1

FIRST, GAP = np.uint64(8), np.uint64(8)  # the first stamp, above the marks of what no search has reached; between two
TAKEN = np.uint64(8)  # pairs a worker takes at a time


class Ways(NamedTuple):
    """The graph both ways, and the vertices that pairs are moved to; see `fringe`."""

    offsets: np.ndarray
    targets: np.ndarray
    in_offsets: np.ndarray
    in_targets: np.ndarray
    anchors: np.ndarray


class Memory(NamedTuple):
    """The memory of all workers, a row each: the arrays of `Web` and of both balls, and the next stamp."""

    mark: np.ndarray
    found: np.ndarray
    begins: np.ndarray
    inner: np.ndarray
    outer: np.ndarray
    ranges: np.ndarray
    scales: np.ndarray
    paths: np.ndarray
    share: np.ndarray
    sums: np.ndarray
    squares: np.ndarray
    reached: np.ndarray  # [2, n] each
    ball_begins: np.ndarray
    ball_arcs: np.ndarray
    levels: np.ndarray
    stamp: np.ndarray


@kernel
def web_of(memory, worker):
    """One worker's web."""
    m = memory
    return Web(
        m.mark[worker], m.found[worker], m.begins[worker], m.inner[worker], m.outer[worker], m.ranges[worker],
        m.scales[worker], m.paths[worker], m.share[worker], m.sums[worker], m.squares[worker],
    )  # fmt: skip


@kernel
def ball_of(memory, worker, side):
    """One worker's ball around the first or the second end."""
    m = memory
    return Ball(m.reached[worker, side], m.ball_begins[worker, side], m.ball_arcs[worker, side], m.levels[worker, side])


@light_kernel
def pair_of(key, index, n):
    """Pair number `index`: two different vertices."""
    own = draw(key, index)
    source, target = below(draw(own, U0), n), below(draw(own, U1), n - U1)
    return source, target + U1 if target >= source else target


@kernel
def sample(rows, turned, first, second, web, source, target, stamp):
    """Count the shares of a pair; returns the arcs visited, and the stamp for the next one."""
    begin(rows, first, web.mark, source, stamp)
    begin(turned, second, web.mark, target, stamp + U1)
    touch = meet(rows, turned, first, second, web.mark, stamp)
    visited = touch.visited
    if touch.low < touch.high:
        if touch.second:
            visited += add_shares(turned, rows, second, first, web, touch, stamp + U1, stamp)
        else:
            visited += add_shares(rows, turned, first, second, web, touch, stamp, stamp + U1)
    return visited, max(touch.own, touch.other) + GAP


@kernel
def forget(mark):
    """Clear all marks; returns the first stamp."""
    for v in range(np.uint64(mark.size)):
        mark[v] = U0
    return FIRST


@light_kernel
def take(ways, memory, worker, key, low, high, stop):
    """Pairs low..high-1 by one worker; returns the arcs visited."""
    rows, turned = Rows(ways.offsets, ways.targets), Rows(ways.in_offsets, ways.in_targets)
    first, second, web = ball_of(memory, worker, U0), ball_of(memory, worker, U1), web_of(memory, worker)
    visited, stamp, n = U0, memory.stamp[worker], np.uint64(memory.mark.shape[1])
    for index in range(low, high):
        if going(stop):
            if stamp + n + n + GAP >= FOUND:
                stamp = forget(web.mark)
            source, target = pair_of(key, index, n)
            if ways.anchors.size:
                source, target = np.uint64(ways.anchors[source]), np.uint64(ways.anchors[target])
                if source == target:
                    continue
            arcs, stamp = sample(rows, turned, first, second, web, source, target, stamp)
            visited += arcs
    memory.stamp[worker] = stamp
    return visited


@parallel_kernel
def sample_pairs(ways, memory, key, low, high, workers, stop):
    """Pairs low..high-1, each counted in the row of the worker that took it; returns the arcs visited."""
    cursor, visited = np.zeros(1, np.uint64), np.zeros(workers, np.uint64)
    for worker in prange(workers):
        at = low + fetch_add(cursor, U0, TAKEN)
        while at < high:
            visited[worker] += take(ways, memory, np.uint64(worker), key, at, min(at + TAKEN, high), stop)
            at = low + fetch_add(cursor, U0, TAKEN)
    return visited.sum()
