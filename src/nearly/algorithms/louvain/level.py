"""The graphs that Louvain climbs through: the given one, then ones whose vertices are communities of the one before.

A level is rows of arcs without loops; the weight of loops is kept apart, counted twice because a loop has two ends.
Coarse rows are unsorted and stand in any order, which is all that is needed; so one pass over the arcs makes them. One
worker makes a row: it adds up the members in ascending order, and takes room when it knows how much the row needs. Room
for all arcs of the level below would do, but is too much on large graphs. They make room for a part; where it is not
enough, the pass has counted the arcs, and a second one fills as much room as that.

Strengths (the weight of a vertex' arcs and loops) are whole numbers, in units. The unit is 1 where weights are whole,
else a power of two so small that rounding to it is lost in that of float64. So the order of additions does not matter.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.louvain.kernels import BATCH, Rows, Scratch, Tables, take_sum, weigh_around
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import inner_kernel, kernel, parallel_kernel
from nearly.base.memory import require
from nearly.base.unsigned import U0, U1, piece_bounds
from nearly.engine.primitives import PIECES
from nearly.engine.run import Run
from nearly.graph.csr import Graph

ONE = np.int64(1)
_BITS = 60  # of the sum of all strengths, so that signed 64-bit sums never overflow
CURSOR, ARCS = (np.uint64(i) for i in range(2))  # counters: of communities taken, of arcs of the rows made
TRIFLE = 1 << 24  # bytes: to ask what is free would take longer than a phase
AMPLE = 1 << 22  # arcs for which room is made at once
SMALL = 1 << 17  # arcs and vertices of a level that one worker is done with before others would have begun
SHARE = 8  # of more arcs: one of so many gets room at first


@dataclass(frozen=True)
class Level:
    """One graph on the way up; `total` is the weight of all arcs and loops, both ends counted."""

    rows: Rows
    unit: float
    total: float
    arcs: int

    @property
    def n(self) -> int:
        return self.rows.loops.size

    @property
    def work(self) -> int:
        return self.n + self.arcs

    @cached_property
    def ids(self) -> np.ndarray:
        """Every vertex as its own community."""
        return np.arange(self.n, dtype=self.rows.targets.dtype)

    def modularity(self, label: np.ndarray, resolution: float) -> float:
        """Of communities given by labels below n."""
        rows = self.rows
        if self.work < SMALL:
            return float(modularity_of(rows, label, self.unit, self.total, resolution))
        if label is self.ids:
            weight, inside = rows.strength.astype(np.float64), rows.loops
        else:
            whole = np.zeros(self.n, np.int64)
            weigh_communities(label, rows.strength, whole, np.zeros(self.n, np.int64))
            weight = whole.astype(np.float64)
            inside = np.zeros(PIECES)
            weigh_inside(rows, label, inside)
        weight *= self.unit / self.total
        return float(inside.sum() / self.total - resolution * np.square(weight).sum())


class Groups(NamedTuple):
    """The communities of a level, numbered from 0."""

    number: np.ndarray  # by vertex: its community
    members: np.ndarray  # those of community c are members[firsts[c]:firsts[c + 1]], ascending
    firsts: np.ndarray  # uint64[communities + 1]


def ask_for(nbytes: int, what: str) -> None:
    """`require`, unless it is little and nothing was said of how much there is."""
    if nbytes > TRIFLE or "NEARLY_MEMORY" in os.environ:
        require(nbytes, what)


def first_level(graph: Graph, weighted: bool, workers: int = 1) -> Level:
    """The given graph; its weights, if they count, as float64, so that one compilation serves all levels."""
    offsets, targets, given = graph.arrays
    if weighted:
        ask_for(8 * given.size, "weights of 64 bits")
    weights = given.astype(np.float64, copy=False) if weighted else np.empty(0)
    strength, loops = np.empty(graph.n), np.empty(graph.n)
    weigh_rows(offsets, targets, weights, strength, loops, np.zeros(1, np.uint64), workers)
    total = float(strength.sum())
    whole_numbers = not weighted or given.dtype.kind == "u"
    unit = 1.0 if whole_numbers or total == 0.0 else 2.0 ** (math.frexp(total)[1] - _BITS)
    if unit != 1.0:
        np.rint(np.divide(strength, unit, out=strength), out=strength)
    whole = strength.astype(np.int64)
    return Level(Rows(offsets[:-1], offsets[1:], targets, weights, whole, loops), unit, total, targets.size)


def numbered(label: np.ndarray) -> tuple[np.ndarray, int]:
    """Labels below n as numbers from 0 in their order, and how many different ones there are."""
    number = np.empty_like(label)
    return number, int(number_labels(label, np.zeros_like(label), number))


def coarsened(run: Run, level: Level, number: np.ndarray, count: int, tables: Tables) -> Level:
    """The level whose vertices are the communities 0 to count - 1 of this one."""
    ask_for(level.n * (8 + number.itemsize) + 32 * count, "a graph of communities")
    groups = Groups(number, np.empty_like(number), np.zeros(count + 1, np.uint64))
    starts, ends = np.empty(count, np.uint64), np.empty(count, np.uint64)
    strength, loops = np.empty(count, np.int64), np.empty(count)
    room = level.arcs if level.arcs <= AMPLE else max(AMPLE, level.arcs // SHARE)
    while True:
        ask_for(room * (8 + number.itemsize), "a graph of communities")
        rows = Rows(starts, ends, np.empty(room, number.dtype), np.empty(room), strength, loops)
        counters = np.zeros(2, np.uint64)
        run.launch(contract, level.rows, groups, rows, tables, counters, run.threads, run.stop, work=level.arcs)
        arcs = int(counters[ARCS])
        if arcs <= room:
            return Level(rows, level.unit, level.total, arcs)
        room = arcs
        del rows  # before there is room for all
        groups.firsts[:] = 0


@kernel
def number_labels(label, place, number):
    """`numbered`; `place` is 0 before. Returns how many there are."""
    n, count = np.uint64(label.size), U0
    for v in range(n):
        place[label[v]] = U1
    for c in range(n):
        here = np.uint64(place[c])
        place[c] = count
        count += here
    for v in range(n):
        number[v] = place[label[v]]
    return count


@kernel
def weigh_communities(label, strength, weight, size):
    """The strength of each community, and how many members it has; both are 0 before."""
    for v in range(np.uint64(label.size)):
        weight[label[v]] += strength[v]
        size[label[v]] += ONE


@inner_kernel
def weigh_row(offsets, targets, weights, v):
    """The weight of the arcs of v, and that of its loops."""
    whole, loop, loops = 0.0, 0.0, U0
    if weights.size == 0:  # nothing to add up but whole numbers, several at once
        for e in range(offsets[v], offsets[v + U1]):
            loops += np.uint64(np.uint64(targets[e]) == v)
        return np.float64(offsets[v + U1] - offsets[v]), np.float64(loops)
    for e in range(offsets[v], offsets[v + U1]):
        w = np.float64(weights[e])
        whole += w
        if np.uint64(targets[e]) == v:
            loop += w
    return whole, loop


@parallel_kernel
def weigh_rows(offsets, targets, weights, strength, loops, cursor, workers):
    """The weight of the arcs of every vertex, and that of its loops, which count twice in both."""
    n = np.uint64(loops.size)
    for _ in prange(workers):
        while True:
            at = fetch_add(cursor, U0, BATCH)
            if at >= n:
                break
            for v in range(at, min(at + BATCH, n)):
                whole, loop = weigh_row(offsets, targets, weights, v)
                strength[v], loops[v] = whole + loop, loop + loop


@inner_kernel
def inside_rows(rows, label, low, high):
    """`weigh_inside` for the vertices from low to high."""
    total, arcs = 0.0, U0
    for v in range(low, high):
        own = label[v]
        total += rows.loops[v]
        if rows.weights.size == 0:  # nothing to add up but whole numbers, without branches
            for e in range(rows.starts[v], rows.ends[v]):
                u = np.uint64(rows.targets[e])
                arcs += np.uint64((u != v) & (label[u] == own))
        else:
            for e in range(rows.starts[v], rows.ends[v]):
                u = np.uint64(rows.targets[e])
                if u != v and label[u] == own:
                    total += np.float64(rows.weights[e])
    return total + np.float64(arcs)


@kernel
def modularity_of(rows, label, unit, total, resolution):
    """`Level.modularity`, by one worker."""
    n = np.uint64(label.size)
    whole, squares, share = np.zeros(n, np.int64), 0.0, unit / total
    for v in range(n):
        whole[label[v]] += rows.strength[v]
    for c in range(n):
        part = np.float64(whole[c]) * share
        squares += part * part
    return inside_rows(rows, label, U0, n) / total - resolution * squares


@parallel_kernel
def weigh_inside(rows, label, inside):
    """The weight of arcs and loops inside communities, both ends counted, piece by piece."""
    for p in prange(inside.size):
        low, high = piece_bounds(label.size, p, inside.size)
        inside[p] = inside_rows(rows, label, low, high)


@inner_kernel
def group(groups):
    """Find the members of each community; `firsts` is 0 before."""
    number, members, firsts = groups
    n, count = np.uint64(number.size), np.uint64(firsts.size) - U1
    for v in range(n):
        firsts[number[v]] += U1
    for c in range(U1, count):
        firsts[c] += firsts[c - U1]
    firsts[count] = n
    for i in range(n):  # from where a community ends down to where it begins
        v = n - U1 - i
        c = np.uint64(number[v])
        firsts[c] -= U1
        members[firsts[c]] = v


@inner_kernel
def arcs_of_members(rows, groups, low, high):
    """How many arcs the members of the communities from low to high have."""
    _, members, firsts = groups
    arcs = U0
    for i in range(firsts[low], firsts[high]):
        arcs += rows.ends[members[i]] - rows.starts[members[i]]
    return arcs


@inner_kernel
def contract_rows(rows, groups, coarse, scratch, low, high, counters):
    """The rows of the communities from low to high; those for which there is no room are only counted."""
    number, members, firsts = groups
    for c in range(low, high):
        count, loop, strength, most = U0, 0.0, np.int64(0), U0
        if scratch.keys.size:
            most = arcs_of_members(rows, groups, c, c + U1)
        for i in range(firsts[c], firsts[c + U1]):
            v = np.uint64(members[i])
            count, mine = weigh_around(rows, number, v, c, scratch, count, most)
            loop += rows.loops[v] + mine
            strength += rows.strength[v]
        to = fetch_add(counters, ARCS, count)
        coarse.loops[c], coarse.strength[c] = loop, strength
        coarse.starts[c], coarse.ends[c] = to, to + count
        fits = to + count <= np.uint64(coarse.targets.size)
        for i in range(count):
            d, w = take_sum(scratch, i)
            if fits:
                coarse.targets[to + i], coarse.weights[to + i] = d, w


@parallel_kernel
def contract(rows, groups, coarse, tables, counters, workers, stop):
    """The rows of communities, into `coarse`."""
    group(groups)
    count = np.uint64(coarse.loops.size)
    batch = min(max(count // BATCH, U1), BATCH)
    for worker in prange(np.uint64(workers)):
        scratch = Scratch(tables.sums, tables.used, tables.keys, worker)
        while True:
            at = fetch_add(counters, CURSOR, batch)
            if at >= count or not going(stop):
                break
            contract_rows(rows, groups, coarse, scratch, at, min(at + batch, count), counters)
