"""Kernels of programs: work on one part, by one thread; see the programs for what they are for.

Arrays have an entry for each local vertex, unless they are said to be of owned vertices. Other parts' work is seen
through ghosts alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.algorithms.label_propagation.kernels import CLASSES, add_up, heaviest
from nearly.algorithms.pagerank.in_place_kernels import sum_row, sum_weighted
from nearly.base.jit import inner_kernel, kernel
from nearly.base.random import draw
from nearly.base.unsigned import U0, U1

BLOCK = np.uint64(256)
IDLE, QUEUED, FAR = np.uint8(0), np.uint8(1), np.uint8(2)


@kernel
def gather(rows, given, low, high, out):
    """What arrives at the vertices [low, high) along their rows: what others give, times the arc's weight if any."""
    offsets, targets, weights = rows
    weighted = weights.size > 0
    for v in range(low, high):
        if weighted:
            out[v] = sum_weighted(targets, weights, given, offsets[v], offsets[v + U1])
        else:
            out[v] = sum_row(targets, weights, given, offsets[v], offsets[v + U1])


@kernel
def tally(ranks, before, inverse, roundings, given, low):
    """What the owned vertices hand on, into `given` from `low` on; the sums that all parts need.

    These are of changes since `before`, of ranks of vertices that have arcs, of all ranks, and of roundings. They are
    summed in blocks, and blocks with compensation: to BLOCK roundings or so, however many vertices there are.
    """
    sums, lost, block = np.zeros(4), np.zeros(4), np.zeros(4)
    size = np.uint64(ranks.size)
    for start in range(U0, size, BLOCK):
        change, follow, total, rounding = 0.0, 0.0, 0.0, 0.0
        for v in range(start, min(start + BLOCK, size)):
            rank, onward = ranks[v], inverse[v]
            change += abs(rank - before[v])
            follow += rank if onward > 0.0 else 0.0
            total += rank
            rounding += roundings[v] * abs(rank)
            given[low + v] = rank * onward
        block[0], block[1], block[2], block[3] = change, follow, total, rounding
        for k in range(4):
            more = block[k] - lost[k]
            summed = sums[k] + more
            lost[k] = (summed - sums[k]) - more
            sums[k] = summed
    return sums


@kernel
def row_totals(rows, out):
    """The sum of each row's weights, to two roundings however long the row (Kahan 1965)."""
    offsets, _, weights = rows
    for v in range(np.uint64(out.size)):
        total, lost = 0.0, 0.0
        for e in range(offsets[v], offsets[v + U1]):
            more = np.float64(weights[e]) - lost
            summed = total + more
            lost = (summed - total) - more
            total = summed
        out[v] = total


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


@kernel
def settle(rows, search, news, behind, limit):
    """Follow arcs until no vertex within the limit can bring another nearer.

    `news` are vertices that others brought nearer, `behind` is how many far ones there are. Returns how many there are
    then, the vertices and arcs followed, and the least far distance.
    """
    offsets, targets, weights = rows
    distance, state, queue, far, changed = search
    head, tail, kept, edges, unit = U0, U0, U0, U0, weights.size == 0
    for i in range(np.uint64(behind)):
        v = np.uint64(far[i])
        if state[v] == FAR:
            if distance[v] <= limit:
                state[v] = QUEUED
                queue[tail] = v
                tail += U1
            else:
                far[kept] = v
                kept += U1
    for i in range(np.uint64(news.size)):
        tail, kept = enter(search, np.uint64(news[i]), limit, tail, kept)
    size = np.uint64(queue.size)
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
                tail, kept = enter(search, v, limit, tail, kept)
    least = np.inf
    for i in range(kept):
        if state[far[i]] == FAR:
            least = min(least, np.float64(distance[far[i]]))
    return kept, head, edges, least


@inner_kernel
def h_index(rows, estimate, v, counts):
    """The largest h, not above v's estimate, for which v has h neighbours of an estimate of h or more."""
    offsets, targets, _ = rows
    top = np.uint64(estimate[v])
    for h in range(top + U1):
        counts[h] = U0
    for e in range(offsets[v], offsets[v + U1]):
        u = np.uint64(targets[e])
        if u != v:
            counts[min(np.uint64(estimate[u]), top)] += U1
    enough = counts[top]
    while top > U0 and enough < top:
        top -= U1
        enough += counts[top]
    return top


