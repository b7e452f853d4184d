"""The compiled part of id compaction: mark which ids occur, and replace ids by their ranks."""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.base.jit import kernel, parallel_kernel

U1 = np.uint64(1)


@parallel_kernel
def mark(ids, seen):
    """Set `seen[id]` for every id; all ids are below the size of `seen`. Equal writes may race, harmlessly."""
    for i in prange(ids.size):
        seen[np.uint64(ids[i])] = 1


@parallel_kernel
def ranks_by_table(ids, table, ranks):
    """`table[id]` for every id; returns whether all ids are below the table's size."""
    beyond = 0
    for i in prange(ids.size):
        at = np.uint64(ids[i])
        if at < np.uint64(table.size):
            ranks[i] = table[at]
        else:
            beyond += 1
    return beyond == 0


@parallel_kernel
def ranks_by_search(ids, known, ranks):
    """The position of every id among the ascending `known`; returns whether all were found."""
    missing = 0
    for i in prange(ids.size):
        at = _position(known, np.uint64(ids[i]))
        if at < np.uint64(known.size) and known[at] == np.uint64(ids[i]):
            ranks[i] = at
        else:
            missing += 1
    return missing == 0


@kernel
def _position(known, value):
    low, high = np.uint64(0), np.uint64(known.size)
    while low < high:
        middle = (low + high) // np.uint64(2)
        if known[middle] < value:
            low = middle + U1
        else:
            high = middle
    return low
