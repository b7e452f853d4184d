"""A small graph as matrices, from which everything can be computed in the plainest way."""

from __future__ import annotations

from functools import cached_property

import networkx as nx
import numpy as np

from nearly import Graph


class Small:
    """The matrices of a graph, each made when it is first asked for."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.n = graph, graph.n
        self.src, self.dst = graph.arc_sources().astype(np.int64), graph.targets.astype(np.int64)

    @cached_property
    def counts(self) -> np.ndarray:
        """How many arcs lead from u to v."""
        made = np.zeros((self.n, self.n), np.int64)
        np.add.at(made, (self.src, self.dst), 1)
        return made

    @property
    def parallel(self) -> bool:
        """Whether an arc is there twice."""
        return bool((self.counts > 1).any())

    @property
    def loops(self) -> bool:
        """Whether a vertex has an arc to itself."""
        return bool(self.counts.diagonal().any())

    def sums(self, weighted: bool) -> np.ndarray:
        """The sums of the weights of the arcs from u to v."""
        if not weighted:
            return self.counts.astype(np.float64)
        made = np.zeros((self.n, self.n))
        np.add.at(made, (self.src, self.dst), self.graph.weights.astype(np.float64))
        return made

    @cached_property
    def hops(self) -> np.ndarray:
        """Distances in hops."""
        return self._closure(np.where(self.counts > 0, 1.0, np.inf))

    def distances(self, weighted: bool) -> np.ndarray:
        """Distances by weights or in hops."""
        return self._lengths if weighted else self.hops

    @cached_property
    def _lengths(self) -> np.ndarray:
        direct = np.full((self.n, self.n), np.inf)
        np.minimum.at(direct, (self.src, self.dst), self.graph.weights.astype(np.float64))
        return self._closure(direct)

    def _closure(self, direct: np.ndarray) -> np.ndarray:
        """Floyd and Warshall."""
        made = direct.copy()
        np.fill_diagonal(made, 0.0)
        for k in range(self.n):
            np.minimum(made, made[:, k : k + 1] + made[k], out=made)
        return made

    @property
    def reach(self) -> np.ndarray:
        """Whether u reaches v."""
        return np.isfinite(self.hops)

    def parts(self, joined: np.ndarray, closed: bool) -> np.ndarray:
        """The smallest vertex of each vertex's part; `joined` is a relation, and an equivalence if `closed`."""
        if not closed:
            for k in range(self.n):
                joined = joined | (joined[:, k : k + 1] & joined[k])
        return joined.argmax(axis=1)

    @cached_property
    def simple(self) -> nx.Graph:
        """The graph without directions, loops and parallel edges."""
        made = nx.from_numpy_array((self.counts + self.counts.T > 0).astype(int))
        made.remove_edges_from([(v, v) for v in made])
        return made

    def forest_weight(self, weighted: bool) -> float:
        """The weight of a lightest spanning forest, by Kruskal."""
        weight = self.graph.weights.astype(np.float64) if weighted else np.ones(self.src.size)
        root, total = list(range(self.n)), 0.0

        def find(v: int) -> int:
            while root[v] != v:
                v = root[v]
            return v

        for e in np.argsort(weight, kind="stable"):
            u, v = find(int(self.src[e])), find(int(self.dst[e]))
            if u != v:
                root[max(u, v)] = min(u, v)
                total += float(weight[e])
        return total
