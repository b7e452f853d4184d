"""Many cavities at a time: find, mark, check, retriangulate, as compiled rounds (the paper's kernels).

What each candidate does is in `nearly.mesh.candidate`; here each thread has a share of them. Threads store only inside
the functions `_..._some`, which are not inlined: numba can lose a store through a bundle of arrays in a `prange` body.

Marks are set in one of two ways. Without atomic operations: every candidate writes its key. Then, over and over until
nothing changes, a candidate that finds a larger key on one of its triangles writes its own again. Or with an atomic
minimum, once. A third way, `mark_twice`, is the paper's base scheme: write, and write again only once.
Winners know beforehand, by sums over their numbers of new triangles, which places in the arrays are theirs.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import piece_bounds
from nearly.mesh.candidate import (
    PLAIN,
    WAITS,
    WON,
    check_one,
    copy_marks,
    find_one,
    mark_one,
    mark_over,
    retriangulate_one,
    verdict,
)
from nearly.mesh.cavity import EDGES, TRIANGLES, ring_size, row_size, stack_size
from nearly.mesh.triangle_records import U0, U1, U2


@kernel
def _find_some(mesh, rules, rows, stage, low, high):
    active, stack = stage.active, np.empty(stack_size(rows.room), np.uint32)
    found = 0
    for k in range(low, high):
        found += find_one(mesh, rules, rows, stage, np.uint64(active[k]), stack)
    return found


@parallel_kernel
def find(mesh, rules, rows, stage, workers):
    """Cavities for all active candidates; returns how many had to be searched for."""
    size, found = stage.active.size, np.zeros(workers, np.int64)
    for w in prange(workers):
        low, high = piece_bounds(size, w, workers)
        found[w] = _find_some(mesh, rules, rows, stage, low, high)
    return found.sum()


@kernel
def _mark_some(rows, stage, marks, how, low, high):
    state, active, written = stage.state, stage.active, 0
    for k in range(low, high):
        written += mark_one(rows, state, stage.number, marks, np.uint64(active[k]), how)
    return written


@parallel_kernel
def mark(rows, stage, marks, how, workers):
    """Mark all cavities in one of three ways; returns how many marks were written."""
    size, written = stage.active.size, np.zeros(workers, np.int64)
    for w in prange(workers):
        low, high = piece_bounds(size, w, workers)
        written[w] = _mark_some(rows, stage, marks, how, low, high)
    return written.sum()


@kernel
def mark_twice(rows, stage, marks, marked):
    """Mark all cavities, and once more those where a larger key stands, as a machine would whose threads go in step.

    All threads write; then all read; then those write again that have read a larger key. The last of several writers
    wins. One thread does it in the order of the candidates: with several, timing would decide the mesh.
    """
    for k in range(stage.active.size):
        mark_one(rows, stage.state, stage.number, marks, np.uint64(stage.active[k]), PLAIN)
    for k in range(stage.active.size):
        copy_marks(rows, marks, marked, np.uint64(stage.active[k]))
    for k in range(stage.active.size):
        mark_over(rows, stage, marks, marked, np.uint64(stage.active[k]))


@kernel
def _check_some(records, rows, stage, marks, low, high):
    active = stage.active
    for k in range(low, high):
        check_one(records, rows, stage, marks, np.uint64(active[k]))


@parallel_kernel
def check(records, rows, stage, marks, workers):
    """Find the winners."""
    size = stage.active.size
    for w in prange(workers):
        low, high = piece_bounds(size, w, workers)
        _check_some(records, rows, stage, marks, low, high)


@kernel
def grant(rows, stage, points, count, most, candidates, places):
    """List the winners in `candidates`, and give each its new triangles and its place in the list of those to judge.

    Of `points` points and `count` triangles so far. Winners beyond `most` points go back to waiting.
    Returns how many winners there are, triangles in all, and triangles to judge.
    """
    words, state, active = rows.words, stage.state, stage.active
    won, judged = U0, U0
    for k in range(active.size):
        i = np.uint64(active[k])
        if state[i] != WON:
            continue
        if points + won >= most:
            state[i] = WAITS
            continue
        base = i * row_size(rows.room)
        candidates[won] = i
        places[U2 * won], places[U2 * won + U1] = count, judged
        count += np.uint64(words[base + EDGES]) - np.uint64(words[base + TRIANGLES])
        judged += np.uint64(words[base + EDGES])
        won += U1
    places[U2 * won + U1] = judged
    return won, count, judged


@kernel
def _retriangulate_some(mesh, rules, rows, winners, low, high):
    ring = np.empty(ring_size(rows.room), np.uint32)
    for k in range(low, high):
        retriangulate_one(mesh, rules, rows, winners, k, ring)


@parallel_kernel
def retriangulate(mesh, rules, rows, winners, workers):
    """Carry out the winners' plans."""
    size = winners.candidates.size
    for w in prange(workers):
        low, high = piece_bounds(size, w, workers)
        _retriangulate_some(mesh, rules, rows, winners, low, high)


@kernel
def _judge_some(mesh, rules, made, verdicts, low, high):
    for k in range(low, high):
        verdicts[k] = verdict(mesh, rules, np.uint64(made[k]))


@parallel_kernel
def judge_shared(mesh, rules, made, verdicts, workers):
    """Judge the listed triangles, an equal share a thread."""
    for w in prange(workers):
        low, high = piece_bounds(made.size, w, workers)
        _judge_some(mesh, rules, made, verdicts, low, high)


@parallel_kernel
def judge_by_launches(mesh, rules, winners, workers):
    """Judge the winners' triangles with a launch a cavity, a triangle a task."""
    places, made, verdicts = winners.places, winners.made, winners.verdicts
    for k in range(winners.candidates.size):
        begin, end = np.uint64(places[2 * k + 1]), np.uint64(places[2 * k + 3])
        for w in prange(workers):
            low, high = piece_bounds(end - begin, w, workers)
            _judge_some(mesh, rules, made, verdicts, begin + low, begin + high)
