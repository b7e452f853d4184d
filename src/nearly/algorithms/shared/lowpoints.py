"""One depth-first search that finds cut vertices, bridges and biconnected components (Hopcroft and Tarjan 1973).

Vertices are numbered as they are met. The low point of a vertex is the smallest number that an edge from its subtree
leads to. A child whose low point is not above its parent closes a component: nothing below it reaches past the parent,
which is a cut vertex unless it is a root with one child only; where the low point does not even reach the parent, the
edge between them is a bridge. The search keeps its own stack, so that no path is too long, and low points only along
the path, where they stay in the cache. Linear in arcs; one thread, since depth first is one step after the other.
A row in which a parent stands twice in sequence has parallel edges to it, and those are no bridge.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.algorithms.shared.turns import EVERY, at_once
from nearly.base.atomics import going
from nearly.base.jit import kernel
from nearly.base.memory import require
from nearly.base.unsigned import U0, U1
from nearly.engine.run import Run


class Lowpoints(NamedTuple):
    """What the search finds; a vertex other than a root stands for the tree edge to its parent."""

    place: np.ndarray  # when a vertex was met, from 1
    parent: np.ndarray  # a root is its own
    part: np.ndarray  # the component of the edge to the parent, numbered as they close; undefined for roots
    bridge: np.ndarray  # bool[n], whether the edge to the parent is a bridge
    cut: np.ndarray  # bool[n], whether a vertex is a cut vertex
    cuts: np.ndarray  # the cut vertices in the order of finding
    heads: np.ndarray  # of each component the vertex nearest to the root

    def cut_to(self, parts: int, cuts: int) -> Lowpoints:
        """The same with lists as long as they are."""
        return self._replace(cuts=self.cuts[:cuts], heads=self.heads[:parts])


class Path(NamedTuple):
    """The path from the root to where the search is, and the vertices below it that no component has yet."""

    vertex: np.ndarray
    at: np.ndarray  # the next arc of each
    low: np.ndarray
    waiting: np.ndarray


def empty_lowpoints(n: int, kind: np.dtype) -> Lowpoints:
    """Room for what a search of n vertices finds."""
    require(40 * n, "a search for cut vertices")
    place, parent, part, cuts, heads = (np.zeros(n, kind) for _ in range(5))
    return Lowpoints(place, parent, part, np.zeros(n, np.bool_), np.zeros(n, np.bool_), cuts, heads)


def empty_path(n: int, kind: np.dtype) -> Path:
    """Room for a path through all of n vertices."""
    return Path(np.empty(n, kind), np.empty(n, np.uint64), np.empty(n, kind), np.empty(n, kind))


def lowpoints_of(offsets: np.ndarray, targets: np.ndarray, stop: np.ndarray) -> Lowpoints:
    """The search over rows in their order, without a run."""
    n = offsets.size - 1
    found = empty_lowpoints(n, targets.dtype)
    return found.cut_to(*map(int, search(offsets, targets, found, empty_path(n, targets.dtype), stop)))


def lowpoints(run: Run) -> Lowpoints:
    """The search over the undirected graph of a run, as one round."""
    graph = run.graph
    offsets, targets, _ = graph.arrays
    found, path = empty_lowpoints(graph.n, targets.dtype), empty_path(graph.n, targets.dtype)
    sizes = [0, 0]

    def work() -> int:
        sizes[:] = map(int, run.launch(search, offsets, targets, found, path, run.stop))
        return graph.m

    at_once(run, work)
    return found.cut_to(*sizes)


@kernel
def search(offsets, targets, found, path, stop):
    """Search from every vertex not yet met; returns (how many components, how many cut vertices)."""
    place, parent, part, bridge, cut, cuts, heads = found
    vertex, at, low, waiting = path
    clock, parts, size = U0, U0, U0
    for s in range(np.uint64(place.size)):
        if place[s] != U0:
            continue
        clock += U1
        place[s] = low[U0] = clock
        parent[s] = vertex[U0] = s
        at[U0] = offsets[s]
        depth, fill, children, steps = U1, U0, U0, U0
        while depth > U0:
            steps += U1
            if steps & EVERY == U0 and not going(stop):
                return parts, size
            top = depth - U1
            u = np.uint64(vertex[top])
            e, end, least, up = at[top], offsets[u + U1], np.uint64(low[top]), np.uint64(parent[u])
            v, deeper = u, False
            while e < end:
                v = np.uint64(targets[e])
                e += U1
                met = np.uint64(place[v])
                if met == U0:
                    deeper = True
                    break
                if met < least and (v != up or (e < end and np.uint64(targets[e]) == v)):
                    least = met
            if deeper:
                at[top], low[top] = e, least
                clock += U1
                place[v] = low[depth] = clock
                parent[v] = u
                vertex[depth] = waiting[fill] = v
                at[depth] = offsets[v]
                fill += U1
                depth += U1
                continue
            depth = top
            if depth == U0:
                continue
            over = depth - U1
            if least < np.uint64(place[up]):
                low[over] = min(np.uint64(low[over]), least)
                continue
            bridge[u] = least > np.uint64(place[up])
            heads[parts] = up
            w = np.uint64(place.size)
            while w != u:
                fill -= U1
                w = np.uint64(waiting[fill])
                part[w] = parts
            parts += U1
            if over == U0:
                children += U1
            elif not cut[up]:
                cut[up] = True
                cuts[size] = up
                size += U1
        if children > U1:
            cut[s] = True
            cuts[size] = s
            size += U1
    return parts, size


@kernel
def parts_of_arcs(offsets, targets, place, part, values):
    """The component of each arc: that of the end met later, and -1 for a loop."""
    for u in range(np.uint64(offsets.size - 1)):
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if u == v:
                values[e] = -1
            else:
                values[e] = part[v] if place[v] > place[u] else part[u]


@kernel
def bridges_of_arcs(offsets, targets, parent, bridge, values):
    """Whether each arc is a bridge: one end is the other's parent, and the edge between them is one."""
    for u in range(np.uint64(offsets.size - 1)):
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            values[e] = (bridge[v] and np.uint64(parent[v]) == u) or (bridge[u] and np.uint64(parent[u]) == v)
