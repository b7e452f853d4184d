"""The arrays of a graph in compressed sparse rows (CSR), and their types.

Row `u` is `targets[offsets[u]:offsets[u + 1]]`, ascending; `weights`, when there are any, run beside `targets`.
Offsets are unsigned 64-bit, targets unsigned 32-bit (64-bit only where the number of vertices needs it), weights
uint32 or float32 (float64 when asked): 4 bytes an arc unweighted, 8 weighted. There are few types because each
combination of them compiles every kernel again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

OFFSET = np.dtype(np.uint64)
NARROW_VERTICES = 2**32 - 1  # the largest uint32 is kept free as "no vertex"; tests lower this
NO_WEIGHTS = np.empty(0, np.uint8)  # stands for "unweighted" in `Arrays`, so that kernels always get three arrays


class Arrays(NamedTuple):
    """What kernels take. `weights` has length 0 where the graph has none. Kernels never write to these."""

    offsets: np.ndarray
    targets: np.ndarray
    weights: np.ndarray


def vertex_dtype(n: int) -> np.dtype:
    """The type of a vertex number in a graph of `n` vertices."""
    return np.dtype(np.uint32 if n <= NARROW_VERTICES else np.uint64)


def read_only(array: np.ndarray) -> np.ndarray:
    """A view of the array through which it cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view


def signed(array: np.ndarray, below: int = 2**31) -> np.ndarray:
    """Numbers less than `below` as people expect them in NumPy: a read-only view of a signed type, or else a copy.

    `np.repeat` refuses unsigned counts, and a difference of two unsigned numbers is a huge one, never negative.
    """
    if array.dtype.itemsize == 8 or below <= 2**31:
        return read_only(array.view(f"i{array.dtype.itemsize}"))
    return read_only(array.astype(np.int64))
