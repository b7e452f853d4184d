"""Afforest's steps in one parallel region: the thread that comes first leads, the others help (`base.team`).

The steps are short, so that entering a region for each would take longer than a small graph: hook every vertex under
its smallest neighbour, link it to its largest, skip the tree that holds most of a sample, link the rest. Where arcs
are known one way only and mostly lead to larger vertices, as in edge lists that hold each edge once, hardly a vertex
would be hooked and the tree to skip is small: all arcs are linked at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.connected_components.kernels import (
    BATCH,
    commonest,
    compress_some,
    hook_first,
    leads_up,
    link_last,
    link_piece,
    own_tree,
)
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.team import arrive, clear, dismiss, next_piece, pieces_done, post, wait_for_all, wait_for_job
from nearly.base.unsigned import U0, U1

OWN, HOOK, COMPRESS, LAST, REST, ALL = (np.uint64(i) for i in range(6))
JOBS, JOB = 6, 3  # steps, and numbers of each: its pieces, what to do, the tree to skip


class Forest(NamedTuple):
    """What the steps work on; flat, as bundles in parallel regions must be."""

    offsets: np.ndarray
    targets: np.ndarray
    back_offsets: np.ndarray  # the rows of a directed graph's reverse; empty where it is not known or not needed
    back_targets: np.ndarray
    parent: np.ndarray  # [n], a smaller vertex of the same tree, or the vertex itself
    last: np.ndarray  # [n], the largest neighbour
    cuts: np.ndarray  # where pieces of equal arcs begin
    one_way: np.ndarray  # bool[1], whether arcs are known one way only
    linked: np.ndarray  # uint64[1], arcs looked at in the end


@kernel
def do_piece(forest, what, k, skip):
    """Piece k of a step; the arcs looked at in the last one."""
    parent, n = forest.parent, np.uint64(forest.parent.size)
    if what in (REST, ALL):
        rows, back = (forest.offsets, forest.targets), (forest.back_offsets, forest.back_targets)
        return link_piece(rows, back, skip, forest.one_way[0], parent, forest.cuts[k], forest.cuts[k + U1])
    low, high = k * BATCH, min(k * BATCH + BATCH, n)
    if what == OWN:
        own_tree(parent, low, high)
    elif what == HOOK:
        hook_first(forest.offsets, forest.targets, parent, forest.last, low, high)
    elif what == LAST:
        link_last(forest.last, parent, low, high)
    else:
        compress_some(parent, low, high)
    return U0


@kernel
def do_pieces(team, forest, job, stop):
    """Pieces of a step, as long as there are any; after an interruption they only count."""
    count, what, skip = team.jobs[job, 0], team.jobs[job, 1], team.jobs[job, 2]
    done, linked = U0, U0
    k = next_piece(team, job)
    while k < count:
        if going(stop):
            linked += do_piece(forest, what, k, skip)
        done += U1
        k = next_piece(team, job)
    if done > U0:
        fetch_add(forest.linked, U0, linked)
        pieces_done(team, job, done)


@kernel
def do_step(team, forest, job, what, stop):
    """Post a step and see it done; the number of the next."""
    n, pieces = np.uint64(forest.parent.size), np.uint64(forest.cuts.size - 1)
    skip = n  # no tree
    if what == REST:
        skip = commonest(forest.parent)
    elif what != ALL:
        pieces = (n + BATCH - U1) // BATCH
    team.jobs[job, 0], team.jobs[job, 1], team.jobs[job, 2] = pieces, what, skip
    post(team)
    do_pieces(team, forest, job, stop)
    wait_for_all(team, job)
    return job + U1


@kernel
def take_part(team, forest, stop):
    """Lead through the steps, if no other thread does, and else help."""
    job = U0
    if arrive(team) == U0:
        if forest.one_way[0] and leads_up(forest.offsets, forest.targets):
            for what in (OWN, ALL, COMPRESS):
                job = do_step(team, forest, job, what, stop)
        else:
            for what in (HOOK, COMPRESS, LAST, COMPRESS, REST, COMPRESS):
                job = do_step(team, forest, job, what, stop)
        dismiss(team)
        return
    while wait_for_job(team, job):
        do_pieces(team, forest, job, stop)
        job += U1


@kernel
def begin(team, forest):
    """No step is done."""
    clear(team)
    forest.linked[0] = U0


@parallel_kernel
def link_components(team, forest, workers, stop):
    """Point every vertex at the smallest member of its component."""
    begin(team, forest)
    for _ in prange(workers):
        take_part(team, forest, stop)
