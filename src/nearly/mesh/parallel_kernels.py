"""Many cavities at a time: find, mark, check, retriangulate, as compiled rounds (the paper's kernels).

What each candidate does is in `nearly.mesh.candidate`; here each thread has a share of them.
Marks are set in one of two ways. Without atomic operations: everybody writes, then, over and over until nothing
changes, whoever finds a larger key on a triangle writes his own again. Or with an atomic minimum, once.
Winners know beforehand, by sums over their numbers of new triangles, which places in the arrays are theirs.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import piece_bounds
from nearly.mesh.candidate import (
    WAITS,
    WON,
    check_one,
    find_one,
    mark_one,
    retriangulate_one,
    ring_size,
    row_size,
    stack_size,
    verdict,
)
from nearly.mesh.cavity import EDGES, TRIANGLES
from nearly.mesh.records import U0, U1, U2


@kernel
def _find_some(records, xy, owner, sharp, rules, roots, what, rows, room, spot, state, active, low, high, stage):
    stack = np.empty(stack_size(room), np.uint32)
    found = 0
    for k in range(low, high):
        i = np.uint64(active[k])
        found += find_one(records, xy, owner, sharp, rules, roots, what, rows, room, spot, state, i, stage, stack)
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
    written = 0
    for k in range(low, high):
        written += mark_one(rows, room, state, marks, np.uint64(active[k]), stage, how)
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
    for k in range(low, high):
        check_one(records, rows, room, state, marks, np.uint64(active[k]), stage)


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
    ring = np.empty(ring_size(room), np.uint32)
    for k in range(low, high):
        i, free, at = np.uint64(winners[k]), np.uint64(places[U2 * k]), np.uint64(places[U2 * k + U1])
        retriangulate_one(
            records, xy, owner, on, ends, rules, rows, room, spot, i, points + k, free, at, stamp, made, verdicts, own,
            ring,
        )  # fmt: skip


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
        verdicts[k] = verdict(records, xy, on, ends, rules, np.uint64(made[k]))


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
