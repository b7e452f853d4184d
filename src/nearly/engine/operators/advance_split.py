"""The kernel of `advance` for the split policy (LB5): the work is cut into virtual nodes, not the vertex."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add, going
from nearly.base.jit import parallel_kernel
from nearly.base.unsigned import U0, U1
from nearly.engine.operators.advance_kernels import BUFFER, CURSOR, EDGES, expanding, flush
from nearly.engine.primitives import load_balanced_search


@cache
def push_split(visit: Callable[..., bool]) -> Any:
    """As `push`, over virtual nodes (LB5) of at most `threshold` edges; `heavy` says where each item's nodes start.

    The value stays one per vertex.
    """
    expand = expanding(visit)

    @parallel_kernel
    def run(rows, wanted, output, state, workers, stop):
        offsets, targets, items, first = rows.offsets, rows.targets, wanted.items, wanted.heavy
        most, out, counters = wanted.threshold, output.out, output.counters
        total = first[first.size - 1]
        batch = max(U1, min(np.uint64(64), total // np.uint64(workers * 8)))
        for _ in prange(workers):
            kept = np.empty(BUFFER, out.dtype)
            fill, edges = U0, U0
            start = fetch_add(counters, CURSOR, batch)
            while start < total and going(stop):
                end = min(start + batch, total)
                i = load_balanced_search(first, start)
                for node in range(start, end):
                    while first[i + U1] <= node:
                        i += U1
                    u = np.uint64(items[i]) if items.size else i
                    low = offsets[u] + (node - first[i]) * most
                    high = min(low + most, offsets[u + U1])
                    edges += high - low
                    fill = expand(targets, u, low, high, state, output, kept, fill)
                start = fetch_add(counters, CURSOR, batch)
            flush(kept, fill, out, counters)
            fetch_add(counters, EDGES, edges)

    return run
