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


@kernel
def labels_fallen(label, root, places, told, at, now):
    """The labels of boundary vertices that are below what was told: which, and what they are; how many."""
    count = U0
    for i in range(np.uint64(places.size)):
        here = label[root[places[i]]]
        if here < told[i]:
            told[i] = now[count] = here
            at[count] = i
            count += U1
    return count


@kernel
def lower_labels(label, root, places, told, at, labels):
    """Lower local components to labels that came, one for each of the places `at`, or one for all of them."""
    for i in range(np.uint64(at.size)):
        k = np.uint64(at[i])
        here = labels[i] if labels.size > 1 else labels[0]
        told[k] = min(told[k], here)
        r = np.uint64(root[places[k]])
        label[r] = min(label[r], here)
