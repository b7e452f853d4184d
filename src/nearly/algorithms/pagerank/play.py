"""PageRank's rounds in place in one compiled call and one parallel region: see `in_place` for the method.

The leader of a team (`base.team`) posts jobs: to renew the pieces of a phase, to let others see them, to multiply steps
with each other, to combine ranks, to go on from ranks. Sums come from the pieces in order, so that it does not matter
which thread did what.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.pagerank.combination import KEPT, find_factors, mix_piece, products
from nearly.algorithms.pagerank.in_place_kernels import (
    AT,
    BEFORE,
    CHECK,
    DAMPING,
    HELD,
    LAST,
    SIGNED,
    SINCE,
    SUM,
    WAIT,
    set_piece,
    show,
    spread_of,
    sweep_piece,
    sweep_strip,
)  # fmt: skip
from nearly.base.atomics import going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.team import arrive, dismiss, next_piece, piece_done, post, wait_for_all, wait_for_job
from nearly.base.unsigned import U0, U1

SWEEP, SHOW, PRODUCTS, MIX, SET = (np.uint64(i) for i in range(5))
JOB = 5  # numbers of a job: its pieces, what to do, and up to three more
JOBS = 4  # of a round, beside two a phase


class Played(NamedTuple):
    """What rounds write, beside the flow."""

    sums: np.ndarray  # [pieces, 3], the changes of a round: their sum, the largest, that of the sum
    parts: np.ndarray  # [pieces, PRODUCTS], products of steps
    factors: np.ndarray  # [STEPS], of the last combination
    numbers: np.ndarray
    marks: np.ndarray
    spread: np.ndarray  # [1], what jumps hand out in this phase


@kernel
def do_piece(flow, cuts, played, job, k, worker):
    """Piece k of a job."""
    what, one, two, three = job[1], job[2], job[3], job[4]
    p = one + k * flow.phases[0] if what <= SHOW else k
    low, high = cuts[p], cuts[p + U1]
    if what == SWEEP:
        spread, sums = played.spread[0], played.sums
        if flow.strips.size > 0:
            found = sweep_strip(flow, worker, spread, two, three, p, low, high)
        else:
            found = sweep_piece(flow, spread, two, three, low, flow.ends[p])
        sums[p, 0], sums[p, 1], sums[p, 2] = found
    elif what == SHOW:
        show(flow.given, np.uint64(flow.given.size - flow.inverse.size), low, high)
    elif what == PRODUCTS:
        products(flow.past, one, two, low, high, played.parts[p])
    else:
        if what == MIX:
            mix_piece(flow.past, one, two, played.factors, not played.marks[SIGNED], low, high)
        played.sums[p, 0] = set_piece(flow, three, low, high)


@kernel
def do_pieces(team, flow, cuts, played, job, worker):
    """Pieces of a job, as long as there are any."""
    row = team.jobs[job]
    k = next_piece(team, job)
    while k < row[0]:
        do_piece(flow, cuts, played, row, k, worker)
        piece_done(team, job)
        k = next_piece(team, job)


@kernel
def do_job(team, flow, cuts, played, job):
    """Post a job whose row is written, and see it done; the number of the next."""
    post(team)
    do_pieces(team, flow, cuts, played, job, U0)
    wait_for_all(team, job)
    return job + U1


@kernel
def write_job(team, job, pieces, what, one, two, three):
    """Write the row of a job."""
    row = team.jobs[job]
    row[0], row[1], row[2], row[3], row[4] = pieces, what, one, two, three


@kernel
def sweep(team, flow, cuts, played, job, old, new):
    """One round: the next job, the sum of changes, the largest, and how far spreads are from that at the end."""
    numbers, sums, now = played.numbers, played.sums, flow.given.size > flow.inverse.size
    pieces, phases = np.uint64(cuts.size - 1), flow.phases[0]
    change, largest, least, most = 0.0, 0.0, np.inf, -np.inf
    for phase in range(phases):
        spread, count = spread_of(numbers), (pieces - phase + phases - U1) // phases
        least, most = min(least, spread), max(most, spread)
        played.spread[0] = spread
        write_job(team, job, count, SWEEP, phase, old, new)
        job = do_job(team, flow, cuts, played, job)
        if now:
            write_job(team, job, count, SHOW, phase, U0, U0)
            job = do_job(team, flow, cuts, played, job)
        for p in range(phase, pieces, phases):
            change += sums[p, 0]
            largest = max(largest, sums[p, 1])
            numbers[SUM] += sums[p, 2]
    spread = spread_of(numbers)
    return job, change, largest, max(spread - least, most - spread)


@kernel
def go_on(team, flow, cuts, played, job, what, first, steps):
    """Go on from the kept ranks at AT, which are combined before if `what` says so; the next job."""
    pieces, total = np.uint64(cuts.size - 1), 0.0
    write_job(team, job, pieces, what, first, steps, played.marks[AT])
    job = do_job(team, flow, cuts, played, job)
    for p in range(pieces):
        total += played.sums[p, 0]
    played.numbers[SUM] = total
    return job


@kernel
def combine(team, flow, cuts, played, job, steps):
    """Combine the ranks after the last `steps` rounds, if that can be, in the row after AT, and go on from there."""
    marks, first = played.marks, (played.marks[AT] + KEPT - steps) % KEPT
    write_job(team, job, np.uint64(cuts.size - 1), PRODUCTS, first, steps, U0)
    job = do_job(team, flow, cuts, played, job)
    if find_factors(played.parts, steps, played.factors):
        marks[AT], marks[HELD], marks[CHECK] = (marks[AT] + U1) % KEPT, U1, U1
        job = go_on(team, flow, cuts, played, job, MIX, first, steps)
    return job


@kernel
def lead(team, flow, cuts, played, enough, done, stop):
    """Rounds, at most one for each row of `done`, until one is small enough; how many."""
    numbers, marks, job = played.numbers, played.marks, U0
    if marks[HELD] == U0:
        job = go_on(team, flow, cuts, played, job, SET, U0, U0)
        marks[HELD] = U1
    for r in range(np.uint64(done.shape[0])):
        if not going(stop):
            return r
        at = marks[AT]
        new = (at + U1) % KEPT
        job, change, largest, drift = sweep(team, flow, cuts, played, job, at, new)
        done[r, 0], done[r, 1] = numbers[DAMPING] * change + drift, largest
        marks[AT], marks[HELD], marks[SINCE] = new, min(marks[HELD] + U1, KEPT), marks[SINCE] + U1
        if done[r, 0] <= enough[0] and done[r, 1] <= enough[1]:
            return r + U1
        soon = done[r, 0] * change <= enough[0] * numbers[LAST]  # as the last round did, the next would be the last
        numbers[LAST] = change
        if marks[CHECK] and change > numbers[BEFORE]:  # the combination was no gain: go on from the ranks before it
            marks[AT], marks[HELD], marks[SINCE], marks[CHECK] = (at + KEPT - U1) % KEPT, U1, U0, U0
            marks[WAIT] += marks[WAIT]
            job = go_on(team, flow, cuts, played, job, SET, U0, U0)
        elif marks[SINCE] >= marks[WAIT] and not soon:
            steps = min(marks[HELD], KEPT) - U1
            marks[CHECK], marks[SINCE], marks[WAIT] = U0, U0, max(marks[WAIT], KEPT - U1)
            numbers[BEFORE] = change
            job = combine(team, flow, cuts, played, job, steps)
        else:
            marks[CHECK] = U0
    return np.uint64(done.shape[0])


@kernel
def take_part(team, flow, cuts, played, enough, done, stop):
    """Lead, if no other thread does, and else help; how many rounds the leader has done."""
    number, job = arrive(team), U0
    if number == U0:
        rounds = lead(team, flow, cuts, played, enough, done, stop)
        dismiss(team)
        return rounds
    while wait_for_job(team, job):
        do_pieces(team, flow, cuts, played, job, number)
        job += U1
    return U0


@parallel_kernel
def play(team, flow, cuts, played, enough, done, stop):
    """Rounds, at most one for each row of `done`, until one is small enough; how many, by the thread.

    `enough` holds the sum and the largest of changes that are. Rows of `done` get both of a round.
    """
    counts = np.zeros(flow.totals.shape[0], np.uint64)
    for worker in prange(np.uint64(counts.size)):
        counts[worker] = take_part(team, flow, cuts, played, enough, done, stop)
    return counts
