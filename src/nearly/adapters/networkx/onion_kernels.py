"""Layers of the onion decomposition (Hebert-Dufresne, Grochow, Allard 2016): what is peeled at the same time."""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1


@kernel
def least_of(degree, layer, rest, size, here):
    """List in `here` the vertices of least degree among those left; returns (least, listed, left), `rest` shortened."""
    left, least = U0, np.int64(degree.size)
    for i in range(size):
        v = rest[i]
        if layer[v] == 0:
            rest[left] = v
            left += U1
            least = min(least, degree[v])
    fill = U0
    for i in range(left):
        if degree[rest[i]] <= least:
            here[fill] = rest[i]
            fill += U1
    return least, fill, left


@kernel
def peel_layers(offsets, targets, degree, layer, begins):
    """Number the layers from 1; `begins` are degrees when a vertex's layer was peeled, `degree` is used up."""
    n = np.uint64(layer.size)
    rest, here, there = np.empty(n, np.uint32), np.empty(n, np.uint32), np.empty(n, np.uint32)
    for v in range(n):
        rest[v] = v
    size, fill, number, core = n, U0, 0, np.int64(0)
    while True:
        if fill == U0:
            core, fill, size = least_of(degree, layer, rest, size, here)
            if fill == U0:
                return
            core = max(core, np.int64(number > 0))
        number += 1
        for i in range(fill):
            layer[here[i]] = number
            begins[here[i]] = degree[here[i]]
        found = U0
        for i in range(fill):
            u = np.uint64(here[i])
            for e in range(offsets[u], offsets[u + U1]):
                v = np.uint64(targets[e])
                if layer[v] == 0:
                    degree[v] -= 1
                    if degree[v] == core:
                        there[found] = v
                        found += U1
        here, there, fill = there, here, found
