"""Bounds on the closeness of all vertices from two levels of their searches, without searching.

No more vertices are at distance 1 of v than it has arcs. At distance 2 are the other ends of the arcs of its
neighbours; counted with each arc, hubs come up again and again and any vertex near one seems to reach all. So the ends
are counted by classes of degree: of a class no more can be there than it has members, and a vertex with one arc is
counted at most once. All others are at least 3 away. In graphs with hubs this leaves few vertices that may be among the
closest: those whose neighbours have most vertices of low degree between them.
(The bound by degrees alone is the neighbourhood-based one of Bergamini, Borassi, Crescenzi, Marino, Meyerhenke 2019.)
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.base.jit import kernel, light_kernel, parallel_kernel
from nearly.base.memory import require
from nearly.base.unsigned import U0, U1
from nearly.engine.row_pieces import row_cuts
from nearly.engine.run import Run
from nearly.graph.csr import Graph

CLASSES = 8
_FIRST = np.array([1, 2, 3, 5, 9, 17, 65, 513])  # the least degree of each class
WORDS = np.uint64(4)  # of a vertex: two classes in each
U2, U3, U32 = np.uint64(2), np.uint64(3), np.uint64(32)
LOW = np.uint64(2**32 - 1)


@kernel
def some_ends(offsets, targets, of_class, low, high, ends):
    """How many arcs of each of the vertices low..high-1 end in each class; returns their number."""
    for v in range(low, high):
        at = v * WORDS
        for k in range(WORDS):
            ends[at + k] = U0
        for e in range(offsets[v], offsets[v + U1]):
            c = np.uint64(of_class[targets[e]])
            ends[at + (c >> U1)] += U1 << (U32 * (c & U1))
    return high - low


@light_kernel
def capped(sums, sizes, k):
    """The two counts of a word, each at most the size of its class."""
    return min(sums & LOW, sizes[k + k]) + min(sums >> U32, sizes[k + k + U1])


@kernel
def some_at_two(offsets, targets, ends, sizes, low, high, at_two):
    """How many vertices may be at distance 2 of each of low..high-1; returns their number."""
    for v in range(low, high):
        p, q, r, s = U0, U0, U0, U0
        for e in range(offsets[v], offsets[v + U1]):
            at = np.uint64(targets[e]) * WORDS
            p, q, r, s = p + ends[at], q + ends[at + U1], r + ends[at + U2], s + ends[at + U3]
        at_two[v] = capped(p, sizes, U0) + capped(q, sizes, U1) + capped(r, sizes, U2) + capped(s, sizes, U3)
    return high - low


@parallel_kernel
def count_at_two(offsets, targets, of_class, sizes, cuts, ends, at_two):
    """How many vertices may be at distance 2 of each; `cuts` has pieces of rows of about as many arcs."""
    pieces = cuts.size - 1
    done = np.zeros(pieces, np.uint64)
    for p in prange(pieces):
        done[p] = some_ends(offsets, targets, of_class, cuts[p], cuts[p + 1], ends)
    for p in prange(pieces):
        done[p] = some_at_two(offsets, targets, ends, sizes, cuts[p], cuts[p + 1], at_two)


def closeness_bounds(run: Run, back: Graph, most: np.ndarray, improved: bool) -> np.ndarray:
    """No vertex is closer than this; `back` has the arcs to search along, `most` how many vertices each can reach."""
    n, known = back.n, not back.directed
    require(n * (4 * CLASSES + 16), "bounds of closeness")
    degrees = back.in_degrees
    of_class = (np.searchsorted(_FIRST, degrees, side="right") - 1).clip(0).astype(np.uint8)
    sizes = np.bincount(of_class, minlength=CLASSES).astype(np.uint64)
    ends, at_two = np.empty(n * int(WORDS), np.uint64), np.full(n, n, np.uint64)
    if back.m <= int(LOW):  # else a count may not fit its half of a word
        run.launch(count_at_two, *back.rows[:2], of_class, sizes, row_cuts(back), ends, at_two)
    others = most.astype(np.float64) - 1
    one = np.minimum(back.out_degrees, others)
    two = np.minimum(at_two.astype(np.float64), others - one)
    bound = best_with(others, one, two, n, improved)
    if not known:  # of the numbers it may reach, the best is at an end of the range, or where those near are used up
        bound = np.maximum(bound, best_with(one, one, two, n, improved))
        bound = np.maximum(bound, best_with(one + two, one, two, n, improved))
    return bound


def best_with(r: np.ndarray, one: np.ndarray, two: np.ndarray, n: int, improved: bool) -> np.ndarray:
    """The largest closeness of a vertex that reaches r others, at most so many at distances 1 and 2."""
    near = np.minimum(two, r - one)
    total = one + 2 * near + 3 * (r - one - near)
    values = np.divide(r, total, out=np.zeros(r.size), where=total > 0)
    return values * (r / (n - 1)) if improved and n > 1 else values
