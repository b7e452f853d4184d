"""Strong components in rounds: trim, then forward-backward search, in all parts of the graph at once.

A part is a set of vertices that holds every component it touches. In each round of searches every vertex learns the
lowest rank that reaches it inside its part (forward). A vertex that keeps its own rank is a pivot. A vertex that
carries a pivot's rank, and reaches the pivot among those that carry it (backward), is in its component. The others
that carry that rank form a part of the next round. Ranks are a random order, so that chains of components halve in
every round; the vertex of largest degree ranks first, because it mostly finds the giant component. Before that,
vertices without an arc from, or without one to, others of their part are trimmed: each is a component of its own.
(Fleischer, Hendrickson, Pinar, "On Identifying Strongly Connected Components in Parallel", 2000; Orzan 2004 for
ranks; Slota, Rajamanickam, Madduri, "BFS and Coloring-based Parallel Algorithms for Strongly Connected Components and
Related Problems", IPDPS 2014.)

A part's number is the rank of the pivot it split off from: that pivot is finished, so no number comes twice.

Where a technique asks for it, each round of searches goes over a share of the arcs, drawn anew. Both searches of a
round see the same arcs, so that what they find is strongly connected by these: components may come in several parts,
but no part is too large. Trims look at all arcs, as a vertex trimmed by mistake would be lost for good.

Copies of vertices come here only if their values are to be merged by the mean (Graffix' rule; else arcs join them to
their vertices). A vertex and its copies begin with one rank, are in one part, and what is seen or reached by one of
them is by all. The lowest ranks that they learn are merged by the mean, which may be the rank of no vertex that
reaches them: such vertices make a part without a pivot. After `MEANS` rounds of searches the minimum takes over, so
that there is an end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from nearly.base.atomics import atomic_min, exchange
from nearly.engine.operators.advance import Advance
from nearly.engine.run import Did, Run
from nearly.engine.transform.confluence import Confluence
from nearly.engine.transform.replicas import Copies

FINISHED = np.uint64(2**64 - 1)
MEANS = 16  # rounds of searches in which ranks of copies are merged by the mean
_ALWAYS = 1 << 62
_WORTH = 16  # trim again while at least one in so many went


class Parts(NamedTuple):
    """What rounds of searching work on."""

    part: np.ndarray  # uint64[n], FINISHED once the component is known
    lowest: np.ndarray  # uint64[n], the lowest rank that reaches the vertex
    rank: np.ndarray  # uint64[n], a random order of the vertices
    ranked: np.ndarray  # uint64[n], the vertex of each rank
    member: np.ndarray  # unsigned[n], one member of the component, the same for all of them
    entered: np.ndarray  # uint32[n], the round in which a neighbour was last seen over an arc that enters
    left: np.ndarray  # uint32[n], the same over an arc that leaves; also the round of the backward search
    lowest_before: np.ndarray  # the same arrays, or what they held before the round
    left_before: np.ndarray
    now: np.ndarray  # uint32[1], the round


class Neighbours(NamedTuple):
    """What looking for neighbours works on."""

    part: np.ndarray
    mark: np.ndarray  # Parts.entered or Parts.left
    now: np.ndarray


def see(state, u, v, e):
    """Let v know that it has a neighbour in its part."""
    if u != v and state.part[u] == state.part[v]:
        state.mark[v] = state.now[0]
    return False


def trim(state, v):
    """Finish v when it lacks a neighbour on one side, else get ready to search."""
    if state.entered[v] != state.now[0] or state.left[v] != state.now[0]:
        state.part[v] = FINISHED
    state.lowest[v] = state.rank[v]
    state.lowest_before[v] = state.rank[v]


def lower(state, u, v, e):
    """Tell v the lowest rank known to reach u."""
    rank = state.lowest_before[u]
    if rank >= state.lowest[v] or state.part[u] != state.part[v] or state.part[u] == FINISHED:
        return False
    return atomic_min(state.lowest, v, rank) > rank


def begin(state, v):
    """Backward searches begin at the pivots."""
    state.left[v] = state.now[0]
    state.left_before[v] = state.now[0]


def reach(state, u, v, e):
    """Reach v backward from u among the vertices that carry the same rank."""
    now = state.now[0]
    if state.left_before[u] != now or state.left[v] == now:
        return False
    if state.lowest[u] != state.lowest[v] or state.part[v] == FINISHED:
        return False
    return exchange(state.left, v, now) != now


def divide(state, v):
    """Join the pivot's component, or the part of the vertices it left over."""
    if state.left[v] == state.now[0]:
        state.member[v] = state.ranked[state.lowest[v]]
        state.part[v] = FINISHED
    else:
        state.part[v] = state.lowest[v]


def unfinished(state, v):
    """Whether the component of v is not known yet."""
    return state.part[v] != FINISHED


