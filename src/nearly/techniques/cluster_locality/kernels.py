"""The compiled part of clusters: edges between neighbours of a vertex, and disjoint clusters grown from the best.

The edges among up to 64 neighbours of a vertex are rows of bits, one word each, so that common neighbours are a
logical and. Vertices with more neighbours are passed over: that bounds the work for each, and a vertex of
high degree is rarely near any threshold. One thread does it, in order: what one vertex adds the next one sees.
"""

from __future__ import annotations

import numpy as np

from nearly.algorithms.shared.row_search import first_from
from nearly.base.intrinsics import ones
from nearly.base.jit import kernel
from nearly.base.random import mix
from nearly.base.unsigned import U0, U1
from nearly.techniques.shared.two_hop_kernels import has_arc

MOST = np.uint64(64)  # neighbours that one word of bits has room for
COUNT, ROOM, LIFTED = np.uint64(0), np.uint64(1), np.uint64(2)
NONE = np.uint64(2**64 - 1)
EDGES, ALONG, ACROSS = 0, 1, 2  # edges, arcs along paths, or arcs whatever the directions


@kernel
def neighbours_of(offsets, targets, c, near):
    """The different neighbours of c other than itself, into `near`; how many, or one more than there is room for."""
    size = U0
    for e in range(offsets[c], offsets[c + U1]):
        v = np.uint64(targets[e])
        if v != c and (size == U0 or near[size - U1] != v):
            if size == MOST:
                return size + U1
            near[size] = v
            size += U1
    return size


@kernel
def slot_of(table, a, b):
    """Where the pair (a, b), a < b, is in the table of added edges, or the free place where it would go."""
    mask = np.uint64(table.shape[0] - 1)
    slot = mix(mix(a) ^ b) & mask
    while table[slot, 0] != NONE and not (table[slot, 0] == a and table[slot, 1] == b):
        slot = (slot + U1) & mask
    return slot


@kernel
def link_bits(offsets, targets, table, near, size, links):
    """Which neighbours are joined, as bits, edges added before included; returns how many pairs are."""
    for i in range(size):
        links[i] = U0
    joined = U0
    for i in range(size):
        for j in range(i + U1, size):
            if table[slot_of(table, near[i], near[j]), 0] != NONE or has_arc(offsets, targets, near[i], near[j]):
                links[i] |= U1 << j
                links[j] |= U1 << i
                joined += U1
    return joined


@kernel
def lightest_arc(offsets, targets, weights, u, v):
    """The lightest arc from u to v, the first of equals; NONE where there is none."""
    e = first_from(targets, offsets[u], offsets[u + U1], v)
    if e == offsets[u + U1] or np.uint64(targets[e]) != v:
        return NONE
    best = e
    while weights.size and e < offsets[u + U1] and np.uint64(targets[e]) == v:
        if weights[e] < weights[best]:
            best = e
        e += U1
    return best


@kernel
def arc_between(offsets, targets, weights, u, v, paths):
    """The lightest arc from u to v, or back where there is none and directions do not count."""
    e = lightest_arc(offsets, targets, weights, u, v)
    return lightest_arc(offsets, targets, weights, v, u) if e == NONE and paths == ACROSS else e


@kernel
def add_arc(offsets, targets, weights, paths, a, c, b, added, counters):
    """Add an arc from a to b if there is a path over c and room for it; whether it was added."""
    e, f = arc_between(offsets, targets, weights, a, c, paths), arc_between(offsets, targets, weights, c, b, paths)
    if e == NONE or f == NONE or counters[COUNT] >= counters[ROOM]:
        return False
    at = counters[COUNT]
    added[0, at], added[1, at], added[2, at], added[3, at] = a, b, e, f
    counters[COUNT] += U1
    return True


