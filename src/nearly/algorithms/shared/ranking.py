"""A place in a line for every vertex: by a key, and within one key at random by the seed.

The places are distinct, so there are no ties to break, and the line is the same for every policy and thread count.
"""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel
from nearly.base.random import permutation, permuted, stream_key
from nearly.base.unsigned import U0, U1

LINE = 0x11  # the stream of random numbers that rankings take


def ranking(n: int, seed: int, key: np.ndarray | None = None) -> np.ndarray:
    """A place from 0 to n - 1 for every vertex: ascending by `key` (small whole numbers), at random where equal."""
    rank = np.empty(n, np.uint32)
    if n:
        key_of_line = np.uint64(stream_key(np.uint64(seed), np.uint64(LINE)))
        line_up(permutation(key_of_line, np.uint64(n)), rank, _keys(key))
    return rank


def in_line(rank: np.ndarray) -> np.ndarray:
    """The vertices in the order of their places."""
    line = np.empty_like(rank)
    line[rank] = np.arange(rank.size, dtype=rank.dtype)
    return line


def _keys(key: np.ndarray | None) -> np.ndarray:
    return np.zeros(0, np.uint32) if key is None else np.ascontiguousarray(key, np.uint32)


@kernel
def line_up(shuffle, rank, key):
    """A counting sort of 0..n-1 by key, those of one key in the order of the random bijection."""
    n = np.uint64(rank.size)
    if key.size == 0:
        for i in range(n):
            rank[permuted(shuffle, i)] = i
        return
    place = np.zeros(np.uint64(key.max()) + np.uint64(2), np.uint64)
    for v in range(n):
        place[np.uint64(key[v]) + U1] += U1
    for k in range(U1, np.uint64(place.size)):
        place[k] += place[k - U1]
    for i in range(U0, n):
        v = permuted(shuffle, i)
        k = np.uint64(key[v])
        rank[v] = place[k]
        place[k] += U1
