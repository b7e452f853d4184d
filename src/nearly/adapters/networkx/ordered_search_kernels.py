"""The kernels of `ordered_search`: serial, because the order of the vertices is part of the answer."""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1


@kernel
def in_order(offsets, targets, sources, limit, level, parent, order):
    """Breadth first from the sources, rows as they come; returns how many vertices `order` then holds."""
    tail = U0
    for i in range(np.uint64(sources.size)):
        level[sources[i]] = 0
        order[tail] = sources[i]
        tail += U1
    head = U0
    while head < tail:
        u = np.uint64(order[head])
        head += U1
        depth = level[u]
        if depth >= limit:
            break
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if level[v] < 0:
                level[v] = depth + 1
                parent[v] = np.uint32(u)
                order[tail] = np.uint32(v)
                tail += U1
    return tail


@kernel
def depth_first(offsets, targets, starts, parent, pre, post):
    """Depth first from each start not yet visited, rows as they come; returns how many vertices were visited.

    They are listed in `pre` as they are entered and in `post` as they are left. Starts are their own parents.
    """
    n = np.uint64(offsets.size - 1)
    edge, stack = offsets[:-1].copy(), np.empty(n, np.uint32)
    visited = np.zeros(n, np.bool_)
    entered, left = U0, U0
    for i in range(np.uint64(starts.size)):
        size = U0
        v, u = np.uint64(starts[i]), np.uint64(starts[i])
        if visited[v]:
            continue
        while True:
            if not visited[v]:
                visited[v] = True
                parent[v] = np.uint32(u)
                pre[entered] = stack[size] = np.uint32(v)
                entered += U1
                size += U1
                u = v
            elif edge[u] < offsets[u + U1]:
                v = np.uint64(targets[edge[u]])
                edge[u] += U1
            else:
                post[left] = np.uint32(u)
                left += U1
                size -= U1
                if size == U0:
                    break
                u = np.uint64(stack[size - U1])
    return entered


@kernel
def before(key, a, b):
    """Whether entry a leaves the queue before entry b: nearer, or as near and entered earlier."""
    return key[a] < key[b] or (key[a] == key[b] and a < b)


@kernel
def sift_up(heap, key, at):
    """Move the entry at a place of the heap up to where it belongs."""
    entry = heap[at]
    while at > U0:
        above = (at - U1) >> U1
        if not before(key, entry, heap[above]):
            break
        heap[at] = heap[above]
        at = above
    heap[at] = entry


@kernel
def sift_down(heap, key, size):
    """Move the entry at the top of a heap of this size down to where it belongs."""
    entry, at = heap[U0], U0
    below = U1
    while below < size:
        if below + U1 < size and before(key, heap[below + U1], heap[below]):
            below += U1
        if not before(key, heap[below], entry):
            break
        heap[at] = heap[below]
        at = below
        below = (at << U1) + U1
    heap[at] = entry


@kernel
def nearest_first(rows, sources, cutoff, target, far, parent, order):
    """Dijkstra's algorithm until nothing is left or `target` is settled; returns how many vertices `order` then holds.

    The queue holds the numbers of entries. They are numbered as they are made; an entry is a vertex and its distance.
    """
    offsets, targets, weights = rows.offsets, rows.targets, rows.weights
    room = np.uint64(targets.size + sources.size)
    vertex, key = np.empty(room, np.uint32), np.empty(room, np.float64)
    heap = np.empty(room, np.uint64)
    entries, size, count = U0, U0, U0
    settled = np.zeros(far.size, np.bool_)
    for i in range(np.uint64(sources.size)):
        far[sources[i]] = 0.0
        vertex[entries], key[entries], heap[size] = sources[i], 0.0, entries
        sift_up(heap, key, size)
        entries += U1
        size += U1
    while size > U0:
        top = heap[U0]
        size -= U1
        heap[U0] = heap[size]
        sift_down(heap, key, size)
        u = np.uint64(vertex[top])
        if settled[u]:
            continue
        settled[u] = True
        order[count] = np.uint32(u)
        count += U1
        if u == np.uint64(target):
            break
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            through = far[u] + weights[e]
            if not settled[v] and through <= cutoff and through < far[v]:
                far[v], parent[v] = through, np.uint32(u)
                vertex[entries], key[entries], heap[size] = np.uint32(v), through, entries
                sift_up(heap, key, size)
                entries += U1
                size += U1
    return count


@kernel
def pass_back(offsets, targets, order, level, wanted, paths, share):
    """Brandes' two passes over a finished search: which share of the paths to `wanted` vertices runs through each.

    `paths` and `share` are 0 before; the source has the share of all.
    """
    paths[order[U0]] = 1.0
    for i in range(np.uint64(order.size)):
        u = np.uint64(order[i])
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if level[v] == level[u] + 1:
                paths[v] += paths[u]
    for i in range(np.uint64(order.size)):
        u = np.uint64(order[np.uint64(order.size) - U1 - i])
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if level[v] == level[u] + 1:
                share[u] += paths[u] / paths[v] * (share[v] + wanted[v])
