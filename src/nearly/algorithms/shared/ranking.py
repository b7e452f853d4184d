"""A place in a line for every vertex: by a key, and within one key at random by the seed.

The places are distinct, so there are no ties to break, and the line is the same for every policy and thread count.
"""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel
from nearly.base.random import permutation, permuted, stream_key
from nearly.base.unsigned import U1

LINE = 0x11  # the stream of random numbers that rankings take


def ranking(n: int, seed: int, key: np.ndarray | None = None) -> np.ndarray:
    """A place from 0 to n - 1 for every vertex: ascending by `key` (small whole numbers), at random where equal."""
    rank = np.empty(n, np.uint32)
    if n:
        shuffle = permutation(np.uint64(stream_key(np.uint64(seed), np.uint64(LINE))), np.uint64(n))
        if key is None:
            line_up(shuffle, rank)
        else:
            keys = np.ascontiguousarray(key, np.uint32)
            counts = np.bincount(keys)
            line_up_by_key(shuffle, rank, keys, (np.cumsum(counts) - counts).astype(np.uint64))
    return rank


def in_line(rank: np.ndarray) -> np.ndarray:
    """The vertices in the order of their places."""
    line = np.empty_like(rank)
    line[rank] = np.arange(rank.size, dtype=rank.dtype)
    return line


@kernel
def line_up(shuffle, rank):
    """The places of 0..n-1 in the order of the random bijection."""
    for i in range(np.uint64(rank.size)):
        rank[permuted(shuffle, i)] = i


@kernel
def line_up_by_key(shuffle, rank, key, place):
    """A counting sort by key, those of one key in the order of the bijection; `place` is where each key begins."""
    for i in range(np.uint64(rank.size)):
        v = permuted(shuffle, i)
        k = np.uint64(key[v])
        rank[v] = place[k]
        place[k] += U1
