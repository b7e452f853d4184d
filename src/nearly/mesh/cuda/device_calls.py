"""The twins of `nearly.mesh.device_calls`: the same, by kernels on the device. Only numbers come back to the host."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import cuda

from nearly.engine.cuda.device import launch
from nearly.mesh.candidate import ring_size, stack_size
from nearly.mesh.cuda import kernels as k
from nearly.mesh.cuda import worklist as q
from nearly.mesh.device_calls import SHARE
from nearly.mesh.rules import RANKS
from nearly.mesh.worklist import last_rank

if TYPE_CHECKING:
    from nearly.mesh.parallel_driver import Rounds


def _counted(kernel: Any, work: int, *arguments: Any) -> int:
    """Run a kernel that adds to its last argument; returns the sum."""
    counter = cuda.to_device(np.zeros(1, np.uint64))
    launch(kernel, work, *arguments, counter)
    return int(counter.copy_to_host()[0])


def _halves(size: int) -> tuple[int, int]:
    return size & 0xFFFFFFFF, size >> 32


def forget(run: Rounds, candidates: int) -> None:
    """Mark the cavities of so many rows as not found yet."""
    launch(k.forget, candidates, run.rows, run.room, candidates)


def take(run: Rounds, roots: Any) -> int:
    """Move the triangles that are to be mended next from those that wait to `roots`; returns how many."""
    work, n, lists = run.job.work, run.n_bad, run.job.lists
    counts = cuda.to_device(np.zeros(RANKS, np.uint64))
    launch(k.count_ranks, n, run.bad, n, counts)
    last = np.uint64(last_rank(counts.copy_to_host().astype(np.int64), n, SHARE))
    now, kept = cuda.device_array(n, np.uint64), cuda.device_array(run.bad.size, np.uint64)
    geometry = work.records, work.xy, work.on, work.ends, run.job.rules
    state = q.Taken(*geometry, run.bad, now, last, roots, now, kept)
    taken = lists(q.is_next, q.put_next, state, n)
    run.n_bad = lists(q.stays, q.put_staying, state._replace(first=lists.scan.out), n)
    run.bad = kept
    return min(taken, roots.size)


def find(run: Rounds, what: np.uint64, roots: Any, active: Any, state: Any) -> int:
    """The cavities of candidates; returns how many were searched for."""
    work, job = run.job.work, run.job
    stacks = cuda.device_array(active.size * int(stack_size(run.room)), np.uint32)
    return _counted(
        k.find, active.size, work.records, work.xy, work.owner, job.sharp, job.rules, roots, what, run.rows, run.room,
        run.spot, state, active, np.uint64(run.stage), stacks,
    )  # fmt: skip


def mark(run: Rounds, active: Any, state: Any, how: int) -> int:
    """Write keys on cavities in one of the ways of `nearly.mesh.candidate`; returns how many."""
    return _counted(k.mark, active.size, run.rows, run.room, state, active, run.marks, np.uint64(run.stage), how)


def check(run: Rounds, active: Any, state: Any) -> None:
    """Find the winners."""
    records, stage = run.job.work.records, np.uint64(run.stage)
    launch(k.check, active.size, records, run.rows, run.room, state, active, run.marks, stage)


def _stage(run: Rounds, what: np.uint64, active: Any, state: Any, out: Any) -> q.Stage:
    large, work = cuda.to_device(np.zeros(1, np.uint64)), run.job.work
    points, most, n_bad = np.uint64(work.points), np.uint64(run.job.most), np.int64(run.n_bad)
    return q.Stage(work.records, run.rows, run.room, state, active, what, points, most, out, run.bad, n_bad, large)


def grant(run: Rounds, active: Any, state: Any, winners: Any, places: Any) -> tuple[int, int, int]:
    """List the winners, and where their new triangles go; returns how many, triangles in all, and how many are new."""
    work, lists = run.job.work, run.job.lists
    won = lists(q.has_won, q.put_winner, _stage(run, np.uint64(0), active, state, winners), active.size)
    won = min(won, max(run.job.most - work.points, 0))
    granted = q.Granted(run.rows, run.room, winners, np.uint64(work.count), places)
    more, judged = _halves(lists(q.new_triangles, q.put_places, granted, won))
    return won, work.count + more, judged


def retriangulate(run: Rounds, winners: Any, places: Any, made: Any, verdicts: Any, own: bool) -> None:
    """Carry out the winners' plans; new triangles go to `made`, and are judged at once if `own`."""
    work, job = run.job.work, run.job
    rings = cuda.device_array(winners.size * int(ring_size(run.room)), np.uint32)
    launch(
        k.retriangulate, winners.size, work.records, work.xy, work.owner, work.on, work.ends, job.rules, run.rows,
        run.room, run.spot, winners, places, np.uint64(work.points), np.uint64(run.stage + 1), made, verdicts, own,
        rings,
    )  # fmt: skip


def judge(run: Rounds, made: Any, verdicts: Any) -> None:
    """Judge triangles."""
    work = run.job.work
    launch(k.judge, made.size, work.records, work.xy, work.on, work.ends, run.job.rules, made, verdicts)


def judge_apart(run: Rounds, made: Any, verdicts: Any, places: Any, won: int) -> None:
    """Judge triangles with a launch for those of each winner."""
    begins = [*places[: 2 * won].copy_to_host()[1::2].tolist(), made.size]
    for begin, end in pairwise(begins):
        judge(run, made[begin:end], verdicts[begin:end])


def collect(run: Rounds, made: Any, verdicts: Any) -> None:
    """Append what was judged bad to what waits."""
    waits = run.bad, run.walls, np.int64(run.n_bad), np.int64(run.n_walls)
    judged = q.Judged(run.job.work.records, made, verdicts, *waits)
    n_bad, n_walls = _halves(run.job.lists(q.is_bad, q.put_bad, judged, made.size))
    run.n_bad, run.n_walls = run.n_bad + n_bad, run.n_walls + n_walls


def sort_out(run: Rounds, what: np.uint64, active: Any, state: Any, again: Any) -> tuple[int, int]:
    """After a stage: who goes on; returns how many, and how many of them have cavities too large for their rows."""
    stage = _stage(run, what, active, state, again)
    on, anew = _halves(run.job.lists(q.goes_on, q.put_on, stage, active.size))
    run.n_bad += anew
    return on, int(stage.large.copy_to_host()[0])


def part(run: Rounds, roots: Any, active: Any, rest: Any, alone: Any) -> tuple[int, int]:
    """The roots of candidates with small cavities, and with large ones; returns how many of each."""
    left = q.Left(run.rows, run.room, roots, active, rest, alone)
    return _halves(run.job.lists(q.is_small, q.put_root, left, active.size))


def enqueue_all(run: Rounds, triangles: Any) -> None:
    """Append triangles to those that wait."""
    listed = q.Listed(run.job.work.records, triangles, run.bad, np.int64(run.n_bad))
    run.n_bad += run.job.lists(q.is_new, q.put_new, listed, triangles.size)
