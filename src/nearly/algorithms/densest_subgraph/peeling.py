"""Rounds of Greedy++ (Boob, Gao, Peng, Sawlani, Tsourakakis, Wang and Zhang, 2020): peeling that remembers.

A round peels the vertex of least load plus degree, again and again; the edges left then are added to its load. So each
edge is given to one of its ends in each round. After T rounds the loads are T edges' worth a share for each edge, and
no subgraph can be denser than the largest load over T: its edges are all given to its vertices. The densest of what
was left on the way is a subgraph, so both bounds come out of the same pass.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.base.atomics import going
from nearly.base.jit import kernel, light_kernel
from nearly.base.unsigned import U0, U1
from nearly.graph.csr import Graph

NONE = np.uint32(2**32 - 1)


class Part(NamedTuple):
    """The part of the graph that the densest subgraph is in, and how its edges have been given away."""

    vertices: np.ndarray  # in the whole graph, ascending
    offsets: np.ndarray
    targets: np.ndarray
    given: np.ndarray  # int64[m], how often the edge of each arc was given to the arc's source
    load: np.ndarray  # int64[n], the sum of `given` over each row


def whole(graph: Graph) -> Part:
    """All of an undirected graph without loops and parallel edges."""
    offsets, targets, _ = graph.arrays
    return Part(np.arange(graph.n), offsets, targets, np.zeros(graph.m, np.int64), np.zeros(graph.n, np.int64))


def cut_to(part: Part, keep: np.ndarray) -> Part:
    """The part on some of its vertices."""
    sizes = np.diff(part.offsets).astype(np.int64)
    inside = np.repeat(keep, sizes) & keep[part.targets]
    ends = np.concatenate([np.zeros(1, np.uint64), np.cumsum(inside, dtype=np.uint64)])
    bounds = ends[part.offsets]
    offsets = np.concatenate([bounds[:-1][keep], bounds[-1:]])
    new = (np.cumsum(keep) - 1).astype(part.targets.dtype)
    given, rows = part.given[inside], np.repeat(new.astype(np.int64), sizes)[inside]
    load = np.zeros(int(keep.sum()), np.int64)
    np.add.at(load, rows, given)
    return Part(part.vertices[keep], offsets, new[part.targets[inside]], given, load)


@light_kernel
def unlink(before, after, first, key, v):
    """Take a vertex out of its bucket."""
    if before[v] == NONE:
        first[key] = after[v]
    else:
        after[before[v]] = after[v]
    if after[v] != NONE:
        before[after[v]] = before[v]


@light_kernel
def link(before, after, first, key, v):
    """Put a vertex in front of a bucket."""
    before[v], after[v] = NONE, first[key]
    if first[key] != NONE:
        before[first[key]] = v
    first[key] = v


@kernel
def peel_round(part, order, stop):
    """One round; (how many were peeled before what was left was densest, its edges). `order` gets the vertices."""
    _, offsets, targets, given, load = part
    n = np.uint64(order.size)
    key, most, least = np.empty(n, np.int64), np.int64(0), np.int64(2**62)
    for v in range(n):
        key[v] = load[v] + np.int64(offsets[v + U1] - offsets[v])
        most, least = max(most, key[v]), min(least, key[v])
    for v in range(n):  # a key falls by at most the degree, so never below the load
        least = min(least, load[v])
    first = np.full(most - least + 1, NONE, np.uint32)
    before, after, gone = np.empty(n, np.uint32), np.empty(n, np.uint32), np.zeros(n, np.bool_)
    for i in range(n):
        v = n - U1 - i
        link(before, after, first, np.uint64(key[v] - least), np.uint32(v))
    edges = np.int64(offsets[n]) // 2
    best, best_edges, density, at = U0, edges, np.float64(edges) / max(np.float64(n), 1.0), U0
    for i in range(n):
        if not going(stop):
            break
        while first[at] == NONE:
            at += U1
        u = np.uint64(first[at])
        unlink(before, after, first, at, u)
        gone[u], order[i] = True, u
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if not gone[v]:
                given[e] += 1
                load[u] += 1
                edges -= 1
                old = np.uint64(key[v] - least)
                unlink(before, after, first, old, v)
                link(before, after, first, old - U1, np.uint32(v))
                key[v] -= 1
        if at > U0:
            at -= U1  # a neighbour may have come down by one
        left = n - i - U1
        if left > U0 and np.float64(edges) / np.float64(left) > density:
            best, best_edges, density = i + U1, edges, np.float64(edges) / np.float64(left)
    return best, best_edges
