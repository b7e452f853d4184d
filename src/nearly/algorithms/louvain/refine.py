"""Leiden's refinement: the members of each community, alone again, merge inside it into connected parts.

A vertex that is alone joins the part, among those around it in its community, that raises modularity most; what has
been joined never leaves, so that parts are connected. As in Traag, Waltman and van Eck (2019) both must be well
connected with their community S: a set C of strength K(C) is, if the arcs from C to the rest of S weigh at least
resolution * K(C) * (K(S) - K(C)) / (the weight of all arcs), what they would weigh by chance. A vertex that is not
stays alone, and a part that is no longer so is joined by no other vertex.

Members come in the order of `one_by_one`: in blocks, shuffled, and hubs last. Nothing outside a community is read or
written, so that workers take communities and the number of threads does not show.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.louvain.kernels import BATCH, Scratch
from nearly.algorithms.louvain.level import arcs_of_members, group
from nearly.algorithms.louvain.one_by_one import BLOCK, HUB, STRIDE
from nearly.algorithms.louvain.paired import SUM, WEIGHT
from nearly.algorithms.louvain.rounds import CURSOR
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import inner_kernel, parallel_kernel
from nearly.base.random import draw
from nearly.base.unsigned import U0, U1

UNKNOWN = -1.0


class Parts(NamedTuple):
    """The parts that grow inside communities, each named after the vertex that it began with."""

    label: np.ndarray  # the part of each vertex
    pairs: np.ndarray  # float64[n, 2], by label: the sums of a vertex' arcs, and the strength of a part (see `paired`)
    alone: np.ndarray  # bool[n], by label: whether it is a single vertex
    ties: np.ndarray  # float64[n], by label: the weight of the arcs to the rest of the community, or `UNKNOWN`


@inner_kernel
def weigh_inside_part(rows, parts, number, v, scratch):
    """Add the arcs of v that stay in its community to the sums of the labels they lead to; how many, and their sum."""
    targets, weights, label, pairs = rows.targets, rows.weights, parts.label, parts.pairs
    used, worker, own, count, tied = scratch.used, scratch.worker, number[v], U0, 0.0
    for e in range(rows.starts[v], rows.ends[v]):
        u = np.uint64(targets[e])
        if number[u] == own and u != v:
            w = np.float64(weights[e]) if weights.size else 1.0
            if w > 0.0:
                c = np.uint64(label[u])
                before = pairs[c, SUM]
                used[worker, count] = c
                count += np.uint64(before == 0.0)
                pairs[c, SUM] = before + w
                tied += w
    return count, tied


@inner_kernel
def tie(rows, number, v):
    """The weight of the arcs of v to the rest of its community."""
    weights, own, tied = rows.weights, number[v], 0.0
    for e in range(rows.starts[v], rows.ends[v]):
        u = np.uint64(rows.targets[e])
        if number[u] == own and u != v:
            tied += np.float64(weights[e]) if weights.size else 1.0
    return tied


@inner_kernel
def well_tied(rows, parts, rule, number, c, whole):
    """Whether part c is well connected with its community, of strength `whole`; a vertex is asked for its ties once."""
    mine = parts.pairs[c, WEIGHT]
    if parts.ties[c] < 0.0:
        parts.ties[c] = tie(rows, number, c)
    return parts.ties[c] >= rule.factor * mine * (whole - mine)


@inner_kernel
def merge(rows, parts, rule, number, v, whole, scratch):
    """Let v, if it is alone and well connected with its community, join the best part of it that is so, too."""
    label, pairs, alone, ties = parts
    k = np.float64(rows.strength[v])
    if not alone[v]:
        return
    count, ties[v] = weigh_inside_part(rows, parts, number, v, scratch)
    joins = well_tied(rows, parts, rule, number, v, whole)
    best, top, near = v, rule.slack * k, 0.0
    for i in range(count):
        c = np.uint64(scratch.used[scratch.worker, i])
        found = pairs[c, SUM]
        pairs[c, SUM] = 0.0
        score = found - rule.factor * k * pairs[c, WEIGHT]
        better = joins and (score > top or (score == top and c < best))
        if better and well_tied(rows, parts, rule, number, c, whole):
            best, top, near = c, score, found
    if best != v:
        label[v] = best
        pairs[v, WEIGHT] -= k
        pairs[best, WEIGHT] += k
        alone[best] = False
        ties[best] = max(ties[best] + ties[v] - near - near, 0.0)


@inner_kernel
def merge_members(rows, parts, rule, groups, c, most, lot, scratch):
    """Merge the members of community c: those of at most `most` arcs, then the hubs."""
    number, members, firsts = groups
    first, last = firsts[c], firsts[c + U1]
    if last - first == U1:
        return
    whole = 0.0
    for i in range(first, last):
        whole += np.float64(rows.strength[members[i]])
        parts.ties[members[i]], parts.pairs[members[i], WEIGHT] = UNKNOWN, np.float64(rows.strength[members[i]])
    for hubs in range(2):
        for block in range(first, last, BLOCK):
            begin = draw(lot, block)
            for i in range(BLOCK):
                at = block + ((begin + i * STRIDE) & (BLOCK - U1))
                if at < last:
                    v = np.uint64(members[at])
                    if (rows.ends[v] - rows.starts[v] > most) == (hubs == 1):
                        merge(rows, parts, rule, number, v, whole, scratch)


@inner_kernel
def merge_all(rows, parts, rule, groups, tables, lot, stop):
    """`merge_inside` by one worker."""
    group(groups)
    count, n = np.uint64(groups.firsts.size) - U1, np.uint64(groups.number.size)
    most = HUB * arcs_of_members(rows, groups, U0, count) // max(n, U1)
    scratch = Scratch(tables.sums, tables.used, tables.keys, U0)
    for c in range(count):
        if going(stop):
            merge_members(rows, parts, rule, groups, c, most, lot, scratch)


@parallel_kernel
def merge_inside(rows, parts, rule, groups, tables, lot, workers, stop):
    """Merge the members of all communities; `groups.firsts` is 0 before, as are the sums."""
    group(groups)
    counters, count, n = tables.counters, np.uint64(groups.firsts.size) - U1, np.uint64(groups.number.size)
    counters[CURSOR], most = U0, HUB * arcs_of_members(rows, groups, U0, count) // max(n, U1)
    batch = min(max(count // BATCH // BATCH, U1), BATCH)
    for worker in prange(np.uint64(workers)):
        scratch = Scratch(tables.sums, tables.used, tables.keys, worker)
        while True:
            at = fetch_add(counters, CURSOR, batch)
            if at >= count or not going(stop):
                break
            for c in range(at, min(at + batch, count)):
                merge_members(rows, parts, rule, groups, c, most, lot, scratch)
