"""Edges made from their numbers: what all generators share.

A generator is a kernel that writes the edges numbered `low`, `low + 1`, ... into two arrays. Because
each edge depends on the seed and its own number alone, the builder can ask for all of them twice
(count, then place), in chunks, on any number of threads, and the whole list is never held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np

from nearly.base.arguments import choice
from nearly.base.memory import require
from nearly.base.progress import Progress, following
from nearly.base.threads import kernel_threads
from nearly.graph.build import from_source
from nearly.graph.csr import Graph, vertex_dtype
from nearly.graph.edge_source import CHUNK, Chunk
from nearly.graph.generate.random_weights import with_weights

MOST_EDGES = 2**60  # no machine holds so many; keeps edge numbers and products within 64 bits
Fill = Callable[[np.uint64, np.ndarray, np.ndarray], Any]


class CounterSource:
    """The `edges` edges that `fill(low, src, dst)` makes from their numbers."""

    weight_dtype = None

    def __init__(self, n: int, edges: int, fill: Fill) -> None:
        self.n, self.edges, self.fill = n, edges, fill

    def chunks(self) -> Iterator[Chunk]:
        size = min(CHUNK, self.edges)
        src, dst = np.empty((2, size), vertex_dtype(self.n))
        for low in range(0, self.edges, CHUNK):
            used = min(CHUNK, self.edges - low)
            with kernel_threads(work=used):
                self.fill(np.uint64(low), src[:used], dst[:used])
            yield Chunk(src[:used], dst[:used], None)


def require_room(kind: str, n: int, edges: int, directed: bool, weights: str | None, scratch: int = 0) -> None:
    """Refuse what cannot fit, before anything is made: final arrays, two bytes an arc to build, chunks, `scratch`."""
    arcs = edges if directed else 2 * edges
    width = vertex_dtype(n).itemsize
    build_or_weights = 2 if weights is None else 4  # the builder's two bytes are gone when weights come
    chunk = 2 * width * min(CHUNK, edges)
    total = 8 * (n + 1) + arcs * (width + build_or_weights) + chunk + scratch
    require(total, f"a {kind} graph of {n:,} vertices and {arcs:,} arcs")


def weight_kind(weights: Any, extra: tuple[str, ...] = ()) -> Any:
    """A generator's `weights=` argument."""
    return choice("weights", weights, (None, "int", "float", *extra))


def built(
    source: CounterSource,
    *,
    directed: bool,
    weights: Literal["int", "float"] | None,
    seed: int,
    progress: Progress | None,
    merge: bool = False,
    drop_loops: bool = False,
) -> Graph:
    """The source's graph, parallel edges merged and self-loops dropped where asked, then given weights."""
    duplicates, loops = "first" if merge else "keep", "drop" if drop_loops else "keep"
    with following(progress, "generating") as tell:
        graph = from_source(source, source.n, directed, duplicates, loops, progress=tell)
        return graph if weights is None else with_weights(graph, weights, seed=seed, progress=tell)
