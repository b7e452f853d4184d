"""One pass over arcs: weight inside parts, equal neighbours, and how many pieces a set of edges joins."""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1


@kernel
def weigh_parts(offsets, targets, weights, label, strength):
    """Add the arcs of every vertex to its part's `strength`; returns how much of it stays inside parts.

    A self-loop is stored once but has two ends, so it counts twice.
    """
    inside = 0.0
    for u in range(np.uint64(label.size)):
        own = label[u]
        stays = leaves = 0.0
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            w = np.float64(weights[e]) if weights.size else 1.0
            if v == u:
                stays += w + w
            elif label[v] == own:
                stays += w
            else:
                leaves += w
        strength[own] += stays + leaves
        inside += stays
    return inside


@kernel
def equal_neighbours(offsets, targets, label, least):
    """The arcs between two different vertices, and how many of them join equal labels of at least `least`."""
    arcs, equal = U0, U0
    for u in range(np.uint64(label.size)):
        own = label[u]
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if v != u:
                arcs += U1
                if own >= least and label[v] == own:
                    equal += U1
    return arcs, equal


@kernel
def count_joins(sources, ends, parent):
    """How many of the edges join two trees, one edge after the other; `parent` begins as every vertex itself."""
    joins = U0
    for e in range(np.uint64(sources.size)):
        u, v = np.uint64(sources[e]), np.uint64(ends[e])
        while u != v:  # climb from the greater one: parents are never greater than their children
            if u < v:
                u, v = v, u
            above = np.uint64(parent[u])
            if above == u:
                parent[u] = v
                joins += U1
                break
            parent[u] = parent[above]
            u = above
    return joins
