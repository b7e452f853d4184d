"""Kernels of truss decomposition: triangles of each edge, and peeling edges that are in too few.

Vertices have numbers by degree, ascending, so the larger end of an edge is its hub. Edges are numbered; rows hold the
number of the edge beside each neighbour. To peel an edge is to find its triangles among the edges left: the row of the
smaller end is read and each neighbour looked up in the hub's. Edges that fall together are grouped by hub. A hub
with enough of them has its row marked, so that looking up is one read; of others the row is searched by halves.
Rows from which much has gone are packed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.algorithms.shared.row_search import first_from
from nearly.base.atomics import going
from nearly.base.jit import kernel, light_kernel
from nearly.base.unsigned import U0, U1

NONE = np.uint32(2**32 - 1)
_SEARCH = np.uint64(8)  # what looking up by halves costs beside a read
_LONG = np.uint64(2)  # a row is packed when it is so many times longer than what is left of it
_AT_LEAST = np.uint64(8)


class Edges(NamedTuple):
    """A graph without loops and parallel edges, its edges numbered."""

    offsets: np.ndarray
    targets: np.ndarray
    number: np.ndarray  # uint32[m], the edge of each arc
    low: np.ndarray  # the smaller end of each edge
    high: np.ndarray  # the larger


class Peeling(NamedTuple):
    """What peeling works on."""

    support: np.ndarray  # int32[edges], triangles among the edges left; at the end the level at which an edge fell
    place: np.ndarray  # uint32[edges], when it fell; NONE before
    length: np.ndarray  # uint64[n], how much of each row is in use
    left: np.ndarray  # uint64[n], how many of its edges are left
    mark: np.ndarray  # uint32[n], the edge to each neighbour of the marked hub; NONE elsewhere
    first: np.ndarray  # uint32[2, n], for this wave and the next: the first edge of each hub that falls
    link: np.ndarray  # uint32[edges], the next one of the same hub
    hubs: np.ndarray  # uint32[2, n], the hubs of this wave and of the next
    counts: np.ndarray  # uint64[3], how many hubs in each wave; how many edges have fallen


@kernel
def number_edges(offsets, targets, mirror, number, low, high):
    """Number the edges in the order of arcs from the smaller to the larger end."""
    count = U0
    for u in range(np.uint64(offsets.size - 1)):
        for a in range(offsets[u], offsets[u + U1]):
            if np.uint64(targets[a]) > u:
                number[a] = number[mirror[a]] = count
                low[count], high[count] = u, targets[a]
                count += U1


@kernel
def count_triangles_of_edges(edges, support, stop):
    """How many triangles each edge is in."""
    offsets, targets, number, _, _ = edges
    n = np.uint64(offsets.size - 1)
    mark, upper = np.full(n, NONE, np.uint32), np.empty(n, np.uint64)
    for u in range(n):
        upper[u] = first_from(targets, offsets[u], offsets[u + U1], u + U1)
    for u in range(n):
        if not going(stop):
            return
        for a in range(upper[u], offsets[u + U1]):
            mark[targets[a]] = number[a]
        for a in range(upper[u], offsets[u + U1]):
            v = np.uint64(targets[a])
            for b in range(upper[v], offsets[v + U1]):
                third = mark[targets[b]]
                if third != NONE:
                    support[number[a]] += 1
                    support[number[b]] += 1
                    support[third] += 1
        for a in range(upper[u], offsets[u + U1]):
            mark[targets[a]] = NONE


@kernel
def weigh_triangles(edges, truss, place, backing, later):
    """Of each edge: triangles whose other edges have its number or more, and those whose other edges fell later."""
    offsets, targets, number, _, _ = edges
    n = np.uint64(offsets.size - 1)
    mark, upper = np.full(n, NONE, np.uint32), np.empty(n, np.uint64)
    for u in range(n):
        upper[u] = first_from(targets, offsets[u], offsets[u + U1], u + U1)
    for u in range(n):
        for a in range(upper[u], offsets[u + U1]):
            mark[targets[a]] = number[a]
        for a in range(upper[u], offsets[u + U1]):
            v, x = np.uint64(targets[a]), number[a]
            for b in range(upper[v], offsets[v + U1]):
                y, z = number[b], mark[targets[b]]
                if z != NONE:
                    least, soonest = min(truss[x], truss[y], truss[z]), min(place[x], place[y], place[z])
                    backing[x] += truss[x] == least
                    backing[y] += truss[y] == least
                    backing[z] += truss[z] == least
                    later[x] += place[x] == soonest
                    later[y] += place[y] == soonest
                    later[z] += place[z] == soonest
        for a in range(upper[u], offsets[u + U1]):
            mark[targets[a]] = NONE


@light_kernel
def let_fall(edges, state, e, wave):
    """Put an edge into the wave's list of its hub."""
    h = np.uint64(edges.high[e])
    if state.first[wave, h] == NONE:
        state.hubs[wave, state.counts[wave]] = h
        state.counts[wave] += U1
    state.link[e] = state.first[wave, h]
    state.first[wave, h] = e


