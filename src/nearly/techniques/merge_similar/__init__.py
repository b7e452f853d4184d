"""Approximate representation (GP3): vertices whose neighbourhoods overlap become one.

Two vertices are similar when the Jaccard index of their neighbourhoods, |common| / |together|, is at least
`jaccard`; in a directed graph that of the out-neighbourhoods and that of the in-neighbourhoods (the smaller of the
two decides; two empty ones agree). Parallel arcs count once, and no vertex is its own neighbour. The two vertices
themselves are left out of both sets, so that neighbours with the same other neighbours are found as well;
`neighbours="all"` leaves them in, which is the index as the thesis writes it and never the larger one of the two. A
vertex that has nothing in common with any other, above all one without neighbours, stays alone.

Candidates come from minhash signatures cut into bands of `rows` entries (locality-sensitive hashing): vertices that
agree in a whole band share a bucket, and each is compared with at most a few others of it: by the signatures, then
exactly. `rows` is as large as still brings a pair right at the threshold together with probability 0.85. Bands come
one after the other; all of them once for neighbourhoods without the vertices themselves and (unless
`neighbours="all"`) once with them, where neighbours agree. A vertex that is similar to the leader of a group, or to
one that may become a leader, joins; leaders never join, so every member of a group is similar to its leader. Nothing
depends on the number of threads.

The merged graph has a vertex per group, numbered in the leaders' order. Arcs inside a group of two or more disappear,
self-loops of its members included; those between two groups become one, with the least weight, or, for pagerank and
label_propagation, with the sum (an arc without a weight counts 1). What the answers then are:

- sssp, bfs: every path of the graph is one of the merged graph and no longer there, so distances are lower bounds;
- scc: for the same reason no component is torn apart, so no label is above the exact one;
- connected_components: similar vertices have a neighbour in common, so the answer is exact;
- mst: the forest is mapped back and completed on the given graph, an upper bound;
- pagerank, betweenness: a group's value is shared among its members; the former is certified by its residual.
"""

from __future__ import annotations

import math

import numpy as np

from nearly.algorithms.shared.weights import forbid_negative
from nearly.base.memory import require
from nearly.base.random import draw, stream_key
from nearly.engine.knob import Knob
from nearly.engine.row_pieces import row_cuts
from nearly.engine.technique import Task, Technique, technique
from nearly.engine.traits import MERGES_VERTICES
from nearly.engine.transform.graph_map import GraphMap
from nearly.graph.csr import NO_WEIGHTS, Arrays, Graph
from nearly.graph.renumber import renumbered
from nearly.techniques.merge_similar import kernels

_STREAM = 0x6D73  # which random numbers hash neighbours; one stream a side, and one for the functions' factors
_SURE = 0.85  # the chance that a pair right at the threshold meets in a bucket
_SMALL = 1 << 16  # below so many vertices one table serves
_PARTS = 8


@technique("merge-similar", reference="GP3: Graprox, approximate representation")
class MergeSimilar(Technique):
    """Merge vertices whose neighbourhoods overlap, and give all of them the answer of the merged vertex."""

    jaccard = Knob(
        0.5, "the least Jaccard index of the neighbourhoods of two vertices to merge; None merges nothing",
        exact=None, low=0, high=1, above=True, words=(None,), mild=1,
    )  # fmt: skip
    hashes = Knob(16, "entries of a signature; more of them miss fewer similar pairs", low=1, high=256, whole=True)
    neighbours = Knob(
        "others", 'which neighbours count; "all" counts the two vertices themselves too', words=("others", "all")
    )

    effects = (MERGES_VERTICES,)

    def purpose(self, task: Task) -> str:
        summed = "sums" if task.traits.measures == "amounts" else "minima"
        return f"{summed} of {'weights' if task.weighted else 'arcs'}, seed {task.seed}"

    def transform(self, graph: Graph, task: Task) -> GraphMap | None:
        if self.jaccard is None:
            return None
        require((4 * self.hashes + 80) * graph.n, "signatures of neighbourhoods")
        summed, weighted = task.traits.measures == "amounts", task.weighted and graph.weighted
        if summed and weighted:
            forbid_negative(graph, task.algorithm, "count arcs")  # a sum might hide one
        group = similar_groups(graph, self.jaccard, self.hashes, task.seed, self.neighbours == "all")
        return contracted(graph, group, weighted, summed)


