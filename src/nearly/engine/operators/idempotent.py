"""Idempotent rounds (MG4): duplicates are let through by `advance` and culled by a heuristic filter.

Where visiting a vertex twice does no harm, a functor needs no atomic: it may store plainly and accept a target as often
as it is met in a round. What is saved there is paid for by larger frontiers. As in Mini-Gunrock, the edges of a
frontier are laid end to end and cut evenly (a scan, then a load-balanced search; a small frontier is walked row by row,
balanced over the input, by one thread), and accepted targets are filtered by small hash tables, one for each tile of
the output: a target is dropped if the same one was the last in its slot. Duplicates in different tiles, or with another
target of the same slot between them, stay: the paper's explosion of frontiers. Only when the edges of a frontier
outnumber those of the graph are its duplicates sorted out, so that memory is bounded. The trace says how many targets
were accepted and how many duplicates went on; none of it depends on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import prange

from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1
from nearly.engine import recording
from nearly.engine.operators.frontier import push_to_edges
from nearly.engine.primitives import compact, scan
from nearly.engine.trace import Did
from nearly.graph.csr import Graph

TILE = np.uint64(1024)  # targets that share a table
SLOTS = np.uint64(256)


class IdempotentRounds:
    """A functor on the edges of frontiers that may hold vertices more than once."""

    def __init__(self, run: Any, graph: Graph, visit: Callable[..., bool], state: Any) -> None:
        self.run, self.graph, self.visit, self.state = run, graph, visit, state
        self.values, self.before = state[0], getattr(state, "before", state[0])
        self.items = np.empty(0, graph.arrays.targets.dtype)
        self.stamp, self.now = np.zeros(graph.n, np.uint32), 0

    def start(self, vertices: Any) -> IdempotentRounds:
        """Begin with these vertices."""
        self.items = np.asarray(vertices, self.items.dtype)
        return self

    def step(self) -> list[Did] | None:
        """One round; None when there is nothing to do."""
        if self.items.size == 0:
            return None
        items, first, edges = self._edges()
        rows, work = self.graph.rows, edges + items.size
        numbers, keep = np.empty(edges, np.uint64), np.empty(edges, np.bool_)
        self.run.launch(push_to_edges(self.visit), rows, items, first, keep, numbers, self.state, work=work)
        taken = np.empty(edges, np.uint64)
        accepted = rows.targets[taken[: int(compact(numbers, keep, taken))]]
        stay, out = np.empty(accepted.size, np.bool_), np.empty_like(accepted)
        cull(accepted, stay)
        self.items = out[: int(compact(accepted, stay, out))]
        if self.before is not self.values:
            self.before[self.items] = self.values[self.items]
        self.now += 1
        twice = int(repeated(self.items, self.stamp, np.uint32(self.now)))
        recording.note(self.graph, items, self.items.size)
        extra = {"accepted": float(accepted.size), "duplicates": float(twice)}
        return [Did(items.size, edges, extra=extra, changed=self.items.size - twice)]

    def _edges(self) -> tuple[np.ndarray, np.ndarray, int]:
        """The frontier, where each of its vertices' edges start, and how many edges there are."""
        items = self.items
        first = np.empty(items.size + 1, np.uint64)
        edges = int(scan(self.graph.row_sizes[items], first))
        if edges > self.graph.m:
            items = np.unique(items)
            first = np.empty(items.size + 1, np.uint64)
            edges = int(scan(self.graph.row_sizes[items], first))
        return items, first, edges


@kernel
def cull_tile(items, low, high, table, stay):
    """Say of each target of a tile whether it stays: not if the last one in its slot was the same."""
    for i in range(low, high):
        v = np.uint64(items[i])
        slot = v % SLOTS
        stay[i] = table[slot] != v + U1
        table[slot] = v + U1


@parallel_kernel
def cull(items, stay):
    """Say of each target whether it stays, tile by tile."""
    size = np.uint64(items.size)
    for tile in prange((size + TILE - U1) // TILE):
        low = np.uint64(tile) * TILE
        cull_tile(items, low, min(low + TILE, size), np.zeros(SLOTS, np.uint64), stay)


@kernel
def repeated(items, stamp, now):
    """How many items stand behind another that is the same."""
    count = U0
    for i in range(np.uint64(items.size)):
        v = np.uint64(items[i])
        count += np.uint64(stamp[v] == now)
        stamp[v] = now
    return count
