"""The compiled part of partial processing: an order of the arcs, each vertex's limit in it, and the arcs within limits.

What: each vertex keeps the smallest arcs of its row in one order of all arcs. `thresholds` finds each row's limit: the
largest arc it keeps. `count_kept` and `fill_kept` then list the arcs that are within the limit of either end.

How: an arc's place in the order is a 64-bit key: 32 bits of the weight, then a hash of both ends. Doubles that are
nearly equal have the same 32 bits, so the hash decides between them. A limit is found by selection, not by sorting.

Why a key: it is computed anew wherever it is needed, so no array of keys is kept, and an arc has the same place
whether it is read from its source's row or, in the reverse graph, from its target's.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.mst.kernels import ordered
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.random import draw
from nearly.base.unsigned import U0, U1

U32 = np.uint64(32)


class Order(NamedTuple):
    """An order of the arcs of a graph, as its rows or those of its reverse show them."""

    bits: np.ndarray  # the weights' bits, beside the arcs; empty where weights do not count
    sign: np.uint64  # the sign bit of weights that are floats, else 0
    flip: np.uint64  # all ones to put the heaviest first, else 0
    key: np.uint64  # of the random numbers that hash both ends
    same: bool  # whether the arcs of both directions have one place
    turned: bool  # whether these are the rows of the reverse, where an arc in row u leads to u


class Limits(NamedTuple):
    """The largest key that each vertex keeps."""

    into: np.ndarray  # uint64[n]: of arcs that enter
    out: np.ndarray  # uint64[n]: of arcs that leave


@kernel
def key_of(order, e, u, v):
    """The place in the order of arc e, which stands in row u and has v as the other end."""
    if order.turned or (order.same and u > v):
        u, v = v, u
    word = draw(draw(order.key, u), v)
    if order.bits.size:
        weight = ordered(order.bits[e], order.sign)
        if order.bits.itemsize == 8:
            weight >>= U32
        return ((weight ^ (order.flip >> U32)) << U32) | (word >> U32)
    return word


@parallel_kernel
def thresholds(offsets, targets, order, keep, cuts, limits):
    """For each row the largest key among the share `keep` of smallest ones, one arc at least."""
    for piece in prange(np.uint64(cuts.size - 1)):
        widest = U0
        for v in range(cuts[piece], cuts[piece + U1]):
            widest = max(widest, offsets[v + U1] - offsets[v])
        keys = np.empty(widest, np.uint64)
        for v in range(cuts[piece], cuts[piece + U1]):
            low, size = offsets[v], offsets[v + U1] - offsets[v]
            for i in range(size):
                keys[i] = key_of(order, low + i, v, np.uint64(targets[low + i]))
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
def stays(targets, order, limits, u, e):
    """Whether arc e of u is within the limit of its target for entering arcs, or of u for leaving ones."""
    v = np.uint64(targets[e])
    place = key_of(order, e, u, v)
    return place <= limits.into[v] or place <= limits.out[u]


@parallel_kernel
def count_kept(offsets, targets, order, limits, cuts, sizes):
    """How many arcs each vertex keeps, into sizes[1:]."""
    for piece in prange(np.uint64(cuts.size - 1)):
        for u in range(cuts[piece], cuts[piece + U1]):
            count = U0
            for e in range(offsets[u], offsets[u + U1]):
                if stays(targets, order, limits, u, e):
                    count += U1
            sizes[u + U1] = count


@parallel_kernel
def fill_kept(offsets, targets, order, limits, cuts, starts, arcs):
    """The arcs that stay, row after row; those of u from starts[u] on."""
    for piece in prange(np.uint64(cuts.size - 1)):
        for u in range(cuts[piece], cuts[piece + U1]):
            at = starts[u]
            for e in range(offsets[u], offsets[u + U1]):
                if stays(targets, order, limits, u, e):
                    arcs[at] = e
                    at += U1
