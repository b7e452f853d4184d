"""The compiled part of partial processing: an order of the arcs, each vertex's limit in it, and the arcs within limits.

The order is a 64-bit key: the weight's bits (32 of them, so that doubles nearly equal tie), then a hash of both ends.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.algorithms.mst.kernels import ordered
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.random import draw
from nearly.base.unsigned import U0, U1

U32 = np.uint64(32)
GOLD = np.uint64(0x9E3779B97F4A7C15)


@kernel
def key_of(bits, e, sign, flip, key, same, turned, u, v):
    """The place of arc e from u to v (`turned`: from v to u) in the order; `same` gives both directions one place."""
    if turned or (same and u > v):
        u, v = v, u
    word = draw(draw(key, u), v)
    if bits.size:
        weight = ordered(bits[e], sign)
        if bits.itemsize == 8:
            weight >>= U32
        return ((weight ^ (flip >> U32)) << U32) | (word >> U32)
    return word


@parallel_kernel
def thresholds(offsets, targets, bits, sign, flip, key, same, turned, keep, cuts, limits):
    """For each row the largest key among the share `keep` of smallest ones, one arc at least."""
    for piece in prange(np.uint64(cuts.size - 1)):
        widest = U0
        for v in range(cuts[piece], cuts[piece + U1]):
            widest = max(widest, offsets[v + U1] - offsets[v])
        keys = np.empty(widest, np.uint64)
        for v in range(cuts[piece], cuts[piece + U1]):
            low, size = offsets[v], offsets[v + U1] - offsets[v]
            for i in range(size):
                keys[i] = key_of(bits, low + i, sign, flip, key, same, turned, v, np.uint64(targets[low + i]))
            if size:
                wanted = np.uint64(np.ceil(keep * np.float64(size)))
                limits[v] = nth(keys, size, min(max(wanted, U1), size) - U1)


@kernel
def nth(keys, size, n):
    """The key that would stand at place n if the first `size` were sorted; reorders them (Hoare's selection)."""
    low, high = np.int64(0), np.int64(size) - 1
    n = np.int64(n)
    while low < high:
        pivot = keys[(low + high) >> 1]
        i, j = low, high
        while i <= j:
            while keys[i] < pivot:
                i += 1
            while pivot < keys[j]:
                j -= 1
            if i <= j:
                keys[i], keys[j] = keys[j], keys[i]
                i += 1
                j -= 1
        if n <= j:
            high = j
        elif n >= i:
            low = i
        else:
            break
    return keys[n]


@kernel
def stays(offsets, targets, bits, sign, flip, key, same, turned, into, out, u, e):
    """Whether arc e of u is within the limit of its target for entering arcs, or of u for leaving ones."""
    v = np.uint64(targets[e])
    place = key_of(bits, e, sign, flip, key, same, turned, u, v)
    return place <= into[v] or place <= out[u]


@parallel_kernel
def count_kept(offsets, targets, bits, sign, flip, key, same, turned, into, out, cuts, sizes):
    """How many arcs each vertex keeps, into sizes[1:]."""
    for piece in prange(np.uint64(cuts.size - 1)):
        for u in range(cuts[piece], cuts[piece + U1]):
            count = U0
            for e in range(offsets[u], offsets[u + U1]):
                if stays(offsets, targets, bits, sign, flip, key, same, turned, into, out, u, e):
                    count += U1
            sizes[u + U1] = count


@parallel_kernel
def fill_kept(offsets, targets, bits, sign, flip, key, same, turned, into, out, cuts, starts, arcs):
    """The arcs that stay, row after row."""
    for piece in prange(np.uint64(cuts.size - 1)):
        for u in range(cuts[piece], cuts[piece + U1]):
            at = starts[u]
            for e in range(offsets[u], offsets[u + U1]):
                if stays(offsets, targets, bits, sign, flip, key, same, turned, into, out, u, e):
                    arcs[at] = e
                    at += U1
