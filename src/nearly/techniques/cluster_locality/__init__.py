"""Well-connected vertices side by side (GX2, of Graffix): clusters that are iterated while they sit in fast memory.

The local clustering coefficient (LCC) of a vertex is the share of the pairs of its neighbours that are joined, on the
graph read as undirected. Vertices of at least the `threshold`, with their neighbours, form clusters: the vertex
of highest LCC begins one, and members that reach the threshold themselves bring in their neighbours, until it has
`max_cluster` members. Clusters do not overlap. They come first in the new numbering, one after the other.

Before that, edges are added, at most `max_added` of those there are: first for vertices that miss the threshold by no
more than `margin`, between their neighbours (those that share neighbours first), until they reach it; then for those
above it, between the two neighbours that have the fewest edges to the others. In a directed graph an arc is added
only where a path of two arcs over the vertex leads from one neighbour to the other, and it weighs what the path
weighs: no vertex can be reached that could not be before, and no distance falls. With `paths="any"` the directions of
the two arcs do not count and an arc is added each way, as the paper draws it: more vertices are lifted, and distances
and strong components become lower bounds.

After each round of a search over all vertices (bfs, sssp, policy `topology`) and each sweep of pagerank every cluster
is iterated by itself, `iterations` times at most; "auto" is four times the steps from its first vertex to its last,
twice what bounds its diameter. Where work goes by frontiers or queues, and for other algorithms, the layout and the
edges are all there is (see `nearly.engine.transform.clusters`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from nearly.algorithms.triangle_count.certificate import neighbour_pairs
from nearly.algorithms.triangle_count.counting import triangles
from nearly.base.memory import require
from nearly.base.threads import kernel_threads
from nearly.engine.knob import Knob
from nearly.engine.run import Run
from nearly.engine.technique import Task, Technique, technique
from nearly.engine.traits import Effect
from nearly.engine.transform.clusters import Clusters
from nearly.engine.transform.graph_map import GraphMap
from nearly.graph.csr import NO_WEIGHTS, Graph
from nearly.techniques.cluster_locality import kernels
from nearly.techniques.shared.two_hop import Added, effects_of, purpose, with_arcs

_FAST_MEMORY = 1 << 18  # bytes a cluster should fit into: a core's second-level cache
_VERTEX, _ARC = 24, 8  # bytes of a vertex's values and row, and of an arc
_ROUNDING = 1e-9


@technique("cluster-locality", reference="GX2: Graffix, latency")
class ClusterLocality(Technique):
    """Lay well-connected vertices side by side, join more of their neighbours, and iterate such clusters in cache."""

    threshold = Knob(
        "auto", "the clustering coefficient from which on a vertex makes a cluster", exact=None, low=0, high=1,
        words=("auto", None), mild=1,
    )  # fmt: skip
    margin = Knob(0.1, "vertices that miss the threshold by no more than this are lifted to it", low=0, high=1)
    max_added = Knob(0.01, "arcs that may be added, as a share of those there are; 0 only reorders", low=0, high=1)
    paths = Knob(
        "directed", 'which paths an added arc may stand for; "any" ignores directions', words=("directed", "any")
    )
    max_cluster = Knob("auto", "the most vertices of a cluster", low=2, whole=True, words=("auto",))
    iterations = Knob("auto", "how often a cluster is iterated after a round", low=0, whole=True, words=("auto",))
    weight = Knob(
        "sum", "what an added arc weighs, from the weights of the two it stands for", words=("sum",), function=True
    )

    @property
    def effects(self) -> tuple[Effect, ...]:
        return effects_of(self.max_added > 0, self.weight, across=self.paths == "any")

    def purpose(self, task: Task) -> str:
        return purpose(task)

    def transform(self, graph: Graph, task: Task) -> GraphMap | None:
        view = graph.symmetrized()
        require(60 * graph.n, "clusters")
        lcc, simple = clustering(view)
        threshold = automatic_threshold(lcc, simple) if self.threshold == "auto" else float(self.threshold or 0)
        high = (lcc >= threshold - _ROUNDING) & simple
        added, lifted = self._edges(graph, view, task, lcc, threshold, high)
        most = automatic_size(view) if self.max_cluster == "auto" else int(self.max_cluster)
        grown = clusters_of(view, lcc, high, most)
        moved = with_arcs(graph, task, added, grown.place, self.weight)
        times = 4 * grown.depths if self.iterations == "auto" else np.full_like(grown.depths, self.iterations)
        sizes = np.diff(grown.starts)
        moved.report.update(
            {
                "threshold": threshold,
                "mean clustering": float(lcc[simple].mean()) if simple.any() else 0.0,
                "vertices lifted": lifted,
                "clusters": int(sizes.size),
                "vertices in clusters": int(grown.starts[-1]),
                "largest cluster": int(sizes.max(initial=0)),
                "most iterations": int(times.max(initial=0)),
            }
        )
        return replace(moved, clusters=Clusters(grown.starts, times).packed()) if times.any() else moved

    def _edges(
        self, graph: Graph, view: Graph, task: Task, lcc: np.ndarray, threshold: float, high: np.ndarray
    ) -> tuple[Added, int]:
        """The arcs to add, and how many vertices they lift over the threshold, which `high` then holds too."""
        arcs = 1 if graph.directed else 2
        room = int(self.max_added * graph.m) // arcs
        table = np.full((4 << max(room, 1).bit_length(), 2), kernels.NONE)
        added, counters = np.empty((4, room), np.uint64), np.array([0, room, 0], np.uint64)
        rows = graph.arrays if task.weighted else graph.arrays._replace(weights=NO_WEIGHTS)
        paths = kernels.EDGES if not graph.directed else kernels.ALONG if self.paths == "directed" else kernels.ACROSS
        additions = kernels.Additions(rows, paths, table, added, counters)
        near = np.flatnonzero(~high & (lcc > 0) & (lcc >= threshold - self.margin - _ROUNDING))
        if room:
            above = by_clustering(lcc, np.flatnonzero(high & (lcc < 1)))
            kernels.lift(*view.arrays[:2], additions, by_clustering(lcc, near), threshold - _ROUNDING, high)
            kernels.boost(*view.arrays[:2], additions, above)
        return Added(*added[:, : int(counters[0])]), int(counters[2])


def clustering(view: Graph) -> tuple[np.ndarray, np.ndarray]:
    """The local clustering coefficient of each vertex, and which have one: those with two neighbours or more."""
    pairs = neighbour_pairs(view)
    with kernel_threads(work=view.m) as threads:
        counts = triangles(Run(view, threads=threads))
    return np.divide(counts, pairs, out=np.zeros(view.n), where=pairs > 0), pairs > 0


def automatic_threshold(lcc: np.ndarray, simple: np.ndarray) -> float:
    """Half way from the mean coefficient to 1: high, as the paper advises, but within reach where all are high."""
    return float((1 + lcc[simple].mean()) / 2) if simple.any() else 1.0


def automatic_size(view: Graph) -> int:
    """How many vertices of mean degree, with their arcs, fit into fast memory."""
    return max(int(_FAST_MEMORY / (_VERTEX + _ARC * view.m / max(view.n, 1))), 2)


def by_clustering(lcc: np.ndarray, vertices: np.ndarray) -> np.ndarray:
    """The vertices by falling coefficient, then by number."""
    return vertices[np.argsort(-lcc[vertices], kind="stable")].astype(np.uint64)


class Grown(NamedTuple):
    """Clusters: where each starts in the new numbering, how far it reaches from its first vertex, and the numbering."""

    starts: np.ndarray
    depths: np.ndarray
    place: np.ndarray


def clusters_of(view: Graph, lcc: np.ndarray, high: np.ndarray, most: int) -> Grown:
    """Disjoint clusters of at most `most` vertices, grown from vertices of high clustering, best first.

    Examples
    --------
    >>> g = Graph.from_edges([0, 1, 1, 2, 3], [1, 2, 3, 3, 4], directed=False)
    >>> lcc, _ = clustering(g)
    >>> grown = clusters_of(g, lcc, lcc >= 0.5, 3)
    >>> lcc.round(2).tolist(), grown.starts.tolist(), grown.place.tolist()
    ([0.0, 0.33, 1.0, 0.33, 0.0], [0, 3], [3, 1, 0, 2, 4])
    """
    n, number = view.n, view.arrays.targets.dtype
    order, taken = np.empty(n, number), np.zeros(n, np.bool_)
    starts, depths = np.zeros(n + 1, np.uint64), np.zeros(n, np.uint64)
    seeds = by_clustering(lcc, np.flatnonzero(high))
    growth = kernels.Growth(order, taken, starts, depths)
    count = int(kernels.grow(*view.arrays[:2], seeds, high, np.uint64(most), growth))
    order[int(starts[count]) :] = np.flatnonzero(~taken)
    place = np.empty(n, number)
    place[order] = np.arange(n)
    return Grown(starts[: count + 1].copy(), depths[:count].copy(), place)
