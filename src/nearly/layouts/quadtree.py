"""A quadtree over points, made anew in every round, as rows of cells in the order in which a search meets them.

Points are sorted by their place on a Z-order curve, so that every cell is a stretch of them; masses added up along the
order give a cell's mass and middle as differences. A search needs no stack: the cells inside a cell follow it, and
`after` says where to go on if they need not be looked at.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.base.jit import kernel, light_kernel
from nearly.base.unsigned import U0, U1, first_at_least

LEAF = np.uint64(8)  # points of a cell that is not divided
_BITS = np.uint64(20)  # levels
_U2, _U3 = np.uint64(2), np.uint64(3)
_SPREADS = (np.uint64(16), np.uint64(8), np.uint64(4), _U2, U1)
_MASKS = tuple(
    np.uint64(mask)
    for mask in (0x0000FFFF0000FFFF, 0x00FF00FF00FF00FF, 0x0F0F0F0F0F0F0F0F, 0x3333333333333333, 0x5555555555555555)
)
_S16, _S8, _S4, _S2, _S1 = _SPREADS
_M16, _M8, _M4, _M2, _M1 = _MASKS


class Points(NamedTuple):
    """Points in the order of the curve."""

    order: np.ndarray  # int64, the vertex at each place
    x: np.ndarray  # float64
    y: np.ndarray
    mass: np.ndarray
    sums: np.ndarray  # float64[3, n + 1], mass, mass * x and mass * y added up


class Cells(NamedTuple):
    """Cells, the outermost first."""

    x: np.ndarray  # float64, the middle of the mass
    y: np.ndarray
    mass: np.ndarray
    width: np.ndarray  # float64, squared
    low: np.ndarray  # uint32, the first point
    high: np.ndarray  # uint32, the first point that is not in it
    after: np.ndarray  # uint32, the next cell that is not inside


def cells_for(n: int) -> Cells:
    """Room for the cells of n points: a cell that is divided has at least two inside, so there are fewer than 2n."""
    room = 2 * n + 1
    floats, places = np.empty((4, room)), np.empty((3, room), np.uint32)
    return Cells(*floats, *places)


@light_kernel
def spread(x):
    """The lowest 32 bits of a number with a zero between any two."""
    x = (x | (x << _S16)) & _M16
    x = (x | (x << _S8)) & _M8
    x = (x | (x << _S4)) & _M4
    x = (x | (x << _S2)) & _M2
    return (x | (x << _S1)) & _M1


@kernel
def curve_places(at, low_x, low_y, scale, codes):
    """Where each point is on the Z-order curve; `scale` leads from distances to whole numbers below 2**20."""
    for v in range(np.uint64(codes.size)):
        column, row = np.uint64((at[0, v] - low_x) * scale), np.uint64((at[1, v] - low_y) * scale)
        codes[v] = spread(column) | (spread(row) << U1)


@kernel
def gather_points(at, mass, points):
    """Bring points into the order of the curve, with their masses added up."""
    sums = points.sums
    sums[0, 0] = sums[1, 0] = sums[2, 0] = 0.0
    for k in range(np.uint64(mass.size)):
        v = points.order[k]
        x, y, m = at[0, v], at[1, v], mass[v]
        points.x[k], points.y[k], points.mass[k] = x, y, m
        sums[0, k + U1] = sums[0, k] + m
        sums[1, k + U1] = sums[1, k] + m * x
        sums[2, k + U1] = sums[2, k] + m * y


@kernel
def build(codes, points, extent, cells, begins, stack):
    """Make the cells over sorted codes; how many there are. `begins` and `stack` are work memory."""
    n, count, fill = np.uint64(codes.size), U0, U1
    stack[0, 0], stack[0, 1], stack[0, 2] = U0, n, _U2 * _BITS
    for k in range(n + U1):
        begins[k] = U0
    sums = points.sums
    while fill > U0:
        fill -= U1
        low, high, bits = stack[fill, 0], stack[fill, 1], stack[fill, 2]
        cells.low[count], cells.high[count] = low, high
        if begins[low] == U0:
            begins[low] = count + U1  # one more: 0 is none
        mass = sums[0, high] - sums[0, low]
        cells.mass[count] = mass
        cells.x[count], cells.y[count] = (sums[1, high] - sums[1, low]) / mass, (sums[2, high] - sums[2, low]) / mass
        if high - low > LEAF:
            while bits > U0 and codes[low] >> (bits - _U2) == codes[high - U1] >> (bits - _U2):
                bits -= _U2  # all in one quarter: a smaller cell holds them too
        side = extent / np.float64(U1 << (_BITS - (bits >> U1)))
        cells.width[count] = side * side
        count += U1
        if high - low > LEAF and bits > U0:
            fill = divide(codes, low, high, bits - _U2, stack, fill)
    begins[n] = count + U1
    for cell in range(count):
        cells.after[cell] = begins[cells.high[cell]] - U1
    return count


@kernel
def divide(codes, low, high, bits, stack, fill):
    """Put the quarters of a cell on the stack, the first one last; how high the stack is then."""
    prefix, end = codes[low] >> (bits + _U2), high
    for i in range(_U3 + U1):
        quarter = _U3 - i
        begin = first_at_least(codes, low, end, ((prefix << _U2) | quarter) << bits)
        if begin < end:
            stack[fill, 0], stack[fill, 1], stack[fill, 2] = begin, end, bits
            fill += U1
            end = begin
    return fill
