"""The same question put to each library: adapters that build a peer's own graph once and answer by algorithm name.

Building is not timed. Each method returns something cheap to compute that depends on the answer. A method a library
does not have is simply not defined. PageRank stops at the same L1 change everywhere it can be said (igraph uses
its own exact solver, PRPACK).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import nearly
from nearly import Graph

TOL = 1e-6
ALGORITHMS = (
    "bfs",
    "sssp",
    "pagerank",
    "connected_components",
    "scc",
    "mst",
    "triangle_count",
    "betweenness",
    "kcore",
    "coloring",
    "label_propagation",
    "maximal_independent_set",
)


def once(g: Graph) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Edges with each undirected one once."""
    src, dst = g.arc_sources(), g.targets
    keep = np.ones(g.m, bool) if g.directed else src <= dst
    return src[keep], dst[keep], None if g.weights is None else g.weights[keep].astype(np.float64)


class Nearly:
    def __init__(self, g: Graph, source: int) -> None:
        self.g, self.source = g, source
        _ = g.reverse, g.symmetrized()

    def bfs(self):
        return nearly.bfs(self.g, self.source)

    def sssp(self):
        return nearly.sssp(self.g, self.source)

    def pagerank(self):
        return nearly.pagerank(self.g, tol=TOL, weights=False)

    def connected_components(self):
        return nearly.connected_components(self.g)

    def scc(self):
        return nearly.scc(self.g)

    def mst(self):
        return nearly.mst(self.g)

    def triangle_count(self):
        return nearly.triangle_count(self.g)

    def betweenness(self):
        return nearly.betweenness(self.g, sources=np.array([self.source]))

    def kcore(self):
        return nearly.kcore(self.g)

    def coloring(self):
        return nearly.coloring(self.g)

    def label_propagation(self):
        return nearly.label_propagation(self.g)

    def maximal_independent_set(self):
        return nearly.maximal_independent_set(self.g)


class NetworKit:
    def __init__(self, g: Graph, source: int) -> None:
        import networkit as nk

        self.nk, self.source = nk, source
        src, dst, weights = once(g)
        data = np.ones(src.size) if weights is None else weights
        ends = (src.astype(np.uint64), dst.astype(np.uint64))  # narrower ones crash it
        self.graph = nk.GraphFromCoo((data, ends), g.n, weighted=weights is not None, directed=g.directed)
        self.flat = self.graph if not self.graph.isDirected() else nk.graphtools.toUndirected(self.graph)
        self.plain = nk.graphtools.toUnweighted(self.graph)
        self.simple = nk.Graph(self.flat)
        self.simple.removeSelfLoops()

    def _run(self, algorithm):
        algorithm.run()
        return algorithm

    def bfs(self):
        return self._run(self.nk.distance.BFS(self.graph, self.source, storePaths=False))

    def sssp(self):
        return self._run(self.nk.distance.Dijkstra(self.graph, self.source, storePaths=False))

    def pagerank(self):
        nk = self.nk
        algorithm = nk.centrality.PageRank(
            self.plain, damp=0.85, tol=TOL, distributeSinks=nk.centrality.SinkHandling.DistributeSinks
        )
        algorithm.norm = nk.centrality.Norm.L1_NORM
        return self._run(algorithm)

    def connected_components(self):
        nk = self.nk
        kind = (
            nk.components.WeaklyConnectedComponents
            if self.graph.isDirected()
            else nk.components.ParallelConnectedComponents
        )
        return self._run(kind(self.graph))

    def scc(self):
        return self._run(self.nk.components.StronglyConnectedComponents(self.graph))

    def mst(self):
        return self._run(self.nk.graph.KruskalMSF(self.flat))

    def triangle_count(self):
        return self._run(self.nk.centrality.LocalClusteringCoefficient(self.simple, True))

    def kcore(self):
        return self._run(self.nk.centrality.CoreDecomposition(self.simple))

    def label_propagation(self):
        return self._run(self.nk.community.PLP(self.flat))

    def louvain(self):
        return self._run(self.nk.community.PLM(self.flat))