@kernel
def join(offsets, targets, weights, paths, a, c, b, table, added, counters):
    """Join two neighbours of c where a path over c allows it, both ways if it can be; whether an arc was added."""
    done = add_arc(offsets, targets, weights, paths, a, c, b, added, counters)
    if paths != EDGES:
        done = add_arc(offsets, targets, weights, paths, b, c, a, added, counters) or done
    if done:
        slot = slot_of(table, a, b)
        table[slot, 0], table[slot, 1] = a, b
    return done


@kernel
def lift(view_offsets, view_targets, offsets, targets, weights, paths, vertices, threshold, table, added, counters,
         high):  # fmt: skip
    """Add edges among the neighbours of each vertex until its clustering coefficient reaches the threshold.

    Neighbours that share neighbours come first. Those who reach it are marked in `high`.
    """
    near, links = np.empty(MOST, np.uint64), np.empty(MOST, np.uint64)
    for k in range(np.uint64(vertices.size)):
        c = np.uint64(vertices[k])
        size = neighbours_of(view_offsets, view_targets, c, near)
        if size > MOST or counters[COUNT] >= counters[ROOM]:
            continue
        joined = link_bits(view_offsets, view_targets, table, near, size, links)
        pairs = np.float64(size) * np.float64(size - U1) / 2.0
        for sharing in (True, False):
            for i in range(size):
                for j in range(i + U1, size):
                    apart = (links[i] >> j) & U1 == U0 and ((links[i] & links[j]) != U0) == sharing
                    wanted = apart and np.float64(joined) < threshold * pairs
                    if wanted and join(offsets, targets, weights, paths, near[i], c, near[j], table, added, counters):
                        links[i] |= U1 << j
                        links[j] |= U1 << i
                        joined += U1
        if np.float64(joined) >= threshold * pairs:
            high[c] = True
            counters[LIFTED] += U1


@kernel
def boost(view_offsets, view_targets, offsets, targets, weights, paths, vertices, table, added, counters):
    """Join those two neighbours of each vertex that have the fewest edges to its other neighbours."""
    near, links = np.empty(MOST, np.uint64), np.empty(MOST, np.uint64)
    for k in range(np.uint64(vertices.size)):
        c = np.uint64(vertices[k])
        size = neighbours_of(view_offsets, view_targets, c, near)
        if size > MOST or counters[COUNT] >= counters[ROOM]:
            continue
        link_bits(view_offsets, view_targets, table, near, size, links)
        fewest, a, b = NONE, U0, U0
        for i in range(size):
            for j in range(i + U1, size):
                edges = ones(links[i]) + ones(links[j])
                if (links[i] >> j) & U1 == U0 and edges < fewest:
                    fewest, a, b = edges, i, j
        if fewest != NONE:
            join(offsets, targets, weights, paths, near[a], c, near[b], table, added, counters)


@kernel
def grow(offsets, targets, seeds, high, most, order, taken, starts, depths):
    """Disjoint clusters from the seeds on: a cluster takes the neighbours of those of its members that are `high`.

    Members go to `order`, cluster after cluster; `depths` says how many steps from its seed a cluster reaches. A seed
    with no free neighbour is left alone. Returns the number of clusters.
    """
    at, count = U0, U0
    for k in range(np.uint64(seeds.size)):
        seed = np.uint64(seeds[k])
        if taken[seed]:
            continue
        first, head, depth = at, at, U0
        order[at], taken[seed] = seed, True
        at += U1
        level_end = at
        while head < at and at - first < most:
            u = np.uint64(order[head])
            if high[u]:
                for e in range(offsets[u], offsets[u + U1]):
                    v = np.uint64(targets[e])
                    if not taken[v] and at - first < most:
                        order[at], taken[v] = v, True
                        at += U1
            head += U1
            if head == level_end and at > level_end:
                depth += U1
                level_end = at
        if at - first == U1:
            at, taken[seed] = first, False
            continue
        depths[count] = max(depth, U1)
        count += U1
        starts[count] = at
    return count
