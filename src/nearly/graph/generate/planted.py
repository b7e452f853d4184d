"""Planted partitions: communities whose right answer is known.

Every pair inside a community is an edge with probability `p_in`, every pair across with `p_out`. The
number of edges of each sort is drawn first (binomial), then that many distinct pairs (see
`pair_kernels`), which is the same distribution and costs time in the edges instead of in the pairs.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from nearly.base.arguments import number, whole_number
from nearly.base.memory import require
from nearly.base.progress import Progress
from nearly.base.signatures import typed
from nearly.graph.csr import Graph
from nearly.graph.generate.numbered_edges import CounterSource, built, require_room, weight_kind
from nearly.graph.generate.random_streams import ACROSS, COUNTS, INSIDE, seed_of

_MOST_VERTICES = 2**32


@typed
def planted_partition(
    communities: int,
    size: int,
    p_in: float,
    p_out: float,
    seed: int = 1,
    *,
    weights: Literal["int", "float"] | None = None,
    progress: Progress | None = None,
) -> Graph:
    """Planted partition: communities of one size, dense inside, sparse across; undirected.

    Vertex `v` belongs to community `v // size`; `planted_labels` gives the labels to compare with.

    Parameters
    ----------
    communities : int
        How many communities.
    size : int
        Vertices in each.
    p_in : float
        Probability of an edge between two vertices of one community.
    p_out : float
        Probability of an edge between vertices of different communities.
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
    >>> g = nearly.generate.planted_partition(communities=2, size=3, p_in=1, p_out=0)
    >>> g.arc_sources().tolist(), g.targets.tolist()
    ([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5], [1, 2, 0, 2, 0, 1, 4, 5, 3, 5, 3, 4])
    """
    communities, size = _shape(communities, size)
    p_in, p_out = number("p_in", p_in, 0, 1), number("p_out", p_out, 0, 1)
    seed, kind = seed_of(seed), weight_kind(weights)
    n = communities * size
    pairs_in = communities * (size * (size - 1) // 2)
    pairs_out = communities * (communities - 1) // 2 * size * size
    require_room("planted partition", n, round(pairs_in * p_in + pairs_out * p_out), False, kind)

    from nearly.base.random import hash64
    from nearly.graph.generate import pair_kernels as kernels

    word = np.uint64(seed)
    start = int(hash64(word, np.uint64(COUNTS), np.uint64(0)))
    # NumPy froze the stream of its legacy generator for good, so that a seed means one graph under every version
    counts = np.random.RandomState([start & 0xFFFFFFFF, start >> 32])
    inside, across = int(counts.binomial(pairs_in, p_in)), int(counts.binomial(pairs_out, p_out))
    require_room("planted partition", n, inside + across, False, kind)

    groups = np.uint64(communities), np.uint64(size)
    within = kernels.Pairs(kernels.INSIDE_GROUPS, np.uint64(pairs_in), *groups)
    between = kernels.Pairs(kernels.ACROSS_GROUPS, np.uint64(pairs_out), *groups)

    def fill(low: np.uint64, src: np.ndarray, dst: np.ndarray) -> None:
        cut = min(max(inside - int(low), 0), src.size)
        for stream, first, pairs, part in (
            (INSIDE, int(low), within, slice(0, cut)),
            (ACROSS, int(low) + cut - inside, between, slice(cut, None)),
        ):
            if src[part].size:
                kernels.distinct_pairs(word, stream, np.uint64(first), pairs, src[part], dst[part])

    source = CounterSource(n, inside + across, fill)
    return built(source, directed=False, weights=kind, seed=seed, progress=progress)


def planted_labels(communities: int, size: int) -> np.ndarray:
    """The community of each vertex of `planted_partition`, named by its smallest member.

    Parameters
    ----------
    communities : int
        How many communities.
    size : int
        Vertices in each.

    Returns
    -------
    numpy.ndarray
        A number of type int64 for each vertex.

    Examples
    --------
    >>> import nearly
    >>> nearly.generate.planted_labels(2, 3).tolist()
    [0, 0, 0, 3, 3, 3]
    """
    communities, size = _shape(communities, size)
    require(16 * communities * size, f"labels for {communities * size:,} vertices")
    return np.repeat(np.arange(communities, dtype=np.int64) * size, size)


def _shape(communities: int, size: int) -> tuple[int, int]:
    """Both checked, also together: pairs of vertices must be numbered in 63 bits."""
    communities, size = (
        whole_number("communities", communities, 1, _MOST_VERTICES),
        whole_number("size", size, 1, _MOST_VERTICES),
    )
    whole_number("communities * size", communities * size, 1, _MOST_VERTICES)
    return communities, size
