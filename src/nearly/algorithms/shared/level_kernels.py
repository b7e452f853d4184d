"""Kernels for one level of a breadth-first search: pushed by one thread or all, pulled, and what is in between.

See `level_search`, which chooses among them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import atomic_min, fetch_add
from nearly.base.intrinsics import ones, prefetch, trailing_zeros
from nearly.base.jit import ALONE, kernel, light_kernel, parallel_kernel
from nearly.base.unsigned import U0, U1, U6, U63, piece_bounds
from nearly.engine.primitives import PIECES

UNREACHED = np.uint32(2**32 - 1)
_FORGET_ALONE = 1 << 18  # levels that one thread sets
_SHORT, _SECOND = np.uint64(5), np.uint64(1 << 17)  # arcs a vertex, and vertices whose levels fit the second cache
_SHORTEST, _THIRD = np.uint64(3), np.uint64(1 << 19)  # the same for the third
BATCH, FOUND = np.uint64(64), np.uint64(1 << 11)  # vertices taken at once, and kept before they are handed in
WORDS = np.uint64(32)  # words of 64 vertices taken at once
COUNT, ARCS = np.uint64(0), np.uint64(8)  # what `counters` hold, each in a cache line of its own


class Search(NamedTuple):
    """What a search works on."""

    offsets: np.ndarray
    targets: np.ndarray
    level: np.ndarray  # uint32[n], UNREACHED where not reached
    queue: np.ndarray  # the frontier, and the next one
    found: np.ndarray  # [workers, FOUND], what each has found
    counters: np.ndarray  # how many vertices a level has found, and their arcs, or those looked at


@kernel
def hand_in(search, worker, count, after):
    """Copy what a worker has found to the next frontier."""
    queue, found = search.queue, search.found
    at = fetch_add(search.counters, COUNT, count)
    for i in range(count):
        queue[after, at + i] = found[worker, i]


@kernel
def push_some(search, worker, count, now, low, high, depth):
    """Push a part of the frontier, after `count` vertices found; (those the worker holds now, arcs of the new ones)."""
    offsets, targets, level, queue, found, _ = search
    arcs, after = U0, U1 - now
    for i in range(low, high):
        u = np.uint64(queue[now, i])
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if level[v] == UNREACHED and atomic_min(level, v, depth) == UNREACHED:
                found[worker, count] = v
                count += U1
                arcs += offsets[v + U1] - offsets[v]
                if count == FOUND:
                    hand_in(search, worker, count, after)
                    count = U0
    return count, arcs


@light_kernel
def push_alone(search, now, size, depth):
    """The same by one thread, without atomics; (vertices found, their arcs)."""
    offsets, targets, level, queue, _, _ = search
    count, arcs, after = U0, U0, U1 - now
    for i in range(size):
        u = np.uint64(queue[now, i])
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if level[v] == UNREACHED:
                level[v] = depth
                queue[after, count] = v
                count += U1
                arcs += offsets[v + U1] - offsets[v]
    return count, arcs


@light_kernel
def arcs_of(search, now, size):
    """The arcs of a frontier."""
    offsets, queue, arcs = search.offsets, search.queue, U0
    for i in range(size):
        v = np.uint64(queue[now, i])
        arcs += offsets[v + U1] - offsets[v]
    return arcs


@light_kernel
def push_blindly(search, now, size, depth):
    """The same where rows are short: every target is entered, and stays if it had no level."""
    offsets, targets, level, queue, _, _ = search
    count, after = U0, U1 - now
    for i in range(size):
        u = np.uint64(queue[now, i])
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            before = level[v]
            queue[after, count] = v
            level[v] = min(before, depth)
            count += np.uint64(before == UNREACHED)
    return count, arcs_of(search, after, count)


@light_kernel
def has_short_rows(search):
    """Whether rows are short and levels fit the cache."""
    n, m = np.uint64(search.level.size), np.uint64(search.targets.size)
    return (n <= _SECOND and m <= _SHORT * n) or (n <= _THIRD and m <= _SHORTEST * n)


@light_kernel
def push_level(search, now, size, depth):
    """A level by one thread, in the way that suits the graph; (vertices found, their arcs)."""
    if has_short_rows(search):
        return push_blindly(search, now, size, depth)
    return push_alone(search, now, size, depth)


@light_kernel
def looking(offsets, level, first):
    """Which of the 64 vertices from `first` on have arcs and no level."""
    bits = U0
    for v in range(first, min(first + np.uint64(64), np.uint64(level.size))):
        bits |= np.uint64((level[v] == UNREACHED) & (offsets[v] < offsets[v + U1])) << (v & U63)
    return bits


@light_kernel
def fetch_rows(offsets, targets, wanted, first):
    """Ask for the first arcs of the vertices `wanted`, of the 64 from `first` on."""
    while wanted:
        prefetch(targets, offsets[first + trailing_zeros(wanted)])
        wanted &= wanted - U1


@light_kernel
def pull_word(offsets, targets, level, front, wanted, first, depth):
    """Give the vertices `wanted`, of the 64 from `first` on, a level; (which have got one, arcs looked at)."""
    bits, looked = U0, U0
    while wanted:
        v = first + trailing_zeros(wanted)
        begin, end = offsets[v], offsets[v + U1]
        e = begin
        while e < end:
            u = np.uint64(targets[e])
            e += U1
            if (front[u >> U6] >> (u & U63)) & U1:
                level[v] = depth
                bits |= wanted & (~wanted + U1)
                break
        looked += e - begin
        wanted &= wanted - U1
    return bits, looked


@kernel
def pull_some(back, level, bits, side, fresh, depth, begin, end):
    """One level by looking back, for the words begin..end-1, from the bitmap `bits[side]` to the other.

    `bits[2]` holds the vertices that look for a level; it is made where `fresh`. Returns vertices found and arcs looked
    at.
    """
    offsets, targets = back
    front, following, wanted = bits[side], bits[U1 - side], bits[2]
    count, looked = U0, U0
    for w in range(begin, end):
        left = looking(offsets, level, w << U6) if fresh else wanted[w]
        fetch_rows(offsets, targets, left, w << U6)
        found, more = pull_word(offsets, targets, level, front, left, w << U6, depth)
        following[w], wanted[w] = found, left ^ found
        count += ones(found)
        looked += more
    return count, looked


@light_kernel
def to_bits(queue, now, size, bits):
    """The frontier as a bitmap."""
    for w in range(np.uint64(bits.size)):
        bits[w] = U0
    for i in range(size):
        v = np.uint64(queue[now, i])
        bits[v >> U6] |= U1 << (v & U63)


@parallel_kernel
def forget_together(level):
    """No vertex has a level."""
    for p in prange(PIECES):
        low, high = piece_bounds(np.uint64(level.size), p, PIECES)
        forget(level, low, high)


@light_kernel
def forget(level, low, high):
    """The vertices low..high-1 have no level."""
    for v in range(low, high):
        level[v] = UNREACHED


@kernel
def begin_search(search, source, workers):
    """The source alone has a level; its arcs."""
    level, n = search.level, np.uint64(search.level.size)
    if ALONE or workers == U1 or n < np.uint64(_FORGET_ALONE):
        forget(level, U0, n)
    else:
        forget_together(level)
    enter_source(search, source)
    return search.offsets[source + U1] - search.offsets[source]


@kernel
def enter_source(search, source):
    """The source is the first frontier."""
    search.level[source], search.queue[0, 0] = np.uint32(0), source


@kernel
def to_queue(bits, queue, now):
    """The bitmap as a frontier."""
    count = U0
    for w in range(np.uint64(bits.size)):
        left = bits[w]
        while left:
            queue[now, count] = (w << U6) + trailing_zeros(left)
            count += U1
            left &= left - U1
    return count
