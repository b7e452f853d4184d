"""Bins of vertices by distance: where `length_search` keeps what waits.

A bin is a chain of chunks. Each worker has bins of its own, filled from its own part of the chunks, so that nothing
here is shared while several work. An entry is a vertex and the distance with which it was put in; once the vertex has
come nearer the entry counts no more. What is further than the last bin waits in one more. Should a worker's chunks run
out, a flag is raised and the entry left out; `enter_anew` makes up for it, for whatever is not settled has a distance
that lies in a bin not worked off.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nearly.base.jit import inner_kernel, kernel
from nearly.base.memory import require
from nearly.base.unsigned import U0, U1

BINS = np.uint64(64)  # and one for what is further
CHUNK, BITS = np.uint64(128), np.uint64(7)
LARGE = np.uint64(2)  # chunks that make a bin large, beside one not full for each worker
NONE = np.uint32(2**32 - 1)
FOUND = np.uint64(512)  # arcs read between two passes
BASE, SCALE = U0, U1  # what `place` holds
# what `marks` holds: the bin worked off, arcs read, vertices reached and worked off, how many may be worked off
# again, phases since the width was looked at, what was worked off then, whether an entry was left out, whether a way is
# too long
MARKS = 9
NOW, ARCS, REACHED, HANDLED, AGAIN, PHASES, SINCE, FULL, LONG = (np.uint64(i) for i in range(MARKS))
_APART = 16  # so many numbers of 32 bits fill a cache line: what two threads write is kept that far apart
_FINEST = 1e15  # bins from 0 to the nearest; more would not be told apart


class Search(NamedTuple):
    """What a search works on."""

    offsets: np.ndarray
    targets: np.ndarray
    weights: np.ndarray
    distance: np.ndarray  # [n]
    reached: np.ndarray  # [n + 1], the vertices reached, as long as one thread works
    limits: np.ndarray  # [2]: the distance of what is not reached, and the last one that an arc can follow
    marks: np.ndarray  # uint64[MARKS]
    place: np.ndarray  # float64[2]: a distance d belongs to the bin d * scale - base
    vertex: np.ndarray  # [chunks * CHUNK]
    length: np.ndarray  # the distance with which it was put in
    after: np.ndarray  # uint32[chunks], the next chunk of the chain
    shared: np.ndarray  # uint32[chunks, 3]: chunks to work off, how many entries they have, and whose they are
    head: np.ndarray  # uint32[workers, BINS + 1 and more], the first chunk of each bin, NONE where it is empty
    fill: np.ndarray  # the same shape, how many entries that one has; the others are full
    spare: np.ndarray  # uint32[workers, 3 and more]: a chain of free chunks, the next one never used, the end of these
    found: np.ndarray  # [workers, 2 * FOUND], targets to which the way is shorter
    through: np.ndarray  # how long it is


def make_distances(n: int, vertex: np.dtype[Any], length: np.dtype[Any], far: Any) -> tuple[np.ndarray, ...]:
    """The fields `distance` and `reached` before a search."""
    distance = np.empty(n, length)
    distance.fill(far)
    return distance, np.empty(n + 1, vertex)


def make_bins(n: int, workers: int, vertex: np.dtype[Any], length: np.dtype[Any]) -> tuple[np.ndarray, ...]:
    """The fields of a search from `vertex` on."""
    require((2 * n + workers * int(BINS * CHUNK)) * (vertex.itemsize + length.itemsize), "sssp")
    chunks = 2 * (n // int(CHUNK)) + (workers + 1) * (int(BINS) + 2)
    row = (int(BINS) // _APART + 2) * _APART
    bins, found, u32 = (workers, row), (workers, 2 * int(FOUND)), np.uint32
    return (
        np.empty(chunks * int(CHUNK), vertex), np.empty(chunks * int(CHUNK), length), np.empty(chunks, u32),
        np.empty((chunks, 3), u32), np.empty(bins, u32), np.empty(bins, u32), np.empty((workers, 2 * _APART), u32),
        np.empty(found, vertex), np.empty(found, length),
    )  # fmt: skip


@inner_kernel
def bin_of(length, scale, base):
    """The bin of a distance."""
    x = np.float64(length) * scale - base
    return np.uint64(np.int64(x)) if x < np.float64(BINS) else BINS


@inner_kernel
def put(search, worker, b, v, length):
    """Enter a vertex into a worker's bin, or raise the flag where there is no chunk left."""
    head, fill, spare, after = search.head, search.fill, search.spare, search.after
    at = np.uint64(fill[worker, b])
    if at == CHUNK:
        chunk = spare[worker, 0]
        if chunk != NONE:
            spare[worker, 0] = after[chunk]
        elif spare[worker, 1] < spare[worker, 2]:
            chunk = spare[worker, 1]
            spare[worker, 1] = chunk + U1
        else:
            search.marks[FULL] = U1
            return
        after[chunk] = head[worker, b]
        head[worker, b] = chunk
        at = U0
    i = (np.uint64(head[worker, b]) << BITS) + at
    search.vertex[i] = v
    search.length[i] = length
    fill[worker, b] = at + U1


