"""One batch of searches by all workers together: for few sources, and for graphs with hubs, which have few levels.

Where each worker has a batch of its own, the words of all of them compete for the caches, and few sources keep few
workers busy. Here a level that is pulled is cut into pieces of vertices: a vertex gathers its own bits, so that no two
workers write the same word. A bitmap tells which vertices are in front, which spares most reads of words while these
are few. Small levels are pushed by one thread, as in `hop_batch_kernels`, whose parts these are.
Sums are of whole numbers, and each vertex belongs to one piece: the answer is that of any other order of work.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.shared.hop_batch_kernels import (
    BATCH,
    LANES,
    U2,
    U3,
    clear,
    count_bits,
    count_one,
    parts_of,
    push,
    put_sources,
    read_counts,
    row_arcs,
    settle,
    settle_one,
)
from nearly.algorithms.shared.hop_batch_state import Desk, Table
from nearly.base.atomics import fetch_add, going
from nearly.base.intrinsics import prefetch, trailing_zeros
from nearly.base.jit import kernel, light_kernel, parallel_kernel
from nearly.base.unsigned import U0, U1, U6, U63, total_of

_AHEAD = np.uint64(12)  # arcs for which memory is asked ahead, over the ends of rows
_PULL_ARCS = np.uint64(6)  # a pull by all workers looks at an arc so many times as fast as a push by one
_FEW = np.uint64(4)  # where at most one of so many vertices is in front, their bitmap is asked first
U64 = np.uint64(64)


class Pull(NamedTuple):
    """How a level is pulled."""

    side: int  # which of the bitmaps has the vertices in front
    lacking: np.ndarray  # the bits of the batch
    ask: bool  # whether the bitmap is asked before a word is read
    level: int
    part: int  # the units of 1 / level
    part_of_part: int  # and of its square
    upright: bool  # whether there are sums at sources


@light_kernel
def pull_word(offsets, targets, words, marked, first, lacking, ask):
    """Let the 64 vertices from `first` on look for the bits they lack; (those that found some, arcs still lacking)."""
    seen, front, following = words
    p, q, r, s, found, arcs = lacking[0], lacking[1], lacking[2], lacking[3], U0, U0
    most, n = np.uint64(targets.size), np.uint64(offsets.size) - U1
    for v in range(first, min(first + U64, n)):
        e, end, to = offsets[v], offsets[v + U1], v * LANES
        a, b, c, d = p & ~seen[to], q & ~seen[to + U1], r & ~seen[to + U2], s & ~seen[to + U3]
        w, x, y, z, left = U0, U0, U0, U0, a | b | c | d
        while e < end and left != U0:
            u = np.uint64(targets[e])
            e += U1
            if ask and not (marked[u >> U6] >> (u & U63)) & U1:
                continue
            if not ask and e + _AHEAD < most:
                prefetch(front, np.uint64(targets[e + _AHEAD]) * LANES)
            at = u * LANES
            w, x, y, z = w | front[at], x | front[at + U1], y | front[at + U2], z | front[at + U3]
            left = (a & ~w) | (b & ~x) | (c & ~y) | (d & ~z)
        if left != U0:
            arcs += end - offsets[v]
        w, x, y, z = w & a, x & b, y & c, z & d
        following[to], following[to + U1], following[to + U2], following[to + U3] = w, x, y, z
        found |= np.uint64((w | x | y | z) != U0) << (v & U63)
    return found, arcs


@light_kernel
def pull_some(both, table, pull, at_vertices, cursor, worker):
    """Take pieces until there are none; (vertices found, arcs that leave them, arcs of those that still lack bits)."""
    offsets, _, back_offsets, back_targets = both
    seen, front, following, _, _, marked, planes, cuts = table
    side, lacking, ask, level, part, part_of_part, upright = pull
    parts = part, part_of_part
    count, leaving, left, mine = U0, U0, U0, planes[worker]
    piece, pieces, words = fetch_add(cursor, U0, U1), np.uint64(cuts.size) - U1, (seen, front, following)
    while piece < pieces:
        for word in range(cuts[piece], cuts[piece + U1]):
            bits, arcs = pull_word(back_offsets, back_targets, words, marked[side], word << U6, lacking, ask)
            marked[U1 - side, word] = bits
            left += arcs
            while bits:
                v = (word << U6) + trailing_zeros(bits)
                settle_one(seen, following, v, level, parts, at_vertices)
                if upright:
                    count_one(mine, following, v)
                count += U1
                leaving += offsets[v + U1] - offsets[v]
                bits &= bits - U1
        piece = fetch_add(cursor, U0, U1)
    return count, leaving, left


@parallel_kernel
def pull_together(both, table, pull, at_vertices):
    """Pull a level by all workers; what they found, as `pull_some` tells it."""
    cursor, workers = np.zeros(1, np.uint64), table.planes.shape[0]
    found, leaving, left = np.zeros(workers, np.uint64), np.zeros(workers, np.uint64), np.zeros(workers, np.uint64)
    for w in prange(workers):
        found[w], leaving[w], left[w] = pull_some(both, table, pull, at_vertices, cursor, np.uint64(w))
    return total_of(found), total_of(leaving), total_of(left)


@parallel_kernel
def wipe(words, workers):
    """Set all words to 0."""
    done = np.zeros(workers, np.uint64)
    for worker in prange(workers):
        done[worker] = wipe_share(words, np.uint64(worker), np.uint64(workers))


@light_kernel
def wipe_share(words, worker, workers):
    """The share of one worker."""
    size = np.uint64(words.size)
    for i in range(size * worker // workers, size * (worker + U1) // workers):
        words[i] = U0
    return size


@kernel
def gather_counts(planes, low, high, level, at_sources):
    """What all workers counted upright, read and set to 0."""
    for worker in range(np.uint64(planes.shape[0])):
        read_counts(planes[worker], low, high, level, at_sources)


@light_kernel
def to_marks(marked, here, size):
    """The list of vertices as a bitmap."""
    for word in range(np.uint64(marked.size)):
        marked[word] = U0
    for i in range(size):
        v = np.uint64(here[i])
        marked[v >> U6] |= U1 << (v & U63)


@light_kernel
def to_list(marked, here):
    """The bitmap as a list."""
    fill = U0
    for word in range(np.uint64(marked.size)):
        bits = marked[word]
        while bits:
            here[fill] = (word << U6) + trailing_zeros(bits)
            fill += U1
            bits &= bits - U1


@kernel
def team_batch(both, table, sources, low, unit, at_vertices, at_sources, stop):
    """Searches from the sources from place `low` on, level by level; returns whether they came to their end."""
    offsets, targets, _, back_targets = both
    seen, front, following, here, there, marked, planes, cuts = table
    high, lacking = min(low + BATCH, np.uint64(sources.size)), np.zeros(LANES, np.uint64)
    workers, upright = planes.shape[0], at_sources.reached.size > 0
    wipe(seen, workers)
    wipe(front, workers)
    wipe(following, workers)
    size = put_sources(Desk(seen, front, following, here, there, planes[0]), sources, low, high, lacking)
    level, left, side, n = U0, np.uint64(back_targets.size), U0, np.uint64(offsets.size) - U1
    leaving, listed, clean = row_arcs(offsets, here, size), True, True
    while size > U0 and going(stop):
        level += U1
        if leaving * _PULL_ARCS > left:
            if listed:
                to_marks(marked[side], here, size)
            now = Table(seen, front, following, here, there, marked, planes, cuts)
            part, part_of_part = parts_of(level, unit)
            pull = Pull(side, lacking, size * _FEW < n, level, part, part_of_part, upright)
            size, leaving, left = pull_together(both, now, pull, at_vertices)
            side, listed, clean = U1 - side, False, False
        else:
            if not listed:
                to_list(marked[side], here)
            if not clean:
                wipe(following, workers)
            fill = push(offsets, targets, seen, front, following, here, size, there)
            settle(seen, following, there, fill, level, unit, at_vertices)
            if upright:
                count_bits(planes[0], following, there, fill)
            clear(front, here, size)
            here, there, size, listed, clean = there, here, fill, True, True
            leaving = row_arcs(offsets, here, size)
        if upright:
            gather_counts(planes, low, high, level, at_sources)
        front, following = following, front
    return size == U0


@kernel
def team_batches(both, table, sources, unit, at_vertices, at_sources, stop):
    """Batch after batch; returns how many came to their end."""
    done, low = U0, U0
    while low < np.uint64(sources.size) and going(stop):
        done += np.uint64(team_batch(both, table, sources, low, unit, at_vertices, at_sources, stop))
        low += BATCH
    return done
