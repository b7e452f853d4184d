"""The serial scheme: one plan at a time, segments first, then the bad triangle with the shortest edge.

Bad triangles wait by rank (see `nearly.mesh.rules`), each rank a list linked through the triangles' records. A
triangle that was replaced meanwhile is passed over when its turn comes, or judged as what now stands in its place.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nearly.base.jit import inner_kernel, kernel
from nearly.mesh.cavity import GONE, HEAD, LARGE, POINT, SEAM, STUCK
from nearly.mesh.plan import MEND, SPLIT, carry_out, judge, plan
from nearly.mesh.rules import RANKS, badness
from nearly.mesh.triangle_records import BAD, FLAGS, LINK, NOTHING, QUEUED, U0, U1, U2, U3

POINTS, COUNT, WAITING, JUDGED, TRIED, LOWEST, BEGUN = range(7)  # of the tally


class Queue(NamedTuple):
    """What waits to be mended or split, and the tally of a run."""

    heads: Any  # by rank: the first triangle that waits, or NOTHING
    tails: Any  # by rank: the last
    walls: Any  # a stack of segments, as half-edges
    tally: Any  # points, triangles, segments that wait; triangles judged, plans tried; the lowest rank that may wait;
    #           whether the triangles it begins with have been judged
    first: Any  # the triangles it begins with


@inner_kernel
def _enqueue(records, t, rank, queue):
    heads, tails, tally = queue.heads, queue.tails, queue.tally
    flags = np.uint64(records[(t << U3) + FLAGS])
    if flags & QUEUED:
        return
    records[(t << U3) + FLAGS] = flags | QUEUED
    records[(t << U3) + LINK] = NOTHING
    if heads[rank] == NOTHING:
        heads[rank] = t
    else:
        records[(np.uint64(tails[rank]) << U3) + LINK] = t
    tails[rank] = t
    if rank < tally[LOWEST]:
        tally[LOWEST] = rank


@inner_kernel
def _take(mesh, rules, queue):
    """The bad triangle that is to be mended next, or `NOTHING`."""
    records, heads, tally = mesh.records, queue.heads, queue.tally
    for rank in range(tally[LOWEST], RANKS):
        tally[LOWEST] = rank
        while heads[rank] != NOTHING:
            t = np.uint64(heads[rank])
            heads[rank] = records[(t << U3) + LINK]
            flags = np.uint64(records[(t << U3) + FLAGS]) & ~QUEUED
            records[(t << U3) + FLAGS] = flags
            if flags & BAD:
                now = badness(mesh, rules, t)
                if now <= rank:
                    return t
                _enqueue(records, t, now, queue)
    return NOTHING


@inner_kernel
def _settle(mesh, rules, t, queue):
    """Judge a new triangle and queue it, or segments of it, where that is needed."""
    walls, tally = queue.walls, queue.tally
    rank, near = judge(mesh, rules, t)
    tally[JUDGED] += 1
    if rank >= 0:
        _enqueue(mesh.records, t, rank, queue)
    if near:
        for i in range(U3):
            if near & (U1 << i):
                walls[tally[WAITING]] = (t << U2) + i
                tally[WAITING] += 1


@inner_kernel
def _insert(mesh, rules, queue, rows, ring):
    """Carry out the plan in the row: one more point; the new triangles are judged."""
    tally, words = queue.tally, rows.words
    v, free = np.uint64(tally[POINTS]), np.uint64(tally[COUNT])
    made = carry_out(mesh, rows, U0, v, free, ring)
    tally[POINTS] += 1
    last = U0
    for i in range(made):
        t = np.uint64(words[HEAD + i])
        if t > last:
            last = t
        _settle(mesh, rules, t, queue)
    if last >= free:
        tally[COUNT] = last + U1


@kernel
def refine_some(mesh, rules, queue, rows, stack, ring, most, tries):
    """Make up to `tries` plans and carry them out, until there are `most` points or nothing is left to do.

    The first call judges the triangles it begins with before that.
    Returns the last kind: LARGE if more room is needed for a plan or for segments that wait, GONE if nothing is left.
    """
    records, walls, tally = mesh.records, queue.walls, queue.tally
    if tally[BEGUN] == 0:
        for k in range(queue.first.size):
            _settle(mesh, rules, np.uint64(queue.first[k]), queue)
        tally[BEGUN], tally[JUDGED] = 1, 0  # what is made is counted
    margin = 3 * (np.int64(rows.room) + 8)
    for _ in range(tries):
        if walls.size - tally[WAITING] < margin:
            return LARGE
        if tally[WAITING] > 0:
            tally[WAITING] -= 1
            root, what = np.uint64(walls[tally[WAITING]]), SPLIT
        else:
            root, what = _take(mesh, rules, queue), MEND
            if root == NOTHING:
                return GONE
        kind = plan(mesh, rules, root, what, rows, U0, stack)
        tally[TRIED] += 1
        if kind in (GONE, STUCK, SEAM):
            continue
        if kind == LARGE or tally[POINTS] >= most:
            if what == SPLIT:
                tally[WAITING] += 1
            else:
                _enqueue(records, root, tally[LOWEST], queue)
            return kind
        _insert(mesh, rules, queue, rows, ring)
        if what == MEND and kind != POINT and records[(root << U3) + FLAGS] & BAD:
            _enqueue(records, root, tally[LOWEST], queue)
    return POINT
