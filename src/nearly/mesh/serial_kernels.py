"""The serial scheme: one plan at a time, segments first, then the bad triangle with the shortest edge.

Bad triangles wait by rank (see `nearly.mesh.rules`), each rank a list linked through the triangles' records; a
triangle that was replaced meanwhile is passed over when its turn comes, or judged as what now stands in its place.
"""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel
from nearly.mesh.cavity import GONE, HEAD, LARGE, POINT, STUCK
from nearly.mesh.light import light
from nearly.mesh.plan import MEND, SPLIT, carry_out, judge, plan
from nearly.mesh.records import BAD, NOTHING, QUEUED, U0, U1, U2, U3, U7
from nearly.mesh.rules import RANKS, badness

POINTS, COUNT, WAITING, JUDGED, TRIED, LOWEST = range(6)  # of the tally


@light
def _enqueue(records, t, rank, heads, tails, tally):
    flags = np.uint64(records[(t << U3) + U7])
    if flags & QUEUED:
        return
    records[(t << U3) + U7] = flags | QUEUED
    records[(t << U3) + U3] = NOTHING
    if heads[rank] == NOTHING:
        heads[rank] = t
    else:
        records[(np.uint64(tails[rank]) << U3) + U3] = t
    tails[rank] = t
    tally[LOWEST] = min(tally[LOWEST], rank)


@light
def _take(records, xy, on, ends, rules, heads, tails, tally):
    """The bad triangle that is to be mended next, or `NOTHING`."""
    for rank in range(tally[LOWEST], RANKS):
        tally[LOWEST] = rank
        while heads[rank] != NOTHING:
            t = np.uint64(heads[rank])
            heads[rank] = records[(t << U3) + U3]
            flags = np.uint64(records[(t << U3) + U7]) & ~QUEUED
            records[(t << U3) + U7] = flags
            if flags & BAD:
                now = badness(records, xy, on, ends, rules, t)
                if now <= rank:
                    return t
                _enqueue(records, t, now, heads, tails, tally)
    return NOTHING


@light
def _settle(records, xy, on, ends, rules, t, heads, tails, walls, tally):
    """Judge a new triangle and queue it, or segments of it, where that is needed."""
    rank, near = judge(records, xy, on, ends, rules, t)
    tally[JUDGED] += 1
    if rank >= 0:
        _enqueue(records, t, rank, heads, tails, tally)
    if near:
        for i in range(U3):
            if near & (U1 << i):
                walls[tally[WAITING]] = (t << U2) + i
                tally[WAITING] += 1


@kernel
def judge_all(records, xy, on, ends, rules, heads, tails, walls, tally):
    """Judge every triangle of the mesh."""
    for t in range(np.uint64(tally[COUNT])):
        _settle(records, xy, on, ends, rules, t, heads, tails, walls, tally)


@kernel
def refine_some(
    records, xy, owner, on, ends, sharp, rules, heads, tails, walls, tally, cavity, room, stack, ring, spot, most, tries
):
    """Make up to `tries` plans and carry them out, until there are `most` points or nothing is left to do.

    Returns the last kind: LARGE if more room is needed for a plan or for segments that wait, GONE if nothing is left.
    """
    for _ in range(tries):
        if walls.size - tally[WAITING] < 3 * (stack.size + 4):
            return LARGE
        if tally[WAITING] > 0:
            tally[WAITING] -= 1
            root, what = np.uint64(walls[tally[WAITING]]), SPLIT
        else:
            root, what = _take(records, xy, on, ends, rules, heads, tails, tally), MEND
            if root == NOTHING:
                return GONE
        kind = plan(records, xy, owner, sharp, rules, root, what, cavity, U0, room, stack, spot, U0)
        tally[TRIED] += 1
        if kind in (GONE, STUCK):
            continue
        if kind == LARGE or tally[POINTS] >= most:
            if what == SPLIT:
                tally[WAITING] += 1
            else:
                _enqueue(records, root, tally[LOWEST], heads, tails, tally)
            return kind
        v, free = np.uint64(tally[POINTS]), np.uint64(tally[COUNT])
        made = carry_out(records, xy, owner, on, cavity, U0, room, spot, U0, v, free, ring)
        tally[POINTS] += 1
        last = U0
        for i in range(made):
            t = np.uint64(cavity[HEAD + i])
            last = max(last, t)
            _settle(records, xy, on, ends, rules, t, heads, tails, walls, tally)
        tally[COUNT] = max(np.uint64(tally[COUNT]), last + U1)
        if what == MEND and kind != POINT and records[(root << U3) + U7] & BAD:
            _enqueue(records, root, tally[LOWEST], heads, tails, tally)
    return POINT
