"""The twins of `nearly.mesh.device_calls`: the same, by kernels on the device. Only numbers come back to the host."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import cuda

from nearly.engine.cuda.device import launch
from nearly.mesh.candidate import Stage, Winners
from nearly.mesh.cavity import ring_size, stack_size
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
    launch(k.forget, candidates, run.rows, candidates)


def take(run: Rounds, roots: Any) -> int:
    """Move the triangles that are to be mended next from those that wait to `roots`; returns how many."""
    n, lists = run.n_bad, run.job.lists
    counts = cuda.to_device(np.zeros(RANKS, np.uint64))
    launch(k.count_ranks, n, run.bad, n, counts)
    last = np.uint64(last_rank(counts.copy_to_host().astype(np.int64), n, SHARE))
    now, kept = cuda.device_array(n, np.uint64), cuda.device_array(run.bad.size, np.uint64)
    state = q.Taken(run.mesh, run.rules, run.bad, now, last, roots, now, kept)
    taken = lists(q.is_next, q.put_next, state, n)
    run.n_bad = lists(q.stays, q.put_staying, state._replace(first=lists.scan.out), n)
    run.bad = kept
    return min(taken, roots.size)


def find(run: Rounds, stage: Stage) -> int:
    """The cavities of candidates; returns how many were searched for."""
    size = stage.active.size
    stacks = cuda.device_array(size * int(stack_size(run.rows.room)), np.uint32)
    return _counted(k.find, size, run.mesh, run.rules, run.rows, stage, stacks)


def mark(run: Rounds, stage: Stage, how: int) -> int:
    """Write keys on cavities in one of the ways of `nearly.mesh.candidate`; returns how many."""
    return _counted(k.mark, stage.active.size, run.rows, stage, run.marks, how)


def check(run: Rounds, stage: Stage) -> None:
    """Find the winners."""
    launch(k.check, stage.active.size, run.mesh.records, run.rows, stage, run.marks)


def grant(run: Rounds, stage: Stage, candidates: Any, places: Any) -> tuple[int, int, int]:
    """List the winners, and where their new triangles go; returns how many, triangles in all, and how many are new."""
    work, lists = run.job.work, run.job.lists
    points, count, most = run.limits()
    won = lists(q.has_won, q.put_winner, q.Winning(stage, points, most, candidates), stage.active.size)
    won = min(won, max(run.job.most - work.points, 0))
    more, judged = _halves(lists(q.new_triangles, q.put_places, q.Granted(run.rows, candidates, count, places), won))
    return won, work.count + more, judged


def retriangulate(run: Rounds, winners: Winners) -> None:
    """Carry out the winners' plans."""
    size = winners.candidates.size
    rings = cuda.device_array(size * int(ring_size(run.rows.room)), np.uint32)
    launch(k.retriangulate, size, run.mesh, run.rules, run.rows, winners, rings)


def judge(run: Rounds, made: Any, verdicts: Any) -> None:
    """Judge triangles."""
    launch(k.judge, made.size, run.mesh, run.rules, made, verdicts)


def judge_apart(run: Rounds, winners: Winners) -> None:
    """Judge the winners' triangles with a launch for those of each."""
    made, verdicts, won = winners.made, winners.verdicts, winners.candidates.size
    begins = [*winners.places[: 2 * won].copy_to_host()[1::2].tolist(), made.size]
    for begin, end in pairwise(begins):
        judge(run, made[begin:end], verdicts[begin:end])


def collect(run: Rounds, made: Any, verdicts: Any) -> None:
    """Append what was judged bad to what waits."""
    waits = run.bad, run.walls, np.int64(run.n_bad), np.int64(run.n_walls)
    judged = q.Judged(run.mesh.records, made, verdicts, *waits)
    n_bad, n_walls = _halves(run.job.lists(q.is_bad, q.put_bad, judged, made.size))
    run.n_bad, run.n_walls = run.n_bad + n_bad, run.n_walls + n_walls


def sort_out(run: Rounds, stage: Stage, again: Any) -> tuple[int, int]:
    """After a stage: list the candidates that go on.

    Returns how many, and how many of them have cavities too large for their rows.
    """
    large = cuda.to_device(np.zeros(1, np.uint64))
    ending = q.Ending(run.mesh.records, run.rows, stage, again, run.bad, np.int64(run.n_bad), large)
    on, anew = _halves(run.job.lists(q.goes_on, q.put_on, ending, stage.active.size))
    run.n_bad += anew
    return on, int(large.copy_to_host()[0])


def part(run: Rounds, stage: Stage, rest: Any, alone: Any) -> tuple[int, int]:
    """The roots of candidates with small cavities, and with large ones; returns how many of each."""
    left = q.Left(run.rows, stage, rest, alone)
    return _halves(run.job.lists(q.is_small, q.put_root, left, stage.active.size))


def enqueue_all(run: Rounds, triangles: Any) -> None:
    """Append triangles to those that wait."""
    listed = q.Listed(run.mesh.records, triangles, run.bad, np.int64(run.n_bad))
    run.n_bad += run.job.lists(q.is_new, q.put_new, listed, triangles.size)
