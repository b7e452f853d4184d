"""What Louvain's rounds are made of: the arrays of a level and of a phase, and what a vertex sees around it.

The weights of the communities around a vertex are added up in a dense array. Every worker has one; its used places are
listed, and emptied afterwards (CD5): no hashing, and one worker adds up one vertex in the order of its arcs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.base.jit import inner_kernel
from nearly.base.random import draw

BATCH = np.uint64(64)
STEADY = 1e-12  # a gain below this share of what is at stake is rounding
FINE = 2.0**52  # gains are added up as whole numbers, in units of 1 / FINE


class Rows(NamedTuple):
    """The graph of a level."""

    starts: np.ndarray  # uint64[n], row v is targets[starts[v]:ends[v]]
    ends: np.ndarray
    targets: np.ndarray
    weights: np.ndarray
    strength: np.ndarray  # int64[n], the weight of a vertex' arcs and loops, in units
    loops: np.ndarray  # float64[n], twice the weight of each vertex' loops


class State(NamedTuple):
    """The communities of a phase."""

    label: np.ndarray  # the community of each vertex
    wish: np.ndarray  # the one it is about to join
    weight: np.ndarray  # int64[n], by label: the strength of a community
    size: np.ndarray  # int64[n], by label: its members
    awake: np.ndarray  # bool[n], whether there is reason to look around
    margin: np.ndarray  # int64[n], in units: by how much the community is better than the next best, at least
    moved_in: np.ndarray  # uint8[n], the round of the last move
    within: np.ndarray  # by vertex: the part that it may not leave; of length 0 where there is none


class Rule(NamedTuple):
    """What counts as a gain, and when a vertex is out."""

    factor: float  # of strength times strength in the gain
    slack: float  # of strength: what does not count as a gain
    fine: float  # of a gain in weight: that in modularity, in units of 1 / FINE
    scale: float  # of a weight: that in units
    patience: np.uint64  # rounds without a move after which a vertex may be out
    chance: float  # with which it then is


class Turn(NamedTuple):
    """When vertices look around."""

    given: np.ndarray  # in which turn of a round each vertex looks around; of length 0: drawn by lot
    lot: np.uint64
    classes: np.uint64


class Tables(NamedTuple):
    """The memory of rounds."""

    sums: np.ndarray  # float64[workers, n], 0 between vertices
    used: np.ndarray  # [workers, n + 1], the places in use
    line: np.ndarray  # the vertices of a round, by turns
    movers: np.ndarray  # those that move in a turn
    counters: np.ndarray  # uint64[4], see `rounds`


class Scratch(NamedTuple):
    """All sums by label, the labels in use, and which row is one's own."""

    sums: np.ndarray  # float64[workers, n]
    used: np.ndarray  # [workers, n + 1]
    worker: np.uint64


@inner_kernel
def weigh_around(rows, label, v, own, scratch, count):
    """Add the arcs of v, loops left out, to the sums of the labels they lead to.

    Returns how many labels `used` lists, and the weight of the arcs to the label `own`. That is kept apart: most arcs
    lead to it, and adding to one place in memory again and again would make each addition wait for the one before.
    """
    targets, weights = rows.targets, rows.weights
    sums, used, worker = scratch
    mine = 0.0
    for e in range(rows.starts[v], rows.ends[v]):
        u = np.uint64(targets[e])
        w = np.float64(weights[e]) if weights.size else 1.0
        c = np.uint64(label[u])
        if c == own:
            mine += w if u != v else 0.0
        elif w > 0.0:
            before = sums[worker, c]
            used[worker, count] = c
            count += np.uint64(before == 0.0)
            sums[worker, c] = before + w
    return count, mine


@inner_kernel
def turn_of(turn, v):
    """In which turn of the round v looks around."""
    return np.uint64(turn.given[v]) if turn.given.size else draw(turn.lot, v) % turn.classes


@inner_kernel
def best_around(state, rule, turn, own, k, here, scratch, count):
    """The best community, how much better it is than `own`, and how much better than all others. Empties the sums.

    `here` is the weight of the arcs to `own`. Of equals the smaller label is best. Of two vertices that are alone only
    the one of the larger label joins the other: else they would swap. Where vertices are kept `within` parts, `own` is
    that of a vertex alone, and only communities of its part count that no vertex can leave in this turn.
    """
    sums, used, worker = scratch
    weight, size, within, factor = state.weight, state.size, state.within, rule.factor
    inside = within.size > 0
    here -= factor * k * (np.float64(weight[own]) - k)
    best, top, next_best = own, here + rule.slack * k, -np.inf
    for i in range(count):
        c = np.uint64(used[worker, i])
        score = sums[worker, c] - factor * k * np.float64(weight[c])
        sums[worker, c] = 0.0
        better = score > top or (score == top and c < best and (inside or best != own))
        if better and inside:
            stays = size[c] > 1 or turn_of(turn, c) != turn_of(turn, own)
            better = stays and within[c] == within[own]
        if better:
            best, top, next_best = c, score, top
        elif score > next_best:
            next_best = score
    if inside:
        return best, top, 0.0
    if best > own and size[own] == 1 and size[best] == 1:
        return own, 0.0, 0.0
    return best, top - here, top - next_best
