"""Which edges are drawn where there are too many: those that matter most at one of their ends.

Every vertex ranks its neighbours by importance; an edge scores 1 - log(rank) / log(degree) at an end, and the better
of its two ends counts ("local degree" of Hamann, Lindner, Meyerhenke, Staudt and Wagner, "Structure-preserving
sparsification methods for social networks", 2016). So each vertex keeps its first edge before any keeps its tenth, and
hubs stay hubs.
"""

from __future__ import annotations

import numpy as np

from nearly.graph.csr import Graph


def edges_of(graph: Graph) -> np.ndarray:
    """The edges of the undirected view as rows of two vertices, each once, without loops."""
    view = graph.symmetrized()
    source, target = view.arc_rows().astype(np.int64), view.arrays.targets.astype(np.int64)
    kept = source < target
    return np.unique(np.stack([source[kept], target[kept]], axis=1), axis=0)


def most_important(edges: np.ndarray, importance: np.ndarray, most: int) -> np.ndarray:
    """At most so many of the edges, in the order given."""
    if len(edges) <= most:
        return edges
    score = np.maximum(_score(edges[:, 0], edges[:, 1], importance), _score(edges[:, 1], edges[:, 0], importance))
    score += 1e-9 * (importance[edges[:, 0]] + importance[edges[:, 1]]) / max(2 * importance.max(), 1e-300)
    return edges[np.sort(np.argsort(-score, kind="stable")[:most])]


def _score(owner: np.ndarray, other: np.ndarray, importance: np.ndarray) -> np.ndarray:
    """For each edge how high `other` ranks among the neighbours of `owner`: 1 for the first, 0 for the last."""
    both = np.concatenate([owner, other]), np.concatenate([other, owner])
    order = np.lexsort((both[1], -importance[both[1]], both[0]))
    sorted_owner = both[0][order]
    begin = np.searchsorted(sorted_owner, sorted_owner, side="left")
    rank = np.empty(order.size)
    rank[order] = np.arange(order.size) - begin + 1
    degree = np.bincount(both[0])[owner]
    return 1 - np.log(rank[: owner.size]) / np.log(np.maximum(degree, 2))
