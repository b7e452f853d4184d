"""The order in which points are inserted and stored: along a Hilbert curve, so that neighbours are near in memory.

For insertion the curve is run through several times, each time with about twice as many points as before (a biased
random order). So the triangulation grows evenly, and no order of the input can make it slow.
"""

from __future__ import annotations

import numpy as np

from nearly.base.jit import inner_kernel, kernel
from nearly.mesh.triangle_records import U0, U1, U3

_BITS = 16
_FIRST = 64  # points in the first run


@inner_kernel
def _along_curve(column, row):
    """The position of a cell on the Hilbert curve of 2^16 by 2^16 cells."""
    d, s = U0, np.uint64(1 << (_BITS - 1))
    while s > U0:
        rx = U1 if column & s else U0
        ry = U1 if row & s else U0
        d += s * s * ((U3 * rx) ^ ry)
        if ry == U0:
            if rx == U1:
                column = (s - U1) & ~column
                row = (s - U1) & ~row
            column, row = row, column
        column &= s - U1
        row &= s - U1
        s >>= U1
    return d


@kernel
def _curve_keys(xy, low_x, low_y, cells, keys):
    """The position on the curve of each point, with `cells` cells a unit from (low_x, low_y) on."""
    for i in range(np.uint64(keys.size)):
        x, y = xy[i << U1] - low_x, xy[(i << U1) + U1] - low_y
        keys[i] = _along_curve(np.uint64(x * cells), np.uint64(y * cells))


def _runs(n: int) -> np.ndarray:
    """The run that each of n items is in: half of all are in the last run, a quarter in the one before it, ..."""
    runs = 0
    while n >> runs > _FIRST:
        runs += 1
    z = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)  # scrambled: any order of points will do
    z = (z ^ (z >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    z ^= z >> np.uint64(32)
    lowest_zero = ~z & (z + U1)  # above as many ones as there are runs to go back
    back = np.frexp(lowest_zero.astype(np.float64))[1] - 1
    return (runs - np.minimum(back, runs)).astype(np.uint64)


def curve_keys(xy: np.ndarray) -> np.ndarray:
    """For each point its position on the curve."""
    keys = np.empty(xy.size // 2, np.uint64)
    if keys.size:
        low, high = xy.reshape(-1, 2).min(axis=0), xy.reshape(-1, 2).max(axis=0)
        extent = float((high - low).max())
        _curve_keys(xy, low[0], low[1], 65535.0 / extent if extent > 0.0 else 0.0, keys)
    return keys


def curve_order(xy: np.ndarray) -> np.ndarray:
    """The points in the order of the curve."""
    return np.argsort(curve_keys(xy).astype(np.uint32), kind="stable")


def insertion_order(xy: np.ndarray) -> np.ndarray:
    """The points in an order that is good for inserting them one after the other."""
    keys = curve_keys(xy) | (_runs(xy.size // 2) << np.uint64(2 * _BITS))
    return np.argsort(keys, kind="stable").astype(np.uint32)
