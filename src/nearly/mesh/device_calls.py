"""What the driver of rounds asks for, as calls of compiled kernels.

`nearly.mesh.cuda.device_calls` has a twin of each function for GPUs. All work on the arrays of a run (see
`nearly.mesh.parallel_driver`), on the candidates of a stage, or on its winners (see `nearly.mesh.candidate`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nearly.engine.devices import by_device
from nearly.mesh import parallel_kernels as k
from nearly.mesh import worklist as q
from nearly.mesh.candidate import Stage, Winners
from nearly.mesh.cavity import FOUND, row_size

if TYPE_CHECKING:
    from nearly.mesh.parallel_driver import Rounds

SHARE = 16  # a round takes this part of the triangles that wait, those with the shortest edges


@by_device("nearly.mesh.cuda.device_calls")
def forget(run: Rounds, candidates: int) -> None:
    """Mark the cavities of so many rows as not found yet."""
    size = int(row_size(run.rows.room))
    run.rows.words[: candidates * size].reshape(-1, size)[:, int(FOUND)] = 0


@by_device("nearly.mesh.cuda.device_calls")
def take(run: Rounds, roots: Any) -> int:
    """Move the triangles that are to be mended next from those that wait to `roots`; returns how many."""
    taken, run.n_bad = q.take(run.mesh, run.rules, run.bad, run.n_bad, SHARE, roots)
    return taken


@by_device("nearly.mesh.cuda.device_calls")
def find(run: Rounds, stage: Stage) -> int:
    """The cavities of candidates; returns how many were searched for."""
    return k.find(run.mesh, run.rules, run.rows, stage, run.workers)


@by_device("nearly.mesh.cuda.device_calls")
def mark(run: Rounds, stage: Stage, how: int) -> int:
    """Write keys on cavities in one of the ways of `nearly.mesh.candidate`; returns how many."""
    return k.mark(run.rows, stage, run.marks, how, run.workers)


def mark_twice(run: Rounds, stage: Stage) -> None:
    """Write keys on cavities once and once again, as threads in step would; on the CPU only."""
    k.mark_twice(run.rows, stage, run.marks, run.marked)


@by_device("nearly.mesh.cuda.device_calls")
def check(run: Rounds, stage: Stage) -> None:
    """Find the winners."""
    k.check(run.mesh.records, run.rows, stage, run.marks, run.workers)


@by_device("nearly.mesh.cuda.device_calls")
def grant(run: Rounds, stage: Stage, candidates: Any, places: Any) -> tuple[int, int, int]:
    """List the winners, and where their new triangles go; returns how many, triangles in all, and how many are new."""
    points, count, most = run.limits()
    won, count, judged = k.grant(run.rows, stage, points, count, most, candidates, places)
    return int(won), int(count), int(judged)


@by_device("nearly.mesh.cuda.device_calls")
def retriangulate(run: Rounds, winners: Winners) -> None:
    """Carry out the winners' plans."""
    k.retriangulate(run.mesh, run.rules, run.rows, winners, run.workers)


@by_device("nearly.mesh.cuda.device_calls")
def judge(run: Rounds, made: Any, verdicts: Any) -> None:
    """Judge triangles."""
    k.judge_shared(run.mesh, run.rules, made, verdicts, run.workers)


@by_device("nearly.mesh.cuda.device_calls")
def judge_apart(run: Rounds, winners: Winners) -> None:
    """Judge the winners' triangles with a launch for those of each."""
    k.judge_by_launches(run.mesh, run.rules, winners, run.workers)


@by_device("nearly.mesh.cuda.device_calls")
def collect(run: Rounds, made: Any, verdicts: Any) -> None:
    """Append what was judged bad to what waits."""
    run.n_bad, run.n_walls = q.collect(run.mesh.records, made, verdicts, run.bad, run.walls, run.n_bad, run.n_walls)


@by_device("nearly.mesh.cuda.device_calls")
def sort_out(run: Rounds, stage: Stage, again: Any) -> tuple[int, int]:
    """After a stage: list the candidates that go on.

    Returns how many, and how many of them have cavities too large for their rows.
    """
    on, run.n_bad, large = q.sort_out(run.mesh.records, run.rows, stage, again, run.bad, run.n_bad)
    return on, large


@by_device("nearly.mesh.cuda.device_calls")
def part(run: Rounds, stage: Stage, rest: Any, alone: Any) -> tuple[int, int]:
    """The roots of candidates with small cavities, and with large ones; returns how many of each."""
    return q.part(run.rows, stage, rest, alone)


@by_device("nearly.mesh.cuda.device_calls")
def enqueue_all(run: Rounds, triangles: Any) -> None:
    """Append triangles to those that wait."""
    run.n_bad = q.enqueue_all(run.mesh.records, triangles, run.bad, run.n_bad)
