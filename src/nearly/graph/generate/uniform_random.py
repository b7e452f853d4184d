"""Uniform random graphs G(n, m): m distinct edges, every such graph equally likely."""

from __future__ import annotations

from typing import Literal

import numpy as np

from nearly.base.arguments import flag, whole_number
from nearly.base.progress import Progress
from nearly.base.signatures import typed
from nearly.graph.csr import Graph
from nearly.graph.generate.numbered_edges import MOST_EDGES, CounterSource, built, require_room, weight_kind
from nearly.graph.generate.random_streams import ORDER, seed_of


@typed
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
    n : int
        Vertices, 1 to 2**32.
    m : int
        Edges; an undirected edge counts once here and is stored as two arcs.
    seed : int, default 1
        Which graph; the same seed gives the same graph, whatever the number of threads.
    directed : bool, default True
        False stores each edge both ways.
    simple : bool, default True
        No self-loops and no parallel edges; False draws every edge independently.
    weights : {"int", "float"} or None, default None
        Random weights: whole numbers from 1 to 255, real numbers from 1 to 255, or none.
    progress : callable, optional
        Called as `progress(stage, done, total)`.

    Returns
    -------
    Graph

    Examples
    --------
    >>> import nearly
    >>> g = nearly.generate.random(n=10, m=20)
    >>> g.n, g.m
    (10, 20)
    """
    n, directed, simple = whole_number("n", n, 1, 2**32), flag("directed", directed), flag("simple", simple)
    possible = n * (n - 1) if directed else n * (n - 1) // 2
    m = (
        whole_number(f"m for a graph of {n} vertices", m, 0, possible)
        if simple
        else whole_number("m", m, 0, MOST_EDGES)
    )
    seed, kind = seed_of(seed), weight_kind(weights)
    require_room("random", n, m, directed, kind)

    from nearly.graph.generate import pair_kernels as kernels

    word, kind_of_pairs = np.uint64(seed), kernels.ORDERED if directed else kernels.INSIDE_GROUPS
    pairs = kernels.Pairs(kind_of_pairs, np.uint64(possible), np.uint64(1), np.uint64(n))

    def fill(low: np.uint64, src: np.ndarray, dst: np.ndarray) -> None:
        if simple:
            kernels.distinct_pairs(word, ORDER, low, pairs, src, dst)
        else:
            kernels.any_pairs(word, low, np.uint64(n), src, dst)

    return built(CounterSource(n, m, fill), directed=directed, weights=kind, seed=seed, progress=progress)
