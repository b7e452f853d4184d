"""The compiled part of weights: one independent number for each arc of a chunk."""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.base.jit import kernel, parallel_kernel
from nearly.base.random import below, draw, stream_key, uniform
from nearly.graph.generate.random_streams import WEIGHTS


@kernel
def edge_bits(key, directed, u, v):
    """64 random bits for an edge: of the ordered pair if `directed`, else the same for both of its arcs."""
    u, v = np.uint64(u), np.uint64(v)
    if not directed and u > v:
        u, v = v, u
    return draw(draw(key, u), v)


@parallel_kernel
def whole_weights(seed, directed, low, span, src, dst, weights):
    """Whole numbers from `low` to `low + span - 1`."""
    key = stream_key(seed, WEIGHTS)
    for i in prange(src.size):
        weights[i] = low + below(edge_bits(key, directed, src[i], dst[i]), span)


@parallel_kernel
def real_weights(seed, directed, low, span, src, dst, weights):
    """Real numbers from `low` to `low + span`."""
    key = stream_key(seed, WEIGHTS)
    for i in prange(src.size):
        weights[i] = low + span * uniform(edge_bits(key, directed, src[i], dst[i]))
