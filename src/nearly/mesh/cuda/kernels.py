"""Find, mark, re-mark, check and retriangulate as CUDA kernels: a thread a candidate.

Threads that follow or fill a cavity need some words each, as many as its row has room for. Those of neighbouring
threads lie side by side: thread k of n has every n-th word of one array, from word k on.
"""

from __future__ import annotations

import numpy as np
from numba import cuda

import nearly.mesh.cuda.predicates  # noqa: F401 (it says what exact predicates are on a GPU)
from nearly.base.atomics import fetch_add
from nearly.engine.cuda.compiler_hints import as_written
from nearly.engine.cuda.device import device_kernel
from nearly.mesh.candidate import check_one, find_one, mark_one, retriangulate_one, row_size, verdict
from nearly.mesh.cavity import FOUND
from nearly.mesh.records import U0, U1, U2
from nearly.mesh.worklist import HALF


@device_kernel
def forget(rows, room, candidates):
    """Mark the cavities of so many rows as not found yet."""
    for i in range(cuda.grid(1), candidates, cuda.gridsize(1)):
        rows[np.uint64(i) * row_size(room) + FOUND] = 0


@device_kernel
def find(
    records, xy, owner, sharp, rules, roots, what, rows, room, spot, state, active, stage, stacks, found
):  # fmt: skip
    """The candidates' cavities; adds to `found` how many were searched for."""
    as_written()
    count = U0
    for k in range(cuda.grid(1), active.size, cuda.gridsize(1)):
        i, stack = np.uint64(active[k]), stacks[k :: active.size]
        if find_one(records, xy, owner, sharp, rules, roots, what, rows, room, spot, state, i, stage, stack):
            count += U1
    if count:
        fetch_add(found, 0, count)


@device_kernel
def mark(rows, room, state, active, marks, stage, how, written):
    """Write keys on cavities; adds to `written` how many."""
    count = U0
    for k in range(cuda.grid(1), active.size, cuda.gridsize(1)):
        count += np.uint64(mark_one(rows, room, state, marks, np.uint64(active[k]), stage, how))
    if count:
        fetch_add(written, 0, count)


@device_kernel
def check(records, rows, room, state, active, marks, stage):
    """Find the winners."""
    for k in range(cuda.grid(1), active.size, cuda.gridsize(1)):
        check_one(records, rows, room, state, marks, np.uint64(active[k]), stage)


@device_kernel
def retriangulate(
    records, xy, owner, on, ends, rules, rows, room, spot, winners, places, points, stamp, made, verdicts, own, rings
):
    """Carry out the winners' plans; `made` lists the new triangles, judged at once if `own`."""
    as_written()
    for k in range(cuda.grid(1), winners.size, cuda.gridsize(1)):
        i, v, ring = np.uint64(winners[k]), points + np.uint64(k), rings[k :: winners.size]
        free, at = np.uint64(places[U2 * np.uint64(k)]), np.uint64(places[U2 * np.uint64(k) + U1])
        retriangulate_one(
            records, xy, owner, on, ends, rules, rows, room, spot, i, v, free, at, stamp, made, verdicts, own, ring
        )


@device_kernel
def judge(records, xy, on, ends, rules, made, verdicts):
    """Judge the listed triangles, a thread each."""
    as_written()
    for k in range(cuda.grid(1), made.size, cuda.gridsize(1)):
        verdicts[k] = verdict(records, xy, on, ends, rules, np.uint64(made[k]))


@device_kernel
def count_ranks(bad, n_bad, counts):
    """How many triangles wait of each rank."""
    for k in range(cuda.grid(1), n_bad, cuda.gridsize(1)):
        fetch_add(counts, bad[k] >> HALF, U1)
