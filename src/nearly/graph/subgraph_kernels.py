"""The rows of a subgraph: what stays of each row, in its order, under new numbers.

Rows ascend and numbers keep their order, so nothing is sorted: one pass counts what stays of each row, the other copies
it. Workers take rows of the vertices that stay from a cursor.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1

_BATCH = np.uint64(64)  # rows that a worker takes at a time


@kernel
def count_row(rows, v, kept):
    """How many arcs of v lead to vertices that stay."""
    offsets, targets = rows
    count = U0
    for e in range(offsets[v], offsets[v + U1]):
        count += np.uint64(kept[targets[e]])
    return count


@kernel
def copy_row(rows, v, kept, new, low, made):
    """Write the new ends of these arcs from the place `low` on, and which arcs they were, if that is asked for."""
    (offsets, targets), (ends, arcs) = rows, made
    for e in range(offsets[v], offsets[v + U1]):
        if kept[targets[e]]:
            ends[low] = new[targets[e]]
            if arcs.size > 0:
                arcs[low] = e
            low += U1


@parallel_kernel
def count_rows(rows, members, kept, sizes, cursor, workers):
    """`count_row` for all that stay."""
    size = np.uint64(members.size)
    for _ in prange(workers):
        low = fetch_add(cursor, U0, _BATCH)
        while low < size:
            for i in range(low, min(low + _BATCH, size)):
                sizes[i] = count_row(rows, np.uint64(members[i]), kept)
            low = fetch_add(cursor, U0, _BATCH)


@parallel_kernel
def copy_rows(rows, members, kept, new, begins, made, cursor, workers):
    """`copy_row` for all that stay."""
    size = np.uint64(members.size)
    for _ in prange(workers):
        low = fetch_add(cursor, U0, _BATCH)
        while low < size:
            for i in range(low, min(low + _BATCH, size)):
                copy_row(rows, np.uint64(members[i]), kept, new, begins[i], made)
            low = fetch_add(cursor, U0, _BATCH)
