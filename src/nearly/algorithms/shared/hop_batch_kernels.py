"""Searches in hops from many sources at once: the word of a vertex has a bit for each source.

A batch is LANES words of 64 sources, half a line of the cache: what is read of a neighbour comes to many searches with
one access (Then et al., "The More the Merrier: Efficient Multi-Source Graph Traversal", VLDB 2015). A level is pushed,
from the vertices in front to their neighbours, or pulled, from the vertices that some source has not reached yet, which
stop looking when they have all bits they lack; whichever has fewer arcs to look at.

Two kinds of sums come out, both of whole numbers, so that no order of work shows in them:
- at each vertex, over the sources that reach it (`AtVertices`), by counting the bits of its word;
- at each source, over the vertices it reaches (`AtSources`): counters of bits stand upright, one plane of words for
  each binary digit, so that a word is added to 64 counters by about two operations.
An inverse distance 1 / d is a whole number of units, `unit` in one.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.algorithms.shared.hop_batch_state import AtVertices, Desk
from nearly.base.atomics import fetch_add, going
from nearly.base.intrinsics import ones, prefetch
from nearly.base.jit import kernel, light_kernel, parallel_kernel
from nearly.base.unsigned import U0, U1, U6, U63, total_of

U2, U3 = np.uint64(2), np.uint64(3)
LANES = np.uint64(4)
BATCH = np.uint64(256)  # sources of a batch
FULL = np.uint64(2**64 - 1)
PLANES = np.uint64(40)  # digits of a counter
_AHEAD = np.uint64(8)  # arcs for which memory is asked ahead
_PULL_ARCS = np.uint64(2)  # a pull looks at an arc so many times as fast as a push


@light_kernel
def is_empty(words, at):
    """Whether the words of a vertex are all 0."""
    some = U0
    for k in range(LANES):
        some |= words[at + k]
    return some == U0


@kernel
def put_sources(desk, sources, low, high, lacking):
    """Put each source in front of its own search; `lacking` gets the bits of the batch. Returns how many vertices."""
    seen, front, _, here, _, _ = desk
    size = U0
    for k in range(LANES):
        lacking[k] = U0
    for i in range(low, high):
        bit, lane = U1 << ((i - low) & U63), (i - low) >> U6
        at = np.uint64(sources[i]) * LANES
        if is_empty(front, at):
            here[size] = sources[i]
            size += U1
        front[at + lane] |= bit
        seen[at + lane] |= bit
        lacking[lane] |= bit
    return size


@light_kernel
def spread(seen, front, following, at, to):
    """Hand the bits of one vertex to another that lacks some of them; whether these are its first in this level."""
    a, b = front[at] & ~seen[to], front[at + U1] & ~seen[to + U1]
    c, d = front[at + U2] & ~seen[to + U2], front[at + U3] & ~seen[to + U3]
    if (a | b | c | d) == U0:
        return False
    e, f, g, h = following[to], following[to + U1], following[to + U2], following[to + U3]
    following[to], following[to + U1], following[to + U2], following[to + U3] = a | e, b | f, c | g, d | h
    return (e | f | g | h) == U0


@kernel
def push(offsets, targets, seen, front, following, here, size, there):
    """Hand the bits of each vertex in front to its neighbours that lack them; how many got some, listed in `there`."""
    fill = U0
    for i in range(size):
        u = np.uint64(here[i])
        begin, end = offsets[u], offsets[u + U1]
        for e in range(begin, end):
            if e + _AHEAD < end:
                prefetch(seen, np.uint64(targets[e + _AHEAD]) * LANES)
            v = np.uint64(targets[e])
            if spread(seen, front, following, u * LANES, v * LANES):
                there[fill] = v
                fill += U1
    return fill


@light_kernel
def pull(offsets, targets, seen, front, following, there, lacking):
    """Let each vertex that lacks bits look for them at the vertices before it; (found, arcs that are still lacking)."""
    fill, arcs, n, most = U0, U0, np.uint64(offsets.size) - U1, np.uint64(targets.size)
    p, q, r, s = lacking[0], lacking[1], lacking[2], lacking[3]
    for v in range(n):
        to = v * LANES
        a, b, c, d = p & ~seen[to], q & ~seen[to + U1], r & ~seen[to + U2], s & ~seen[to + U3]
        if (a | b | c | d) == U0:
            continue
        e, end = offsets[v], offsets[v + U1]
        w, x, y, z, left = U0, U0, U0, U0, U1
        while e < end and left != U0:
            if e + _AHEAD < most:  # over the end of the row: the next one is most likely looked at too
                prefetch(front, np.uint64(targets[e + _AHEAD]) * LANES)
            at = np.uint64(targets[e]) * LANES
            w, x, y, z = w | front[at], x | front[at + U1], y | front[at + U2], z | front[at + U3]
            left = (a & ~w) | (b & ~x) | (c & ~y) | (d & ~z)
            e += U1
        if left != U0:
            arcs += end - offsets[v]
        w, x, y, z = w & a, x & b, y & c, z & d
        if (w | x | y | z) != U0:
            following[to], following[to + U1], following[to + U2], following[to + U3] = w, x, y, z
            there[fill] = v
            fill += U1
    return fill, arcs


@light_kernel
def parts_of(level, unit):
    """The units of 1 / level, and of its square."""
    part = unit / np.float64(level)
    return np.uint64(np.rint(part)), np.uint64(np.rint(part / np.float64(level)))


@light_kernel
def take_bits(seen, following, at):
    """The bits found at a place have been seen; how many there are."""
    count = U0
    for k in range(LANES):
        bits = following[at + k]
        seen[at + k] |= bits
        count += ones(bits)
    return count


@light_kernel
def add_found(v, count, level, parts, at_vertices):
    """Add so many sources, which come to a vertex at a level, to the sums at vertices."""
    reached, total, second, inverse, square, farthest = at_vertices
    if np.uint64(total.size) > v:
        reached[v] += count
        total[v] += count * level
        farthest[v] = max(farthest[v], np.uint32(level))
    if np.uint64(second.size) > v:
        second[v] += count * level * level
    if np.uint64(inverse.size) > v:
        inverse[v] += count * parts[0]
        square[v] += count * parts[1]


@light_kernel
def settle_one(seen, following, v, level, parts, at_vertices):
    """A vertex has seen the bits it found; count them for the sums at vertices."""
    add_found(v, take_bits(seen, following, v * LANES), level, parts, at_vertices)


@light_kernel
def count_one(planes, following, v):
    """Add the words of a vertex to the upright counters."""
    at = v * LANES
    for k in range(LANES):
        carry, p = following[at + k], k
        while carry != U0:
            both = planes[p] & carry
            planes[p] ^= carry
            carry = both
            p += LANES


@light_kernel
def settle(seen, following, there, fill, level, unit, at_vertices):
    """The vertices found have been seen; count their bits for the sums at vertices."""
    parts = parts_of(level, unit)
    for i in range(fill):
        settle_one(seen, following, np.uint64(there[i]), level, parts, at_vertices)


@light_kernel
def count_bits(planes, following, there, fill):
    """Add the words of the vertices found to the upright counters."""
    for i in range(fill):
        count_one(planes, following, np.uint64(there[i]))


@kernel
def read_counts(planes, low, high, level, at_sources):
    """Add what each source found at a level to its sums, and set the counters to 0."""
    reached, total, farthest, hops, profile = at_sources
    for i in range(high - low):
        count, lane, bit = U0, i >> U6, i & U63
        for p in range(PLANES):
            count |= ((planes[p * LANES + lane] >> bit) & U1) << p
        if count != U0:
            reached[low + i] += count
            total[low + i] += count * level
            farthest[low + i] = np.uint32(level)
            if level < np.uint64(hops.size):
                fetch_add(hops, level, count)
            if level < np.uint64(profile.shape[1]):
                profile[low + i, level] += count
    for p in range(PLANES * LANES):
        planes[p] = U0


@kernel
def clear(words, vertices, size):
    """Set the words of the vertices to 0."""
    for i in range(size):
        at = np.uint64(vertices[i]) * LANES
        for k in range(LANES):
            words[at + k] = U0


@light_kernel
def row_arcs(offsets, vertices, size):
    """How many arcs the vertices have."""
    arcs = U0
    for i in range(size):
        v = np.uint64(vertices[i])
        arcs += offsets[v + U1] - offsets[v]
    return arcs


@kernel
def batch(both, desk, sources, low, unit, at_vertices, at_sources, stop):
    """Searches from the sources from place `low` on, level by level; returns whether they came to their end."""
    offsets, targets, back_offsets, back_targets = both
    seen, front, following, here, there, planes = desk
    high, lacking = min(low + BATCH, np.uint64(sources.size)), np.zeros(LANES, np.uint64)
    size = put_sources(desk, sources, low, high, lacking)
    level, left = U0, np.uint64(back_targets.size)
    while size > U0 and going(stop):
        level += U1
        if row_arcs(offsets, here, size) * _PULL_ARCS > left:
            fill, left = pull(back_offsets, back_targets, seen, front, following, there, lacking)
        else:
            fill = push(offsets, targets, seen, front, following, here, size, there)
        settle(seen, following, there, fill, level, unit, at_vertices)
        if at_sources.reached.size:
            count_bits(planes, following, there, fill)
            read_counts(planes, low, high, level, at_sources)
        clear(front, here, size)
        front, following = following, front
        here, there, size = there, here, fill
    ended = size == U0
    clear(front, here, size)
    for i in range(np.uint64(seen.size)):
        seen[i] = U0
    return ended


@kernel
def some_batches(both, desk, sources, unit, at_vertices, at_sources, cursor, stop):
    """Batches one after the other, as long as there are any; returns how many came to their end."""
    done, low = U0, fetch_add(cursor, U0, BATCH)
    while low < np.uint64(sources.size):
        done += np.uint64(batch(both, desk, sources, low, unit, at_vertices, at_sources, stop))
        low = fetch_add(cursor, U0, BATCH)
    return done


@kernel
def sums_of(at_vertices, w):
    """The sums at vertices of one worker."""
    return AtVertices(
        at_vertices.reached[w],
        at_vertices.total[w],
        at_vertices.second[w],
        at_vertices.inverse[w],
        at_vertices.square[w],
        at_vertices.farthest[w],
    )


@parallel_kernel
def all_batches(both, desks, sources, unit, at_vertices, at_sources, cursor, stop):
    """Every worker takes batches; `desks` and `at_vertices` have a row for each. Returns the batches that ended."""
    workers = desks.seen.shape[0]
    done = np.zeros(workers, np.uint64)
    for w in prange(workers):
        mine = sums_of(at_vertices, np.uint64(w))
        desk = Desk(desks.seen[w], desks.front[w], desks.following[w], desks.here[w], desks.there[w], desks.planes[w])
        done[w] = some_batches(both, desk, sources, unit, mine, at_sources, cursor, stop)
    return total_of(done)
