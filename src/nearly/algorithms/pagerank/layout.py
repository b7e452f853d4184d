"""How PageRank's rounds in place read a graph: pieces of vertices, their order, and the places they read.

All of it follows from the graph alone, so that the answer is the same for any number of threads, and stays with the
graph where it takes little memory.

order    Inside a piece, windows of vertices are sorted by their in-arcs: then the loop over the arcs of one vertex
         ends where that of the vertex before it did, as the processor guesses. Those of equally many take turns from
         four lanes where arcs have no direction: along a road each reads the one before it, and four sums go on at a
         time. Where they have one, many may lead upwards, and what ascends is not torn apart. Dangling vertices come
         last; no other vertex reads them, so that rounds leave them out and one pass at the end computes them.
arcs     They lie in this order too, and a byte says how many a vertex has, so that a round reads them in one stream.
places   What vertices hand on lies in an array twice: as it was before the phase, and as it is now. Where many arcs
         stay inside pieces, these arcs' places are moved to the second half, and a vertex reads what those before it
         have just become. So a gather is one random access, and no choice.
tiles    Large graphs without locality are read in tiles, a strip a piece.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.pagerank.problem import Problem
from nearly.algorithms.shared.tiles import KEPT_PART, Tiles, arcs_stay_near, no_tiles, tiles_of
from nearly.base.jit import inner_kernel, kernel, parallel_kernel
from nearly.base.memory import memory_budget
from nearly.base.unsigned import U1
from nearly.engine.row_pieces import balanced_cuts

SMALL = 1 << 16  # arcs and vertices that are one piece
PHASES, TILED_PHASES = 4, 8  # more take hardly fewer rounds
_PIECE, _PIECES = 1 << 14, 256  # arcs and vertices of a piece, at least; pieces, at most
_TOGETHER = 4  # strips of tiles in a phase, at least
_WINDOW = np.uint64(512)  # vertices that are sorted together
_LANES = np.uint64(4)  # from which vertices of a window take turns, at most
_MOST = np.uint64(63)  # in-arcs that are told apart
LONG = np.uint64(255)  # in `sizes`: so many in-arcs, or more


class Layout(NamedTuple):
    """How rounds read a graph; without tiles its reverse."""

    offsets: np.ndarray
    targets: np.ndarray  # places in what is handed on, by `order`
    order: np.ndarray  # the vertices of each piece in turn; empty for tiles, which take them as they come
    sizes: np.ndarray  # how many arcs each has, up to LONG
    ends: np.ndarray  # where in `order` the dangling vertices of each piece begin
    tiles: Tiles
    cuts: np.ndarray  # where pieces begin
    phases: np.uint64  # in how many phases they take turns


def layout_of(problem: Problem, inverse: np.ndarray) -> Layout:
    """The layout for a problem; `inverse` is 0 at dangling vertices."""
    graph = problem.graph
    kept: Layout | None = None if problem.weighted else graph.__dict__.get("_rank_layout")
    if kept is not None:
        return kept
    tiles = None if problem.weighted else tiles_of(graph)
    if tiles is not None:  # these may stay with the graph themselves
        phases = np.uint64(max(1, min(TILED_PHASES, (tiles.strips.size - 1) // _TOGETHER)))
        none, bare = np.empty(0, np.uint32), np.empty(0, np.uint8)
        return Layout(*graph.rows[:2], none, bare, tiles.strips[1:], tiles, tiles.strips, phases)
    layout = _by_rows(problem, inverse > 0)
    if not problem.weighted and KEPT_PART * (layout.order.nbytes + layout.targets.nbytes) < memory_budget():
        graph.__dict__["_rank_layout"] = layout
    return layout


def _by_rows(problem: Problem, hands_on: np.ndarray) -> Layout:
    graph, work = problem.graph.reverse, problem.graph.n + problem.graph.m
    offsets, targets = graph.rows[:2]
    cuts, phases, order = np.array([0, graph.n], np.uint64), 1, np.empty(graph.n, targets.dtype)
    if work >= SMALL:
        phases = PHASES
        cuts = balanced_cuts(graph.arrays.offsets, min(_PIECES, phases * max(2, work // (phases * _PIECE))))
    if targets.nbytes > memory_budget():  # there is no room for the arcs in another order: vertices as they come
        order, ends, places = np.arange(graph.n, dtype=targets.dtype), cuts[1:], targets
    else:
        ends = order_pieces(offsets, hands_on, cuts, order, U1 if graph.directed else _LANES)
        places = by_order(offsets, targets, cuts, order)
        if phases > 1 and arcs_stay_near(graph) and 2 * graph.n <= np.iinfo(targets.dtype).max:
            move_near(offsets, places, cuts, np.uint64(graph.n))
    sizes = np.empty(graph.n, np.uint8)
    note_sizes(offsets, order, sizes)
    return Layout(offsets, places, order, sizes, ends, no_tiles(), cuts, np.uint64(phases))


@inner_kernel
def in_lanes(k, count, most):
    """The turn of item k of so many, which are cut into lanes: the first of each lane, then the second of each."""
    length = (count + most - U1) // most
    lanes = (count + length - U1) // length
    last, turn = count - (lanes - U1) * length, k % length  # the last lane may be shorter
    return turn * lanes - (turn - min(turn, last)) + k // length


@kernel
def order_window(offsets, hands_on, low, high, order, at, lanes):
    """Write the vertices [low, high) that hand on to order[at:], fewest in-arcs first; where the next would go."""
    starts, seen = np.zeros(_MOST + U1 + U1, np.uint64), np.zeros(_MOST + U1, np.uint64)
    for v in range(low, high):
        if hands_on[v]:
            starts[min(offsets[v + U1] - offsets[v], _MOST) + U1] += U1
    for d in range(_MOST + U1):
        starts[d + U1] += starts[d]
    for v in range(low, high):
        if hands_on[v]:
            d = min(offsets[v + U1] - offsets[v], _MOST)
            order[at + starts[d] + in_lanes(seen[d], starts[d + U1] - starts[d], lanes)] = v
            seen[d] += U1
    return at + starts[_MOST + U1]


@kernel
def order_piece(offsets, hands_on, low, high, order, lanes):
    """The order of vertices [low, high), in the same places; where the dangling ones begin."""
    at, v = low, low
    while v < high:
        end = min(v + _WINDOW, high)
        at = order_window(offsets, hands_on, v, end, order, at, lanes)
        v = end
    after = at
    for v in range(low, high):
        if not hands_on[v]:
            order[after] = v
            after += U1
    return at


@kernel
def move_piece(places, start, end, inside):
    """Move the places of arcs [start, end) of a piece that lead into it, where `inside` has its vertices and all."""
    kind = places.dtype.type
    low, high, n = kind(inside[0]), kind(inside[1]), kind(inside[2])
    for e in range(start, end):
        u = places[e]
        places[e] = u + n if low <= u < high else u


@kernel
def arrange_piece(offsets, values, low, high, order, out):
    """What the arcs of vertices [low, high) have, by the order of these vertices."""
    at = offsets[low]
    for i in range(low, high):
        v = np.uint64(order[i])
        for e in range(offsets[v], offsets[v + U1]):
            out[at] = values[e]
            at += U1


@kernel
def note_sizes(offsets, order, sizes):
    """How many arcs the vertices have, by their order."""
    for i in range(np.uint64(order.size)):
        v = np.uint64(order[i])
        sizes[i] = min(offsets[v + U1] - offsets[v], LONG)


@parallel_kernel
def order_pieces(offsets, hands_on, cuts, order, lanes):
    """The order of all pieces; where each one's dangling vertices begin."""
    ends = np.zeros(cuts.size - 1, np.uint64)
    for p in prange(np.uint64(cuts.size - 1)):
        ends[p] = order_piece(offsets, hands_on, cuts[p], cuts[p + U1], order, lanes)
    return ends


@parallel_kernel
def by_order(offsets, values, cuts, order):
    """What arcs have, by the order of their vertices; each piece keeps its part of the array."""
    out = np.empty_like(values)
    for p in prange(np.uint64(cuts.size - 1)):
        arrange_piece(offsets, values, cuts[p], cuts[p + U1], order, out)
    return out


@parallel_kernel
def move_near(offsets, places, cuts, n):
    """Move the places of arcs inside a piece to the second half."""
    for p in prange(np.uint64(cuts.size - 1)):
        move_piece(places, offsets[cuts[p]], offsets[cuts[p + U1]], (cuts[p], cuts[p + U1], n))
