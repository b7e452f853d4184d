"""Uniform random graphs G(n, m): m distinct edges, every such graph equally likely."""

from __future__ import annotations

from typing import Literal

import numpy as np

from nearly.base.progress import Progress
from nearly.graph.csr import Graph
from nearly.graph.generate.arguments import seed_of, switch, whole
from nearly.graph.generate.streaming import CounterSource, built, require_room, weight_kind
from nearly.graph.generate.streams import ORDER


def random(
    n: int,
    m: int,
    seed: int = 1,
    *,
    directed: bool = True,
    simple: bool = True,
    weights: Literal["int", "float"] | None = None,
    progress: Progress | None = None,
) -> Graph:
    """Uniform random graph G(n, m): exactly m distinct edges, no hubs, small diameter.

    Parameters
    ----------
    n : vertices, 1 to 2**32.
    m : edges; an undirected edge counts once here and is stored as two arcs.
    seed : which graph; the same seed gives the same graph, whatever the number of threads.
    directed : False stores each edge both ways.
    simple : no self-loops and no parallel edges; False draws every edge independently.
    weights : `"int"` (1 to 255), `"float"` (1 to 255) or None.
    progress : called as `progress(stage, done, total)`.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.generate.random(n=10, m=20)
    >>> g.n, g.m
    (10, 20)
    """
    n, directed, simple = whole("n", n, 1, 2**32), switch("directed", directed), switch("simple", simple)
    possible = n * (n - 1) if directed else n * (n - 1) // 2
    m = whole(f"m for a graph of {n} vertices", m, 0, possible) if simple else whole("m", m, 0)
    seed, kind = seed_of(seed), weight_kind(weights)
    require_room("random", n, m, directed, kind)

    from nearly.graph.generate import pair_kernels as kernels

    word, order = np.uint64(seed), kernels.ORDERED if directed else kernels.INSIDE_GROUPS

    def fill(low: np.uint64, src: np.ndarray, dst: np.ndarray) -> None:
        if simple:
            kernels.distinct_pairs(word, ORDER, low, np.uint64(possible), order, np.uint64(1), np.uint64(n), src, dst)
        else:
            kernels.any_pairs(word, low, np.uint64(n), src, dst)

    return built(CounterSource(n, m, fill), directed=directed, weights=kind, seed=seed, progress=progress)
