"""Small worlds: a ring of neighbourhoods with a few long-range links (Watts and Strogatz, 1998).

Each of the n * k / 2 edges of the ring lattice gets a new far end with probability p. New ends are
drawn among the vertices beyond the k nearest, and a coin for each pair decides which of the two may
choose the other: so no edge appears twice, the number of edges is always n * k / 2, and every vertex
can be treated on its own. Where no vertex is left to choose, the lattice edge stays.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from nearly.base.arguments import number, whole_number
from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress
from nearly.base.signatures import typed
from nearly.graph.csr import Graph
from nearly.graph.generate.numbered_edges import CounterSource, built, require_room, weight_kind
from nearly.graph.generate.random_streams import seed_of


@typed
def smallworld(
    n: int,
    k: int,
    p: float,
    seed: int = 1,
    *,
    weights: Literal["int", "float"] | None = None,
    progress: Progress | None = None,
) -> Graph:
    """Small world (Watts-Strogatz): a ring lattice with a share of its edges rewired; undirected.

    Parameters
    ----------
    n : int
        Vertices.
    k : int
        Neighbours of each vertex before rewiring; even, and below n.
    p : float
        Share of the edges that is rewired at random: 0 leaves the lattice, 1 leaves nothing of it.
    seed : int, default 1
        Which graph; the same seed gives the same graph, whatever the number of threads.
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
    >>> g = nearly.generate.smallworld(n=5, k=2, p=0)
    >>> g.targets.tolist()
    [1, 4, 0, 2, 1, 3, 2, 4, 0, 3]
    """
    n = whole_number("n", n, 3, 2**32)
    k = whole_number("k", k, 2, n - 1)
    if k % 2:
        raise InvalidArgumentError(f"k must be even (half of the neighbours on each side), not {k}")
    p, seed, kind = number("p", p, 0, 1), seed_of(seed), weight_kind(weights)
    edges = n * k // 2
    require_room("smallworld", n, edges, False, kind)

    from nearly.graph.generate.lattice_kernels import ring_edges

    def fill(low: np.uint64, src: np.ndarray, dst: np.ndarray) -> None:
        ring_edges(np.uint64(seed), low, np.uint64(n), np.uint64(k // 2), p, src, dst)

    return built(CounterSource(n, edges, fill), directed=False, weights=kind, seed=seed, progress=progress)
