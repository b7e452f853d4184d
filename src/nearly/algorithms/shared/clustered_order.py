"""All vertices in an order in which those of a batch are near each other, so that they share most of their searches."""

from __future__ import annotations

import numpy as np

from nearly.algorithms.shared.hop_batch_kernels import BATCH
from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.graph.csr import Graph


@kernel
def grow_clusters(offsets, targets, order, marked):
    """Put the vertices in order so that a batch of them lies together: pieces of that size, each grown from a seed."""
    fill, n = U0, np.uint64(order.size)
    for s in range(n):
        if marked[s] == U0:
            marked[s] = np.uint8(1)
            order[fill] = s
            head, fill = fill, fill + U1
            end = min(head + BATCH, n)
            while head < fill and fill < end:
                u = np.uint64(order[head])
                head += U1
                for e in range(offsets[u], offsets[u + U1]):
                    v = np.uint64(targets[e])
                    if marked[v] == U0 and fill < end:
                        marked[v] = np.uint8(1)
                        order[fill] = v
                        fill += U1


def clustered(graph: Graph) -> np.ndarray:
    """All vertices, in an order in which those of a batch are near each other."""
    order = np.empty(graph.n, np.uint32)
    grow_clusters(*graph.rows[:2], order, np.zeros(graph.n, np.uint8))
    return order