@kernel
def lower(rows, push, estimate, queue, fill, waits, changed, counts):
    """Lower estimates to h-indices until none can fall; `queue` is a ring whose first `fill` entries wait.

    Returns how many vertices were looked at, and how many arcs.
    """
    offsets, targets, _ = push
    head, tail, size, edges = U0, np.uint64(fill), np.uint64(queue.size), U0
    while head < tail:
        v = np.uint64(queue[head % size])
        head += U1
        waits[v] = 0
        edges += rows.offsets[v + U1] - rows.offsets[v]
        h = h_index(rows, estimate, v, counts)
        if h < np.uint64(estimate[v]):
            estimate[v], changed[v] = h, 1
            for e in range(offsets[v], offsets[v + U1]):
                u = np.uint64(targets[e])
                if u != v and np.uint64(estimate[u]) > h and not waits[u]:
                    waits[u] = 1
                    queue[tail % size] = u
                    tail += U1
    return head, edges


@kernel
def wake_readers(push, which, estimate, queue, waits):
    """Queue the owned vertices that read one of `which` and have a higher estimate; how many."""
    offsets, targets, _ = push
    fill = U0
    for i in range(np.uint64(which.size)):
        v = np.uint64(which[i])
        for e in range(offsets[v], offsets[v + U1]):
            u = np.uint64(targets[e])
            if estimate[u] > estimate[v] and not waits[u]:
                waits[u] = 1
                queue[fill] = u
                fill += U1
    return fill


class Choice(NamedTuple):
    """What a turn of label propagation works on."""

    label: np.ndarray
    wish: np.ndarray  # the label that a vertex of `changed` wants
    awake: np.ndarray  # uint8
    changed: np.ndarray  # uint8, whether it wants another


@kernel
def choose(rows, choice, turn, bounds, tables):
    """What label each owned vertex wants that is awake and has its turn; vertices and arcs looked at, and changes.

    `bounds` are the owned local numbers, and what is added to make them global.
    """
    label, wish, awake, changed = choice
    low, high, shift = bounds[0], bounds[1], bounds[2]
    looked, edges, moved = U0, U0, U0
    for v in range(low, high):
        if awake[v] and draw(turn.lot, v + shift) % CLASSES == turn.number:
            looked += U1
            edges += rows.offsets[v + U1] - rows.offsets[v]
            own = np.uint64(label[v])
            best, equals = heaviest(turn, own, v + shift, tables, U0, add_up(rows, label, v, tables, U0))
            awake[v] = np.uint8(turn.free and equals > U1)
            if best != own:
                wish[v], changed[v] = best, 1
                moved += U1
    return looked, edges, moved


@kernel
def wake(push, which, awake):
    """Wake the owned vertices that read one of `which`."""
    offsets, targets, _ = push
    for i in range(np.uint64(which.size)):
        v = np.uint64(which[i])
        for e in range(offsets[v], offsets[v + U1]):
            awake[targets[e]] = 1


@kernel
def close(rows, others, bounds, marks, counts):
    """Triangles u, v, w with u owned, v of the range whose rows `others` has, and w above both; counted at corners.

    Rows lead to vertices of higher degree. `bounds` are the owned range, and the range of `others`.
    """
    offsets, targets = rows
    begins, ends = others
    low, high, first, last = bounds[0], bounds[1], bounds[2], bounds[3]
    edges = U0
    for u in range(low, high):
        start, stop = offsets[u - low], offsets[u - low + U1]
        for e in range(start, stop):
            marks[targets[e]] = u + U1
        for e in range(start, stop):
            v = np.uint64(targets[e])
            if v >= first and v < last:
                edges += begins[v - first + U1] - begins[v - first]
                for f in range(begins[v - first], begins[v - first + U1]):
                    w = np.uint64(ends[f])
                    if marks[w] == u + U1:
                        counts[u] += U1
                        counts[v] += U1
                        counts[w] += U1
    return edges
