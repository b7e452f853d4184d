"""Words in ascending order of their bytes, which is that of their letters: UTF-8 was made so.

The first eight bytes of each word, as one number, are sorted by NumPy. Words that begin alike are sorted by the next
eight, and so on: a run of equals is left only where it is longer than a few, which are put in order one by one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.intrinsics import prefetch
from nearly.base.jit import inner_kernel, kernel, parallel_kernel
from nearly.base.threads import kernel_threads
from nearly.base.unsigned import U0, U1, piece_bounds

_EIGHT = np.uint64(8)
_FEW = np.uint64(12)
PIECES, AHEAD = 64, np.uint64(8)


@inner_kernel
def word_key(store, begin, size, depth):
    """Eight bytes of a word from `depth` on as a number that sorts as they do; zeros behind its end."""
    key = U0
    for k in range(depth, depth + _EIGHT):
        key = (key << _EIGHT) | (np.uint64(store[begin + k]) if k < size else U0)
    return key


@kernel
def common_start(store, begins, sizes):
    """In how many bytes at their beginning all words agree."""
    common = sizes[0]
    for i in range(np.uint64(begins.size)):
        common, k = min(common, sizes[i]), U0
        while k < common and store[begins[i] + k] == store[begins[0] + k]:
            k += U1
        common = k
    return common


@parallel_kernel
def first_keys(store, begins, sizes, depth, keys):
    """`word_key` of every word from `depth` on."""
    for piece in prange(PIECES):
        low, high = piece_bounds(keys.size, piece, PIECES)
        for i in range(low, high):
            keys[i] = word_key(store, begins[i], sizes[i], depth)


@inner_kernel
def word_less(store, begins, sizes, a, b, depth):
    """Whether word a comes before word b, which agree in the first `depth` bytes."""
    common = min(sizes[a], sizes[b])
    for k in range(depth, common):
        x, y = store[begins[a] + k], store[begins[b] + k]
        if x != y:
            return x < y
    return sizes[a] < sizes[b]


@inner_kernel
def settle_few(order, store, begins, sizes, low, high, depth):
    """A short run, one word after the other."""
    for i in range(low + U1, high):
        word, at = order[i], i
        while at > low and word_less(store, begins, sizes, word, order[at - U1], depth):
            order[at] = order[at - U1]
            at -= U1
        order[at] = word


@inner_kernel
def merge_run(order, keys, low, high, spare, spare_keys):
    """Order a run by its keys: merges of ever longer stretches."""
    width = U1
    while width < high - low:
        at = low
        while at < high:
            middle, end = min(at + width, high), min(at + width + width, high)
            a, b, out = at, middle, at
            while out < end:
                if a < middle and (b >= end or keys[a] <= keys[b]):
                    spare[out], spare_keys[out] = order[a], keys[a]
                    a += U1
                else:
                    spare[out], spare_keys[out] = order[b], keys[b]
                    b += U1
                out += U1
            at = end
        for i in range(low, high):
            order[i], keys[i] = spare[i], spare_keys[i]
        width += width


@kernel
def sort_ties(order, first, words, start, room):
    """Put words whose first keys (in `first`, in order) are equal in order."""
    store, begins, sizes = words.store, words.begins, words.sizes
    keys, spare, spare_keys, stack = room.keys, room.spare, room.spare_keys, room.stack
    top, n, i = U0, np.uint64(order.size), U0
    while True:
        if top == U0:  # the next run of the first keys
            while i + U1 < n and first[i] != first[i + U1]:
                i += U1
            if i + U1 >= n:
                return
            low = i
            while i + U1 < n and first[i] == first[i + U1]:
                i += U1
            i += U1
            high, depth = i, start + _EIGHT
        else:
            top -= U1
            low, high, depth = stack[top, 0], stack[top, 1], stack[top, 2]
        if high - low <= _FEW:
            settle_few(order, store, begins, sizes, low, high, depth)
            continue
        for k in range(low, high):
            keys[k] = word_key(store, begins[order[k]], sizes[order[k]], depth)
        merge_run(order, keys, low, high, spare, spare_keys)
        start = low
        for k in range(low + U1, high + U1):
            if k == high or keys[k] != keys[start]:
                if k - start > U1:
                    stack[top, 0], stack[top, 1], stack[top, 2] = start, k, depth + _EIGHT
                    top += U1
                start = k


@parallel_kernel
def pack_words(store, begins, sizes, order, bounds, data):
    """The words in order, each with a zero byte behind it."""
    for piece in prange(PIECES):
        low, high = piece_bounds(order.size, piece, PIECES)
        for i in range(low, high):
            if i + AHEAD < high:
                prefetch(begins, order[i + AHEAD + AHEAD] if i + AHEAD + AHEAD < high else U0)
                prefetch(store, begins[order[i + AHEAD]])
            at, word = bounds[i], order[i]
            for k in range(sizes[word]):
                data[at + k] = store[begins[word] + k]
            data[at + sizes[word]] = 0


class Stored(NamedTuple):
    """Words by their bytes."""

    store: np.ndarray
    begins: np.ndarray
    sizes: np.ndarray


class Room(NamedTuple):
    """What sorting works with: keys of words, copies for merging, and (begin, end, depth) of runs to be sorted yet."""

    keys: np.ndarray
    spare: np.ndarray
    spare_keys: np.ndarray
    stack: np.ndarray


def sorted_words(words: Stored) -> np.ndarray:
    """The places of different words without zero bytes, in ascending order, uint64."""
    n = words.begins.size
    if n == 0:
        return np.empty(0, np.uint64)
    first, start = np.empty(n, np.uint64), np.uint64(common_start(*words))
    with kernel_threads(work=8 * n):
        first_keys(*words, start, first)
    order = np.argsort(first).astype(np.uint64)
    first = first[order]
    if n > 1 and (first[1:] == first[:-1]).any():
        keys, spare, spare_keys = (np.empty(n, np.uint64) for _ in range(3))
        stack = np.empty((n // 2 + 1, 3), np.uint64)
        sort_ties(order, first, words, start, Room(keys, spare, spare_keys, stack))
    return order
