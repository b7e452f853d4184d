"""Check a spanning forest on the graph itself, in time near linear in its arcs.

The forest's edges are joined in order of weight, the smaller tree under the larger, and pointers are never shortened.
So every pointer carries the rank of the edge that made it, ranks grow towards the root, and no path is longer
than log2 n. An edge whose ends are already together closes a cycle. Then every arc of the graph climbs from both
ends, always from the end whose pointer is of lower rank. Where they meet, the last rank is that of the heaviest edge
on the forest's path between them; the arc must not be lighter. If they never meet, the forest does not span.

A forest that spans but is not the lightest gets a bound: if no edge of it is more than c times as heavy as an arc whose
path it is on, it weighs at most c times as much as any spanning forest. (Edges of two spanning forests can be paired so
that each of the one lies on the path that its partner closes.)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.mst.kernels import ordered, ordered_all
from nearly.algorithms.mst.keys import Keys, ends_of, keyed_rows, keys_of, total_weight
from nearly.algorithms.shared.weights import weight_range
from nearly.base.atomics import fetch_add
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.threads import kernel_threads
from nearly.base.unsigned import U0, U1, total_of
from nearly.engine.result import Certificate
from nearly.engine.row_pieces import crew_for
from nearly.graph.csr import Graph

ROOT = np.uint64(2**64 - 1)  # the rank of a root's missing pointer
CLAIMS = {
    "exact": "edges form no cycle, span every component, and no arc is lighter than its path's heaviest edge",
    "upper bound": "edges form no cycle and span every component, so no spanning forest of least weight weighs more",
}


class Links(NamedTuple):
    """The forest as pointers, each made by an edge."""

    parent: np.ndarray  # uint64[n], a root's is itself
    order: np.ndarray  # uint64[n], the rank of the edge that made the pointer, ROOT for a root
    key: np.ndarray  # uint64[edges], by rank: the key of the edge


def certificate(graph: Graph, result: Any) -> Certificate:
    """The forest is acyclic, spans, and no arc is lighter than the heaviest edge of its path."""
    edges = np.asarray(result.values)
    if edges.size and not (edges.min() >= 0 and edges.max() < graph.m and (np.diff(edges) > 0).all()):
        return Certificate(False, "edges are ascending indices of arcs")
    total = total_weight(graph, edges, result.weighted)
    if not np.isclose(result.weight, total, rtol=1e-9, atol=0):
        return Certificate(False, "weight is the total of the edges")
    if result.guarantee not in CLAIMS:
        return _part_of_forest(graph, result, edges)
    claim, exact = CLAIMS[result.guarantee], result.guarantee == "exact"
    keys = keys_of(graph, result.weighted)
    key = np.zeros(edges.size, np.uint64)
    if result.weighted:
        ordered_all(keys.bits[edges], keys.sign, key)
    rank = np.argsort(key, kind="stable")
    tail, head = (ends[rank] for ends in ends_of(graph, edges.astype(np.uint64)))
    links = Links(np.arange(graph.n, dtype=np.uint64), np.full(graph.n, ROOT), key[rank])
    if not join_all(tail, head, links.parent, links.order):
        return Certificate(False, claim)
    rows = keyed_rows(graph, keys if exact else Keys(keys.bits[:0], keys.sign))
    with kernel_threads() as workers:
        bad = undercut(rows, links, crew_for(graph, workers))
    return Certificate(bool(bad == 0), claim, 0.0 if exact else _excess(graph, result, links, edges[rank]))


def _excess(graph: Graph, result: Any, links: Links, ranked: np.ndarray) -> float | None:
    """How much heavier than necessary the forest can be at most; None where weights are negative."""
    if not result.weighted:
        return 0.0
    if weight_range(graph)[0] < 0:
        return None
    with kernel_threads() as workers:
        most = most_ratio(
            graph.arrays, links, graph.arrays.weights[ranked].astype(np.float64), crew_for(graph, workers)
        )
    return result.weight * (1 - 1 / max(float(most), 1.0))


def _part_of_forest(graph: Graph, result: Any, edges: np.ndarray) -> Certificate:
    """A forest that was not finished must be part of the one that is, which is made and checked for the purpose."""
    from nearly.algorithms.mst import mst

    whole = mst(graph, weights=result.weighted)
    ok = bool(whole.certificate()) and bool(np.isin(edges, whole.values).all())
    below = ", so its weight is a lower bound" if result.guarantee == "lower bound" else ""
    return Certificate(ok, f"edges are part of the minimum spanning forest{below}")


@kernel
def join_all(tail, head, parent, order):
    """Join the ends of the edges one by one; False at the first that closes a cycle."""
    size = np.ones(parent.size, np.uint64)
    for i in range(np.uint64(tail.size)):
        a, b = top(parent, np.uint64(tail[i])), top(parent, np.uint64(head[i]))
        if a == b:
            return False
        if size[a] > size[b]:
            a, b = b, a
        parent[a], order[a] = b, i
        size[b] += size[a]
    return True


@kernel
def top(parent, v):
    """The root of v."""
    while parent[v] != v:
        v = parent[v]
    return v


@kernel
def heaviest(parent, order, u, v):
    """The rank of the heaviest edge between u and v, ROOT if no path joins them."""
    rank = U0
    while u != v:
        if order[u] > order[v]:
            u, v = v, u
        rank = order[u]
        if rank == ROOT:
            return ROOT
        u = parent[u]
    return rank


@parallel_kernel
def undercut(rows, links, crew):
    """How many arcs join two trees, or are lighter than the heaviest edge between their ends."""
    offsets, targets, bits, sign = rows
    parent, order, key = links
    cuts, cursor, workers, _ = crew
    found = np.zeros(cuts.size - 1, np.uint64)
    for _ in prange(workers):
        piece = fetch_add(cursor, U0, U1)
        while piece < np.uint64(cuts.size - 1):
            count = U0
            for u in range(cuts[piece], cuts[piece + U1]):
                for e in range(offsets[u], offsets[u + U1]):
                    v = np.uint64(targets[e])
                    if u != v:
                        rank = heaviest(parent, order, u, v)
                        if rank == ROOT or (bits.size > 0 and ordered(bits[e], sign) < key[rank]):
                            count += U1
            found[piece] = count
            piece = fetch_add(cursor, U0, U1)
    return total_of(found)


@parallel_kernel
def most_ratio(rows, links, weight, crew):
    """The largest ratio of the heaviest edge between an arc's ends, whose weight is by rank, to the arc."""
    offsets, targets, weights = rows
    parent, order, _ = links
    cuts, cursor, workers, _ = crew
    found = np.zeros(cuts.size - 1, np.float64)
    for _ in prange(workers):
        piece = fetch_add(cursor, U0, U1)
        while piece < np.uint64(cuts.size - 1):
            most = 0.0
            for u in range(cuts[piece], cuts[piece + U1]):
                for e in range(offsets[u], offsets[u + U1]):
                    v = np.uint64(targets[e])
                    rank = heaviest(parent, order, u, v) if u != v else ROOT
                    if rank != ROOT and weight[rank] > 0.0:
                        w = np.float64(weights[e])
                        most = max(most, weight[rank] / w if w > 0.0 else np.inf)
            found[piece] = most
            piece = fetch_add(cursor, U0, U1)
    total = 0.0
    for p in range(np.uint64(found.size)):
        total = max(total, found[p])
    return total
