"""What waits between rounds, and which candidates go on to the next stage, as functors for `nearly.mesh.cuda.lists`.

They make what the loops of `nearly.mesh.worklist`, and `nearly.mesh.parallel_kernels.grant`, make. Where one loop fills
two lists, the upper half of a size is for the second. No two items are the same triangle or candidate, so each may
change its own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nearly.base.atomics import fetch_add
from nearly.mesh.candidate import RANK_BITS, WAITS, WON
from nearly.mesh.cavity import EDGES, KIND, LARGE, ROOT, TRIANGLES, row_size
from nearly.mesh.rules import RANKS, badness
from nearly.mesh.triangle_records import BAD, FLAGS, NOTHING, QUEUED, U0, U1, U2, U3
from nearly.mesh.worklist import ANY_RANK, HALF, append_walls, enqueue, queued, waits_anew

UPPER = U1 << HALF  # one place in the second list
GONE = np.uint64(RANKS)  # instead of a rank: not bad any more


class Judged(NamedTuple):
    """New triangles with their verdicts, and what waits."""

    records: Any
    made: Any
    verdicts: Any
    bad: Any
    walls: Any
    n_bad: Any
    n_walls: Any


def is_bad(state, k):
    """One place for a bad triangle that does not wait yet; in the second list one for each segment too near."""
    verdict = np.uint64(state.verdicts[k])
    near = verdict >> RANK_BITS
    size = ((near & U1) + ((near >> U1) & U1) + (near >> U2)) << HALF
    if verdict & ANY_RANK and not queued(state.records, np.uint64(state.made[k])):
        size += U1
    return size


def put_bad(state, k, at):
    """Let a triangle and its segments wait."""
    t, verdict = np.uint64(state.made[k]), np.uint64(state.verdicts[k])
    if verdict & ANY_RANK:
        enqueue(state.records, t, (verdict & ANY_RANK) - U1, state.bad, state.n_bad + np.int64(at & NOTHING))
    append_walls(t, verdict, state.walls, state.n_walls + np.int64(at >> HALF))


class Listed(NamedTuple):
    """Triangles that are to wait."""

    records: Any
    triangles: Any
    bad: Any
    n_bad: Any


def is_new(state, k):
    """One place for a triangle that does not wait yet."""
    return U0 if queued(state.records, np.uint64(state.triangles[k])) else U1


def put_new(state, k, at):
    """Let a triangle wait, with the first rank."""
    enqueue(state.records, np.uint64(state.triangles[k]), U0, state.bad, state.n_bad + np.int64(at))


class Taken(NamedTuple):
    """Triangles that wait, of which those up to rank `last` go to `roots`."""

    mesh: Any
    rules: Any
    bad: Any  # the triangles that wait, with the ranks they came with
    now: Any  # their ranks now
    last: Any
    roots: Any
    first: Any  # how many before each go to `roots`
    kept: Any  # the triangles that wait on


def is_next(state, k):
    """One place for a triangle whose turn it is."""
    t, rank = state.bad[k] & NOTHING, state.bad[k] >> HALF
    if rank <= state.last:
        rank = GONE
        if state.mesh.records[(t << U3) + FLAGS] & BAD:
            rank = np.uint64(max(badness(state.mesh, state.rules, t), 0))
    state.now[k] = rank
    return U1 if rank <= state.last else U0


def put_next(state, k, at):
    """Make a triangle a root, as long as there is room."""
    if at < state.roots.size:
        state.roots[at] = state.bad[k] & NOTHING


def stays(state, k):
    """One place for a triangle that waits on, maybe with another rank; all that comes after the last root does."""
    t, now = state.bad[k] & NOTHING, state.now[k]
    if state.first[k] < state.roots.size:
        if now <= state.last or now == GONE:
            state.mesh.records[(t << U3) + FLAGS] &= ~QUEUED
            return U0
        state.bad[k] = (now << HALF) | t
    return U1


def put_staying(state, k, at):
    """Let a triangle wait on."""
    state.kept[at] = state.bad[k]


class Winning(NamedTuple):
    """The candidates of a stage, and where those that have won are listed."""

    stage: Any
    points: Any  # how many points there are
    most: Any  # and may be
    out: Any


def has_won(winning, k):
    """One place for a winner."""
    stage = winning.stage
    return U1 if stage.state[stage.active[k]] == WON else U0


def put_winner(winning, k, at):
    """List a winner, or let it wait where there are as many points as there may be."""
    stage = winning.stage
    if winning.points + at < winning.most:
        winning.out[at] = stage.active[k]
    else:
        stage.state[stage.active[k]] = WAITS


class Ending(NamedTuple):
    """The candidates of a stage that is over, and where those that go on are listed."""

    records: Any
    rows: Any
    stage: Any
    out: Any
    bad: Any
    n_bad: Any
    large: Any  # how many of those that go on have cavities too large for their rows


def goes_on(ending, k):
    """One place for a candidate that goes on; in the second list one for a winner whose own triangle waits anew."""
    stage, words = ending.stage, ending.rows.words
    i = np.uint64(stage.active[k])
    base = i * row_size(ending.rows.room)
    if stage.state[i] == WAITS:
        return U1
    if stage.state[i] == WON and waits_anew(ending.records, words, base, stage.what):
        return U0 if queued(ending.records, np.uint64(words[base + ROOT])) else UPPER
    return U0


def put_on(ending, k, at):
    """List a candidate that goes on, counting large cavities; or let a winner's triangle wait."""
    stage, words = ending.stage, ending.rows.words
    i = np.uint64(stage.active[k])
    base = i * row_size(ending.rows.room)
    if stage.state[i] == WON:
        root, n_bad = np.uint64(words[base + ROOT]), ending.n_bad + np.int64(at >> HALF)
        enqueue(ending.records, root, U0, ending.bad, n_bad)
        return
    ending.out[at & NOTHING] = i
    if words[base + KIND] == LARGE:
        fetch_add(ending.large, 0, U1)


class Granted(NamedTuple):
    """Winners, and the places of their new triangles."""

    rows: Any
    candidates: Any
    count: Any  # how many triangles there are
    places: Any


def new_triangles(granted, k):
    """How many more triangles there are because of a winner; in the second list how many it makes."""
    words = granted.rows.words
    base = np.uint64(granted.candidates[k]) * row_size(granted.rows.room)
    edges = np.uint64(words[base + EDGES])
    return (edges << HALF) | (edges - np.uint64(words[base + TRIANGLES]))


def put_places(granted, k, at):
    """Say where a winner's triangles go among all, and among those to be judged."""
    granted.places[U2 * k], granted.places[U2 * k + U1] = granted.count + (at & NOTHING), at >> HALF


class Left(NamedTuple):
    """What is left of a round."""

    rows: Any
    stage: Any
    rest: Any  # roots of candidates with small cavities
    alone: Any  # and with large ones


def is_small(left, k):
    """One place for a candidate that its row has room for, in the second list for one that it has not."""
    base = np.uint64(left.stage.active[k]) * row_size(left.rows.room)
    return UPPER if left.rows.words[base + KIND] == LARGE else U1


def put_root(left, k, at):
    """List what a candidate is for."""
    i = np.uint64(left.stage.active[k])
    if left.rows.words[i * row_size(left.rows.room) + KIND] == LARGE:
        left.alone[at >> HALF] = left.stage.roots[i]
    else:
        left.rest[at & NOTHING] = left.stage.roots[i]
