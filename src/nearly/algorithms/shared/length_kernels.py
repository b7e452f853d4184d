"""How a bin of distances is worked off, by one thread or by all; `length_search` tells why in this way."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from nearly.algorithms.shared.length_bins import (
    AGAIN,
    ARCS,
    BASE,
    BITS,
    CHUNK,
    FOUND,
    HANDLED,
    LONG,
    NONE,
    REACHED,
    SCALE,
    bin_of,
    hand_back,
    is_large,
    put,
)
from nearly.base.atomics import atomic_min, fetch_add
from nearly.base.intrinsics import prefetch
from nearly.base.jit import inner_kernel, kernel
from nearly.base.team import next_piece, pieces_done, post, wait_for_all
from nearly.base.unsigned import U0, U1

FIRST, SECOND = np.uint64(8), np.uint64(4)  # entries ahead of which memory is asked for
FUSED = np.uint64(8)  # chunks of a bin that a worker keeps to itself


@cache
def working_off(together: bool) -> Any:
    """The kernel that reads the rows of a chunk's vertices; (vertices, arcs, vertices reached and not noted)."""

    @inner_kernel
    def shorten(search, worker, count):
        """The second pass."""
        distance, found, through, far = search.distance, search.found, search.through, search.limits[0]
        base, scale, fresh = search.place[BASE], search.place[SCALE], U0
        reached, at = search.reached, search.marks[REACHED]
        for j in range(count):
            v, length = np.uint64(found[worker, j]), through[worker, j]
            before = distance[v]
            if length < before:
                if together:
                    before = atomic_min(distance, v, length)
                    if not length < before:
                        continue
                else:
                    distance[v] = length
                    reached[at + fresh] = v
                fresh += np.uint64(before == far)
                put(search, worker, bin_of(length, scale, base), v, length)
        if together:
            return fresh
        search.marks[REACHED] += fresh
        return U0

    @kernel(_nrt=False)
    def run(search, worker, chunk, size):
        offsets, targets, weights, distance = search.offsets, search.targets, search.weights, search.distance
        vertex, lengths, found, through = search.vertex, search.length, search.found, search.through
        last, first = search.limits[1], np.uint64(chunk) << BITS
        end, count, handled, arcs, fresh = first + size, U0, U0, U0, U0
        for i in range(first, end):
            if i + FIRST < end:
                prefetch(offsets, np.uint64(vertex[i + FIRST]))
                prefetch(distance, np.uint64(vertex[i + FIRST]))
                soon = offsets[vertex[i + SECOND]]
                prefetch(targets, soon)
                prefetch(weights, soon)
            u, length = np.uint64(vertex[i]), lengths[i]
            if distance[u] != length:
                continue
            if length > last:
                search.marks[LONG] = U1
                continue
            low, high = offsets[u], offsets[u + U1]
            handled += U1
            arcs += high - low
            while low < high:
                until = min(low + FOUND, high)
                for e in range(low, until):
                    v, way = targets[e], length + weights[e]
                    found[worker, count] = v
                    through[worker, count] = way
                    count += np.uint64(way < distance[v])
                low = until
                if count >= FOUND:
                    fresh += shorten(search, worker, count)
                    count = U0
        return handled, arcs, fresh + shorten(search, worker, count)

    return run


alone, together = working_off(False), working_off(True)


@inner_kernel
def book(marks, did):
    """Add up what was done."""
    marks[HANDLED] += did[0]
    marks[ARCS] += did[1]
    marks[REACHED] += did[2]


@inner_kernel
def too_wide(marks):
    """Whether more vertices were worked off again than were reached, since that was found last."""
    return marks[HANDLED] > marks[REACHED] + marks[REACHED] + marks[AGAIN]


@inner_kernel
def work_off(search, b, workers, long):
    """Work off a bin on this thread, until it is empty, the width is at fault, or it is large after `long` arcs."""
    head, fill, after, marks = search.head, search.fill, search.after, search.marks
    for worker in range(workers):
        while head[worker, b] != NONE and not too_wide(marks):
            if marks[ARCS] >= long and is_large(search, b, workers):
                return
            chunk, size = head[worker, b], np.uint64(fill[worker, b])
            head[worker, b], fill[worker, b] = NONE, CHUNK
            while chunk != NONE:
                book(marks, alone(search, worker, chunk, size))
                following = after[chunk]
                hand_back(search, worker, chunk)
                chunk, size = following, CHUNK


@kernel
def take_chunks(team, search, job, worker):
    """Work off shared chunks until there are none, then what came of it in the same bin, while it is little."""
    shared, head, fill, after, marks = search.shared, search.head, search.fill, search.after, search.marks
    count, b = team.jobs[job, 0], team.jobs[job, 1]
    handled, arcs, fresh, done = U0, U0, U0, U0
    i = next_piece(team, job)
    while i < count:
        did = together(search, worker, shared[i, 0], np.uint64(shared[i, 1]))
        handled, arcs, fresh, done = handled + did[0], arcs + did[1], fresh + did[2], done + U1
        i = next_piece(team, job)
    if done == U0:
        return
    while head[worker, b] != NONE:
        chunk, length = head[worker, b], U0
        while chunk != NONE and length <= FUSED:
            length += U1
            chunk = after[chunk]
        if length > FUSED:
            break
        chunk, size = head[worker, b], np.uint64(fill[worker, b])
        head[worker, b], fill[worker, b] = NONE, CHUNK
        while chunk != NONE:
            did = together(search, worker, chunk, size)
            handled, arcs, fresh = handled + did[0], arcs + did[1], fresh + did[2]
            following = after[chunk]
            hand_back(search, worker, chunk)
            chunk, size = following, CHUNK
    fetch_add(marks, HANDLED, handled)
    fetch_add(marks, ARCS, arcs)
    fetch_add(marks, REACHED, fresh)
    pieces_done(team, job, done)


@kernel
def share_out(team, search, job, b, count):
    """Work off shared chunks by all threads; the leader calls this."""
    team.jobs[job, 0], team.jobs[job, 1] = count, b
    post(team)
    take_chunks(team, search, job, U0)
    wait_for_all(team, job)
    for k in range(count):
        hand_back(search, np.uint64(search.shared[k, 2]), search.shared[k, 0])
