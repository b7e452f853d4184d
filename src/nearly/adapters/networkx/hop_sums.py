"""Sums over the hops from each of many sources: how many vertices it reaches, the sum of their distances, and so on.

Closeness, eccentricity and similar measures need only such sums, not the distances. 64 searches share one pass over the
arcs: the word of a vertex has a bit for each search (Then et al., "The More the Merrier: Efficient Multi-Source Graph
Traversal", VLDB 2015). Each thread takes batches of 64 sources; the sums do not depend on the order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.memory import require
from nearly.base.threads import kernel_threads
from nearly.base.unsigned import U0, U1
from nearly.graph.csr import Graph

BATCH = np.uint64(64)


class HopSums(NamedTuple):
    """One entry for each source; the source itself is reached at 0 hops."""

    reached: np.ndarray  # vertices reached
    total: np.ndarray  # the sum of their distances
    farthest: np.ndarray  # the largest distance
    inverse: np.ndarray  # the sum of 1 / distance over the others
    n: int  # vertices of the graph

    @property
    def all_reached(self) -> bool:
        """Whether every source reaches every vertex."""
        return bool((self.reached == self.n).all())


def hop_sums(graph: Graph, sources: np.ndarray | None = None) -> HopSums:
    """Search along the arcs from each source; from all vertices if none are given.

    Examples
    --------
    >>> g = Graph.from_edges([0, 1], [1, 2], directed=False)
    >>> sums = hop_sums(g)
    >>> sums.total.tolist(), sums.farthest.tolist(), sums.inverse.tolist()
    ([3, 2, 3], [2, 1, 2], [1.5, 2.0, 1.5])
    """
    chosen = np.arange(graph.n, dtype=np.uint64) if sources is None else sources.astype(np.uint64)
    offsets, targets, _ = graph.arrays
    reached, total, farthest = (np.zeros(chosen.size, np.int64) for _ in range(3))
    sums = HopSums(reached, total, farthest, np.zeros(chosen.size), graph.n)
    with kernel_threads(work=(graph.m + graph.n) * (1 + chosen.size // 64)) as workers:
        require(workers * graph.n * 32, "searches from many sources")
        words, lists = np.zeros((workers, 3, graph.n), np.uint64), np.empty((workers, 2, graph.n), np.uint32)
        all_batches(offsets, targets, chosen, words, lists, sums, np.zeros(1, np.uint64), workers)
    return sums


@parallel_kernel
def all_batches(offsets, targets, sources, words, lists, sums, cursor, workers):
    """Every worker takes batches of sources while there are any."""
    for w in prange(workers):
        low = fetch_add(cursor, U0, BATCH)
        while low < np.uint64(sources.size):
            high = min(low + BATCH, np.uint64(sources.size))
            batch(offsets, targets, sources[low:high], words[w], lists[w], sums, low)
            low = fetch_add(cursor, U0, BATCH)


@kernel
def batch(offsets, targets, sources, words, lists, sums, low):
    """Up to 64 searches, level by level; their sums begin at the place `low`.

    `words` are zero before and after: per vertex the searches that have seen it, that have it in front, that find it.
    """
    seen, front = words[0], words[1]
    here, there = lists[0], lists[1]
    size = U0
    for i in range(np.uint64(sources.size)):
        v = sources[i]
        if front[v] == U0:
            here[size] = np.uint32(v)
            size += U1
        front[v] |= U1 << i
        seen[v] |= U1 << i
        sums.reached[low + i] = 1
    level = 0
    while size > U0:
        level += 1
        fill = spread(offsets, targets, words, here, size, there)
        for i in range(size):
            front[here[i]] = U0
        counts = next_front(words, there, fill)
        for i in range(np.uint64(sources.size)):
            add_level(sums, low + i, level, counts[i])
        here, there, size = there, here, fill
    seen[:] = U0


@kernel
def spread(offsets, targets, words, here, size, there):
    """Hand each bit on to the neighbours that do not have it; returns how many got some, listed in `there`."""
    seen, front, news = words[0], words[1], words[2]
    fill = U0
    for i in range(size):
        u = np.uint64(here[i])
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            fresh = front[u] & ~seen[v]
            if fresh != U0:
                if news[v] == U0:
                    there[fill] = np.uint32(v)
                    fill += U1
                news[v] |= fresh
    return fill


@kernel
def next_front(words, there, fill):
    """Make the vertices just found the next front; returns how many of them each search found."""
    seen, front, news = words[0], words[1], words[2]
    counts = np.zeros(64, np.int64)
    for i in range(fill):
        v = np.uint64(there[i])
        bits = news[v]
        seen[v] |= bits
        front[v] = bits
        news[v] = U0
        b = U0
        while bits != U0:
            counts[b] += np.int64(bits & U1)
            bits >>= U1
            b += U1
    return counts


@kernel
def add_level(sums, at, level, count):
    """Add the vertices that a search found at a level to its sums."""
    if count > 0:
        sums.reached[at] += count
        sums.total[at] += level * count
        sums.farthest[at] = level
        sums.inverse[at] += count / level
