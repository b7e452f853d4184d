"""The order in which points are inserted and stored: along a Hilbert curve, so that neighbours are near in memory.

For insertion the curve is run through several times, each time with about twice as many points as before (a biased
random order). So the triangulation grows evenly, and no order of the input can make it slow.
"""

from __future__ import annotations

import numpy as np

from nearly.base.jit import inner_kernel, kernel
from nearly.mesh.crew import in_shares
from nearly.mesh.triangle_records import U0, U1, U2, U3

_BITS = 16
_FIRST = 64  # points in the first run


@inner_kernel
def _along_curve(column, row):
    """The position of a cell on the Hilbert curve of 2^16 by 2^16 cells."""
    d, k = U0, np.uint64(_BITS)
    while k > U0:  # by products and not by branches: which way these would go is like the toss of a coin
        k -= U1
        rx, ry, below = (column >> k) & U1, (row >> k) & U1, (U1 << k) - U1
        d = (d << U2) + ((U3 * rx) ^ ry)
        turned = below * (rx & (ry ^ U1))
        column, row = (column & below) ^ turned, (row & below) ^ turned
        swapped = (column ^ row) * (ry ^ U1)
        column, row = column ^ swapped, row ^ swapped
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


def curve_keys(xy: np.ndarray, workers: int = 1) -> np.ndarray:
    """For each point its position on the curve."""
    keys = np.empty(xy.size // 2, np.uint64)
    if keys.size:
        low = xy[::2].min(), xy[1::2].min()
        extent = float(max(xy[::2].max() - low[0], xy[1::2].max() - low[1]))
        cells = 65535.0 / extent if extent > 0.0 else 0.0
        in_shares(workers, keys.size, lambda i, j: _curve_keys(xy[2 * i : 2 * j], low[0], low[1], cells, keys[i:j]))
    return keys


def curve_order(xy: np.ndarray, workers: int = 1) -> np.ndarray:
    """The points in the order of the curve."""
    keys = curve_keys(xy, workers) << np.uint64(2 * _BITS)
    keys |= np.arange(keys.size, dtype=np.uint64)
    keys.sort()  # faster than sorting numbers by their keys
    return (keys & np.uint64((1 << 2 * _BITS) - 1)).astype(np.int64)


def insertion_order(xy: np.ndarray) -> np.ndarray:
    """The points in an order that is good for inserting them one after the other."""
    keys = curve_keys(xy) | (_runs(xy.size // 2) << np.uint64(2 * _BITS))
    return np.argsort(keys, kind="stable").astype(np.uint32)
