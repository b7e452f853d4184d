"""A team does all pieces of all jobs once, one job after the other, whether helpers come in time, late or never."""

import numpy as np
import pytest
from numba import prange

import nearly
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.team import (
    arrive,
    dismiss,
    next_piece,
    piece_done,
    post,
    team_for,
    wait_for_all,
    wait_for_job,
)  # fmt: skip
from nearly.base.threads import kernel_threads
from nearly.base.unsigned import U0, U1

pytestmark = pytest.mark.small
PIECES, JOBS = 7, 300


@kernel
def do_pieces(team, job, old, new):
    """Piece k of a job: the sum of what pieces k and k + 1 were after the job before."""
    count = team.jobs[job, 0]
    k = next_piece(team, job)
    while k < count:
        here, there = (old, new) if job % np.uint64(2) == U0 else (new, old)
        there[k] = (here[k] + here[(k + U1) % count]) % np.uint64(1_000_003)
        piece_done(team, job)
        k = next_piece(team, job)


@kernel
def take_part(team, old, new):
    job = U0
    if arrive(team) == U0:
        for job in range(np.uint64(team.jobs.shape[0])):
            team.jobs[job, 0] = np.uint64(old.size)
            post(team)
            do_pieces(team, job, old, new)
            wait_for_all(team, job)
        dismiss(team)
        return True
    while wait_for_job(team, job):
        do_pieces(team, job, old, new)
        job += U1
    return False


@parallel_kernel
def work_together(team, old, new, workers):
    led = np.zeros(workers, np.bool_)
    for worker in prange(np.uint64(workers)):
        led[worker] = take_part(team, old, new)
    return led


def expected():
    values = np.arange(PIECES, dtype=np.uint64)
    for _ in range(JOBS):
        values = (values + np.roll(values, -1)) % np.uint64(1_000_003)
    return values


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("workers", [1, 2, 5])
def test_jobs_come_one_after_the_other(threads, workers):
    if threads > nearly.get_threads():
        pytest.skip("fewer threads")
    for _ in range(20):  # races do not show at once
        team = team_for(JOBS, 1)
        old, new = np.arange(PIECES, dtype=np.uint64), np.zeros(PIECES, np.uint64)
        with kernel_threads(threads):
            led = work_together(team, old, new, np.int64(workers))
        assert led.sum() == 1
        assert (old if JOBS % 2 == 0 else new).tolist() == expected().tolist()
        assert (team.finished == PIECES).all()


def test_a_helper_that_comes_late_finds_nothing():
    team = team_for(2, 1)
    old, new = np.arange(PIECES, dtype=np.uint64), np.zeros(PIECES, np.uint64)
    assert take_part(team, old, new)
    before = old.copy()
    assert not take_part(team, old, new)
    assert np.array_equal(old, before)
