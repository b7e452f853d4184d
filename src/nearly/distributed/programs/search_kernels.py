"""Kernels of searches for distances on one part, by one thread: `settle` goes as far as a limit; parents.

Arrays have an entry for each local vertex; see `distances` for what they are for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.algorithms.shared.shortest_paths import length, supports
from nearly.base.jit import inner_kernel, kernel
from nearly.base.unsigned import U0, U1

IDLE, QUEUED, FAR = np.uint8(0), np.uint8(1), np.uint8(2)
SOURCE_OR_FAR, ORPHAN, HAS_PARENT = np.uint8(0), np.uint8(1), np.uint8(2)


class Search(NamedTuple):
    """What a search for distances works on."""

    distance: np.ndarray
    state: np.ndarray  # uint8: IDLE, QUEUED, or FAR: beyond the limit when it was reached
    queue: np.ndarray  # a ring of vertices whose arcs are to be followed now
    far: np.ndarray  # those beyond the limit; an entry whose state is another one is void
    changed: np.ndarray  # uint8, whether the distance fell since others were told


@inner_kernel
def enter(search, v, limit, tail, behind):
    """Note that the arcs of v are to be followed, now or later; the ends of the ring and of the far ones."""
    if search.distance[v] <= limit:
        if search.state[v] != QUEUED:
            search.state[v] = QUEUED
            search.queue[tail % np.uint64(search.queue.size)] = v
            tail += U1
    elif search.state[v] == IDLE:
        search.state[v] = FAR
        search.far[behind] = v
        behind += U1
    return tail, behind


@inner_kernel
def call_far(search, behind, limit):
    """Queue the far vertices within the limit, in an empty ring; how many these are, and how many are left."""
    tail, kept = U0, U0
    for i in range(behind):
        v = np.uint64(search.far[i])
        if search.state[v] == FAR:
            if search.distance[v] <= limit:
                search.state[v] = QUEUED
                search.queue[tail] = v
                tail += U1
            else:
                search.far[kept] = v
                kept += U1
    return tail, kept


@inner_kernel
def least_far(search, behind):
    """The least distance of a far vertex; infinity where there is none."""
    least = np.inf
    for i in range(behind):
        if search.state[search.far[i]] == FAR:
            least = min(least, np.float64(search.distance[search.far[i]]))
    return least


@inner_kernel
def follow(rows, search, limit, tail, behind):
    """Follow arcs until the ring is empty; vertices and arcs followed, and the end of the far ones."""
    offsets, targets, weights = rows
    distance, state, queue, _, changed = search
    head, edges, unit, size = U0, U0, weights.size == 0, np.uint64(queue.size)
    while head < tail:
        u = np.uint64(queue[head % size])
        head += U1
        state[u] = IDLE
        near = distance[u]
        edges += offsets[u + U1] - offsets[u]
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            through = near + distance.dtype.type(1) if unit else near + weights[e]
            if through < distance[v]:
                distance[v] = through
                changed[v] = 1
                tail, behind = enter(search, v, limit, tail, behind)
    return head, edges, behind


@kernel
def settle(rows, search, news, behind, limit):
    """Follow arcs until no vertex within the limit can bring another nearer.

    `news` are vertices that others brought nearer, `behind` is how many far ones there are. Returns how many there are
    then, the vertices and arcs followed, and the least far distance.
    """
    tail, kept = call_far(search, np.uint64(behind), limit)
    for i in range(np.uint64(news.size)):
        tail, kept = enter(search, np.uint64(news[i]), limit, tail, kept)
    handled, edges, kept = follow(rows, search, limit, tail, kept)
    return kept, handled, edges, least_far(search, kept)


@kernel
def first_parents(rows, distances, bounds, parents, state):
    """For each owned vertex the first of its row with a supporting arc from strictly nearer the source; orphans.

    `bounds` are the owned local numbers and the source's, `state` says which vertices look for a parent.
    """
    offsets, targets, weights = rows
    orphans = U0
    for v in range(bounds[0], bounds[1]):
        state[v] = SOURCE_OR_FAR if v == bounds[2] or not distances[v] < np.inf else ORPHAN
        if state[v] == ORPHAN:
            for e in range(offsets[v], offsets[v + U1]):
                u = np.uint64(targets[e])
                if distances[u] < distances[v] and supports(distances, u, v, length(weights, e)):
                    parents[v], state[v] = u, HAS_PARENT
                    break
            orphans += np.uint64(state[v] == ORPHAN)
    return orphans


@kernel
def adopt(rows, distances, orphan, bounds, parents, found):
    """Parents for owned orphans over arcs that add nothing, from vertices that are none; how many found one."""
    offsets, targets, weights = rows
    count = U0
    for v in range(bounds[0], bounds[1]):
        if orphan[v]:
            for e in range(offsets[v], offsets[v + U1]):
                u = np.uint64(targets[e])
                if not orphan[u] and supports(distances, u, v, length(weights, e)):
                    parents[v], found[count] = u, v
                    count += U1
                    break
    return count
