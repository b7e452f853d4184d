"""The kernels of `bfs_order`: roots, levels, and the numbering that goes round. Serial: each step needs the last."""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1

NO_LEVEL = np.uint32(2**32 - 1)


@kernel
def find_roots(offsets, targets, by_degree, roots, queue):
    """The vertices that no vertex before them in the order reaches; returns how many there are."""
    seen = np.zeros(offsets.size - 1, np.bool_)
    count = U0
    for i in range(np.uint64(by_degree.size)):
        if not seen[by_degree[i]]:
            roots[count] = by_degree[i]
            count += U1
            seen[by_degree[i]] = True
            queue[0] = by_degree[i]
            low, high = U0, U1
            while low < high:
                u = np.uint64(queue[low])
                low += U1
                for e in range(offsets[u], offsets[u + U1]):
                    v = targets[e]
                    if not seen[v]:
                        seen[v] = True
                        queue[high] = v
                        high += U1
    return count


@kernel
def find_levels(offsets, targets, queue, roots, level, starts):
    """Levels from the roots, which stand first in the queue; returns how many. `starts` gets where each one starts."""
    for i in range(roots):
        level[queue[i]] = np.uint32(0)
    low, high, depth = U0, roots, U0
    while low < high:
        starts[depth] = low
        depth += U1
        end = high
        for i in range(low, end):
            u = np.uint64(queue[i])
            for e in range(offsets[u], offsets[u + U1]):
                v = targets[e]
                if level[v] == NO_LEVEL:
                    level[v] = np.uint32(depth)
                    queue[high] = v
                    high += U1
        low = end
    starts[depth] = high
    return depth


@kernel
def grow(offsets, targets, by_degree, order, starts):
    """The vertices level after level, in the order of their numbers; returns how many levels there are."""
    n = np.uint64(offsets.size - 1)
    queue, level, numbered = np.empty(n, targets.dtype), np.full(n, NO_LEVEL), np.zeros(n, np.bool_)
    roots = find_roots(offsets, targets, by_degree, order, queue)
    queue[:roots] = order[:roots]
    levels = find_levels(offsets, targets, queue, roots, level, starts)
    at, active = offsets[:-1].copy(), queue
    for depth in range(U1, levels):
        fill, size = starts[depth], starts[depth] - starts[depth - U1]
        for i in range(size):
            active[i] = order[starts[depth - U1] + i]
        while fill < starts[depth + U1]:
            left = U0
            for i in range(size):
                u = np.uint64(active[i])
                e, end = at[u], offsets[u + U1]
                while e < end and (np.uint64(level[targets[e]]) != depth or numbered[targets[e]]):
                    e += U1
                if e < end:
                    numbered[targets[e]] = True
                    order[fill] = targets[e]
                    fill += U1
                    active[left] = u
                    left += U1
                    e += U1
                at[u] = e
            size = left
    return levels
