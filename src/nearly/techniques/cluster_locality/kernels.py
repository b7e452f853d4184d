"""The compiled part of clusters: edges added between neighbours of a vertex, and disjoint clusters.

What: `lift` and `boost` add edges between neighbours of a vertex; `grow` then makes clusters that do not overlap, and
starts them at the vertices of highest clustering.

How: the edges among up to 64 neighbours of a vertex are rows of bits, one word for each neighbour. The common
neighbours of two vertices are then the logical and of two words. Edges added so far are in a hash table, so that a
vertex also sees the edges that vertices before it have added.

Why: the limit of 64 bounds the work for a vertex. Vertices with more neighbours are skipped; a vertex of high degree
is rarely near any threshold. One thread does it all, in order, because each vertex depends on those before it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.algorithms.shared.row_search import first_from
from nearly.base.intrinsics import ones
from nearly.base.jit import kernel
from nearly.base.random import mix
from nearly.base.unsigned import U0, U1
from nearly.graph.csr import Arrays
from nearly.techniques.shared.two_hop_kernels import has_arc

MOST = np.uint64(64)  # neighbours that one word of bits has room for
COUNT, ROOM, LIFTED = np.uint64(0), np.uint64(1), np.uint64(2)  # of `Additions.counters`
NONE = np.uint64(2**64 - 1)
EDGES, ALONG, ACROSS = 0, 1, 2  # undirected edges, arcs along paths, or arcs whatever the directions


class Additions(NamedTuple):
    """The edges added so far, and the graph with the paths that they stand for."""

    rows: Arrays  # of the given graph; no weights where these do not count
    paths: int  # EDGES, ALONG or ACROSS: which paths an added arc may stand for
    table: np.ndarray  # uint64[slots, 2], a hash table of joined pairs, smaller vertex first; NONE where free
    arcs: np.ndarray  # uint64[4, room]: source and target of each added arc, and the two arcs of its path
    counters: np.ndarray  # uint64[3]: arcs added, room for them, vertices lifted over the threshold


class Growth(NamedTuple):
    """Clusters while they grow."""

    order: np.ndarray  # vertices[n]: the members, cluster after cluster
    taken: np.ndarray  # bool[n]: whether a vertex is in a cluster
    starts: np.ndarray  # uint64[n + 1]: where each cluster begins in `order`
    depths: np.ndarray  # uint64[n]: how many steps from its first vertex a cluster reaches


@kernel
def neighbours_of(offsets, targets, c, near):
    """Write the different neighbours of c, without c, to `near`; returns how many, MOST + 1 if they are too many."""
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
    """Write to `links` which neighbours are joined, as bits, by given or added edges; returns how many pairs are."""
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
def look_at(offsets, targets, additions, c, near, links):
    """The neighbours of c and the edges between them: how many neighbours, how many joined pairs.

    No neighbours, if c is to be skipped: it has more than MOST, or there is no room for another edge.
    """
    size = neighbours_of(offsets, targets, c, near)
    if size > MOST or additions.counters[COUNT] >= additions.counters[ROOM]:
        return U0, U0
    return size, link_bits(offsets, targets, additions.table, near, size, links)


@kernel
def lightest_arc(rows, u, v):
    """The lightest arc from u to v, the first of equals; NONE where there is none."""
    offsets, targets, weights = rows
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
def arc_between(rows, paths, u, v):
    """The lightest arc from u to v; where there is none and directions do not count, the lightest from v to u."""
    e = lightest_arc(rows, u, v)
    return lightest_arc(rows, v, u) if e == NONE and paths == ACROSS else e


@kernel
def add_arc(additions, a, c, b):
    """Add an arc from a to b if there is a path over c and room for it; whether it was added."""
    rows, paths, arcs, counters = additions.rows, additions.paths, additions.arcs, additions.counters
    e, f = arc_between(rows, paths, a, c), arc_between(rows, paths, c, b)
    if e == NONE or f == NONE or counters[COUNT] >= counters[ROOM]:
        return False
    at = counters[COUNT]
    arcs[0, at], arcs[1, at], arcs[2, at], arcs[3, at] = a, b, e, f
    counters[COUNT] += U1
    return True


@kernel
def join(additions, a, c, b):
    """Join two neighbours of c where a path over c allows it, both ways if possible; whether an arc was added."""
    done = add_arc(additions, a, c, b)
    if additions.paths != EDGES:
        done = add_arc(additions, b, c, a) or done
    if done:
        table = additions.table
        slot = slot_of(table, a, b)
        table[slot, 0], table[slot, 1] = a, b
    return done


@kernel
def lift(offsets, targets, additions, vertices, threshold, high):
    """Add edges among the neighbours of each vertex until its clustering coefficient reaches the threshold.

    Offsets and targets are those of the undirected view. Pairs that share a neighbour come first. Vertices that reach
    the threshold are marked in `high`.
    """
    near, links = np.empty(MOST, np.uint64), np.empty(MOST, np.uint64)
    for k in range(np.uint64(vertices.size)):
        c = np.uint64(vertices[k])
        size, joined = look_at(offsets, targets, additions, c, near, links)
        if size == U0:
            continue
        pairs = np.float64(size) * np.float64(size - U1) / 2.0
        for sharing in (True, False):
            for i in range(size):
                for j in range(i + U1, size):
                    apart = (links[i] >> j) & U1 == U0 and ((links[i] & links[j]) != U0) == sharing
                    wanted = apart and np.float64(joined) < threshold * pairs
                    if wanted and join(additions, near[i], c, near[j]):
                        links[i] |= U1 << j
                        links[j] |= U1 << i
                        joined += U1
        if np.float64(joined) >= threshold * pairs:
            high[c] = True
            additions.counters[LIFTED] += U1


@kernel
def boost(offsets, targets, additions, vertices):
    """Join the two neighbours of each vertex that have the fewest edges to its other neighbours.

    Offsets and targets are those of the undirected view.
    """
    near, links = np.empty(MOST, np.uint64), np.empty(MOST, np.uint64)
    for k in range(np.uint64(vertices.size)):
        c = np.uint64(vertices[k])
        size, _ = look_at(offsets, targets, additions, c, near, links)
        fewest, a, b = NONE, U0, U0
        for i in range(size):
            for j in range(i + U1, size):
                edges = ones(links[i]) + ones(links[j])
                if (links[i] >> j) & U1 == U0 and edges < fewest:
                    fewest, a, b = edges, i, j
        if fewest != NONE:
            join(additions, near[a], c, near[b])


@kernel
def grow(offsets, targets, seeds, high, most, growth):
    """Disjoint clusters, each from a seed: a cluster takes the neighbours of those of its members that are `high`.

    A seed with no free neighbour is left alone, a cluster has at most `most` members. Returns the number of clusters.
    """
    order, taken, starts, depths = growth
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
