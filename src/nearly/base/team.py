"""Many short jobs in one parallel region: a leader posts them, and threads that are free do pieces of them.

A parallel region costs some 10 microseconds to enter and to leave, and far more where its threads fell asleep in
between. Rounds of a small graph take no longer than that. So a kernel may enter one region and do all of its rounds
there: the thread that arrives first leads, the others help. The leader posts a job, which is a row of numbers, does
pieces of it like the others, and waits until those that others took are finished.

No thread is waited for that has not taken a piece: where threads arrive late, or not before the leader has gone, as on
one core, the leader does all by itself. Each job has a row of its own and a counter of its own, so that a helper that
comes late finds nothing left, and never takes what belongs to the next job.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from nearly.base.atomics import fetch_add
from nearly.base.instruction import element, instruction
from nearly.base.jit import kernel, light_kernel
from nearly.base.unsigned import U0, U1

POSTED, OVER, ARRIVED = (np.uint64(8 * i) for i in range(3))  # places in `board`, each in a cache line of its own
_PATIENCE = 1 << 12  # looks at a counter before the core is offered to others


class Team(NamedTuple):
    """Jobs, and how far they are."""

    jobs: np.ndarray  # uint64[most, numbers], a row a job; its first number is how many pieces it has
    taken: np.ndarray  # uint64[most], pieces that were taken
    finished: np.ndarray  # uint64[most], pieces that are done
    board: np.ndarray  # uint64, how many jobs were posted, whether there will be more, how many threads arrived


def team_for(most: int, numbers: int) -> Team:
    """A team for at most so many jobs of so many numbers."""
    counts = np.zeros((2, most), np.uint64)
    return Team(np.empty((most, numbers), np.uint64), counts[0], counts[1], np.zeros(24, np.uint64))


def seen(array: Any, i: Any) -> Any:
    """Read `array[i]`, and then all that was written before it was."""
    return array[i]


def tell(array: Any, i: Any, value: Any) -> None:
    """Add `value` to `array[i]` after all that was written before."""
    array[i] += value


def give_way() -> None:
    """Offer the core to other threads; nothing where compilation is off."""


def _acquired(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    pointer = element(context, builder, sig.args[0], args[0], args[1])
    return builder.load_atomic(pointer, "acquire", sig.args[0].dtype.bitwidth // 8)


def _released(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    pointer = element(context, builder, sig.args[0], args[0], args[1])
    builder.atomic_rmw("add", pointer, args[2], "acq_rel")
    return context.get_dummy_value()


instruction(seen, lambda array, i: array.dtype(array, types.uintp), _acquired)
instruction(tell, lambda array, i, value: types.none(array, types.uintp, array.dtype), _released)

_yield = types.ExternalFunction("sched_yield", types.int32())


@overload(give_way)
def _give_way() -> Any:
    if sys.platform == "win32":
        return lambda: None

    def offer() -> None:
        _yield()

    return offer


@kernel
def clear(team):
    """Make the team as new; no thread may be in it."""
    for job in range(np.uint64(team.taken.size)):
        team.taken[job] = team.finished[job] = U0
    for i in range(np.uint64(team.board.size)):
        team.board[i] = U0


@kernel
def arrive(team):
    """How many threads arrived before the calling one; that without any leads."""
    return fetch_add(team.board, ARRIVED, U1)


@kernel
def post(team):
    """Let others see the next job; its row must have been written."""
    tell(team.board, POSTED, U1)


@light_kernel
def next_piece(team, job):
    """A piece of the job that no other thread does; the number of pieces or more if none is left."""
    return fetch_add(team.taken, job, U1)


@light_kernel
def piece_done(team, job):
    """Say that a piece is done."""
    tell(team.finished, job, U1)


@kernel
def pieces_done(team, job, count):
    """Say that so many pieces are done."""
    tell(team.finished, job, count)


@kernel
def wait_for_all(team, job):
    """Wait until all pieces of the job are done."""
    count, looks = team.jobs[job, U0], 0
    while seen(team.finished, job) < count:
        looks += 1
        if looks > _PATIENCE:
            give_way()


@light_kernel
def wait_for_job(team, job):
    """Wait until the job is posted; False if there will be no more."""
    looks = 0
    while seen(team.board, POSTED) <= job:
        if seen(team.board, OVER) > U0:
            return False
        looks += 1
        if looks > _PATIENCE:
            give_way()
    return True


@kernel
def dismiss(team):
    """Let helpers go."""
    tell(team.board, OVER, U1)