@light_kernel
def lose_triangle(edges, state, x, k, wave):
    """Take a triangle from an edge; one that comes down to the level falls in the next wave."""
    if state.support[x] > k:
        state.support[x] -= 1
        if state.support[x] == k:
            let_fall(edges, state, x, U1 - wave)


@kernel
def pack(edges, state, u):
    """Drop from a row what has fallen."""
    start, fill = edges.offsets[u], edges.offsets[u]
    for a in range(start, start + state.length[u]):
        if state.place[edges.number[a]] == NONE:
            edges.targets[fill], edges.number[fill] = edges.targets[a], edges.number[a]
            fill += U1
    state.length[u] = fill - start


@kernel
def pack_if_long(edges, state, u):
    if state.length[u] > _AT_LEAST and state.length[u] > _LONG * state.left[u]:
        pack(edges, state, u)


@light_kernel
def fell(edges, state, e, marked, k, wave):
    """Take an edge away, and its triangles from the other edges left."""
    u, h = np.uint64(edges.low[e]), np.uint64(edges.high[e])
    pack_if_long(edges, state, u)
    start, row, end = edges.offsets[u], edges.offsets[h], edges.offsets[h] + state.length[h]
    for a in range(start, start + state.length[u]):
        x, w = edges.number[a], np.uint64(edges.targets[a])
        if state.place[x] != NONE or x == e:
            continue
        y = NONE
        if marked:
            y = state.mark[w]
        else:
            row = first_from(edges.targets, row, end, w)
            if row < end and np.uint64(edges.targets[row]) == w:
                y = edges.number[row]
        if y != NONE and state.place[y] == NONE:
            lose_triangle(edges, state, x, k, wave)
            lose_triangle(edges, state, y, k, wave)
    state.place[e] = state.counts[2]
    state.counts[2] += U1
    state.left[u] -= U1
    state.left[h] -= U1


@light_kernel
def fell_at_hub(edges, state, h, k, wave):
    """Take away the edges of a hub that fall in this wave."""
    work, e = U0, state.first[wave, h]
    while e != NONE:
        work += state.length[edges.low[e]]
        e = state.link[e]
    pack_if_long(edges, state, h)
    start, end = edges.offsets[h], edges.offsets[h] + state.length[h]
    marked = work * _SEARCH > end - start
    if marked:
        for a in range(start, end):
            state.mark[edges.targets[a]] = edges.number[a]
    e = state.first[wave, h]
    state.first[wave, h] = NONE
    while e != NONE:
        after = state.link[e]
        fell(edges, state, e, marked, k, wave)
        e = after
    if marked:
        for a in range(start, end):
            state.mark[edges.targets[a]] = NONE


@kernel
def peel_edges(edges, state, stop):
    """Peel level after level until no edge is left; `support` ends as the levels. Returns how many there were."""
    size = np.uint64(state.support.size)
    waiting = np.empty(size, np.uint32)
    for e in range(size):
        waiting[e] = e
    k, levels = 0, U0
    while size > U0 and going(stop):
        wave, stay, least = U0, U0, np.int64(2**62)
        for i in range(size):
            e = waiting[i]
            if state.place[e] == NONE:
                waiting[stay] = e
                stay += U1
                least = min(least, np.int64(state.support[e]))
        size, k = stay, least
        for i in range(size):
            if state.support[waiting[i]] == k:
                let_fall(edges, state, waiting[i], wave)
        while state.counts[wave] > U0 and going(stop):
            for i in range(state.counts[wave]):
                fell_at_hub(edges, state, np.uint64(state.hubs[wave, i]), k, wave)
            state.counts[wave] = U0
            wave = U1 - wave
        levels += U1
    return levels


@kernel
def along_arcs(rows, edges, rank, per_edge, loop, values):
    """What is known of edges as values of the arcs of the given graph, whose vertex v is `rank[v]` here."""
    offsets, targets = rows
    mark = np.full(rank.size, NONE, np.uint32)
    for u in range(np.uint64(rank.size)):
        r = np.uint64(rank[u])
        for a in range(edges.offsets[r], edges.offsets[r + U1]):
            mark[edges.targets[a]] = edges.number[a]
        for a in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[a])
            values[a] = loop if u == v else per_edge[mark[rank[v]]]


@kernel
def along_edges(rows, edges, rank, values, per_edge):
    """Values of arcs as values of edges; returns whether both arcs of every edge have the same."""
    offsets, targets = rows
    mark, seen, same = np.full(rank.size, NONE, np.uint32), np.zeros(per_edge.size, np.bool_), True
    for u in range(np.uint64(rank.size)):
        r = np.uint64(rank[u])
        for a in range(edges.offsets[r], edges.offsets[r + U1]):
            mark[edges.targets[a]] = edges.number[a]
        for a in range(offsets[u], offsets[u + U1]):
            if np.uint64(targets[a]) != u:
                e = mark[rank[targets[a]]]
                same = same and (not seen[e] or per_edge[e] == values[a])
                seen[e], per_edge[e] = True, values[a]
    return same
