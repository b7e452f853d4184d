"""A guess at how many oriented wedges are closed, from arcs drawn at random, before the graph is looked through."""

from __future__ import annotations

import numpy as np

from nearly.algorithms.triangle_count.local import adjacent
from nearly.base.jit import kernel, light_kernel
from nearly.base.random import below, draw
from nearly.base.unsigned import U0, U1
from nearly.budget.wedge_kernels import U2, key_of
from nearly.engine.primitives import load_balanced_search


@light_kernel
def later(offsets, u, v):
    """Whether v comes after u by degree, then number."""
    own, other = offsets[u + U1] - offsets[u], offsets[v + U1] - offsets[v]
    return other > own or (other == own and v > u)


@kernel
def pilot(offsets, targets, key, trials):
    """A guess at the oriented wedges, without counts: (weight of those closed, weight of all, how many were met).

    An arc at random, then another of its row: wedges are met in proportion to 1 / (degree - 1), and weigh the inverse.
    """
    arcs, closed, weight, met = np.uint64(targets.size), 0.0, 0.0, 0
    for i in range(trials):
        own = key_of(key, i)
        e = below(draw(own, U0), arcs)
        u = load_balanced_search(offsets, e)
        degree = offsets[u + U1] - offsets[u]
        if degree < U2:
            continue
        f = offsets[u] + below(draw(own, U1), degree - U1)
        if f >= e:
            f += U1
        v, w = np.uint64(targets[e]), np.uint64(targets[f])
        if v != w and later(offsets, u, v) and later(offsets, u, w):
            weight, met = weight + float(degree - U1), met + 1
            if adjacent(offsets, targets, v, w):
                closed += float(degree - U1)
    return closed, weight, met
