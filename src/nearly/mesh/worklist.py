"""What waits between rounds: bad triangles with their ranks, and segments that a point came too near to.

A triangle that waits is a 64-bit number, its rank in the upper `HALF`. Its flag QUEUED keeps it from being listed
twice. A segment that waits is a half-edge. Verdicts (see `nearly.mesh.candidate`) say what is to wait.
"""

from __future__ import annotations

import numpy as np

from nearly.base.jit import inner_kernel, kernel
from nearly.mesh.candidate import OVER, RANK_BITS, WAITS, WON, alive
from nearly.mesh.cavity import KIND, LARGE, MIDDLE, RIM, ROOT, row_size
from nearly.mesh.plan import MEND
from nearly.mesh.rules import RANKS, badness
from nearly.mesh.triangle_records import BAD, FLAGS, NOTHING, QUEUED, U0, U1, U2, U3

ANY_RANK, HALF = np.uint64(255), np.uint64(32)
FEW = 4096  # a round does not begin with fewer triangles if more are waiting


@kernel
def collect(records, made, verdicts, bad, walls, n_bad, n_walls):
    """Append what was judged bad to the triangles and segments that wait; returns how many there are now."""
    for k in range(made.size):
        verdict = np.uint64(verdicts[k])
        if verdict:
            t = np.uint64(made[k])
            if verdict & ANY_RANK:
                n_bad = enqueue(records, t, (verdict & ANY_RANK) - U1, bad, n_bad)
            n_walls = append_walls(t, verdict, walls, n_walls)
    return n_bad, n_walls


@inner_kernel
def append_walls(t, verdict, walls, n_walls):
    """Append the segments of a triangle that the verdict names."""
    for i in range(U3):
        if (verdict >> RANK_BITS) & (U1 << i):
            walls[n_walls] = (t << U2) + i
            n_walls += 1
    return n_walls


@inner_kernel
def queued(records, t):
    """Whether a triangle is among those that wait."""
    return records[(t << U3) + FLAGS] & QUEUED != U0


@inner_kernel
def enqueue(records, t, rank, bad, n_bad):
    """Append a triangle to those that wait, unless it is among them."""
    if not queued(records, t):
        records[(t << U3) + FLAGS] |= QUEUED
        bad[n_bad] = (rank << HALF) | t
        n_bad += 1
    return n_bad


@kernel
def enqueue_all(records, triangles, bad, n_bad):
    """Append triangles, unless they wait already, with the first rank."""
    for k in range(triangles.size):
        n_bad = enqueue(records, np.uint64(triangles[k]), U0, bad, n_bad)
    return n_bad


@kernel
def last_rank(counts, n_bad, share):
    """The highest rank a round takes; `counts` says how many triangles of each rank wait."""
    last, total = 0, counts[0]
    while total < FEW or total < n_bad // share:
        last += 1
        if last == RANKS - 1:
            break
        total += counts[last]
    return last


@kernel
def take(mesh, rules, bad, n_bad, share, roots):
    """Move the triangles of the lowest ranks, about one in `share`, to `roots`; returns how many, and how many wait on.

    A triangle that was replaced since it was listed is judged again, and waits on if its rank is now higher.
    """
    records, counts = mesh.records, np.zeros(RANKS, np.int64)
    for k in range(n_bad):
        counts[bad[k] >> HALF] += 1
    last = last_rank(counts, n_bad, share)
    n, kept = 0, 0
    for k in range(n_bad):
        t, rank = bad[k] & NOTHING, np.int64(bad[k] >> HALF)
        if rank <= last and n < roots.size:
            flags = np.uint64(records[(t << U3) + FLAGS])
            if flags & BAD == U0:
                records[(t << U3) + FLAGS] = flags & ~QUEUED
                continue
            rank = badness(mesh, rules, t)
            if rank <= last:
                records[(t << U3) + FLAGS] = flags & ~QUEUED
                roots[n] = t
                n += 1
                continue
        bad[kept] = (np.uint64(rank) << HALF) | t
        kept += 1
    return n, kept


@kernel
def sort_out(records, rows, stage, again, bad, n_bad):
    """After a stage: list in `again` the candidates that go on to the next.

    Winners that split a segment and whose own triangle is still bad wait anew. Returns how many go on, how many wait,
    and how many of those that go on have cavities too large for their rows.
    """
    words, state, active = rows.words, stage.state, stage.active
    on, large = 0, 0
    for k in range(active.size):
        i = np.uint64(active[k])
        base = i * row_size(rows.room)
        if state[i] == WAITS:
            large += words[base + KIND] == LARGE
            again[on] = i
            on += 1
        elif state[i] == WON:
            state[i] = OVER
            if waits_anew(records, words, base, stage.what):
                n_bad = enqueue(records, np.uint64(words[base + ROOT]), U0, bad, n_bad)
    return on, n_bad, large


@inner_kernel
def waits_anew(records, words, base, what):
    """Whether a winner split a segment and its own triangle is still there."""
    kind = words[base + KIND]
    return what == MEND and kind in (RIM, MIDDLE) and alive(records, words, base, what)


@kernel
def part(rows, stage, rest, alone):
    """The roots of what is left of a round: those with small cavities, and those with large ones; how many of each."""
    words, roots, active = rows.words, stage.roots, stage.active
    n_rest, n_alone = 0, 0
    for k in range(active.size):
        i = np.uint64(active[k])
        if words[i * row_size(rows.room) + KIND] == LARGE:
            alone[n_alone] = roots[i]
            n_alone += 1
        else:
            rest[n_rest] = roots[i]
            n_rest += 1
    return n_rest, n_alone
