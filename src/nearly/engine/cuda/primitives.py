"""Data-parallel primitives on the device: scan, compaction, one functor on many items, one number from all.

A scan sums tiles of one block each in shared memory, scans the tiles' totals in the same way, and adds these.
Compaction is a scan of what stays, so that it keeps the order. Buffers are made once, for the most items there will be.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, reduce
from typing import Any

import numpy as np
from numba import cuda

from nearly.base.unsigned import U1
from nearly.engine.cuda.device import BLOCK, MOST_BLOCKS, device_functor, device_kernel, launch
from nearly.engine.operators.reduce import add

_PARTS = min(64, MOST_BLOCKS)  # numbers the host joins


class Scan:
    """Exclusive prefix sums of up to `most` uint64 numbers; `out` is one longer and ends with the total."""

    def __init__(self, most: int) -> None:
        tiles = -(-most // BLOCK)
        self.out = cuda.to_device(np.zeros(most + 1, np.uint64))
        self.totals = cuda.device_array(max(tiles, 1), np.uint64)
        self.above = Scan(tiles) if tiles > 1 else None

    def __call__(self, values: Any, count: int) -> Any:
        launch(scan_tiles, count, values, count, self.out, self.totals)
        if self.above is not None and count > BLOCK:
            launch(add_totals, count, self.out, count, self.above(self.totals, -(-count // BLOCK)))
        return self.out


@device_kernel
def scan_tiles(values, count, out, totals):
    """out[i + 1] is the sum of values[i] and those before it in the same tile; `totals` those of whole tiles."""
    part = cuda.shared.array(BLOCK, np.uint64)
    t = cuda.threadIdx.x
    for tile in range(cuda.blockIdx.x, (count + BLOCK - 1) // BLOCK, cuda.gridDim.x):
        i = tile * BLOCK + t
        part[t] = values[i] if i < count else np.uint64(0)
        reach = 1
        while reach < BLOCK:
            cuda.syncthreads()
            before = part[t - reach] if t >= reach else np.uint64(0)
            cuda.syncthreads()
            part[t] += before
            reach *= 2
        if i < count:
            out[i + 1] = part[t]
        if t == BLOCK - 1:
            totals[tile] = part[t]
        cuda.syncthreads()


@device_kernel
def add_totals(out, count, before):
    """Add to each tile what all tiles before it sum to."""
    for i in range(cuda.grid(1), count, cuda.gridsize(1)):
        out[i + 1] += before[i // BLOCK]


class Filter:
    """Compaction: `keep(state, item)` decides which of up to `most` items stay, in order."""

    def __init__(self, keep: Callable[..., bool], most: int) -> None:
        self.flag, self.scan = flag(keep), Scan(most)
        self.flags = cuda.device_array(max(most, 1), np.uint64)

    def __call__(self, state: Any, items: Any, count: int, out: Any) -> int:
        """Put what stays of items[:count] (all vertices, if `items` is empty) into `out`; returns how many."""
        launch(self.flag, count, state, items, count, self.flags)
        first = self.scan(self.flags, count)
        launch(scatter, count, items, count, self.flags, first, out)
        return int(first[count : count + 1].copy_to_host()[0])


@cache
def flag(keep: Callable[..., bool]) -> Any:
    """The kernel that marks with 1 the items that stay."""
    keeps = device_functor(keep)

    @device_kernel
    def run(state, items, count, flags):
        for i in range(cuda.grid(1), count, cuda.gridsize(1)):
            flags[i] = U1 if keeps(state, np.uint64(items[i]) if items.size else np.uint64(i)) else np.uint64(0)

    return run


@device_kernel
def scatter(items, count, flags, first, out):
    """Put the marked items where the scan of the marks says."""
    for i in range(cuda.grid(1), count, cuda.gridsize(1)):
        if flags[i]:
            out[first[i]] = items[i] if items.size else i


@cache
def for_each(do: Callable[..., Any]) -> Any:
    """The kernel `run(state, items, count)`: `do(state, item)` for items[:count], or 0..count-1 if `items` is empty."""
    does = device_functor(do)

    @device_kernel
    def run(state, items, count):
        for i in range(cuda.grid(1), count, cuda.gridsize(1)):
            does(state, np.uint64(items[i]) if items.size else np.uint64(i))

    return run


@device_kernel
def broadcast(slot, of, count, values):
    """Every copy gets the value of the vertex it copies."""
    for i in range(cuda.grid(1), count, cuda.gridsize(1)):
        values[slot[i]] = values[of[i]]


@device_kernel
def copy_at(items, count, source, target):
    """target[v] = source[v] for items[:count]."""
    for i in range(cuda.grid(1), count, cuda.gridsize(1)):
        target[items[i]] = source[items[i]]


@device_kernel
def copy_first(count, source, target):
    """target[:count] = source[:count]."""
    for i in range(cuda.grid(1), count, cuda.gridsize(1)):
        target[i] = source[i]


class Total:
    """One number from all vertices: `measure(state, v)`, joined by `combine`, which must take 0 for nothing.

    Threads join what they meet, blocks join that in a tree of fixed shape, and the host joins the blocks' in order.
    """

    def __init__(self, measure: Callable[..., float], combine: Callable[..., float] = add) -> None:
        self.kernel, self.combine = join_all(measure, combine), combine
        self.parts = cuda.device_array(_PARTS, np.float64)

    def __call__(self, state: Any, n: int) -> float:
        blocks = launch(self.kernel, n, state, n, self.parts, most=_PARTS)
        return float(reduce(self.combine, self.parts.copy_to_host()[:blocks]))


@cache
def join_all(measure: Callable[..., float], combine: Callable[..., float]) -> Any:
    """The kernel that leaves one number per block."""
    measures, joins = device_functor(measure), device_functor(combine)

    @device_kernel
    def run(state, n, parts):
        part = cuda.shared.array(BLOCK, np.float64)
        t = cuda.threadIdx.x
        total = 0.0
        for v in range(cuda.grid(1), n, cuda.gridsize(1)):
            total = joins(total, measures(state, np.uint64(v)))
        part[t] = total
        reach = BLOCK // 2
        while reach > 0:
            cuda.syncthreads()
            if t < reach:
                part[t] = joins(part[t], part[t + reach])
            reach //= 2
        if t == 0:
            parts[cuda.blockIdx.x] = part[0]

    return run
