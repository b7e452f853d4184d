"""Biconnected components by another way than low points, to check answers with: tree edges that share a cycle.

A breadth-first forest is grown. Every other edge closes a cycle with the tree; the tree edges on it are in one
component, and components that share a tree edge are one (the circuits of a connected matroid that a basis gives hang
together). Disjoint sets of tree edges keep the vertex at their top, so that a walk up the tree jumps over what is
already joined: nearly linear in arcs. A vertex whose tree edges are in more than one set is a cut vertex; a set of one
edge that no cycle goes through is a bridge.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.graph.csr import Graph


class Joined(NamedTuple):
    """A breadth-first forest and its components; a vertex other than a root stands for the edge to its parent."""

    parent: np.ndarray  # a root is its own
    depth: np.ndarray
    part: np.ndarray  # one vertex of the component, the same for all its edges
    top: np.ndarray  # where the component hangs, beside `part`
    closed: np.ndarray  # bool[n], whether a cycle goes through the component, beside `part`


def joined(graph: Graph) -> Joined:
    """The components of the undirected view of a graph."""
    offsets, targets, _ = graph.symmetrized().arrays
    n = graph.n
    parent, depth, part, top = (np.zeros(n, np.uint64) for _ in range(4))
    made = Joined(parent, depth, part, top, np.zeros(n, np.bool_))
    grow_forest(offsets, targets, made.parent, made.depth)
    join_cycles(offsets, targets, made)
    return made


def cut_vertices(found: Joined) -> np.ndarray:
    """bool[n]: the vertices whose tree edges are in more than one component."""
    cut = np.zeros(found.parent.size, np.bool_)
    mark_cuts(found.parent, found.part, cut)
    return cut


@kernel
def grow_forest(offsets, targets, parent, depth):
    """Breadth first from every vertex that no tree has yet."""
    n = np.uint64(parent.size)
    queue, met = np.empty(n, np.uint64), np.zeros(n, np.bool_)
    for s in range(n):
        if met[s]:
            continue
        met[s] = True
        parent[s] = s
        queue[U0] = s
        low, high = U0, U1
        while low < high:
            u = queue[low]
            low += U1
            for e in range(offsets[u], offsets[u + U1]):
                v = np.uint64(targets[e])
                if not met[v]:
                    met[v] = True
                    parent[v], depth[v] = u, depth[u] + U1
                    queue[high] = v
                    high += U1


@kernel
def boss_of(part, v):
    """The vertex that stands for the set of v; the way there is halved."""
    while part[v] != v:
        part[v] = part[part[v]]
        v = part[v]
    return v


@kernel
def join_cycles(offsets, targets, found):
    """Join the tree edges of every cycle that an edge outside the forest closes."""
    parent, depth, part, top, closed = found
    n = np.uint64(parent.size)
    for v in range(n):
        part[v], top[v] = v, parent[v]
    for u in range(n):
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            again = e > offsets[u] and np.uint64(targets[e - U1]) == v
            if v <= u or ((parent[v] == u or parent[u] == v) and not again):
                continue
            a, b, boss = u, v, n
            while a != b:
                if depth[a] < depth[b]:
                    a, b = b, a
                one = boss_of(part, a)
                a = top[one]
                if boss == n:
                    boss = one
                part[one] = boss
                if depth[a] < depth[top[boss]]:  # what was joined may be met again before the walk ends
                    top[boss] = a
            closed[boss] = True
    for v in range(n):
        part[v] = boss_of(part, v)


@kernel
def mark_cuts(parent, part, cut):
    """A vertex is cut if the edges to its parent and to its children are not all in one component."""
    n = np.uint64(parent.size)
    first = np.full(n, n, np.uint64)
    for v in range(n):
        if parent[v] != v:
            first[v] = part[v]
    for v in range(n):
        p = parent[v]
        if p != v:
            if first[p] == n:
                first[p] = part[v]
            elif first[p] != part[v]:
                cut[p] = True
