"""Many cavities at a time: find, mark, check, retriangulate, as compiled rounds (the paper's kernels).

Candidates are bad triangles, or segments to split. Each has a row of words (a cavity, see `nearly.mesh.cavity`) and a
key: the stage, so that later marks are always below earlier ones and nothing is ever wiped, then a scrambled number.
Two candidates are in conflict if their cavities overlap or touch; of those in conflict the one with the smallest key
wins, so at least one wins whatever happens, and who wins does not depend on threads. It is enough to mark the cavities
themselves: a cavity that touches another finds the other's mark on the ring of triangles around its own.
Marks are set in one of two ways. Without atomic operations: everybody writes, then, over and over until nothing
changes, whoever finds a larger key on a triangle writes his own again. Or with an atomic minimum, once.
Winners know beforehand, by sums over their numbers of new triangles, which places in the arrays are theirs.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.base.atomics import atomic_min
from nearly.base.jit import kernel, parallel_kernel
from nearly.graph.partition import piece_bounds
from nearly.mesh.cavity import EDGES, FOUND, GONE, HEAD, KIND, LARGE, ROOT, STUCK, TRIANGLES
from nearly.mesh.light import light
from nearly.mesh.plan import MEND, carry_out, judge, plan
from nearly.mesh.records import NOTHING, U0, U1, U2, U3, U7, across

WAITS, WON = np.uint8(0), np.uint8(1)  # states of a candidate
OVER = np.uint8(2)
RANK_BITS = np.uint64(8)  # of a verdict, below the bits for segments


@light
def row_size(room):
    """Words of a row for cavities of up to `room` triangles: head, triangles, edges."""
    return HEAD + room + room + U2


@light
def _key(stage, i):
    """Below all keys of earlier stages; among those of one stage in scrambled order."""
    z = (i * np.uint64(0x9E3779B1)) & np.uint64(0xFFFFFFFF)  # odd factors and shifts: no two are the same
    z ^= z >> np.uint64(15)
    z = (z * np.uint64(0x85EBCA77)) & np.uint64(0xFFFFFFFF)
    z ^= z >> np.uint64(13)
    return ((NOTHING - stage) << np.uint64(32)) | z


@light
def alive(records, rows, base, what):
    """Whether what a candidate is for is still there: its triangle was not replaced since its cavity was found."""
    root = np.uint64(rows[base + ROOT])
    t = root if what == MEND else root >> U2
    return records[(t << U3) + U3] <= rows[base + FOUND]


@light
def _undamaged(records, rows, base, room):
    """Whether no triangle of the cavity, or of the ring around it, was replaced since it was found."""
    for j in range(np.uint64(rows[base + TRIANGLES])):
        t = np.uint64(rows[base + HEAD + j])
        if records[(t << U3) + U3] > rows[base + FOUND]:
            return False
    for j in range(np.uint64(rows[base + EDGES])):
        word = across(records, np.uint64(rows[base + HEAD + room + j]))
        if word != NOTHING:
            t = (word & np.uint64((1 << 31) - 1)) >> U2
            if records[(t << U3) + U3] > rows[base + FOUND]:
                return False
    return True


@kernel
def _find_some(records, xy, owner, sharp, rules, roots, what, rows, room, spot, state, active, low, high, stage):
    """Cavities for some candidates: undamaged ones are kept, damaged ones found anew, dead ones dropped."""
    stack = np.empty(room + U7, np.uint32)
    found = 0
    for k in range(low, high):
        i = np.uint64(active[k])
        base = i * row_size(room)
        if rows[base + FOUND] > U0:
            if not alive(records, rows, base, what):
                state[i] = OVER
                continue
            if _undamaged(records, rows, base, room):
                continue
        kind = plan(records, xy, owner, sharp, rules, np.uint64(roots[i]), what, rows, base, room, stack, spot, i)
        rows[base + FOUND] = stage
        found += 1
        if kind in (GONE, STUCK):
            state[i] = OVER
    return found


@parallel_kernel
def find(records, xy, owner, sharp, rules, roots, what, rows, room, spot, state, active, stage, workers):
    """Cavities for all active candidates; returns how many had to be searched for."""
    found = np.zeros(workers, np.int64)
    for w in prange(workers):
        low, high = piece_bounds(active.size, w, workers)
        found[w] = _find_some(
            records, xy, owner, sharp, rules, roots, what, rows, room, spot, state, active, low, high, stage
        )
    return found.sum()


@kernel
def _mark_some(rows, room, state, active, marks, low, high, stage, how):
    """Write keys on cavities: plainly (0), over larger ones (1), or by atomic minimum (2); returns how many."""
    written = 0
    for k in range(low, high):
        i = np.uint64(active[k])
        base = i * row_size(room)
        if state[i] != WAITS or rows[base + KIND] == LARGE:
            continue
        key = _key(stage, i)
        for j in range(np.uint64(rows[base + TRIANGLES])):
            t = np.uint64(rows[base + HEAD + j])
            if how == 2:
                atomic_min(marks, t, key)
            elif how == 0 or marks[t] > key:
                marks[t] = key
                written += 1
    return written


@parallel_kernel
def mark(rows, room, state, active, marks, stage, how, workers):
    """Mark all cavities in one of three ways; returns how many marks were written."""
    written = np.zeros(workers, np.int64)
    for w in prange(workers):
        low, high = piece_bounds(active.size, w, workers)
        written[w] = _mark_some(rows, room, state, active, marks, low, high, stage, how)
    return written.sum()


@kernel
def _check_some(records, rows, room, state, active, marks, low, high, stage):
    """A candidate wins if its key is on all its triangles and no smaller one on the ring around them."""
    for k in range(low, high):
        i = np.uint64(active[k])
        base = i * row_size(room)
        if state[i] != WAITS or rows[base + KIND] == LARGE:
            continue
        key, wins = _key(stage, i), True
        for j in range(np.uint64(rows[base + TRIANGLES])):
            wins &= marks[np.uint64(rows[base + HEAD + j])] == key
        for j in range(np.uint64(rows[base + EDGES])):
            word = across(records, np.uint64(rows[base + HEAD + room + j]))
            if wins and word != NOTHING:
                wins = marks[(word & np.uint64((1 << 31) - 1)) >> U2] >= key
        if wins:
            state[i] = WON


@parallel_kernel
def check(records, rows, room, state, active, marks, stage, workers):
    """Find the winners."""
    for w in prange(workers):
        low, high = piece_bounds(active.size, w, workers)
        _check_some(records, rows, room, state, active, marks, low, high, stage)


@kernel
def grant(rows, room, state, active, points, count, most, winners, places):
    """Give each winner its vertex, its new triangles and its place in the list of triangles to be judged.

    Winners beyond `most` points go back to waiting. Returns how many there are, triangles in all, and how many to
    judge.
    """
    won, judged = U0, U0
    for k in range(active.size):
        i = np.uint64(active[k])
        if state[i] != WON:
            continue
        if points + won >= most:
            state[i] = WAITS
            continue
        base = i * row_size(room)
        winners[won] = i
        places[U2 * won], places[U2 * won + U1] = count, judged
        count += np.uint64(rows[base + EDGES]) - np.uint64(rows[base + TRIANGLES])
        judged += np.uint64(rows[base + EDGES])
        won += U1
    places[U2 * won + U1] = judged
    return won, count, judged


@kernel
def _retriangulate_some(
    records,
    xy,
    owner,
    on,
    ends,
    rules,
    rows,
    room,
    spot,
    winners,
    places,
    points,
    stamp,
    low,
    high,
    made,
    verdicts,
    own,
):
    ring = np.empty(U3 * (room + U7), np.uint32)
    for k in range(low, high):
        i = np.uint64(winners[k])
        base = i * row_size(room)
        v, free = points + k, np.uint64(places[U2 * k])
        new = carry_out(records, xy, owner, on, rows, base, room, spot, i, v, free, ring)
        at = np.uint64(places[U2 * k + U1])
        for j in range(new):
            t = np.uint64(rows[base + HEAD + j])
            records[(t << U3) + U3] = stamp
            made[at + j] = t
            if own:
                verdicts[at + j] = _verdict(records, xy, on, ends, rules, t)


@light
def _verdict(records, xy, on, ends, rules, t):
    rank, walls = judge(records, xy, on, ends, rules, t)
    return walls << RANK_BITS | np.uint64(rank + 1)


@parallel_kernel
def retriangulate(
    records, xy, owner, on, ends, rules, rows, room, spot, winners, places, points, stamp, made, verdicts, own, workers
):
    """Carry out the winners' plans; `made` lists the new triangles, judged at once if `own`."""
    for w in prange(workers):
        low, high = piece_bounds(winners.size, w, workers)
        _retriangulate_some(
            records, xy, owner, on, ends, rules, rows, room, spot, winners, places, points, stamp, low, high, made,
            verdicts, own,
        )  # fmt: skip


@kernel
def _judge_some(records, xy, on, ends, rules, made, verdicts, low, high):
    for k in range(low, high):
        verdicts[k] = _verdict(records, xy, on, ends, rules, np.uint64(made[k]))


@parallel_kernel
def judge_shared(records, xy, on, ends, rules, made, verdicts, workers):
    """Judge the listed triangles, an equal share a thread."""
    for w in prange(workers):
        low, high = piece_bounds(made.size, w, workers)
        _judge_some(records, xy, on, ends, rules, made, verdicts, low, high)


@parallel_kernel
def judge_by_launches(records, xy, on, ends, rules, made, verdicts, places, winners, workers):
    """Judge the listed triangles with a launch a cavity, a triangle a task."""
    for k in range(winners):
        begin, end = np.uint64(places[2 * k + 1]), np.uint64(places[2 * k + 3])
        for w in prange(workers):
            low, high = piece_bounds(end - begin, w, workers)
            _judge_some(records, xy, on, ends, rules, made, verdicts, begin + low, begin + high)