def similar_groups(graph: Graph, jaccard: float, hashes: int, seed: int, plain: bool = False) -> np.ndarray:
    """For each vertex the leader of its group; `plain`: two neighbours count in each other's neighbourhood."""
    n, number = graph.n, graph.arrays.targets.dtype
    group = np.arange(n, dtype=number)
    sides = [graph, graph.reverse] if graph.directed else [graph]
    keys = [np.uint64(stream_key(np.uint64(seed), np.uint64(_STREAM + i))) for i in range(3)]
    factors = np.array([draw(keys[2], np.uint64(i)) >> 32 | 1 for i in range(hashes)], np.uint32)
    signatures = np.full((n, hashes), 2**32 - 1, np.uint32)
    sizes = np.zeros((2, n), np.uint64)
    for i, side in enumerate(sides):
        kernels.sign_rows(*side.arrays[:2], keys[i], factors, row_cuts(side), signatures, sizes[i])
    back = sides[1].arrays[:2] if graph.directed else (np.empty(0, np.uint64), np.empty(0, number))
    measure = kernels.Measure(*graph.rows[:2], back[0], back[1], sizes, jaccard, plain)  # type: ignore[call-arg]
    words, leads, tables = np.empty(n, np.uint64), np.zeros(n, np.bool_), _tables(n, number)
    buckets, found = kernels.Buckets(np.empty(n, number), np.empty(n, number)), np.empty(n, number)
    least = np.uint64(_least_agreement(jaccard, hashes))
    rows = band_rows(jaccard, hashes)
    for closed in (False,) if plain else (False, True):
        if closed:
            for i in range(len(sides)):
                kernels.sign_selves(keys[i], factors, signatures)
        for first in range(0, hashes - rows + 1, rows):
            kernels.band_keys(signatures, np.uint64(first), np.uint64(rows), words)
            kernels.link_buckets(words, sizes, group, *tables, buckets)
            kernels.compare(measure, signatures, least, group, buckets, row_cuts(graph), found)
            kernels.settle(measure, found, group, leads)
    return group


def band_rows(jaccard: float, hashes: int) -> int:
    """Entries in a band: the most with which a pair right at the threshold still meets with probability 0.85."""
    sure = [r for r in range(1, hashes + 1) if 1 - (1 - jaccard**r) ** (hashes // r) >= _SURE]
    return max(sure, default=1)


def _least_agreement(jaccard: float, hashes: int) -> int:
    """Entries in which signatures must agree to be worth an exact look: two standard deviations below the mean."""
    return max(math.ceil(hashes * jaccard - 2 * math.sqrt(hashes * jaccard * (1 - jaccard)) - 1e-9), 1)


def _tables(n: int, number: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """Hash tables that are at most half full, also where parts are not quite equal."""
    parts = 1 if n < _SMALL else _PARTS
    shape = (parts, 2 << (n // parts).bit_length())
    return np.empty(shape, number), np.empty(shape, number)


def contracted(graph: Graph, group: np.ndarray, weighted: bool, summed: bool) -> GraphMap:
    """The graph with one vertex for each group, and the way back."""
    leads = group == np.arange(graph.n)
    names = np.cumsum(leads) - 1
    place = names[group].astype(group.dtype)
    count = int(leads.sum())
    if count == graph.n:
        return GraphMap(graph, graph, report={"vertices merged": 0, "arcs": graph.m})
    require(36 * graph.m, "a graph of merged vertices")
    numbered = renumbered(graph, place, count)
    offsets, targets, _ = numbered
    rows = Graph._trusted(Arrays(offsets, targets, NO_WEIGHTS), directed=True)
    weights, members = graph.arrays.weights if weighted else NO_WEIGHTS, np.bincount(place, minlength=count)
    counts = np.zeros(count + 1, np.uint64)
    kernels.count_different(offsets, targets, members, row_cuts(rows), counts)
    starts = np.cumsum(counts, dtype=np.uint64)
    size = int(starts[-1])
    heads, arcs, totals = np.empty(size, targets.dtype), np.empty(size, np.uint64), np.empty(size if summed else 0)
    kernels.fill_different(numbered, weights, members, row_cuts(rows), kernels.MergedRows(starts, heads, arcs, totals))
    merged = Graph._trusted(Arrays(starts, heads, NO_WEIGHTS), graph.directed)
    if summed and not graph.directed and weights.dtype.kind == "f":
        kernels.mirror_totals(starts, heads, row_cuts(merged), totals)
    chosen = _of_kind(totals, weights) if summed else weights[arcs] if weighted else NO_WEIGHTS
    merged = Graph._trusted(Arrays(starts, heads, chosen), graph.directed)
    return GraphMap(graph, merged, place, arcs, {"vertices merged": graph.n - count, "arcs": size})


def _of_kind(totals: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Totals in the type of the weights they were added from (counts: whole numbers) if that has room for them."""
    kind: np.dtype = weights.dtype if weights.dtype != NO_WEIGHTS.dtype else np.dtype(np.uint32)
    most = np.abs(totals).max(initial=0.0)
    limit = 2.0**32 - 1 if kind.kind == "u" else float(np.finfo(kind).max)
    return totals.astype(kind) if most <= limit else totals
