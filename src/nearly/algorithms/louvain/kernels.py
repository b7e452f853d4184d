"""What Louvain's rounds are made of: the arrays of a level and of a phase, and what a vertex sees around it.

The weights of the communities around a vertex are added up in a dense array. Every worker has one; its used places are
listed, and emptied afterwards (CD5): no hashing, and one worker adds up one vertex in the order of its arcs. For
comparisons there is the hash map that this replaces: open addressing, at least two slots for every arc of a vertex.
Both add up in the order of arcs and list communities in the order in which they were met: answers are the same bit for
bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.base.jit import inner_kernel
from nearly.base.random import draw
from nearly.base.unsigned import U0, U1

BATCH = np.uint64(64)
STEADY = 1e-12  # a gain below this share of what is at stake is rounding
U5, U11 = np.uint64(5), np.uint64(11)
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


class Rule(NamedTuple):
    """What counts as a gain, and when a vertex is out."""

    factor: float  # of strength times strength in the gain
    slack: float  # of strength: what does not count as a gain
    worth: float  # of a gain in weight: that in modularity
    scale: float  # of a weight: that in units
    patience: np.uint64  # rounds without a move after which a vertex may be out
    chance: float  # with which it then is
    everyone: bool  # whether all vertices look around in every round, reason or not


class Turn(NamedTuple):
    """When vertices look around."""

    given: np.ndarray  # in which turn of a round each vertex looks around; of length 0: drawn by lot
    lot: np.uint64
    classes: np.uint64  # how many turns a round has; 0: vertices choose one after the other


class Tables(NamedTuple):
    """The memory of rounds."""

    sums: np.ndarray  # float64[workers, n or slots], 0 between vertices
    used: np.ndarray  # [workers, n + 1], the places in use
    keys: np.ndarray  # [workers, slots], by slot: the label of a sum above 0; empty without hashing
    line: np.ndarray  # the vertices of a round, by turns
    movers: np.ndarray  # those that move in a turn
    counters: np.ndarray  # uint64[4], see `rounds`
    pairs: np.ndarray  # float64[n, 2], see `paired`


class Scratch(NamedTuple):
    """All sums by label or slot, the places in use, the slots' labels, and which row is one's own."""

    sums: np.ndarray  # as in `Tables`
    used: np.ndarray
    keys: np.ndarray
    worker: np.uint64


@inner_kernel
def weigh_hashed(rows, label, v, own, scratch, count, most):
    """`weigh_around` with a hash map."""
    targets, weights = rows.targets, rows.weights
    sums, used, keys, worker = scratch
    mask = U1
    while mask < most:
        mask += mask
    mask = min(mask + mask, np.uint64(keys.shape[1])) - U1
    mine = 0.0
    for e in range(rows.starts[v], rows.ends[v]):
        u = np.uint64(targets[e])
        w = np.float64(weights[e]) if weights.size else 1.0
        c = np.uint64(label[u])
        if c == own:
            mine += w if u != v else 0.0
        elif w > 0.0:
            slot = (c + (c >> U5) + (c >> U11)) & mask
            while sums[worker, slot] > 0.0 and np.uint64(keys[worker, slot]) != c:
                slot = (slot + U1) & mask
            before = sums[worker, slot]
            keys[worker, slot] = c
            used[worker, count] = slot
            count += np.uint64(before == 0.0)
            sums[worker, slot] = before + w
    return count, mine


@inner_kernel(forceinline=True)
def weigh_around(rows, label, v, own, scratch, count, most):
    """Add the arcs of v, loops left out, to the sums of the labels they lead to; `most` is how many there can be.

    Returns how many labels `used` lists, and the weight of the arcs to the label `own`. That is kept apart: most arcs
    lead to it, and adding to one place in memory again and again would make each addition wait for the one before.
    """
    if scratch.keys.size:
        return weigh_hashed(rows, label, v, own, scratch, count, most)
    targets, weights = rows.targets, rows.weights
    sums, used, _, worker = scratch
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


@inner_kernel(forceinline=True)
def take_sum(scratch, i):
    """The i-th label that was met, and its sum, which is emptied."""
    sums, used, keys, worker = scratch
    place = np.uint64(used[worker, i])
    found = sums[worker, place]
    sums[worker, place] = 0.0
    return np.uint64(keys[worker, place]) if keys.size else place, found


@inner_kernel
def turn_of(turn, v):
    """In which turn of the round v looks around."""
    return np.uint64(turn.given[v]) if turn.given.size else draw(turn.lot, v) % turn.classes


@inner_kernel(forceinline=True)
def outdone(c, score, own, best, top, next_best):
    """The best label, its score and the next best after c was seen; without branches: no processor could guess them."""
    better = (score > top) | ((score == top) & (c < best) & (best != own))
    worse = top if better else score
    next_best = worse if worse > next_best else next_best
    return c if better else best, score if better else top, next_best


@inner_kernel(forceinline=True)
def best_around(state, rule, turn, own, k, here, scratch, count):
    """The best community, how much better it is than `own`, and how much better than all others. Empties the sums.

    `here` is the weight of the arcs to `own`. Of equals the smaller label is best. Of two vertices that are alone and
    may choose together only the one of the larger label joins the other: else they would swap.
    """
    weight, size, share = state.weight, state.size, rule.factor * k
    here -= share * (np.float64(weight[own]) - k)
    best, top, next_best = own, here + rule.slack * k, -np.inf
    for i in range(count):
        c, score = take_sum(scratch, i)
        best, top, next_best = outdone(c, score - share * np.float64(weight[c]), own, best, top, next_best)
    if turn.classes > U0 and best > own and size[own] == 1 and size[best] == 1:
        return own, 0.0, 0.0
    return best, top - here, top - next_best
