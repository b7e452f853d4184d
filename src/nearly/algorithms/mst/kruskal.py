"""Filter-Kruskal: sort and join the lightest edges, drop what now lies inside a tree, go on with the rest.

(Osipov, Sanders, Singler, "The Filter-Kruskal Minimum Spanning Tree Algorithm", ALENEX 2009.) A level takes about 1.5
edges per vertex. After it, most of the heavier edges have both ends in one tree; they are dropped by two reads
each and never sorted. A sample of the edges tells where one level ends. Sparse graphs need one level, which is
Kruskal's algorithm over a radix sort; where very many edges weigh the same they are joined as they stand in the rows.
Selecting runs on all threads, joining on one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from nearly.algorithms.connected_components.kernels import compress
from nearly.algorithms.mst.kernels import (
    Chosen,
    Places,
    kruskal,
    kruskal_in_rows,
    ordered_all,
    pack,
    plant,
    radix_sort,
    repack,
    select,
)
from nearly.algorithms.mst.keys import Keys, ends_of, keyed_rows
from nearly.engine.row_pieces import crew_for, cursor, row_cuts
from nearly.engine.run import Did, Run
from nearly.engine.transform.replicas import Copies
from nearly.graph.csr import Graph
from nearly.graph.edge_source import rows_of_arcs

_SAMPLES = 1 << 16
_LEVEL = 1.5  # edges per vertex in a level
_LAST = 2.5  # this many edges per vertex, or fewer, make the last level
_FEW = 1 << 16  # so do this many in all
_POSITIONS = 2**31  # edges of a level are numbered in 32 bits
_SPARE = 1 << 12  # room beyond what the sample promises, on top of a fifth
_HIGHEST = 2**64 - 1
_SMALL = 1 << 13  # arcs; more are sorted faster by the kernels
NO_KEYS = np.empty(0, np.uint64)


class Sample(NamedTuple):
    """Arcs that stand for all."""

    tail: np.ndarray
    head: np.ndarray
    key: np.ndarray
    worth: float  # edges that each sampled arc stands for


def filter_kruskal(
    run: Run,
    graph: Graph,
    keys: Keys,
    found: list[np.ndarray],
    planted: np.ndarray | None = None,
    copies: Copies | None = None,
) -> Iterator[list[Did]]:
    """Levels of ascending weight; `found` takes the arcs of the forest's edges, first those `planted`, ascending.

    Copies are in the tree of their vertex from the start.
    """
    parent = np.arange(graph.n, dtype=graph.arrays.targets.dtype)
    tree = np.empty(graph.n, np.uint64)
    size, low = np.uint64(0), 0
    if planted is not None:
        size = np.uint64(planted.size)
        tree[:size] = planted
        plant(*ends_of(graph, planted), parent, np.empty(planted.size, np.bool_))
    if copies is not None:
        plant(copies.of, copies.slot, parent, np.empty(copies.of.size, np.bool_))
    if planted is not None or copies is not None:
        run.launch(compress, parent, cursor(), run.threads, run.stop)
    levels = _levels(graph, keys, parent)
    for high, room in levels:
        if room:
            small = graph.m < _SMALL and low == 0 and high == _HIGHEST
            chosen, words = _all_in_order(graph, keys) if small else _level(run, graph, keys, parent, low, high, room)
            size = run.launch(kruskal, words, chosen, parent, tree, size, run.stop)
        else:
            rows = keyed_rows(graph, keys)
            size = run.launch(kruskal_in_rows, rows, np.uint64(high), parent, tree, size, run.stop)
        if high < _HIGHEST:
            run.launch(compress, parent, cursor(), run.threads, run.stop)
        low = high + 1
        found[:] = [tree[: int(size)]]
        yield [Did(words.size if room else graph.m // 2, graph.m // 2)]


def _levels(graph: Graph, keys: Keys, parent: np.ndarray) -> Iterator[tuple[int, int]]:
    """The highest key of each level, and room for its edges; no room means: the edges of this one key, unsorted.

    Looks at `parent` anew for each level: the sampled edges between two trees stand for those not yet dropped.
    """
    most = min(_LAST * graph.n + _FEW, _POSITIONS)
    if keys.bits.size == 0 or graph.m // 2 <= most:
        yield _HIGHEST, graph.m // 2 + 1 if keys.bits.size else 0
        return
    sample = _sample(graph, keys)
    low = high = 0
    while high < _HIGHEST:
        between = parent[sample.tail] != parent[sample.head]
        alive = np.sort(sample.key[(sample.key >= low) & between])
        high, edges = _HIGHEST, alive.size * sample.worth
        if edges > most:
            high = int(alive[int(min(_LEVEL * graph.n, most / 2) / sample.worth)])
            edges = np.searchsorted(alive, high, side="right") * sample.worth
            if edges > 2 * most:  # too many of one weight: end before it, or take it alone
                edges = np.searchsorted(alive, high) * sample.worth
                if high == low:
                    yield high, 0
                    low = high + 1
                    continue
                high -= 1
        yield high, int(edges * 1.2) + _SPARE
        low = high + 1


def _sample(graph: Graph, keys: Keys) -> Sample:
    """An even sample of the arcs, all of them in a small graph."""
    count = min(_SAMPLES, graph.m)
    arcs = np.linspace(0, graph.m - 1, count).astype(np.uint64)
    key = np.empty(count, np.uint64)
    ordered_all(keys.bits[arcs], keys.sign, key)
    return Sample(*ends_of(graph, arcs), key, graph.m / 2 / count)


def _all_in_order(graph: Graph, keys: Keys) -> tuple[Chosen, np.ndarray]:
    """All edges of a small graph, which has one level, and words that name them in order; by NumPy."""
    targets, bits = graph.arrays.targets, keys.bits
    tail = rows_of_arcs(graph, 0, graph.m)
    arc = np.flatnonzero(tail < targets)
    value = bits[arc].view(f"f{bits.itemsize}") if keys.sign else bits[arc]
    words = value.argsort(kind="stable").view(np.uint64)
    return Chosen(tail[arc], targets[arc], arc.view(np.uint64), NO_KEYS), words


def _level(
    run: Run, graph: Graph, keys: Keys, parent: np.ndarray, low: int, high: int, room: int
) -> tuple[Chosen, np.ndarray]:
    """The edges between trees with keys in [low, high], and words that name them in order."""
    rows, pieces, vertex = keyed_rows(graph, keys), row_cuts(graph).size - 1, parent.dtype
    while True:
        chosen = Chosen(*(np.empty(room, dtype) for dtype in (vertex, vertex, np.uint64, np.uint64)))
        places = Places(*(np.zeros(size, np.uint64) for size in (pieces, pieces, 1)))
        crew = crew_for(graph, run.threads, run.stop)
        run.launch(select, rows, np.uint64(low), np.uint64(high), parent, chosen, places, crew)
        if places.total[0] <= room:
            break
        room = int(places.total[0])  # the sample promised too few
    words = np.empty(int(places.total[0]), np.uint64)
    pack(chosen.key, places, words)
    return chosen, _sorted(run, words, chosen.key[: words.size])


def _sorted(run: Run, words: np.ndarray, key: np.ndarray) -> np.ndarray:
    """The words by key, 32 bits of it at a time."""
    width = int(key.max(initial=np.uint64(0))).bit_length()
    spare = np.empty_like(words)
    words = run.launch(radix_sort, words, spare, np.uint64(min(width, 32)), run.stop)
    if width > 32:
        repack(key, words)
        words = run.launch(radix_sort, words, np.empty_like(words), np.uint64(width - 32), run.stop)
    return words
