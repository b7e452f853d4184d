"""The compiled part of `geometric`: points sorted into square cells no narrower than the radius.

A point's neighbours then lie in its own cell and the eight around it. Each pair is found once, from
the point that comes first in cell order, looking ahead: the rest of its cell and the next one in the
row, and three cells of the next row. Cells are numbered by row, so these are two runs of points.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.jit import kernel, parallel_kernel
from nearly.base.random import U0, U1, U2, draw, stream_key, uniform
from nearly.base.unsigned import count_below, count_up_to, piece_bounds
from nearly.graph.generate.random_streams import POINTS

_PIECES = 64


class Cells(NamedTuple):
    """The points in the order of their cells, and how near is near."""

    points: np.ndarray  # x and y of each position
    order: np.ndarray  # the vertex at each position
    starts: np.ndarray  # cell c holds the positions `starts[c]` to `starts[c + 1]`
    side: int  # cells along a side of the square
    limit: float  # the square of the radius


@parallel_kernel
def place_points(seed, points):
    """Uniform points in the unit square, point `v` in `points[v]`."""
    key = stream_key(seed, POINTS)
    for i in prange(points.shape[0]):
        v = np.uint64(i)
        points[v, 0], points[v, 1] = uniform(draw(key, v * U2)), uniform(draw(key, v * U2 + U1))


@kernel
def cell_of(x, side):
    """The row or column of cells, `side` of them, that holds a coordinate."""
    return min(np.uint64(x * side), np.uint64(side) - U1)


@kernel
def sort_points(points, side, starts, order, placed):
    """Points into cell order: `placed[i]` is `points[order[i]]`, cell c holds `starts[c]` to `starts[c + 1]`."""
    wide = np.uint64(side)
    for v in range(np.uint64(order.size)):
        starts[cell_of(points[v, 1], side) * wide + cell_of(points[v, 0], side) + U2] += U1
    for c in range(U2, np.uint64(starts.size)):
        starts[c] += starts[c - U1]
    for v in range(np.uint64(order.size)):
        cell = cell_of(points[v, 1], side) * wide + cell_of(points[v, 0], side) + U1
        at = starts[cell]
        starts[cell] = at + U1
        order[at] = v
        placed[at, 0], placed[at, 1] = points[v, 0], points[v, 1]


@kernel
def runs_ahead(cells, i):
    """Two runs of positions, [a, b) and [c, d), that hold all neighbours of position `i` ahead of it."""
    points, starts, side = cells.points, cells.starts, cells.side
    wide = np.uint64(side)
    column, row = cell_of(points[i, 0], side), cell_of(points[i, 1], side)
    left, right = column - (U1 if column > U0 else U0), min(column + U1, wide - U1)
    b = starts[row * wide + right + U1]
    if row + U1 == wide:
        return i + U1, b, U0, U0
    return i + U1, b, starts[(row + U1) * wide + left], starts[(row + U1) * wide + right + U1]


@kernel
def near(cells, i, j):
    """Whether the points at two positions are within the radius of each other."""
    points = cells.points
    dx, dy = points[i, 0] - points[j, 0], points[i, 1] - points[j, 1]
    return dx * dx + dy * dy <= cells.limit


@parallel_kernel
def count_ahead(cells, counts):
    """The number of neighbours ahead of each position."""
    for q in prange(counts.size):
        i = np.uint64(q)
        a, b, c, d = runs_ahead(cells, i)
        found = U0
        for j in range(a, b):
            found += U1 if near(cells, i, j) else U0
        for j in range(c, d):
            found += U1 if near(cells, i, j) else U0
        counts[i] = found


@parallel_kernel
def edges_ahead(cells, ends, low, src, dst):
    """The edges numbered from `low`; those of position i end at number `ends[i]`."""
    high = low + np.uint64(src.size)
    first = count_up_to(ends, low)
    last = min(count_below(ends, high) + U1, np.uint64(ends.size))
    for piece in prange(_PIECES):
        start, end = piece_bounds(last - first, piece, _PIECES)
        for i in range(first + start, first + end):
            at = ends[i - U1] if i > U0 else U0
            a, b, c, d = runs_ahead(cells, i)
            at = write_near(cells, i, a, b, at, low, src, dst)
            write_near(cells, i, c, d, at, low, src, dst)


@kernel
def write_near(cells, i, a, b, at, low, src, dst):
    """The edges from position `i` into the run [a, b), numbered from `at`; returns the number after the last."""
    order, high = cells.order, low + np.uint64(src.size)
    for j in range(a, b):
        if near(cells, i, j):
            if at >= low and at < high:
                src[at - low], dst[at - low] = order[i], order[j]
            at += U1
    return at


@parallel_kernel
def distances(points, src, dst, weights):
    """The Euclidean length of each arc."""
    for i in prange(src.size):
        u, v = src[i], dst[i]
        dx, dy = points[u, 0] - points[v, 0], points[u, 1] - points[v, 1]
        weights[i] = np.sqrt(dx * dx + dy * dy)
