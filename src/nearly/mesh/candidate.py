"""One candidate's part in a round: find its cavity, mark it, check whether it has won, retriangulate.

Candidates are bad triangles, or segments to split. Each has a row of words (a cavity, see `nearly.mesh.cavity`) and a
key: the stage, so that later marks are always below earlier ones and nothing is ever wiped, then a scrambled number.
Two candidates are in conflict if their cavities overlap or touch; of those in conflict the one with the smallest key
wins, so at least one wins whatever happens, and who wins does not depend on threads. It is enough to mark the cavities
themselves: a cavity that touches another finds the other's mark on the ring of triangles around its own.

The CPU's threads take a share of the candidates each (`nearly.mesh.parallel_kernels`), a GPU's one each (`nearly.mesh.cuda`).
"""

from __future__ import annotations

import numpy as np

from nearly.base.atomics import atomic_min
from nearly.mesh.cavity import EDGES, FOUND, GONE, HEAD, KIND, LARGE, ROOT, STUCK, TRIANGLES
from nearly.mesh.light import light
from nearly.mesh.plan import MEND, carry_out, judge, plan
from nearly.mesh.records import INSIDE, NOTHING, U0, U2, U3, U7, across

WAITS, WON = np.uint8(0), np.uint8(1)  # states of a candidate
OVER = np.uint8(2)
PLAIN, AGAIN, ATOMIC = 0, 1, 2  # ways of marking
RANK_BITS = np.uint64(8)  # of a verdict, below the bits for segments


@light
def row_size(room):
    """Words of a row for cavities of up to `room` triangles: head, triangles, edges."""
    return HEAD + room + room + U2


@light
def stack_size(room):
    """Words needed to follow such a cavity."""
    return room + U7


@light
def ring_size(room):
    """Words needed to fill such a cavity."""
    return U3 * (room + U7)


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
            t = (word & INSIDE) >> U2
            if records[(t << U3) + U3] > rows[base + FOUND]:
                return False
    return True


@light
def find_one(records, xy, owner, sharp, rules, roots, what, rows, room, spot, state, i, stage, stack):
    """Keep an undamaged cavity, find a damaged one anew, drop a dead one; returns whether it was searched for."""
    base = i * row_size(room)
    if rows[base + FOUND] > U0:
        if not alive(records, rows, base, what):
            state[i] = OVER
            return False
        if _undamaged(records, rows, base, room):
            return False
    kind = plan(records, xy, owner, sharp, rules, np.uint64(roots[i]), what, rows, base, room, stack, spot, i)
    rows[base + FOUND] = stage
    if kind in (GONE, STUCK):
        state[i] = OVER
    return True


@light
def mark_one(rows, room, state, marks, i, stage, how):
    """Write the key on the cavity: plainly, over larger ones (again), or by atomic minimum; returns how many times."""
    base, written = i * row_size(room), 0
    if state[i] != WAITS or rows[base + KIND] == LARGE:
        return written
    key = _key(stage, i)
    for j in range(np.uint64(rows[base + TRIANGLES])):
        t = np.uint64(rows[base + HEAD + j])
        if how == ATOMIC:
            atomic_min(marks, t, key)
        elif how == PLAIN or marks[t] > key:
            marks[t] = key
            written += 1
    return written


@light
def check_one(records, rows, room, state, marks, i, stage):
    """A candidate wins if its key is on all its triangles and no smaller one on the ring around them."""
    base = i * row_size(room)
    if state[i] != WAITS or rows[base + KIND] == LARGE:
        return
    key, wins = _key(stage, i), True
    for j in range(np.uint64(rows[base + TRIANGLES])):
        wins &= marks[np.uint64(rows[base + HEAD + j])] == key
    for j in range(np.uint64(rows[base + EDGES])):
        word = across(records, np.uint64(rows[base + HEAD + room + j]))
        if wins and word != NOTHING:
            wins = marks[(word & INSIDE) >> U2] >= key
    if wins:
        state[i] = WON


@light
def retriangulate_one(
    records, xy, owner, on, ends, rules, rows, room, spot, i, v, free, at, stamp, made, verdicts, own, ring
):
    """Carry out a winner's plan, and list the new triangles from `made[at]` on; they are judged at once if `own`."""
    base = i * row_size(room)
    for j in range(carry_out(records, xy, owner, on, rows, base, room, spot, i, v, free, ring)):
        t = np.uint64(rows[base + HEAD + j])
        records[(t << U3) + U3] = stamp
        made[at + j] = t
        if own:
            verdicts[at + j] = verdict(records, xy, on, ends, rules, t)


@light
def verdict(records, xy, on, ends, rules, t):
    """A triangle's rank (0: good) and which of its edges are segments too near, in one word."""
    rank, walls = judge(records, xy, on, ends, rules, t)
    return walls << RANK_BITS | np.uint64(rank + 1)
