"""Searches in hops from many sources one after the other, with the sums of `hop_batch_kernels`.

A batch pays where its sources come to a vertex at few different levels. In long graphs, as roads and paths, sources
that lie apart come one by one, and every visit then moves the words of a whole batch: there a plain search for each
source is several times as fast. Workers take sources, each at a desk of its own. Levels in the marks count on from
search to search, so that a search need not wipe them.
The sums are of whole numbers, so that they are those of batches.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.shared.hop_batch_kernels import add_found, parts_of, sums_of
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, light_kernel, parallel_kernel
from nearly.base.unsigned import U0, U1, total_of

_MOST = np.uint64(2**32 - 1)
_SPARSE = np.uint64(8)  # where fewer than one of so many vertices is found, sums go along the queue
LEVELS_KEPT = np.uint64(1 << 12)


class Marks(NamedTuple):
    """What workers search with, a row for each."""

    mark: np.ndarray  # uint32[workers, n]: the level of a vertex, counted from the base of its search
    queue: np.ndarray  # uint32[workers, n]
    base: np.ndarray  # uint64[workers]: above all marks of earlier searches
    parts: np.ndarray  # uint64[LEVELS_KEPT, 2]: `parts_of` each level


def new_marks(workers: int, n: int, unit: float) -> Marks:
    """Marks of no search."""
    mark, queue = np.zeros((workers, n), np.uint32), np.empty((workers, n), np.uint32)
    level = np.maximum(np.arange(int(LEVELS_KEPT)), 1).astype(np.float64)
    part = unit / level
    return Marks(mark, queue, np.ones(workers, np.uint64), np.rint([part, part / level]).astype(np.uint64).T.copy())


@light_kernel
def search_alone(offsets, targets, mark, queue, base, source, stop):
    """Search from one source: (levels, vertices found with itself); the queue has them in the order they were found."""
    mark[source], queue[0] = np.uint32(base), np.uint32(source)
    low, high, level = U0, U1, U0
    while low < high and going(stop):
        level += U1
        fill, now = high, np.uint32(base + level)
        for i in range(low, high):
            u = np.uint64(queue[i])
            for e in range(offsets[u], offsets[u + U1]):
                v = np.uint64(targets[e])
                if np.uint64(mark[v]) < base:
                    mark[v] = now
                    queue[fill] = np.uint32(v)
                    fill += U1
        low, high = high, fill
    return level, high


@light_kernel
def add_at(v, level, parts, unit, at_vertices):
    """Add the source of a search to the sums at a vertex that it found."""
    if level < LEVELS_KEPT:
        add_found(v, U1, level, (parts[level, U0], parts[level, U1]), at_vertices)
    else:
        add_found(v, U1, level, parts_of(level, unit), at_vertices)


@light_kernel
def add_search(mark, queue, base, found, parts, unit, at_vertices):
    """Add a search to the sums at vertices: in the order of memory, or along the queue where it found few."""
    if found * _SPARSE < np.uint64(mark.size):
        for i in range(U1, found):
            v = np.uint64(queue[i])
            add_at(v, np.uint64(mark[v]) - base, parts, unit, at_vertices)
        return
    for v in range(np.uint64(mark.size)):
        at = np.uint64(mark[v])
        if at > base:
            add_at(v, at - base, parts, unit, at_vertices)


@light_kernel
def count_level(at_sources, i, level, count):
    """Add the vertices that a source found at a level to its sums."""
    reached, total, farthest, hops, profile = at_sources
    reached[i] += count
    total[i] += count * level
    farthest[i] = np.uint32(level)
    if level < np.uint64(hops.size):
        fetch_add(hops, level, count)
    if level < np.uint64(profile.shape[1]):
        profile[i, level] += count


@light_kernel
def tell_levels(mark, queue, base, found, at_sources, i):
    """Add the vertices of a search, in the order they were found, to the sums at its source, level by level."""
    begin, at = U1, U1
    while begin < found:
        level = np.uint64(mark[queue[begin]])
        while at < found and np.uint64(mark[queue[at]]) == level:
            at += U1
        count_level(at_sources, i, level - base, at - begin)
        begin = at


@kernel
def some_searches(rows, marks, w, sources, unit, sums, cursor, stop):
    """Sources one after the other, as long as there are any; returns how many. `sums` are at vertices, at sources."""
    offsets, targets = rows
    at_vertices, at_sources = sums
    mark, queue, done, n = marks.mark[w], marks.queue[w], U0, np.uint64(marks.mark.shape[1])
    i = fetch_add(cursor, U0, U1)
    while i < np.uint64(sources.size) and going(stop):
        base = marks.base[w]
        if base + n >= _MOST:
            base = U1
            for v in range(n):
                mark[v] = np.uint32(0)
        levels, found = search_alone(offsets, targets, mark, queue, base, np.uint64(sources[i]), stop)
        if at_vertices.total.size:
            add_search(mark, queue, base, found, marks.parts, unit, at_vertices)
        if at_sources.reached.size:
            tell_levels(mark, queue, base, found, at_sources, i)
        marks.base[w] = base + levels + U1
        done += U1
        i = fetch_add(cursor, U0, U1)
    return done


@parallel_kernel
def all_searches(rows, marks, sources, unit, at_vertices, at_sources, cursor, stop):
    """Every worker takes sources; `marks` and `at_vertices` have a row for each. Returns the searches made."""
    workers = marks.base.size
    done = np.zeros(workers, np.uint64)
    for w in prange(workers):
        sums = sums_of(at_vertices, np.uint64(w)), at_sources
        done[w] = some_searches(rows, marks, np.uint64(w), sources, unit, sums, cursor, stop)
    return total_of(done)
