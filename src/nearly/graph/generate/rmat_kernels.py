"""The compiled part of `rmat`: several levels of the recursion from one table look-up.

The descent through the quadrants takes an independent choice at each level, so `LEVELS` levels at
once are one choice among 4**LEVELS cells, made with an alias table: the high bits of 32 random ones
pick a bucket, the low bits are a coin that decides between the bucket's own cell and its alias. An
entry packs the coin's threshold above the alias, which keeps the table (16 KiB) in the first-level cache. One
64-bit hash pays for two look-ups, twelve levels; levels beyond the scale are shifted out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.jit import kernel, parallel_kernel
from nearly.base.random import BLOCK, U0, draw, permutation, permute, stream_key
from nearly.graph.generate.random_streams import EDGES, LABELS

LEVELS = 6
CELL_BITS = 2 * LEVELS
COIN_BITS = 32 - CELL_BITS

_LEVELS, _CELL, _COIN, _32 = np.uint64(LEVELS), np.uint64(CELL_BITS), np.uint64(COIN_BITS), np.uint64(32)
_LEVELS_MASK, _CELL_MASK = np.uint64((1 << LEVELS) - 1), np.uint64((1 << CELL_BITS) - 1)
_COIN_MASK, _LOW = np.uint64((1 << COIN_BITS) - 1), np.uint64((1 << 32) - 1)


class Descent(NamedTuple):
    """How an edge falls through the levels of the adjacency matrix."""

    table: np.ndarray  # the alias table of the cells of `LEVELS` levels
    hashes: np.uint64  # random words an edge takes
    excess: np.uint64  # levels that these words pay for beyond the scale


@parallel_kernel
def rmat_edges(seed, low, n, relabel, descent, src, dst):
    """The edges numbered from `low`, vertices renamed by a random bijection if `relabel`."""
    key = stream_key(seed, EDGES)
    p = permutation(stream_key(seed, LABELS), n)
    for block in prange((src.size + BLOCK - 1) // BLOCK):
        first = block * BLOCK
        u, v = src[first : first + BLOCK], dst[first : first + BLOCK]
        sample(key, low + np.uint64(first), descent, u, v)
        if relabel:
            permute(p, u)
            permute(p, v)


@kernel
def sample(key, low, descent, src, dst):
    """One block of edges, some random words and twice as many look-ups each."""
    table, hashes, excess = descent.table, descent.hashes, descent.excess
    for i in range(np.uint64(src.size)):
        first = (low + i) * hashes
        u, v = U0, U0
        for h in range(hashes):
            bits = draw(key, first + h)
            a, b = choose(table, bits >> _32), choose(table, bits & _LOW)
            u = (((u << _LEVELS) | (a >> _LEVELS)) << _LEVELS) | (b >> _LEVELS)
            v = (((v << _LEVELS) | (a & _LEVELS_MASK)) << _LEVELS) | (b & _LEVELS_MASK)
        src[i], dst[i] = u >> excess, v >> excess


@kernel
def choose(table, bits):
    """The cell that 32 random bits choose: source bits above target bits."""
    bucket = bits >> _COIN
    entry = np.uint64(table[bucket])
    return bucket if (bits & _COIN_MASK) < (entry >> _CELL) else entry & _CELL_MASK