def is_pivot(state, v):
    """Whether no vertex of lower rank reaches v."""
    return state.lowest[v] == state.rank[v]


class Members(NamedTuple):
    """What finding the smallest members works on."""

    member: np.ndarray  # as in Parts
    least: np.ndarray  # unsigned[n], the smallest vertex that has this one as its member


def meet(state, v):
    """Show v to the member that stands for its component."""
    atomic_min(state.least, state.member[v], v)


def adopt(state, v):
    """Take the smallest vertex of the component as its member."""
    state.member[v] = state.least[state.member[v]]


def to_smallest(run: Run, member: np.ndarray) -> None:
    """Replace the member that stands for each component by the smallest one."""
    state = Members(member, np.full(member.size, np.iinfo(member.dtype).max, member.dtype))
    run.each(meet, state)
    run.each(adopt, state)


def forward_backward(run: Run, member: np.ndarray) -> Iterator[list[Did]]:
    """Rounds until every component is known by a common `member`; vertices of unknown ones keep their own number.

    The run may end after a search and its trims (unless rounds are counted): the giant component is known by then.
    """
    graph, state = run.graph, _all_in_one(run, member)
    sides = ((graph, state.entered), (graph.reverse, state.left))
    seeing = [Advance(run, side, see, Neighbours(state.part, mark, state.now)) for side, mark in sides]
    ways = ("along", "back") if graph.directed else ("both", "both")
    forward = Advance(run, graph, lower, state, partly=ways[0]).reading(state.lowest, state.lowest_before)
    backward = Advance(run, graph.reverse, reach, state, partly=ways[1]).reading(state.left, state.left_before)
    alive = np.arange(graph.n, dtype=member.dtype)
    copies = None if run.mapped is None else run.mapped.copies
    if copies is not None:
        state.rank[copies.slot] = state.rank[copies.of]
    searched, turn = False, 0
    while alive.size:
        gone = alive.size
        while gone * _WORTH >= alive.size > 0:
            state.now[0] += np.uint32(1)
            edges = sum(a.push(a.everything if a.policy == "topology" else alive).edges for a in seeing)
            if copies is not None:
                _share_latest(copies, state.entered, state.left)
            run.each(trim, state, alive)
            before, alive = alive.size, run.filter(unfinished, state, alive)
            gone = before - alive.size
            yield [Did(before, edges, changed=gone if searched else None)]
        forward.keep_draw(turn)
        backward.keep_draw(turn)
        yield from _rounds(forward.start(alive), copies, "mean" if turn < MEANS else "min")
        turn += 1
        state.now[0] += np.uint32(1)
        pivots = run.filter(is_pivot, state, alive)
        run.each(begin, state, pivots)
        yield from _rounds(backward.start(pivots), copies, "max")
        run.each(divide, state, alive)
        before, alive, searched = alive.size, run.filter(unfinished, state, alive), True
        yield [Did(before, 0, changed=before - alive.size)]


def _rounds(advance: Advance, copies: Copies | None, rule: str) -> Iterator[list[Did]]:
    """The rounds of one search, in none of which the run may end; values of copies are merged by the rule."""
    rounds: Advance | Confluence = advance
    if copies is not None:
        rounds = Confluence(replace(copies, merge=rule), advance, *([_ALWAYS] if rule == "max" else []))
    while did := rounds.step():
        yield [d._replace(changed=None) for d in did]


def _share_latest(copies: Copies, *stamps: np.ndarray) -> None:
    """Let a vertex and its copies have the latest of their stamps."""
    for stamp in stamps:
        np.maximum.at(stamp, copies.of, stamp[copies.slot])
        stamp[copies.slot] = stamp[copies.of]


def _all_in_one(run: Run, member: np.ndarray) -> Parts:
    """One part that holds every vertex; the vertex of largest degree ranks first."""
    n = run.graph.n
    ranked = np.random.default_rng(run.seed).permutation(n).astype(np.uint64)
    if n:
        hub = np.flatnonzero(ranked == np.argmax(run.graph.out_degrees))[0]
        ranked[[0, hub]] = ranked[[hub, 0]]
    rank = np.empty_like(ranked)
    rank[ranked] = np.arange(n, dtype=np.uint64)
    part, lowest, entered, left = np.full(n, n, np.uint64), rank.copy(), np.zeros(n, np.uint32), np.zeros(n, np.uint32)
    counted = run.limited or bool(run.techniques)  # these may go by the number of the round: the same for any threads
    apart = counted or (run.mapped is not None and run.mapped.copies is not None)  # when a value is read matters
    before = (lowest.copy(), left.copy()) if apart else (lowest, left)
    return Parts(part, lowest, rank, ranked, member, entered, left, *before, np.zeros(1, np.uint32))
