"""Arcs in tiles: sums over in-arcs where the vertices' values do not fit the cache.

A tile has the arcs from at most 65,536 consecutive vertices to at most 65,536 consecutive ones, each as one word of 32
bits: the place of its source above the place of its target. What a tile reads and what it adds to then stay in the
second cache, whatever the numbering, at the four bytes an arc takes anyway (segments of columns: Zhang et al., "Making
caches work for graph analytics", 2017). Tiles with the same targets, a strip, lie one after another; strips and
columns are cut to about equal arcs, by the graph alone. Making them reads the arcs twice and needs no reverse graph.
Each strip reads the values of all sources, so that graphs of many millions of vertices have wider strips, and
narrower columns.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.jit import kernel, parallel_kernel
from nearly.base.memory import memory_budget
from nearly.base.unsigned import U1
from nearly.graph.csr import Graph

_PLACE, _WIDEST, _ENOUGH = 16, 19, 6  # bits of a target's place; wider ones give 2 ** 6 strips, but not above 19
_STRIPS, _COLUMNS = 32, 64  # at least so many, for the threads to share
_GROUPS = 1 << 14  # strips begin at whole groups of vertices, which are at most so many
_FAR = 1 << 16  # vertices whose values no longer fit the first cache
_NEAR, _WITHIN, _SAMPLE = 0.3, 16, 1 << 14  # share of sampled arcs that stay within n / 16, above which all is near
_LONG = 4  # arcs of a vertex from which on rows are long enough to be read one by one where arcs stay near
KEPT_PART = 16  # tiles that take less than this part of the free memory stay with the graph


class Tiles(NamedTuple):
    """The arcs of a graph in tiles; tile (s, c) has words[bounds[s, c] : bounds[s, c + 1]]."""

    words: np.ndarray
    bounds: np.ndarray
    strips: np.ndarray  # where each strip of targets begins
    columns: np.ndarray  # where each column of sources begins
    place: np.ndarray  # [1], the bits of a target's place in a word


def no_tiles() -> Tiles:
    """What stands where there are none."""
    none = np.empty(0, np.uint64)
    return Tiles(np.empty(0, np.uint32), np.empty((0, 0), np.uint64), none, none, none)


def tiles_of(graph: Graph) -> Tiles | None:
    """A graph's tiles, where it is so large and its arcs lead so far that they pay and fit the memory; else None."""
    kept: Tiles | None = graph.__dict__.get("_tiles")
    if kept is not None:
        return kept
    if graph.n < _FAR or (graph.m >= _LONG * graph.n and arcs_stay_near(graph)):
        return None
    needed, budget = 4 * graph.m + 64 * graph.n, memory_budget()
    if needed > budget:
        return None
    tiles = make_tiles(graph)
    if KEPT_PART * needed < budget:
        graph.__dict__["_tiles"] = tiles
    return tiles


