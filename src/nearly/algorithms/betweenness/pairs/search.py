"""A search from both ends of a pair of vertices, level by level, until the two balls touch.

The ball whose outermost level has fewer arcs grows. The two stay apart until an arc joins them; then every shortest
path leads over one of the arcs between the two outermost levels. The search only marks: how many paths there are is
counted later, for the few vertices that lie on one (`shares`), so that a visit of an arc reads one mark and mostly
writes nothing.
Marks are stamps above those of all samples before: nothing is cleared between two samples. They are not prefetched:
without, a pair took 35% less time on a Kronecker graph of half a million vertices, 45% less on a random one, 6% to 20%
less on most real ones, and 6% more on a dense social network, all measured on one thread.
Degrees are added up when the level is complete.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.base.intrinsics import prefetch
from nearly.base.jit import inner_kernel
from nearly.base.unsigned import U0, U1

U2 = np.uint64(2)
SOON, LATER = np.uint64(2), np.uint64(4)  # vertices


class Rows(NamedTuple):
    """The arcs that a ball follows."""

    offsets: np.ndarray
    targets: np.ndarray


class Ball(NamedTuple):
    """The vertices within some hops of an end of the pair, level after level."""

    reached: np.ndarray  # [n]: the vertices
    begins: np.ndarray  # uint64[n + 2]: where each level begins
    arcs: np.ndarray  # uint64[n + 2]: how many arcs it has
    levels: np.ndarray  # uint64[1]: how many levels are complete


class Touch(NamedTuple):
    """How a search ended.

    second : whether the second ball grew last.
    low, high : which places of its `reached` hold the vertices of the outermost level that may have an arc to the other
        ball; none where there is no path.
    own, other : the marks of this level and of the outermost level of the other ball.
    visited : how many arcs were visited.
    """

    second: bool
    low: np.uint64
    high: np.uint64
    own: np.uint64
    other: np.uint64
    visited: np.uint64


@inner_kernel
def begin(rows, ball, mark, end, stamp):
    """A ball of one vertex."""
    ball.reached[0], ball.begins[0], ball.begins[1], ball.levels[0] = end, U0, U1, U1
    ball.arcs[0] = rows.offsets[end + U1] - rows.offsets[end]
    mark[end] = stamp


@inner_kernel
def prefetch_rows(rows, vertices, i, high):
    """Ask for the row of a vertex soon to come, and for where that of a later one begins."""
    prefetch(rows.offsets, np.uint64(vertices[min(i + LATER, high - U1)]))
    prefetch(rows.targets, rows.offsets[np.uint64(vertices[min(i + SOON, high - U1)])])


@inner_kernel
def grow(rows, ball, mark, own, other, base):
    """Add a level, unless an arc to the other ball is found; returns the place of its vertex, or of the new level."""
    offsets, targets = rows
    reached, level, next_mark, arcs = ball.reached, ball.levels[0], own + U2, U0
    low, high = ball.begins[level - U1], ball.begins[level]
    fill = high
    for i in range(low, high):
        u = np.uint64(reached[i])
        prefetch_rows(rows, reached, i, high)
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            seen = mark[v]
            if seen < base:
                mark[v], reached[fill] = next_mark, v
                fill += U1
            elif seen == other:
                return i
    for i in range(high, fill):
        v = np.uint64(reached[i])
        arcs += offsets[v + U1] - offsets[v]
    ball.begins[level + U1], ball.arcs[level], ball.levels[0] = fill, arcs, level + U1
    return high


@inner_kernel
def meet(ways, turned, first, second, mark, base):
    """Let both balls, of one vertex each, grow until they touch."""
    own, other, visited = base, base + U1, U0
    here, there = first.arcs[0], second.arcs[0]
    while here > U0 and there > U0:
        if here <= there:
            visited += here
            high = first.begins[first.levels[0]]
            place = grow(ways, first, mark, own, other, base)
            if place < high:
                return Touch(False, place, high, own, other, visited)
            own += U2
            here = first.arcs[first.levels[0] - U1]
        else:
            visited += there
            high = second.begins[second.levels[0]]
            place = grow(turned, second, mark, other, own, base)
            if place < high:
                return Touch(True, place, high, other, own, visited)
            other += U2
            there = second.arcs[second.levels[0] - U1]
    return Touch(False, U0, U0, own, other, visited)
