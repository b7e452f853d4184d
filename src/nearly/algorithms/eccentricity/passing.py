"""How bounds on eccentricities pass from a vertex to its neighbours, and which vertices settle most of them by that.

Along an edge of an undirected graph eccentricities differ by at most 1. Along an arc u -> v of a directed one,

    ecc(u) <= ecc(v) + 1   and   ecc(v) >= ecc(u) - 1   where u and v are in the same strong part: they reach the same;
    ecc(u) <= 1 + the largest of its neighbours' in any case: every way from u begins with one of its arcs;
    ecc(u) <= the number of vertices of its strong part + the largest of those that arcs lead to from there.

In the third line, of the neighbours in the largest strong part the smallest eccentricity is enough, because each of
them reaches what all of them reach; and it stands for the neighbours that this part reaches, too.
So a vertex that was searched from settles its neighbours where its own eccentricity is below the bound they must keep.
Vertices that many open ones are next to are therefore searched from first (`cover`): on graphs in which almost all
vertices are equally eccentric, nothing else than a search next to each of them proves that none is more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.graph.csr import Graph

_SWEEPS = 16  # over the arcs of a directed graph, at most, to pass bounds on
_NEVER = np.uint32(2**32 - 1)


class Parts(NamedTuple):
    """The strong parts of a directed graph."""

    label: np.ndarray  # of each vertex
    largest: int  # the label of the largest
    after: np.ndarray  # bool[n]: whether the largest reaches a vertex
    size: np.ndarray  # uint32[n]: vertices of the part of a label
    beyond: np.ndarray  # uint32[n]: room for the largest bound next to a part, plus 1
    across: bool  # whether bounds pass from one part to another


class Passing:
    """Passes the bounds of all vertices on, as far as they go; a directed graph comes with its strong parts."""

    def __init__(self, graph: Graph, parts: Parts | None) -> None:
        self.graph, self.across, self._parts = graph, parts is None or parts.across, parts

    def pass_on(self, low: np.ndarray, high: np.ndarray) -> None:
        """See the top of the file."""
        rows = self.graph.rows[:2]
        if self._parts is None:
            spread(*rows, low, high)
            return
        for _ in range(_SWEEPS):
            look_beyond(*rows, self._parts, high)
            if not spread_along(*rows, self._parts, low, high):
                return

    def cover(self, low: np.ndarray, high: np.ndarray, is_open: np.ndarray, count: int) -> np.ndarray:
        """At most so many vertices, ascending, whose searches may settle most of the open ones."""
        back, most = self.graph.reverse, np.uint32(low.max())
        gains = np.zeros(low.size, np.uint32)
        count_open(*back.rows[:2], low, high, is_open, most, gains)
        near = min(4 * count, low.size)
        best = np.argpartition(gains, low.size - near)[low.size - near :]
        best = best[np.argsort(-gains[best].astype(np.int64), kind="stable")].astype(np.uint32)
        chosen = np.empty(count, np.uint32)
        fill = choose_apart(*back.rows[:2], best, gains, is_open.copy(), chosen)
        return np.sort(chosen[: int(fill)])


@kernel
def spread(offsets, targets, low, high):
    """Pass bounds on along undirected edges until none changes."""
    changed, n = True, np.uint64(low.size)
    while changed:
        changed = False
        for u in range(n):
            for e in range(offsets[u], offsets[u + U1]):
                v = targets[e]
                if high[u] > high[v] + np.uint32(1):
                    high[u], changed = high[v] + np.uint32(1), True
                if low[u] + np.uint32(1) < low[v]:
                    low[u], changed = low[v] - np.uint32(1), True


@kernel
def look_beyond(offsets, targets, parts, high):
    """For each strong part the largest bound that an arc leads to from it, plus 1; 0 where none leaves it."""
    label, beyond = parts.label, parts.beyond
    for u in range(np.uint64(high.size)):
        beyond[u] = 0
    for u in range(np.uint64(high.size)):
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if label[v] != label[u]:
                beyond[label[u]] = max(beyond[label[u]], high[v] + np.uint32(1))


@kernel
def spread_along(offsets, targets, parts, low, high):
    """Pass bounds on along arcs once; whether one changed."""
    label, largest, after, size, beyond, across = parts
    changed, n = False, np.uint64(low.size)
    for i in range(n):
        u = n - U1 - i
        same, inner, reached, others, some = _NEVER, _NEVER, np.uint32(0), np.uint32(0), False
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if v == u:
                continue
            some = True
            if label[v] == label[u]:
                same = min(same, high[v])
                if low[v] + np.uint32(1) < low[u]:
                    low[v], changed = low[u] - np.uint32(1), True
            if label[v] == largest:
                inner = min(inner, high[v])
            elif after[v]:
                reached = max(reached, high[v])
            else:
                others = max(others, high[v])
        if across:
            same = min(same, max(others, reached if inner == _NEVER else inner))
        through = np.uint32(0) if across and not some else (same if same == _NEVER else same + np.uint32(1))
        if across:
            through = min(through, size[label[u]] - np.uint32(1) + beyond[label[u]])
        through = max(through, low[u])
        if through < high[u]:
            high[u], changed = through, True
    return changed


@kernel
def count_open(offsets, targets, low, high, is_open, most, gains):
    """How many open vertices a search from each vertex may settle: itself, and those next to it where it is central."""
    for v in range(np.uint64(low.size)):
        count = np.uint32(is_open[v])
        if low[v] < high[v] and low[v] < most:
            for e in range(offsets[v], offsets[v + U1]):
                count += np.uint32(is_open[targets[e]])
        gains[v] = count


@kernel
def choose_apart(offsets, targets, best, gains, is_open, chosen):
    """Take of `best` those of whose open vertices half are left, until `chosen` is full; how many."""
    fill = U0
    for i in range(np.uint64(best.size)):
        v = np.uint64(best[i])
        if fill == np.uint64(chosen.size) or gains[v] == 0:
            break
        left = np.uint32(is_open[v])
        if gains[v] > left:
            for e in range(offsets[v], offsets[v + U1]):
                left += np.uint32(is_open[targets[e]])
        if 2 * left < gains[v]:
            continue
        chosen[fill] = v
        fill += U1
        is_open[v] = False
        if gains[v] > 1:
            for e in range(offsets[v], offsets[v + U1]):
                is_open[targets[e]] = False
    return fill