def arcs_stay_near(graph: Graph) -> bool:
    """Whether many arcs join vertices of near numbers, by a sample of the arcs."""
    near = graph.__dict__.get("_arcs_stay_near")
    if near is None:
        offsets, targets = graph.rows[:2]
        at = np.arange(0, graph.m, max(1, graph.m // _SAMPLE))
        sources = np.searchsorted(offsets, at, side="right") - 1
        distance = np.abs(sources - targets[at].astype(np.int64))
        near = graph.__dict__["_arcs_stay_near"] = bool((distance * _WITHIN <= graph.n).mean() > _NEAR)
    return near


def make_tiles(graph: Graph) -> Tiles:
    """The arcs in tiles."""
    offsets, targets = graph.rows[:2]
    place = min(max(graph.n.bit_length() - _ENOUGH, _PLACE), _WIDEST)
    columns = cuts_within(offsets, -(-graph.m // _COLUMNS), 1 << (32 - place))
    shift = np.uint64(max(graph.n // _GROUPS, 1).bit_length())
    counts = np.zeros((columns.size - 1, (graph.n >> int(shift)) + 1), np.uint32)
    count_groups(offsets, targets, columns, shift, counts)
    so_far = np.zeros(counts.shape[1] + 1, np.uint64)
    np.cumsum(counts.sum(axis=0, dtype=np.uint64), out=so_far[1:])
    groups = cuts_within(so_far, -(-graph.m // _STRIPS), (1 << place) >> int(shift)).astype(np.int64)
    sizes = np.add.reduceat(counts, groups[:-1], axis=1, dtype=np.uint64)
    starts, count = np.zeros(sizes.size + 1, np.uint64), columns.size - 1
    np.cumsum(sizes.T.ravel(), out=starts[1:])
    bounds = starts[count * np.arange(groups.size - 1)[:, None] + np.arange(count + 1)]
    strip_of = np.repeat(np.arange(groups.size - 1, dtype=np.uint16), np.diff(groups))
    strips = np.minimum(groups << int(shift), graph.n).astype(np.uint64)
    tiles = Tiles(np.empty(graph.m, np.uint32), bounds, strips, columns, np.array([place], np.uint64))
    fill_tiles(offsets, targets, tiles, strip_of, shift)
    return tiles


def cuts_within(so_far: np.ndarray, arcs: int, most: int) -> np.ndarray:
    """Cut rows into pieces of about `arcs` arcs each and at most `most` rows."""
    rows, cuts, arcs = so_far.size - 1, [0], max(arcs, 1)  # where there are none, rows alone count
    while cuts[-1] < rows:
        enough = int(np.searchsorted(so_far, so_far[cuts[-1]] + np.uint64(arcs)))
        cuts.append(min(max(enough, cuts[-1] + 1), cuts[-1] + most, rows))
    return np.array(cuts, np.uint64)


@kernel
def count_column(targets, start, end, shift, counts):
    """How many of the arcs [start, end) lead to each group of vertices."""
    for e in range(start, end):
        counts[np.uint64(targets[e]) >> shift] += np.uint32(1)


@kernel
def fill_column(offsets, targets, tiles, strip_of, shift, c):
    """Write the arcs of column c, source after source, to their tiles."""
    words, bounds, strips, columns, place = tiles
    low, bits = columns[c], place[0]
    at = np.empty(bounds.shape[0], np.uint64)
    for s in range(np.uint64(at.size)):
        at[s] = bounds[s, c]
    for u in range(low, columns[c + U1]):
        source = (u - low) << bits
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            s = np.uint64(strip_of[v >> shift])
            words[at[s]] = np.uint32(source | (v - strips[s]))
            at[s] += U1


@kernel
def add_strip(tiles, s, values, totals):
    """Add to `totals`, one for each vertex of strip s, the values of the sources of its arcs.

    `tiles` is any tuple with the fields of `Tiles`.
    """
    words, bounds, columns, bits = tiles.words, tiles.bounds, tiles.columns, tiles.place[0]
    mask = (U1 << bits) - U1
    for c in range(np.uint64(columns.size - 1)):
        low = columns[c]
        for i in range(bounds[s, c], bounds[s, c + U1]):
            word = np.uint64(words[i])
            totals[word & mask] += values[low + (word >> bits)]


@kernel
def sum_strip(tiles, s, values, out):
    """The sum of the values of the sources of each vertex's arcs, for the vertices of strip s."""
    low, high = tiles.strips[s], tiles.strips[s + U1]
    totals = np.zeros(high - low, out.dtype)
    add_strip(tiles, s, values, totals)
    for v in range(low, high):
        out[v] = totals[v - low]


@parallel_kernel
def count_groups(offsets, targets, columns, shift, counts):
    """How many arcs lead from each column to each group of vertices."""
    for c in prange(np.uint64(columns.size - 1)):
        count_column(targets, offsets[columns[c]], offsets[columns[c + U1]], shift, counts[c])


@parallel_kernel
def fill_tiles(offsets, targets, tiles, strip_of, shift):
    """Write all arcs to their tiles."""
    for c in prange(np.uint64(tiles.columns.size - 1)):
        fill_column(offsets, targets, tiles, strip_of, shift, c)


@parallel_kernel
def sum_sources(tiles, values, out):
    """For each vertex the sum of the values of the sources of its arcs."""
    for s in prange(np.uint64(tiles.strips.size - 1)):
        sum_strip(tiles, s, values, out)
