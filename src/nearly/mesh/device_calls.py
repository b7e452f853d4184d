"""What the driver of rounds asks for, as calls of compiled kernels; `nearly.mesh.cuda.device_calls` has their twins for GPUs.

All work on the arrays of a run (see `nearly.mesh.parallel_driver`). `active` are the candidates of a stage, by number, `roots`
what they are for, `state` how they stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nearly.engine.devices import by_device
from nearly.mesh import parallel_kernels as k
from nearly.mesh import worklist as q
from nearly.mesh.candidate import row_size
from nearly.mesh.cavity import FOUND

if TYPE_CHECKING:
    from nearly.mesh.parallel_driver import Rounds

SHARE = 16  # a round takes this part of the triangles that wait, those with the shortest edges


@by_device("nearly.mesh.cuda.device_calls")
def forget(run: Rounds, candidates: int) -> None:
    """Mark the cavities of so many rows as not found yet."""
    words = int(row_size(run.room))
    run.rows[: candidates * words].reshape(-1, words)[:, int(FOUND)] = 0


@by_device("nearly.mesh.cuda.device_calls")
def take(run: Rounds, roots: Any) -> int:
    """Move the triangles that are to be mended next from those that wait to `roots`; returns how many."""
    work, job = run.job.work, run.job
    taken, run.n_bad = q.take(work.records, work.xy, work.on, work.ends, job.rules, run.bad, run.n_bad, SHARE, roots)
    return taken


@by_device("nearly.mesh.cuda.device_calls")
def find(run: Rounds, what: np.uint64, roots: Any, active: Any, state: Any) -> int:
    """The cavities of candidates; returns how many were searched for."""
    work, job = run.job.work, run.job
    return k.find(
        work.records, work.xy, work.owner, job.sharp, job.rules, roots, what, run.rows, run.room, run.spot, state,
        active, np.uint64(run.stage), run.workers,
    )  # fmt: skip


@by_device("nearly.mesh.cuda.device_calls")
def mark(run: Rounds, active: Any, state: Any, how: int) -> int:
    """Write keys on cavities in one of the ways of `nearly.mesh.candidate`; returns how many."""
    return k.mark(run.rows, run.room, state, active, run.marks, np.uint64(run.stage), how, run.workers)


@by_device("nearly.mesh.cuda.device_calls")
def check(run: Rounds, active: Any, state: Any) -> None:
    """Find the winners."""
    k.check(run.job.work.records, run.rows, run.room, state, active, run.marks, np.uint64(run.stage), run.workers)


@by_device("nearly.mesh.cuda.device_calls")
def grant(run: Rounds, active: Any, state: Any, winners: Any, places: Any) -> tuple[int, int, int]:
    """List the winners, and where their new triangles go; returns how many, triangles in all, and how many are new."""
    work, most = run.job.work, np.uint64(run.job.most)
    points, count = np.uint64(work.points), np.uint64(work.count)
    won, count, judged = k.grant(run.rows, run.room, state, active, points, count, most, winners, places)
    return int(won), int(count), int(judged)


@by_device("nearly.mesh.cuda.device_calls")
def retriangulate(run: Rounds, winners: Any, places: Any, made: Any, verdicts: Any, own: bool) -> None:
    """Carry out the winners' plans; new triangles go to `made`, and are judged at once if `own`."""
    work, job = run.job.work, run.job
    k.retriangulate(
        work.records, work.xy, work.owner, work.on, work.ends, job.rules, run.rows, run.room, run.spot, winners, places,
        np.uint64(work.points), np.uint64(run.stage + 1), made, verdicts, own, run.workers,
    )  # fmt: skip


@by_device("nearly.mesh.cuda.device_calls")
def judge(run: Rounds, made: Any, verdicts: Any) -> None:
    """Judge triangles."""
    work, job = run.job.work, run.job
    k.judge_shared(work.records, work.xy, work.on, work.ends, job.rules, made, verdicts, run.workers)


@by_device("nearly.mesh.cuda.device_calls")
def judge_apart(run: Rounds, made: Any, verdicts: Any, places: Any, won: int) -> None:
    """Judge triangles with a launch for those of each winner."""
    work, job = run.job.work, run.job
    k.judge_by_launches(
        work.records, work.xy, work.on, work.ends, job.rules, made, verdicts, places, won, run.workers
    )  # fmt: skip


@by_device("nearly.mesh.cuda.device_calls")
def collect(run: Rounds, made: Any, verdicts: Any) -> None:
    """Append what was judged bad to what waits."""
    run.n_bad, run.n_walls = q.collect(
        run.job.work.records, made, verdicts, run.bad, run.walls, run.n_bad, run.n_walls
    )  # fmt: skip


@by_device("nearly.mesh.cuda.device_calls")
def sort_out(run: Rounds, what: np.uint64, active: Any, state: Any, again: Any) -> tuple[int, int]:
    """After a stage: who goes on; returns how many, and how many of them have cavities too large for their rows."""
    on, run.n_bad, large = q.sort_out(
        run.job.work.records, run.rows, run.room, state, active, what, again, run.bad, run.n_bad
    )
    return on, large


@by_device("nearly.mesh.cuda.device_calls")
def part(run: Rounds, roots: Any, active: Any, rest: Any, alone: Any) -> tuple[int, int]:
    """The roots of candidates with small cavities, and with large ones; returns how many of each."""
    return q.part(run.rows, run.room, roots, active, rest, alone)


@by_device("nearly.mesh.cuda.device_calls")
def enqueue_all(run: Rounds, triangles: Any) -> None:
    """Append triangles to those that wait."""
    run.n_bad = q.enqueue_all(run.job.work.records, triangles, run.bad, run.n_bad)
