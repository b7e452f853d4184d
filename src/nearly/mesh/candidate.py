"""One candidate's part in a round: find its cavity, mark it, check whether it has won, retriangulate.

Candidates are bad triangles, or segments to split. Each has a row of words (a cavity, see `nearly.mesh.cavity`) and a
key: the stage, so that later marks are always below earlier ones and nothing is ever wiped, then a scrambled number.
Two candidates are in conflict if their cavities overlap or touch. Of those in conflict the one with the smallest key
wins, so there is always a winner, and which one it is does not depend on threads. It is enough to mark the cavities
themselves: a cavity that touches another finds the other's mark on the ring of triangles around its own.

A thread of the CPU takes a share of the candidates (`nearly.mesh.parallel_kernels`), a thread of a GPU takes one
(`nearly.mesh.cuda`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nearly.base.atomics import atomic_min
from nearly.base.jit import inner_kernel
from nearly.mesh.cavity import EDGES, FOUND, GONE, HEAD, KIND, LARGE, ROOT, STUCK, TRIANGLES, row_size
from nearly.mesh.plan import MEND, carry_out, judge, plan
from nearly.mesh.triangle_records import INSIDE, NOTHING, STAMP, U0, U1, U2, U3, across

WAITS, WON = np.uint8(0), np.uint8(1)  # states of a candidate
OVER = np.uint8(2)
PLAIN, AGAIN, ATOMIC = 0, 1, 2  # ways of marking
RANK_BITS = np.uint64(8)  # of a verdict, below the bits for segments


class Stage(NamedTuple):
    """The candidates of a stage; candidate i has row i."""

    number: Any  # of the stage: later stages have larger numbers
    what: Any  # what roots are: SPLIT or MEND
    roots: Any  # by candidate: the half-edge or triangle it is for
    state: Any  # by candidate: WAITS, WON or OVER
    active: Any  # the candidates that take part in this stage


class Winners(NamedTuple):
    """The winners of a stage, and where what they make goes."""

    candidates: Any  # which candidates they are
    places: Any  # two words a winner: its first new triangle, and its place in `made`
    points: Any  # the vertex of the first winner; those of the others follow
    stamp: Any  # what new triangles are stamped with
    made: Any  # the triangles that were made
    verdicts: Any  # and what was judged of them
    own: Any  # whether the thread that makes a triangle judges it at once


@inner_kernel
def _key(number, i):
    """Below all keys of earlier stages; among those of one stage in scrambled order."""
    z = (i * np.uint64(0x9E3779B1)) & np.uint64(0xFFFFFFFF)  # odd factors and shifts: no two are the same
    z ^= z >> np.uint64(15)
    z = (z * np.uint64(0x85EBCA77)) & np.uint64(0xFFFFFFFF)
    z ^= z >> np.uint64(13)
    return ((NOTHING - number) << np.uint64(32)) | z


@inner_kernel
def alive(records, words, base, what):
    """Whether what a candidate is for is still there: its triangle was not replaced since its cavity was found."""
    root = np.uint64(words[base + ROOT])
    t = root if what == MEND else root >> U2
    return records[(t << U3) + STAMP] <= words[base + FOUND]


@inner_kernel
def _undamaged(records, rows, base):
    """Whether no triangle of the cavity, or of the ring around it, was replaced since it was found."""
    words, edges = rows.words, base + HEAD + rows.room
    for j in range(np.uint64(words[base + TRIANGLES])):
        t = np.uint64(words[base + HEAD + j])
        if records[(t << U3) + STAMP] > words[base + FOUND]:
            return False
    for j in range(np.uint64(words[base + EDGES])):
        word = across(records, np.uint64(words[edges + j]))
        if word != NOTHING:
            t = (word & INSIDE) >> U2
            if records[(t << U3) + STAMP] > words[base + FOUND]:
                return False
    return True


@inner_kernel
def find_one(mesh, rules, rows, stage, i, stack):
    """Keep an undamaged cavity, find a damaged one anew, drop a dead one; returns whether it was searched for."""
    words, state, base = rows.words, stage.state, i * row_size(rows.room)
    if words[base + FOUND] > U0:
        if not alive(mesh.records, words, base, stage.what):
            state[i] = OVER
            return False
        if _undamaged(mesh.records, rows, base):
            return False
    kind = plan(mesh, rules, np.uint64(stage.roots[i]), stage.what, rows, i, stack)
    words[base + FOUND] = stage.number
    if kind in (GONE, STUCK):
        state[i] = OVER
    return True


@inner_kernel
def mark_one(rows, state, number, marks, i, how):
    """Write the key on the cavity: plainly, over larger ones (again), or by atomic minimum; returns how many times."""
    words, base, written = rows.words, i * row_size(rows.room), 0
    if state[i] != WAITS or words[base + KIND] == LARGE:
        return written
    key = _key(number, i)
    for j in range(np.uint64(words[base + TRIANGLES])):
        t = np.uint64(words[base + HEAD + j])
        if how == ATOMIC:
            atomic_min(marks, t, key)
        elif how == PLAIN or marks[t] > key:
            marks[t] = key
            written += 1
    return written


@inner_kernel
def copy_marks(rows, marks, marked, i):
    """Keep what stands on the cavity: what its candidate has read before any candidate writes again."""
    words, base = rows.words, i * row_size(rows.room)
    for j in range(np.uint64(words[base + TRIANGLES])):
        t = np.uint64(words[base + HEAD + j])
        marked[t] = marks[t]


@inner_kernel
def mark_over(rows, stage, marks, marked, i):
    """Write the key again where a larger one was read."""
    words, base = rows.words, i * row_size(rows.room)
    if stage.state[i] != WAITS or words[base + KIND] == LARGE:
        return
    key = _key(stage.number, i)
    for j in range(np.uint64(words[base + TRIANGLES])):
        t = np.uint64(words[base + HEAD + j])
        if marked[t] > key:
            marks[t] = key


@inner_kernel
def check_one(records, rows, stage, marks, i):
    """A candidate wins if its key is on all its triangles and no smaller one on the ring around them."""
    words, state, base = rows.words, stage.state, i * row_size(rows.room)
    if state[i] != WAITS or words[base + KIND] == LARGE:
        return
    key, wins, edges = _key(stage.number, i), True, base + HEAD + rows.room
    for j in range(np.uint64(words[base + TRIANGLES])):
        wins &= marks[np.uint64(words[base + HEAD + j])] == key
    for j in range(np.uint64(words[base + EDGES])):
        word = across(records, np.uint64(words[edges + j]))
        if wins and word != NOTHING:
            wins = marks[(word & INSIDE) >> U2] >= key
    if wins:
        state[i] = WON


@inner_kernel
def retriangulate_one(mesh, rules, rows, winners, k, ring):
    """Carry out the plan of winner k and list the new triangles in `made`; they are judged at once if `own`."""
    records, words, made, verdicts = mesh.records, rows.words, winners.made, winners.verdicts
    i, v = np.uint64(winners.candidates[k]), winners.points + k
    free, at = np.uint64(winners.places[U2 * k]), np.uint64(winners.places[U2 * k + U1])
    base = i * row_size(rows.room)
    for j in range(carry_out(mesh, rows, i, v, free, ring)):
        t = np.uint64(words[base + HEAD + j])
        records[(t << U3) + STAMP] = winners.stamp
        made[at + j] = t
        if winners.own:
            verdicts[at + j] = verdict(mesh, rules, t)


@inner_kernel
def verdict(mesh, rules, t):
    """A triangle's rank (0: good) and which of its edges are segments too near, in one word."""
    rank, walls = judge(mesh, rules, t)
    return walls << RANK_BITS | np.uint64(rank + 1)
