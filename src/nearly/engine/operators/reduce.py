"""`Rows`: sums over the neighbourhoods of chosen vertices, under a policy, without a float atomic.

The pull algorithms (pagerank, betweenness) share it: for each chosen vertex v, `gather(state, u, v, e)` is
added up over the arcs of row v, then `apply(state, v, total)` stores what becomes of it. A policy decides
how rows are cut into work:

- `auto`, `topology`, `frontier`: a row is one piece of work;
- `split`: rows are cut into virtual nodes of at most `threshold` arcs (64);
- `heavy-light`: only rows above the threshold (1,024) are cut, into shares that all workers take.

A cut row leaves one partial sum per piece, and these are added in order: the answer depends neither on
the number of threads nor on who took which piece.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add, going
from nearly.base.jit import SUM_ORDER_FREE, kernel, parallel_kernel
from nearly.base.threads import kernel_threads
from nearly.base.unsigned import U0, U1
from nearly.engine.operators.kernels import neighborhood_reduce
from nearly.engine.primitives import functor, load_balanced_search, scan
from nearly.engine.row_pieces import row_cuts
from nearly.engine.run import Run
from nearly.graph.csr import Graph

_WHOLE = 1 << 62  # no row is cut
_LIMITS = {"split": 64, "heavy-light": 1024}
_SERIAL = 1 << 13  # with fewer arcs one thread is faster
_BATCH = np.uint64(256)  # nodes or vertices a worker takes at a time

_ZERO = np.float64(0)


class Rows:
    """One gather and one apply on the rows of a graph (hand in the reverse graph to sum over in-neighbours).

    Parameters
    ----------
    run : policy, threads, stop flag.
    graph : whose rows are summed.
    gather : `gather(state, u, v, e)`, the summand of arc e between v and its neighbour u.
    apply : `apply(state, v, total)`.
    start : what an empty sum is; its type is the type of the sums.
    """

    def __init__(
        self, run: Run, graph: Graph, gather: Callable[..., Any], apply: Callable[..., Any], start: Any = _ZERO
    ) -> None:
        self.run, self.graph, self.start = run, graph, start
        self.gather, self.apply = gather, apply
        self.most = (run.threshold or _LIMITS[run.policy]) if run.policy in _LIMITS else _WHOLE
        self._all_nodes: np.ndarray | None = None

    def __call__(self, state: Any, items: np.ndarray | None = None) -> int:
        """Sum the rows of `items` (default: of all vertices); returns how many arcs that visits."""
        arcs = self.graph.m if items is None else int(self.graph.out_degrees[items].sum())
        with kernel_threads(self.run.threads if arcs > _SERIAL else 1) as workers:
            if items is None and self.most == _WHOLE:
                self._whole_rows(state, workers)
            else:
                self._cut_rows(state, items, workers)
        return arcs

    def _whole_rows(self, state: Any, workers: int) -> None:
        offsets, targets, _ = self.graph.arrays
        run, kernel = self.run, neighborhood_reduce(self.gather, add, self.apply)
        cursor = np.zeros(1, np.uint64)
        run.launch(kernel, offsets, targets, row_cuts(self.graph), self.start, state, cursor, workers, run.stop)

    def _cut_rows(self, state: Any, items: np.ndarray | None, workers: int) -> None:
        offsets, targets, _ = self.graph.arrays
        run, first = self.run, self._nodes(items)
        listed = np.empty(0, targets.dtype) if items is None else items
        partial = np.empty(int(first[-1]), np.result_type(self.start))
        share = (listed, first, self.start, state, partial)
        tail = (np.zeros(1, np.uint64), workers, run.stop)
        run.launch(sum_nodes(self.gather), offsets, targets, np.uint64(self.most), *share, *tail)
        tail[0][0] = 0
        run.launch(join_nodes(self.apply), *share, *tail)

    def _nodes(self, items: np.ndarray | None) -> np.ndarray:
        """Where each row's pieces start when those of all rows are laid end to end."""
        if items is None and self._all_nodes is not None:
            return self._all_nodes
        degrees = self.graph.out_degrees if items is None else self.graph.out_degrees[items]
        first = np.empty(degrees.size + 1, np.uint64)
        scan(-(-degrees.astype(np.int64) // self.most), first)
        if items is None:
            self._all_nodes = first
        return first


def add(total, value):
    """Sums are the only reduction here."""
    return total + value


@cache
def sum_nodes(gather: Callable[..., Any]) -> Any:
    """The kernel that puts the sum over each piece's arcs into `partial`."""
    gathers = functor(gather)

    @kernel(fastmath=SUM_ORDER_FREE)
    def piece(targets, low, high, v, start, state):
        total = start
        for e in range(low, high):
            total += gathers(state, targets[e], v, e)
        return total

    @parallel_kernel
    def run(offsets, targets, most, items, first, start, state, partial, cursor, workers, stop):
        nodes = np.uint64(partial.size)
        for _ in prange(workers):
            node = fetch_add(cursor, U0, _BATCH)
            while node < nodes and going(stop):
                i = load_balanced_search(first, node)
                for k in range(node, min(node + _BATCH, nodes)):
                    while first[i + U1] <= k:
                        i += U1
                    v = np.uint64(items[i]) if items.size else i
                    low = offsets[v] + (k - first[i]) * most
                    partial[k] = piece(targets, low, min(low + most, offsets[v + U1]), v, start, state)
                node = fetch_add(cursor, U0, _BATCH)

    return run


@cache
def join_nodes(apply: Callable[..., Any]) -> Any:
    """The kernel that adds each row's partial sums in order and applies the total."""
    applies = functor(apply)

    @parallel_kernel
    def run(items, first, start, state, partial, cursor, workers, stop):
        rows = np.uint64(first.size - 1)
        for _ in prange(workers):
            row = fetch_add(cursor, U0, _BATCH)
            while row < rows and going(stop):
                for i in range(row, min(row + _BATCH, rows)):
                    total = start
                    for k in range(first[i], first[i + U1]):
                        total += partial[k]
                    applies(state, np.uint64(items[i]) if items.size else i, total)
                row = fetch_add(cursor, U0, _BATCH)

    return run
