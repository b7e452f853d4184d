"""Pull reductions on the device (`neighborhood_reduce`): sums over the rows of chosen vertices, without a float atomic.

For each chosen vertex v, `gather(state, u, v, e)` is combined over the arcs of row v, then `apply(state, v, total)`
stores what becomes of it. A row has `lanes` threads: one (`topology`), a warp (`auto`, `frontier`), or a
block for rows above `threshold` in a second launch (`heavy-light`). Their partial results meet in shared
memory, in a tree of fixed shape, so that the same grid gives the same sums. Under `split` rows are cut into nodes of
`threshold` arcs; a thread sums a node, and then one adds the nodes of a row in order.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import cuda

from nearly.base.atomics import fetch_add
from nearly.base.unsigned import U0, U1
from nearly.engine.cuda.advance_kernels import Share
from nearly.engine.cuda.device import BLOCK, WARP, device_functor, device_kernel, graph_arrays, launch, put
from nearly.engine.cuda.primitives import Scan
from nearly.engine.operators.reduce import add
from nearly.graph.csr import Graph

_NEVER, _ZERO = np.uint64(2**64 - 1), np.float64(0)
_HEAVY, _NODE = 1024, 32  # default thresholds: arcs of a heavy row, arcs of a node
HEAVY, EDGES = np.uint64(0), np.uint64(1)


class Nodes(NamedTuple):
    """Pieces of rows, laid end to end."""

    items: Any  # the vertices; empty for all
    size: int  # how many
    first: Any  # where each one's pieces start
    start: Any  # the sum of an empty piece
    partial: Any  # the sum of each piece


class Rows:
    """One gather and one apply on the rows of a graph; as `nearly.engine.operators.reduce`."""

    def __init__(
        self, run: Any, graph: Graph, gather: Callable[..., Any], apply: Callable[..., Any], start: Any = _ZERO
    ) -> None:
        self.arrays, self.graph, self.start = graph_arrays(graph), graph, start
        self.gather, self.apply, self.policy, n = gather, apply, run.policy, graph.n
        self.none = cuda.device_array(0, graph.arrays.targets.dtype)
        self.counters = cuda.to_device(np.zeros(2, np.uint64))
        self.lanes = 1 if run.policy in ("topology", "heavy-light") else WARP
        if self.policy == "split":
            self.most = np.uint64(run.threshold or _NODE)
            self.scan, self.sizes = Scan(n), cuda.device_array(max(n, 1), np.uint64)
            self.partial = cuda.device_array(n + graph.m // int(self.most), np.result_type(start))
        else:
            self.threshold = np.uint64(run.threshold or _HEAVY) if run.policy == "heavy-light" else _NEVER
            self.heavy = cuda.device_array(n if run.policy == "heavy-light" else 1, graph.arrays.targets.dtype)

    def __call__(self, state: Any, items: Any = None, count: int | None = None) -> None:
        """Reduce the rows of items[:count]; of all vertices where `items` is None."""
        items = self.none if items is None else items
        count = self.graph.n if count is None else count
        (self._cut if self.policy == "split" else self._whole)(state, items, count)

    @property
    def edges(self) -> int:
        """How many arcs have been visited so far."""
        return int(self.counters.copy_to_host()[EDGES])

    def _whole(self, state: Any, items: Any, count: int) -> None:
        offsets, targets, _ = self.arrays
        kernel = reduce_rows(self.gather, add, self.apply, np.result_type(self.start))
        rows, tail = (offsets, targets), (self.counters, self.start, state)
        share = Share(self.lanes, self.threshold, self.heavy)
        launch(kernel, count, rows, items, count, share, *tail, each=self.lanes)
        if self.policy == "heavy-light":
            heavy = int(self.counters.copy_to_host()[HEAVY])
            share = Share(BLOCK, _NEVER, self.heavy)
            launch(kernel, heavy, rows, self.heavy, heavy, share, *tail, each=BLOCK)
            put(self.counters[:1], 0)

    def _cut(self, state: Any, items: Any, count: int) -> None:
        offsets, targets, _ = self.arrays
        launch(count_nodes, count, offsets, items, count, self.most, self.sizes)
        first = self.scan(self.sizes, count)
        most_nodes = count + self.graph.m // int(self.most)
        nodes = Nodes(items, count, first, self.start, self.partial)
        launch(sum_nodes(self.gather), most_nodes, (offsets, targets), self.most, self.counters, nodes, state)
        launch(join_nodes(self.apply), count, nodes, state)


@cache
def reduce_rows(gather: Callable[..., Any], combine: Callable[..., Any], apply: Callable[..., Any], dtype: Any) -> Any:
    """The kernel that maps a row to `lanes` threads; rows of more than `threshold` arcs are only noted in `heavy`."""
    gathers, joins, applies = device_functor(gather), device_functor(combine), device_functor(apply)

    @device_kernel
    def run(rows, items, count, share, counters, start, state):
        offsets, targets = rows
        lanes, threshold, heavy = share
        part = cuda.shared.array(BLOCK, dtype)
        t = cuda.threadIdx.x
        lane = t % lanes
        per_block, edges = BLOCK // lanes, U0
        for base in range(cuda.blockIdx.x * per_block, count, cuda.gridDim.x * per_block):
            i = base + t // lanes
            whole, v, total = False, U0, start
            if i < count:
                v = np.uint64(items[i]) if items.size else np.uint64(i)
                low, high = offsets[v], offsets[v + U1]
                whole = high - low <= threshold
                if whole:
                    e = low + np.uint64(lane)
                    while e < high:
                        total = joins(total, gathers(state, targets[e], v, e))
                        e += np.uint64(lanes)
                        edges += U1
                elif lane == 0:
                    heavy[fetch_add(counters, HEAVY, U1)] = v
            part[t] = total
            reach = lanes // 2
            while reach > 0:
                cuda.syncthreads()
                if lane < reach:
                    part[t] = joins(part[t], part[t + reach])
                reach //= 2
            if whole and lane == 0:
                applies(state, v, part[t])
            cuda.syncthreads()
        fetch_add(counters, EDGES, edges)

    return run


@device_kernel
def count_nodes(offsets, items, count, most, sizes):
    """Into how many nodes of `most` arcs each row is cut."""
    for i in range(cuda.grid(1), count, cuda.gridsize(1)):
        v = np.uint64(items[i]) if items.size else np.uint64(i)
        sizes[i] = (offsets[v + U1] - offsets[v] + most - U1) // most


def row_of(first, count, node):
    """The row that a node belongs to: the last i with first[i] <= node."""
    low, high = U0, np.uint64(count)
    while low + U1 < high:
        middle = (low + high) >> U1
        if first[middle] <= node:
            low = middle
        else:
            high = middle
    return low


@cache
def sum_nodes(gather: Callable[..., Any]) -> Any:
    """The kernel that puts the sum over each node's arcs into `partial`; `first` numbers the nodes of each row."""
    gathers, finds = device_functor(gather), device_functor(row_of)

    @device_kernel
    def run(rows, most, counters, nodes, state):
        offsets, targets = rows
        items, count, first, start, partial = nodes
        edges = U0
        for node in range(cuda.grid(1), np.int64(first[count]), cuda.gridsize(1)):
            k = np.uint64(node)
            i = finds(first, count, k)
            v = np.uint64(items[i]) if items.size else i
            e = offsets[v] + (k - first[i]) * most
            high = min(e + most, offsets[v + U1])
            total = start
            while e < high:
                total += gathers(state, targets[e], v, e)
                e += U1
                edges += U1
            partial[k] = total
        fetch_add(counters, EDGES, edges)

    return run


@cache
def join_nodes(apply: Callable[..., Any]) -> Any:
    """The kernel that adds each row's partial sums in order and applies the total."""
    applies = device_functor(apply)

    @device_kernel
    def run(nodes, state):
        items, count, first, start, partial = nodes
        for i in range(cuda.grid(1), count, cuda.gridsize(1)):
            total = start
            k = first[i]
            while k < first[i + 1]:
                total += partial[k]
                k += U1
            applies(state, np.uint64(items[i]) if items.size else np.uint64(i), total)

    return run
