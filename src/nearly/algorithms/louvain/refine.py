"""Leiden's refinement: the members of each community, alone again, merge inside it into connected parts.

A vertex that is alone joins the part, among those around it in its community, that raises modularity most; what has
been joined never leaves, so that parts are connected. Members come in the order of `one_by_one`: in blocks, shuffled,
and hubs last. Nothing outside a community is read or written, so that workers take communities and the number of
threads does not show.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.algorithms.louvain.kernels import BATCH, Scratch, take_sum
from nearly.algorithms.louvain.level import arcs_of_members, group
from nearly.algorithms.louvain.one_by_one import BLOCK, HUB, STRIDE
from nearly.algorithms.louvain.rounds import CURSOR, ONE
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import inner_kernel, parallel_kernel
from nearly.base.random import draw
from nearly.base.unsigned import U0, U1


@inner_kernel
def weigh_inside_part(rows, label, number, v, scratch):
    """Add the arcs of v that stay in its community to the sums of the labels they lead to; how many labels."""
    targets, weights, worker = rows.targets, rows.weights, scratch.worker
    sums, used, own, count = scratch.sums, scratch.used, number[v], U0
    for e in range(rows.starts[v], rows.ends[v]):
        u = np.uint64(targets[e])
        if number[u] == own and u != v:
            w = np.float64(weights[e]) if weights.size else 1.0
            if w > 0.0:
                c = np.uint64(label[u])
                before = sums[worker, c]
                used[worker, count] = c
                count += np.uint64(before == 0.0)
                sums[worker, c] = before + w
    return count


@inner_kernel
def merge(rows, state, rule, number, v, scratch):
    """Let v, if it is alone, join the best part of its community."""
    label, weight, size = state.label, state.weight, state.size
    own, k = np.uint64(label[v]), np.float64(rows.strength[v])
    if size[own] > 1:
        return
    best, top = own, rule.slack * k
    for i in range(weigh_inside_part(rows, label, number, v, scratch)):
        c, score = take_sum(scratch, i)
        score -= rule.factor * k * np.float64(weight[c])
        if score > top or (score == top and c < best):
            best, top = c, score
    if best != own:
        label[v] = best
        weight[own] -= rows.strength[v]
        weight[best] += rows.strength[v]
        size[own] -= ONE
        size[best] += ONE


@inner_kernel
def merge_members(rows, state, rule, groups, c, most, lot, scratch):
    """Merge the members of community c: those of at most `most` arcs, then the hubs."""
    number, members, firsts = groups
    first, last = firsts[c], firsts[c + U1]
    for hubs in range(2):
        for block in range(first, last, BLOCK):
            begin = draw(lot, block)
            for i in range(BLOCK):
                at = block + ((begin + i * STRIDE) & (BLOCK - U1))
                if at < last:
                    v = np.uint64(members[at])
                    if (rows.ends[v] - rows.starts[v] > most) == (hubs == 1):
                        merge(rows, state, rule, number, v, scratch)


@parallel_kernel
def merge_inside(rows, state, rule, groups, tables, lot, workers, stop):
    """Merge the members of all communities; `groups.firsts` is 0 before, as are `tables.sums`."""
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
                merge_members(rows, state, rule, groups, c, most, lot, scratch)
