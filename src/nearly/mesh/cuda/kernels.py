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
from nearly.mesh.candidate import check_one, find_one, mark_one, retriangulate_one, verdict
from nearly.mesh.cavity import FOUND, row_size
from nearly.mesh.triangle_records import U0, U1
from nearly.mesh.worklist import HALF


@device_kernel
def forget(rows, candidates):
    """Mark the cavities of so many rows as not found yet."""
    for i in range(cuda.grid(1), candidates, cuda.gridsize(1)):
        rows.words[np.uint64(i) * row_size(rows.room) + FOUND] = 0


@device_kernel
def find(mesh, rules, rows, stage, stacks, found):
    """The candidates' cavities; adds to `found` how many were searched for."""
    as_written()
    active, count = stage.active, U0
    for k in range(cuda.grid(1), active.size, cuda.gridsize(1)):
        if find_one(mesh, rules, rows, stage, np.uint64(active[k]), stacks[k :: active.size]):
            count += U1
    if count:
        fetch_add(found, 0, count)


@device_kernel
def mark(rows, stage, marks, how, written):
    """Write keys on cavities; adds to `written` how many."""
    active, count = stage.active, U0
    for k in range(cuda.grid(1), active.size, cuda.gridsize(1)):
        count += np.uint64(mark_one(rows, stage.state, stage.number, marks, np.uint64(active[k]), how))
    if count:
        fetch_add(written, 0, count)


@device_kernel
def check(records, rows, stage, marks):
    """Find the winners."""
    active = stage.active
    for k in range(cuda.grid(1), active.size, cuda.gridsize(1)):
        check_one(records, rows, stage, marks, np.uint64(active[k]))


@device_kernel
def retriangulate(mesh, rules, rows, winners, rings):
    """Carry out the winners' plans."""
    as_written()
    size = winners.candidates.size
    for k in range(cuda.grid(1), size, cuda.gridsize(1)):
        retriangulate_one(mesh, rules, rows, winners, np.uint64(k), rings[k::size])


@device_kernel
def judge(mesh, rules, made, verdicts):
    """Judge the listed triangles, a thread each."""
    as_written()
    for k in range(cuda.grid(1), made.size, cuda.gridsize(1)):
        verdicts[k] = verdict(mesh, rules, np.uint64(made[k]))


@device_kernel
def count_ranks(bad, n_bad, counts):
    """How many triangles wait of each rank."""
    for k in range(cuda.grid(1), n_bad, cuda.gridsize(1)):
        fetch_add(counts, bad[k] >> HALF, U1)
