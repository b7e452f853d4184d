"""Steps of random walks by rejection, without a table for pairs of arcs (Yang et al., "KnightKing", 2019).

An arc v -> x is drawn by its weight and kept with probability factor / `most`, where `most` is the larger of 1 and 1/q.
Whether t -> x is an arc is looked up only where the answer decides. The way back counts 1/p; where that is more than
`most`, the surplus is a lot of its own in every draw, so that a small p costs no rejections. After `_TRIES`
rejections the factors of all arcs of v are added up instead: a step takes bounded time, and the probabilities stay
those asked for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, light_kernel, parallel_kernel
from nearly.base.random import below, draw, stream_key, uniform
from nearly.base.unsigned import U0, U1

_TRIES = 32
_BATCH = np.uint64(64)  # walks that a worker takes at a time


class Ways(NamedTuple):
    """Where walks may go."""

    offsets: np.ndarray
    targets: np.ndarray
    sums: np.ndarray  # float64[m], the weights of a row added up to each arc; empty where all arcs count alike


class Bias(NamedTuple):
    """The factors by which arcs count."""

    back: float  # the way back, at most `most`
    surplus: float  # what the way back counts beyond `most`
    far: float  # an arc to where no arc leads from the vertex before
    most: float
    plain: bool  # whether all are 1


def bias_of(p: float, q: float) -> Bias:
    """The factors for node2vec's p and q."""
    most = max(1.0, 1 / q)
    return Bias(min(1 / p, most), max(1 / p - most, 0.0), 1 / q, most, p == q == 1.0)


@light_kernel
def add_up(offsets, weights, sums):
    """The weights of each row added up, arc by arc."""
    for v in range(np.uint64(offsets.size - 1)):
        total = 0.0
        for e in range(offsets[v], offsets[v + U1]):
            total += np.float64(weights[e])
            sums[e] = total


@kernel
def first_above(values, low, high, x):
    """The first place in [low, high) of ascending values that is above x; high where there is none."""
    while low < high:
        middle = (low + high) >> U1
        if values[middle] > x:
            high = middle
        else:
            low = middle + U1
    return low


@kernel
def first_from(values, low, high, x):
    """The first place in [low, high) of ascending values that is at least x; high where there is none."""
    while low < high:
        middle = (low + high) >> U1
        if values[middle] >= x:
            high = middle
        else:
            low = middle + U1
    return low


@kernel
def leads_to(ways, t, x):
    """Whether t -> x is an arc."""
    high = ways.offsets[t + U1]
    e = first_from(ways.targets, ways.offsets[t], high, x)
    return e < high and np.uint64(ways.targets[e]) == x


@kernel
def total_of(ways, v):
    """The weights of v's arcs together."""
    low, high = ways.offsets[v], ways.offsets[v + U1]
    if ways.sums.size == 0:
        return np.float64(high - low)
    return ways.sums[high - U1] if high > low else 0.0


@light_kernel
def any_arc(ways, v, word):
    """An arc of v, drawn by its weight with 64 random bits; v has one that counts."""
    low, high = ways.offsets[v], ways.offsets[v + U1]
    if ways.sums.size == 0:
        return low + below(word, high - low)
    total = ways.sums[high - U1]
    e = first_above(ways.sums, low, high, uniform(word) * total)
    return e if e < high else first_from(ways.sums, low, high, total)  # rounding reached the total


@light_kernel
def weight_of(ways, v, e):
    """The weight of arc e of v."""
    if ways.sums.size == 0:
        return 1.0
    return ways.sums[e] - ways.sums[e - U1] if e > ways.offsets[v] else ways.sums[e]


@kernel
def weight_back(ways, v, t):
    """The weights of the arcs v -> t together."""
    high = ways.offsets[v + U1]
    e = first_from(ways.targets, ways.offsets[v], high, t)
    total = 0.0
    while e < high and np.uint64(ways.targets[e]) == t:
        total += weight_of(ways, v, e)
        e += U1
    return total


@light_kernel
def factor(ways, bias, t, x):
    """How much an arc to x counts after t, the surplus of the way back aside."""
    if x == t:
        return bias.back
    return 1.0 if leads_to(ways, t, x) else bias.far


@kernel
def next_by_sum(ways, bias, t, v, share, surplus):
    """The vertex at which the surplus, then factors times weights, added up, exceed this share of their sum."""
    low, high = ways.offsets[v], ways.offsets[v + U1]
    total, x = surplus, t
    for e in range(low, high):
        total += weight_of(ways, v, e) * factor(ways, bias, t, np.uint64(ways.targets[e]))
    target, so_far = share * total, surplus
    if so_far > target:
        return t
    for e in range(low, high):
        counts = weight_of(ways, v, e) * factor(ways, bias, t, np.uint64(ways.targets[e]))
        if counts > 0.0:
            so_far, x = so_far + counts, np.uint64(ways.targets[e])
            if so_far > target:
                return x
    return x


@light_kernel
def next_vertex(ways, bias, t, v, key, index):
    """Where a walk goes that came from t to v, and the number of the next random word to draw."""
    surplus = bias.surplus * weight_back(ways, v, t) if bias.surplus > 0.0 else 0.0
    lots = bias.most * total_of(ways, v) + surplus
    for _ in range(_TRIES):
        if surplus > 0.0:
            index += U1
            if uniform(draw(key, index - U1)) * lots < surplus:
                return t, index
        x = np.uint64(ways.targets[any_arc(ways, v, draw(key, index))])
        level = uniform(draw(key, index + U1)) * bias.most
        index += U1 + U1
        if x == t:
            if level < bias.back:
                return x, index
        elif level < min(1.0, bias.far) or (level < max(1.0, bias.far) and level < factor(ways, bias, t, x)):
            return x, index
    share = uniform(draw(key, index))
    return next_by_sum(ways, bias, t, v, share, surplus), index + U1


@light_kernel
def walk(ways, bias, begin, key, walks, row):
    """Fill a row with a walk."""
    length = np.uint64(walks.shape[1])
    t, v, index, i = begin, begin, U0, U1
    walks[row, 0] = v
    while i < length and total_of(ways, v) > 0.0:
        if bias.plain or i == U1:
            x = np.uint64(ways.targets[any_arc(ways, v, draw(key, index))])
            index += U1
        else:
            x, index = next_vertex(ways, bias, t, v, key, index)
        t, v = v, x
        walks[row, i] = v
        i += U1
    for j in range(i, length):
        walks[row, j] = -1


@parallel_kernel
def walk_all(ways, bias, begins, key, walks, cursor, workers, stop):
    """All walks; workers take batches of them."""
    count, starts = np.uint64(walks.shape[0]), np.uint64(begins.size)
    for _ in prange(workers):
        first = fetch_add(cursor, U0, _BATCH)
        while first < count and going(stop):
            for row in range(first, min(first + _BATCH, count)):
                walk(ways, bias, begins[row % starts], stream_key(key, row), walks, row)
            first = fetch_add(cursor, U0, _BATCH)
