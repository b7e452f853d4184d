"""Kernels of strong components: one depth-first pass, and the search for a giant component on out-arcs alone.

`pearce` is the single pass of D. J. Pearce ("A space-efficient algorithm for finding strongly connected
components", IPL 2016), without recursion. It needs one number per vertex: 0 before its visit, its place in
the order of visits while it waits, and once its component is known the smallest member plus `known`, which is
larger than any place; so a single comparison serves every arc. The path of the search and the
vertices that wait for their root are two stacks; what the current vertex needs stays in registers.

`grow` finds the vertices that a marked one reaches, and then those of them that reach it: its component. Both ways
read out-arcs only. Forward, the arcs of marked vertices are followed (`spread`); backward, every vertex not yet marked
looks for a marked one among its targets (`collect`). A pass goes over the whole bitmap and sees its own marks, so
graphs of small diameter need few. The fixed point is the same whatever order threads worked in.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add, fetch_or, going
from nearly.base.intrinsics import trailing_zeros
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1, total_of

U6, U63 = np.uint64(6), np.uint64(63)
WORDS = np.uint64(8)  # words of 64 vertices a worker takes at a time
POLL = np.uint64((1 << 16) - 1)


class Stacks(NamedTuple):
    """What a depth-first search remembers, with room for every vertex to be visited."""

    path: np.ndarray  # the vertices from the start to the current one
    position: np.ndarray  # uint64, the next arc of each of them
    lowest: np.ndarray  # the lowest place that each of them has seen
    waiting: np.ndarray  # the visited vertices that wait for their component's root


class Bitmaps(NamedTuple):
    """Marks of vertices, one bit each."""

    reached: np.ndarray  # from the pivot
    expanded: np.ndarray  # those whose targets are marked too
    reaching: np.ndarray  # of the reached, those that reach the pivot


@kernel
def pearce(offsets, targets, place, stacks, known, falling, stop):
    """Finish every vertex whose `place` is 0: its place becomes `known` plus its component's smallest member.

    Vertices finished before have places of at least `known`. `falling` starts from the largest. Returns the arcs read.
    """
    path, position, lowest, waiting = stacks
    order, arcs = U0, U0
    held = U0  # vertices that wait for their component's root
    n = np.uint64(place.size)
    for i in range(n):
        start = n - U1 - i if falling else i
        if place[start] != U0:
            continue
        v, depth = start, U0
        order += U1
        if order & POLL == U0 and not going(stop):
            return arcs
        place[v] = order
        low = own = order
        e, end = offsets[v], offsets[v + U1]
        arcs += end - e
        while True:
            while e < end:
                w = np.uint64(targets[e])
                e += U1
                seen = np.uint64(place[w])
                if seen == U0:
                    path[depth], position[depth], lowest[depth] = v, e, low
                    depth += U1
                    v = w
                    order += U1
                    if order & POLL == U0 and not going(stop):
                        return arcs
                    place[v] = order
                    low = own = order
                    e, end = offsets[v], offsets[v + U1]
                    arcs += end - e
                elif seen < low:
                    low = seen
            if low == own:
                if held == U0 or np.uint64(place[waiting[held - U1]]) < own:
                    place[v] = known + v
                else:
                    held = close(place, waiting, held, v, own, known)
            else:
                waiting[held] = v
                held += U1
            if depth == U0:
                break
            depth -= U1
            v, e = np.uint64(path[depth]), position[depth]
            end = offsets[v + U1]
            own = np.uint64(place[v])
            low = min(low, np.uint64(lowest[depth]))
    return arcs


@kernel
def close(place, waiting, held, root, own, known):
    """The component of `root`: all vertices that wait and came after it; returns how many still wait."""
    first, least = held, root
    while first > U0 and np.uint64(place[waiting[first - U1]]) > own:
        first -= U1
        least = min(least, np.uint64(waiting[first]))
    for i in range(first, held):
        place[waiting[i]] = known + least
    place[root] = known + least
    return first


@parallel_kernel
def grow(offsets, targets, bitmaps, forward, cursor, workers, stop):
    """One pass of `spread` (`forward`) or `collect` over all words; returns (vertices, arcs read), 0 at the end."""
    words = np.uint64(bitmaps.reached.size)
    vertices, arcs = np.zeros(workers, np.uint64), np.zeros(workers, np.uint64)
    for worker in prange(workers):
        grown, read = U0, U0
        start = fetch_add(cursor, U0, WORDS)
        while start < words and going(stop):
            for word in range(start, min(start + WORDS, words)):
                if forward:
                    more, seen = spread(offsets, targets, bitmaps, word)
                else:
                    more, seen = collect(offsets, targets, bitmaps, word)
                grown += more
                read += seen
            start = fetch_add(cursor, U0, WORDS)
        vertices[worker], arcs[worker] = grown, read
    return total_of(vertices), total_of(arcs)


@kernel
def spread(offsets, targets, bitmaps, word):
    """Mark the targets of reached vertices of a word; returns (vertices expanded, arcs read)."""
    marked, expanded = bitmaps.reached, bitmaps.expanded
    grown, read = U0, U0
    todo = marked[word] & ~expanded[word]
    while todo:
        expanded[word] |= todo
        while todo:
            u = (word << U6) + trailing_zeros(todo)
            todo &= todo - U1
            grown += U1
            read += offsets[u + U1] - offsets[u]
            mark_targets(targets, offsets[u], offsets[u + U1], marked)
        todo = marked[word] & ~expanded[word]
    return grown, read


@kernel
def mark_targets(targets, low, high, marked):
    """Set the bits of the targets of arcs [low, high)."""
    for e in range(low, high):
        v = np.uint64(targets[e])
        bit = U1 << (v & U63)
        if marked[v >> U6] & bit == U0:
            fetch_or(marked, v >> U6, bit)


@kernel
def collect(offsets, targets, bitmaps, word):
    """Mark the reached vertices of a word that have a target which reaches the pivot; returns (how many, arcs read)."""
    marked = bitmaps.reaching
    grown, read = U0, U0
    todo = bitmaps.reached[word] & ~marked[word]
    while todo:
        u = (word << U6) + trailing_zeros(todo)
        todo &= todo - U1
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            read += U1
            if (marked[v >> U6] >> (v & U63)) & U1:
                marked[word] |= U1 << (u & U63)
                grown += U1
                break
    return grown, read


@kernel
def finish(marked, place, known):
    """Make the marked vertices one finished component; returns how many there are."""
    least, count = U0, U0
    for word in range(np.uint64(marked.size)):
        bits = marked[word]
        while bits:
            v = (word << U6) + trailing_zeros(bits)
            bits &= bits - U1
            if count == U0:
                least = v
            place[v] = known + least
            count += U1
    return count