class Igraph:
    MOST = 1_000_000  # edges up to which its label propagation ends in reasonable time

    def __init__(self, g: Graph, source: int) -> None:
        import igraph

        src, dst, weights = once(g)
        self.source = source
        self.graph = igraph.Graph(n=g.n, edges=np.column_stack([src, dst]).astype(np.int64), directed=g.directed)
        self.weights = None if weights is None else weights.tolist()

    def bfs(self):
        return self.graph.distances(self.source, weights=None)

    def sssp(self):
        return self.graph.distances(self.source, weights=self.weights)

    def pagerank(self):
        return self.graph.pagerank(damping=0.85)

    def connected_components(self):
        return self.graph.connected_components(mode="weak").membership

    def scc(self):
        return self.graph.connected_components(mode="strong").membership

    def mst(self):
        return self.graph.spanning_tree(weights=self.weights, return_tree=False)

    def triangle_count(self):
        return self.graph.transitivity_local_undirected(mode="zero")

    def betweenness(self):
        return self.graph.betweenness(sources=[self.source])

    def kcore(self):
        return self.graph.coreness(mode="all")

    def label_propagation(self):
        if self.graph.ecount() > self.MOST:
            raise NotImplementedError("takes minutes")
        return self.graph.community_label_propagation().membership

    def coloring(self):
        return self.graph.vertex_coloring_greedy()


class SciPy:
    def __init__(self, g: Graph, source: int) -> None:
        self.source = source
        self.matrix = g.to_scipy().astype(np.float64)
        self.matrix.indices, self.matrix.indptr = (
            self.matrix.indices.astype(np.int32),
            self.matrix.indptr.astype(np.int32),
        )

    def bfs(self):
        from scipy.sparse.csgraph import breadth_first_order

        return breadth_first_order(self.matrix, self.source, return_predecessors=True)

    def sssp(self):
        from scipy.sparse.csgraph import dijkstra

        return dijkstra(self.matrix, indices=self.source)

    def connected_components(self):
        from scipy.sparse.csgraph import connected_components

        return connected_components(self.matrix, connection="weak")

    def scc(self):
        from scipy.sparse.csgraph import connected_components

        return connected_components(self.matrix, connection="strong")

    def mst(self):
        from scipy.sparse.csgraph import minimum_spanning_tree

        return minimum_spanning_tree(self.matrix)


class Rustworkx:
    """Only on graphs whose edges fit in Python lists."""

    MOST = 3_000_000

    def __init__(self, g: Graph, source: int) -> None:
        import rustworkx as rx

        src, dst, weights = once(g)
        if src.size > self.MOST:
            raise MemoryError("too many edges for Python lists")
        self.rx, self.source = rx, source
        self.graph = rx.PyDiGraph() if g.directed else rx.PyGraph()
        self.graph.add_nodes_from(range(g.n))
        data = np.ones(src.size) if weights is None else weights
        self.graph.add_edges_from(list(zip(src.tolist(), dst.tolist(), data.tolist())))

    def sssp(self):
        kind = (
            self.rx.digraph_dijkstra_shortest_path_lengths
            if isinstance(self.graph, self.rx.PyDiGraph)
            else self.rx.graph_dijkstra_shortest_path_lengths
        )
        return kind(self.graph, self.source, float)

    def connected_components(self):
        directed = isinstance(self.graph, self.rx.PyDiGraph)
        return (self.rx.weakly_connected_components if directed else self.rx.connected_components)(self.graph)

    def scc(self):
        return (
            self.rx.strongly_connected_components(self.graph)
            if isinstance(self.graph, self.rx.PyDiGraph)
            else _missing()
        )

    def mst(self):
        return (
            _missing()
            if isinstance(self.graph, self.rx.PyDiGraph)
            else self.rx.minimum_spanning_edges(self.graph, float)
        )

    def pagerank(self):
        return self.rx.pagerank(self.graph, tol=TOL) if isinstance(self.graph, self.rx.PyDiGraph) else _missing()


def _missing() -> Any:
    raise NotImplementedError("not for this kind of graph")


PEERS: dict[str, Callable[[Graph, int], Any]] = {
    "networkit": NetworKit,
    "igraph": Igraph,
    "scipy": SciPy,
    "rustworkx": Rustworkx,
}