@inner_kernel
def hand_back(search, worker, chunk):
    """A chunk is free again."""
    search.after[chunk] = search.spare[worker, 0]
    search.spare[worker, 0] = chunk


@inner_kernel
def next_bin(search, workers, b):
    """The first bin from b on that is not empty; BINS + 1 where all are."""
    head = search.head
    while b <= BINS:
        for worker in range(workers):
            if head[worker, b] != NONE:
                return b
        b += U1
    return b


@inner_kernel
def is_large(search, b, workers):
    """Whether a bin is worth sharing out."""
    after, large, count = search.after, LARGE + workers, U0
    for worker in range(workers):
        chunk = search.head[worker, b]
        while chunk != NONE and count < large:
            count += U1
            chunk = after[chunk]
    return count >= large


@inner_kernel
def collect(search, workers, b, count):
    """Take the chunks of a bin out of it, to the end of the `count` shared ones; how many there are then."""
    head, fill, after, shared = search.head, search.fill, search.after, search.shared
    for worker in range(workers):
        chunk, size = head[worker, b], fill[worker, b]
        head[worker, b], fill[worker, b] = NONE, CHUNK
        while chunk != NONE:
            shared[count, 0], shared[count, 1], shared[count, 2] = chunk, size, worker
            count += U1
            chunk, size = after[chunk], np.uint32(CHUNK)
    return count


@kernel
def spread(search, workers, scale):
    """Put all entries into bins of another width, the first of which gets the nearest."""
    shared, distance, vertex, length, place = search.shared, search.distance, search.vertex, search.length, search.place
    count, least = U0, np.inf
    for b in range(BINS + U1):
        count = collect(search, workers, b, count)
    for k in range(count):
        first = np.uint64(shared[k, 0]) << BITS
        for i in range(first, first + np.uint64(shared[k, 1])):
            if distance[vertex[i]] == length[i]:
                least = min(least, np.float64(length[i]))
    if not least * scale < _FINEST:
        scale = _FINEST / least
    base = 0.0 if least == np.inf else np.floor(least * scale)
    place[BASE], place[SCALE] = base, scale
    for k in range(count):
        first, worker = np.uint64(shared[k, 0]) << BITS, np.uint64(shared[k, 2])
        for i in range(first, first + np.uint64(shared[k, 1])):
            if distance[vertex[i]] == length[i]:
                put(search, worker, bin_of(length[i], scale, base), vertex[i], length[i])
        hand_back(search, worker, shared[k, 0])
    search.marks[NOW] = U0


@kernel
def empty(search):
    """Bins without entries. The first worker has chunks enough for all vertices, others share as many."""
    head, fill, spare = search.head, search.fill, search.spare
    workers, chunks = np.uint64(head.shape[0]), np.uint64(search.after.size)
    each = (chunks - np.uint64(search.distance.size) // CHUNK) // (workers + U1)
    start = U0
    for worker in range(workers):
        for b in range(BINS + U1):
            head[worker, b], fill[worker, b] = NONE, CHUNK
        end = chunks - (workers - worker - U1) * each
        spare[worker, 0], spare[worker, 1], spare[worker, 2] = NONE, start, end
        start = end


@kernel
def enter_anew(search):
    """One entry for each vertex that is not settled."""
    distance, base, scale, far = search.distance, search.place[BASE], search.place[SCALE], search.limits[0]
    empty(search)
    search.marks[FULL] = U0
    for v in range(np.uint64(distance.size)):
        if distance[v] != far and np.float64(distance[v]) * scale - base >= np.float64(search.marks[NOW]):
            put(search, U0, bin_of(distance[v], scale, base), v, distance[v])
