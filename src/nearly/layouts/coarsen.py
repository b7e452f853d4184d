"""A graph made smaller, level by level: vertices gather in groups of a few, which are the vertices of the next level.

In random order a vertex that is in no group yet joins its best neighbour: the one of greatest weight over mass, which
keeps vertices of few edges together before they are drawn to hubs. Where the group of the neighbour is full, it joins
others that were turned away from the same neighbour, so that a star becomes small as fast as a grid does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.base.jit import kernel
from nearly.base.random import permutation, permute, stream_key
from nearly.base.unsigned import U0, U1
from nearly.graph.csr import Graph

FEW = 40  # vertices that are placed from random positions
_FULL = np.uint64(4)  # members of a group
_NONE = np.uint64(0xFFFFFFFFFFFFFFFF)
_STALLED = 0.9  # a level that is not smaller than this share of the one before is the last
_STREAM = np.uint64(0x4C41)


class Level(NamedTuple):
    """A graph at some coarseness: rows as kernels take them, and of which group of the next finer level it is made."""

    offsets: np.ndarray  # uint64
    targets: np.ndarray  # uint32
    weights: np.ndarray  # float64
    mass: np.ndarray  # float64
    group: np.ndarray  # uint64, for each vertex of the finer level the vertex of this one; empty in the finest
    part: np.ndarray  # int64, the component of each vertex, 0 for the largest

    @property
    def n(self) -> int:
        """How many vertices."""
        return self.mass.size


def first_level(graph: Graph, weighted: bool) -> tuple[np.ndarray, Level]:
    """The vertices that have an edge to another, and the graph of these."""
    view = graph.symmetrized()
    source, target = view.arc_rows(), view.arrays.targets
    kept = source != target
    if weighted:
        kept &= view.arrays.weights > 0
    source, target = source[kept], target[kept]
    pull = view.arrays.weights[kept].astype(np.float64) if weighted else np.ones(source.size)
    degrees = np.bincount(source, minlength=graph.n)
    joined = np.flatnonzero(degrees)
    new = np.empty(graph.n, np.uint32)
    new[joined] = np.arange(joined.size)
    offsets = np.concatenate([[0], np.cumsum(degrees[joined])]).astype(np.uint64)
    if weighted and pull.size:
        pull /= pull.mean()
    mass = np.bincount(source, pull, minlength=graph.n)[joined]
    ends = new[target]
    return joined, Level(offsets, ends, pull, mass, np.empty(0, np.uint64), parts_of(offsets, ends))


def parts_of(offsets: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """The components of a graph, numbered by size, the largest first."""
    from scipy.sparse import csgraph, csr_matrix

    n = offsets.size - 1
    if not n:
        return np.empty(0, np.int64)
    rows = csr_matrix((np.ones(targets.size, np.int8), targets.astype(np.int64), offsets.astype(np.int64)), (n, n))
    label = csgraph.connected_components(rows, directed=False)[1]
    rank = np.empty(label.max() + 1, np.int64)
    rank[np.argsort(-np.bincount(label), kind="stable")] = np.arange(rank.size)
    return rank[label]


def coarsened(first: Level, seed: int) -> list[Level]:
    """The levels from the finest to the coarsest."""
    levels = [first]
    while levels[-1].n > FEW:
        fine, depth = levels[-1], np.uint64(len(levels))
        order = np.arange(fine.n, dtype=np.uint64)
        key = np.uint64(stream_key(np.uint64(seed), _STREAM + depth))
        permute(permutation(key, np.uint64(fine.n)), order)
        group = np.empty(fine.n, np.uint64)
        count = int(gather(fine, order, group, np.empty((2, fine.n), np.uint64)))
        if count > _STALLED * fine.n:
            break
        levels.append(contracted(fine, group, count))
    return levels


@kernel
def gather(level, order, group, room):
    """Put each vertex into a group; how many groups there are. `room` holds sizes, and groups of those turned away."""
    n, count = np.uint64(order.size), U0
    for v in range(n):
        group[v] = _NONE
        room[1, v] = _NONE
    for i in range(n):
        v = order[i]
        if group[v] != _NONE:
            continue
        best, most = _NONE, -1.0
        for e in range(level.offsets[v], level.offsets[v + U1]):
            u = np.uint64(level.targets[e])
            worth = level.weights[e] / level.mass[u]
            if worth > most:
                best, most = u, worth
        if best == _NONE:
            mine = _NONE
        elif group[best] == _NONE:
            mine = count
            group[best] = mine
            room[0, mine] = U1
            count += U1
        else:
            mine = group[best] if room[0, group[best]] < _FULL else room[1, best]
        if mine == _NONE or room[0, mine] >= _FULL:
            mine = count
            room[0, mine] = U0
            count += U1
            if best != _NONE:
                room[1, best] = mine
        group[v] = mine
        room[0, mine] += U1
    return count


def contracted(fine: Level, group: np.ndarray, count: int) -> Level:
    """The graph of the groups: weights between two groups added up, those inside left out."""
    from scipy import sparse

    rows = sparse.csr_matrix(
        (fine.weights, fine.targets.astype(np.int64), fine.offsets.astype(np.int64)), (fine.n, fine.n)
    )
    members = sparse.csr_matrix((np.ones(fine.n), group.astype(np.int64), np.arange(fine.n + 1)), (fine.n, count))
    joined = (members.T.tocsr() @ (rows @ members)).tocsr()
    joined.sort_indices()
    source = np.repeat(np.arange(count), np.diff(joined.indptr))
    between = source != joined.indices
    offsets = np.concatenate([[0], np.cumsum(np.bincount(source[between], minlength=count))])
    mass = np.bincount(group.astype(np.int64), fine.mass, minlength=count)
    targets = joined.indices[between].astype(np.uint32)
    part = np.empty(count, np.int64)
    part[group] = fine.part
    return Level(offsets.astype(np.uint64), targets, joined.data[between].astype(np.float64), mass, group, part)
