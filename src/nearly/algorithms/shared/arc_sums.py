"""Sums over arcs: the adjacency matrix, or its transpose, times a vector of float64.

`into(x)` has for each vertex the values of the sources of its in-arcs together, `out_of(x)` those of the targets of its
out-arcs, each times the arc's weight where weights count. Rows are reduced as the run's policy says; where
weights play no role and the graph is large, arcs lie in tiles (see `tiles`). No float atomics, fixed order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.algorithms.shared.tiles import sum_sources, tiles_of
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class Column(NamedTuple):
    """What one product works on."""

    values: np.ndarray
    weights: np.ndarray
    sums: np.ndarray


def value_there(state, u, v, e):
    """The value at the other end of an arc."""
    return state.values[u]


def value_by_weight(state, u, v, e):
    """The value at the other end of arc e, times its weight."""
    return state.values[u] * state.weights[e]


def store_sum(state, v, total):
    """The sum of v's arcs."""
    state.sums[v] = total


class ArcSums:
    """A graph as a matrix; see the top of the file."""

    def __init__(self, run: Run, graph: Graph, weighted: bool) -> None:
        self.run, self.graph, self.weighted = run, graph, weighted
        self.tiles = None if weighted or run.policy != "auto" else tiles_of(graph)

    def into(self, x: np.ndarray) -> np.ndarray:
        """For each vertex the sum over its in-arcs."""
        if self.tiles is None:
            return self._rows(self.graph.reverse, x)
        sums = np.empty(x.size)
        self.run.launch(sum_sources, self.tiles, x, sums)
        return sums

    def out_of(self, x: np.ndarray) -> np.ndarray:
        """For each vertex the sum over its out-arcs."""
        return self._rows(self.graph, x) if self.graph.directed else self.into(x)

    def _rows(self, graph: Graph, x: np.ndarray) -> np.ndarray:
        weights = graph.arrays.weights
        state = Column(x, weights if self.weighted else weights[:0], np.empty(x.size))
        self.run.reduce(value_by_weight if self.weighted else value_there, store_sum, state, graph=graph)
        return state.sums


def arc_sums(graph: Graph, threads: int, weighted: bool) -> ArcSums:
    """The matrix of a graph outside of a run, for certificates."""
    return ArcSums(Run(graph, threads=threads), graph, weighted)
