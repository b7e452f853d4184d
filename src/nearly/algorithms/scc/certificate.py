"""Check strong components on the graph itself, in time linear in its arcs.

Every part must be strongly connected: two searches inside it from its label, over arcs and over reversed arcs,
meet all its members. That shows that no part is too large. No part is too small when the parts can be put in
an order that all arcs between them follow. To see this, parts that no other part points to are taken away until none
is left, which fails exactly when several parts lie on a cycle.
"""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.engine.result import Certificate, Result
from nearly.graph.csr import Graph


def certificate(graph: Graph, result: Result) -> Certificate:
    """Parts are strongly connected (an upper bound), arcs between them form no cycle (a lower bound), or both."""
    labels = np.asarray(result.values)
    if labels.shape != (graph.n,) or (labels < 0).any() or (labels > np.arange(graph.n)).any():
        return Certificate(False, "every label is a vertex, at most the vertex's own number")
    labels = labels.astype(np.uint64)
    offsets, targets, _ = graph.arrays
    connected = bool((labels[labels] == labels).all())
    if result.guarantee == "heuristic":
        return Certificate(connected, "every label is the smallest vertex that has it")
    if result.guarantee == "lower bound":
        apart = connected and bool(takes_away_all(offsets, targets, labels))
        return Certificate(apart, "arcs between parts form no cycle, so no label is above the exact one")
    for side in (graph, graph.reverse):
        reached = reached_inside(side.arrays.offsets, side.arrays.targets, labels)
        connected = connected and int(reached) == graph.n
    if result.guarantee != "exact":
        return Certificate(connected, "every part is strongly connected, so no label is below the exact one")
    ok = connected and bool(takes_away_all(offsets, targets, labels))
    return Certificate(
        ok, "every component is strongly connected by two searches inside it, arcs between them form no cycle", 0.0
    )


@kernel
def reached_inside(offsets, targets, labels):
    """How many vertices are reached from their label without leaving their part."""
    n = np.uint64(labels.size)
    seen, stack = np.zeros(n, np.bool_), np.empty(n, np.uint64)
    count = U0
    for root in range(n):
        if labels[root] != root:
            continue
        seen[root] = True
        stack[U0] = root
        held = U1
        while held > U0:
            held -= U1
            u = stack[held]
            count += U1
            for e in range(offsets[u], offsets[u + U1]):
                v = np.uint64(targets[e])
                if labels[v] == root and not seen[v]:
                    seen[v] = True
                    stack[held] = v
                    held += U1
    return count


@kernel
def takes_away_all(offsets, targets, labels):
    """Whether parts without arcs from other parts can be taken away until none is left."""
    n = np.uint64(labels.size)
    entering, following = np.zeros(n, np.uint64), np.empty(n, np.uint64)
    last = np.empty(n, np.uint64)  # members of a part form a list: label, following, ...
    for v in range(n):
        part = labels[v]
        if part == v:
            last[v] = v
        else:
            following[last[part]] = v
            last[part] = v
        for e in range(offsets[v], offsets[v + U1]):
            entering[labels[targets[e]]] += np.uint64(labels[targets[e]] != part)
    stack, held, left = np.empty(n, np.uint64), U0, U0
    for v in range(n):
        if labels[v] == v:
            left += U1
            if entering[v] == U0:
                stack[held] = v
                held += U1
    while held > U0:
        held -= U1
        left -= U1
        part = u = stack[held]
        while True:
            for e in range(offsets[u], offsets[u + U1]):
                other = labels[targets[e]]
                if other != part:
                    entering[other] -= U1
                    if entering[other] == U0:
                        stack[held] = other
                        held += U1
            if u == last[part]:
                break
            u = following[u]
    return left == U0
