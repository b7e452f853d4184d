"""Squares, and the triangles of each edge.

A square at v is a pair of neighbours with another common neighbour x: walking all paths of two hops from v counts for
each x how many of v's neighbours it has, and every pair of them is a square.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
from numba import prange

import nearly
from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched
from nearly.algorithms.shared.pair_scores import plain_degrees
from nearly.base.atomics import fetch_add
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.memory import require
from nearly.base.threads import kernel_threads
from nearly.base.unsigned import U0, U1

_BATCH = np.uint64(16)  # vertices that a worker takes at a time


@kernel
def square_share(rows, degrees, v, counts, reached):
    """Of the squares that could be at v, the share that is there, -1 if there could be none; `counts` stay 0."""
    offsets, targets = rows
    others, triangles, fill = U0, U0, U0
    for e in range(offsets[v], offsets[v + U1]):
        u = np.uint64(targets[e])
        if u == v:
            continue
        others += np.uint64(degrees[u]) - U1
        for f in range(offsets[u], offsets[u + U1]):
            x = np.uint64(targets[f])
            if x != v and x != u:
                if counts[x] == 0:
                    reached[fill] = x
                    fill += U1
                counts[x] += 1
    for e in range(offsets[v], offsets[v + U1]):
        if np.uint64(targets[e]) != v:
            triangles += np.uint64(counts[targets[e]])
    squares = U0
    for i in range(fill):
        shared = np.uint64(counts[reached[i]])
        counts[reached[i]] = 0
        squares += (shared * (shared - U1)) >> U1
    pairs = np.uint64(degrees[v]) - U1 if degrees[v] > 0 else U0
    could = others * pairs - triangles - squares
    return np.float64(squares) / np.float64(could) if could > U0 else -1.0


@parallel_kernel
def square_shares(rows, degrees, vertices, values, counts, reached, cursor, workers):
    """`square_share` for some vertices; every worker has counts of its own."""
    size = np.uint64(vertices.size)
    for w in prange(workers):
        low = fetch_add(cursor, U0, _BATCH)
        while low < size:
            for i in range(low, min(low + _BATCH, size)):
                values[i] = square_share(rows, degrees, np.uint64(vertices[i]), counts[w], reached[w])
            low = fetch_add(cursor, U0, _BATCH)


@dispatched(directed=False)
def square_clustering(G: BackendGraph, nodes: Any = None) -> Any:
    """See `nx.square_clustering`."""
    places = np.arange(len(G)) if nodes is None else G.bunch(nodes)
    values, graph = np.zeros(places.size), G.graph
    with kernel_threads(work=graph.m * max(graph.m // max(graph.n, 1), 1)) as workers:
        require(workers * graph.n * 8, "counts of common neighbours")
        counts, reached = np.zeros((workers, graph.n), np.uint32), np.empty((workers, graph.n), np.uint32)
        rows, degrees = graph.arrays[:2], plain_degrees(graph)
        square_shares(rows, degrees, places.astype(np.uint32), values, counts, reached, np.zeros(1, np.uint64), workers)
    listed = [value if value >= 0 else 0 for value in values.tolist()]
    return listed[0] if nodes is not None and nodes in G else dict(zip(G.nodes_at(places), listed))


@dispatched(directed=False)
def generalized_degree(G: BackendGraph, nodes: Any = None) -> Any:
    """See `nx.generalized_degree`."""

    per_edge = np.zeros(G.edges.size, np.int64)
    per_edge[G.edge_of] = nearly.common_neighbors(G.graph).values
    per_arc = G.along_arcs(per_edge)
    plain = ~G.loops
    cuts = np.cumsum(np.bincount(G.rows[plain].astype(np.int64), minlength=len(G))).tolist()
    counts = per_arc[plain].tolist()
    places = range(len(G)) if nodes is None else G.bunch(nodes).tolist()
    bounds = list(pairwise([0, *cuts]))
    found = {G.labels[v]: Counter(counts[slice(*bounds[v])]) for v in places}
    return found[nodes] if nodes is not None and nodes in G else found
