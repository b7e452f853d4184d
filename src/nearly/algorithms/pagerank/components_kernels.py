"""Kernels of PageRank by components: a topological order of them, and sweeps in place over small ones.

`sweep_batch` reads and writes the state of `residuals`, `Sent`: `share` is what a vertex sends along each arc.
"""

from __future__ import annotations

import numpy as np

from nearly.base.atomics import going
from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1

ROUNDING = 4e-16  # what rounding may change in ranks whose sum is 1, in every sweep


@kernel
def topological(offsets, targets, component, member, first, order, bounds):
    """Kahn's method on components: their members into `order`, a component after those that lead to it."""
    count = np.uint64(first.size - 1)
    waits_for, queue = np.zeros(count, np.uint64), np.empty(count, np.uint64)
    for v in range(np.uint64(component.size)):
        for e in range(offsets[v], offsets[v + U1]):
            c = component[targets[e]]
            waits_for[c] += U1 if c != component[v] else U0
    tail, at = U0, U0
    for c in range(count):
        if waits_for[c] == U0:
            queue[tail] = c
            tail += U1
    for head in range(count):
        c = queue[head]
        for i in range(first[c], first[c + U1]):
            v = member[i]
            order[at] = v
            at += U1
            for e in range(offsets[v], offsets[v + U1]):
                other = component[targets[e]]
                if other != c:
                    waits_for[other] -= U1
                    if waits_for[other] == U0:
                        queue[tail] = other
                        tail += U1
        bounds[head + U1] = at


@kernel
def sweep_batch(offsets, targets, state, items, ends, largest, stop):
    """Sweep over `items` in place until a sweep changes them by at most ends[0], in sum or (`largest`) each.

    A vertex that changes by no more than ends[1] leaves `items` for good; below 0, none does.
    Returns (arcs read in all sweeps, sum of changes in the last).
    """
    tol, limit = ends[0], ends[1]
    share, rank, inverse, fixed, weights = state.share, state.rank, state.inverse, state.fixed, state.weights
    damping = state.scalars[0]
    arcs, change, total, mass = U0, tol + 1.0, 0.0, 0.0
    spread = U1 if fixed.size > 1 else U0  # one number stands for the same everywhere
    left = np.uint64(items.size)
    while change > tol + ROUNDING * mass and going(stop):
        total, widest, mass, stay = 0.0, 0.0, 0.0, U0
        for i in range(left):
            v = np.uint64(items[i])
            arcs += offsets[v + U1] - offsets[v]
            inflow = 0.0
            for e in range(offsets[v], offsets[v + U1]):
                inflow += share[targets[e]] * (weights[e] if weights.size else 1.0)
            new = fixed[v * spread] + damping * inflow
            moved = abs(new - rank[v])
            rank[v], share[v] = new, new * inverse[v]
            total += moved
            mass += new
            widest = max(widest, moved)
            items[stay] = v
            stay += U1 if moved > limit else U0
        left = stay
        change = widest if largest else total
    return arcs, total
