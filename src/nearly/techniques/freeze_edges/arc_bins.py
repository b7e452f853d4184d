"""Each vertex's arcs in groups, by how much the vertex they lead to matters.

What: freezing single arcs works on these groups. A vertex of importance s is in bin floor(log2(s)), and a group is the
arcs of one vertex that lead to vertices of one bin.

How: a counting sort of every row by the bin of the target. Groups are counted first, then written where the sum of
the counts before says, so that threads need no locks.

Why: one comparison decides for a whole group, so it must hold arcs whose targets matter about as much. Arcs are
listed by their places in the reverse graph, because that is where the vertices they lead to read what was sent.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.jit import kernel, parallel_kernel
from nearly.base.memory import require
from nearly.base.threads import kernel_threads
from nearly.base.unsigned import U0, U1
from nearly.engine.row_pieces import row_cuts
from nearly.graph.csr import Graph, vertex_dtype

BINS = 64


class Groups(NamedTuple):
    """Arcs in groups of one source and of targets of similar importance."""

    first: np.ndarray  # uint64[n + 1]: the groups of vertex v are first[v] up to first[v + 1]
    start: np.ndarray  # uint64[groups + 1]: the arcs of group g are order[start[g]] up to order[start[g + 1]]
    bin: np.ndarray  # uint8[groups]: the bin of their targets
    order: np.ndarray  # unsigned[m]: all arcs, group after group, as places in the reverse graph


def arc_groups(graph: Graph, importance: np.ndarray) -> Groups:
    """The arcs of all vertices in groups, made in time linear in them."""
    offsets, targets, _ = graph.arrays
    places = vertex_dtype(graph.m)
    require(graph.m * (2 * places.itemsize + 18) + 17 * graph.n, "arcs in groups by importance")
    bins = np.clip(np.frexp(np.maximum(importance, 1.0))[1] - 1, 0, BINS - 1).astype(np.uint8)
    place, order = np.empty(graph.m, places), np.empty(graph.m, places)
    reverse_places(targets, graph.reverse.arrays.offsets[:-1].copy(), place)
    counts, cuts = np.zeros(graph.n + 1, np.uint64), row_cuts(graph)
    with kernel_threads(None, graph.m + graph.n):
        count_groups(offsets, targets, bins, cuts, counts)
        first = np.cumsum(counts, dtype=np.uint64)
        groups = Groups(
            first, np.full(int(first[-1]) + 1, graph.m, np.uint64), np.empty(int(first[-1]), np.uint8), order
        )
        fill_groups(offsets, targets, bins, cuts, place, groups)
    return groups


@kernel
def reverse_places(targets, ahead, place):
    """Where each arc stands in the reverse graph; `ahead` is the next free place of each of its rows.

    The arcs of a row of the reverse graph are in the order of their sources, so going through all arcs in order fills
    every row from its beginning on.
    """
    for e in range(np.uint64(targets.size)):
        v = np.uint64(targets[e])
        place[e] = ahead[v]
        ahead[v] += U1


@parallel_kernel
def count_groups(offsets, targets, bins, cuts, counts):
    """How many groups each row has, into counts[1:]."""
    for p in prange(np.uint64(cuts.size - 1)):
        for v in range(cuts[p], cuts[p + U1]):
            seen, count = U0, U0
            for e in range(offsets[v], offsets[v + U1]):
                bit = U1 << np.uint64(bins[targets[e]])
                count += U1 if seen & bit == U0 else U0
                seen |= bit
            counts[v + U1] = count


@parallel_kernel
def fill_groups(offsets, targets, bins, cuts, place, groups):
    """Sort every row by bin, and write down where its groups begin."""
    first, start, bin, order = groups
    for p in prange(np.uint64(cuts.size - 1)):
        at = np.empty(BINS, np.uint64)
        for v in range(cuts[p], cuts[p + U1]):
            at[:] = U0
            for e in range(offsets[v], offsets[v + U1]):
                at[bins[targets[e]]] += U1
            g, here = first[v], offsets[v]
            for b in range(np.uint64(BINS)):
                size = at[b]
                at[b] = here
                if size:
                    start[g], bin[g] = here, b
                    g += U1
                    here += size
            for e in range(offsets[v], offsets[v + U1]):
                b = np.uint64(bins[targets[e]])
                order[at[b]] = place[e]
                at[b] += U1
