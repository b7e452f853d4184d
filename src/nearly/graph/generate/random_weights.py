"""Weights for a graph that has none: uniform, by a hash of the edge's ends.

The weight of an edge depends on the seed and its two ends alone: both arcs of an undirected edge
agree (the smaller end is hashed first), parallel edges agree, and neither the order of the edges nor
how the graph was made matters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from nearly.base.arguments import choice, number, whole_number
from nearly.base.errors import InvalidArgumentError
from nearly.base.memory import require
from nearly.base.progress import Progress, silent
from nearly.base.signatures import typed
from nearly.base.threads import kernel_threads
from nearly.graph.csr import Arrays, Graph
from nearly.graph.edge_source import ArcSource
from nearly.graph.generate.random_streams import seed_of

_LARGEST = {"int": 2**32 - 1, "float": float(np.finfo(np.float32).max)}


@typed
def with_weights(
    graph: Graph,
    kind: Literal["int", "float"] = "int",
    low: float = 1,
    high: float = 255,
    seed: int = 1,
    *,
    progress: Progress | None = None,
) -> Graph:
    """The same graph with uniform random weights in place of any it had; offsets and targets are shared.

    Parameters
    ----------
    graph : Graph
        The graph.
    kind : {"int", "float"}, default "int"
        Whole numbers (uint32) or real ones (float32).
    low : float, default 1
        The smallest weight, at least 0.
    high : float, default 255
        The largest weight; a possible value where weights are whole numbers.
    seed : int, default 1
        Which weights; the same seed gives an edge the same weight in every graph.
    progress : callable, optional
        Called as `progress(stage, done, total)`.

    Returns
    -------
    Graph
        With the arrays `offsets` and `targets` of the given graph.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1], [1, 2], directed=False)
    >>> w = nearly.generate.with_weights(g, low=1, high=9).weights
    >>> bool(w[0] == w[1]), int(w.min()) >= 1, int(w.max()) <= 9
    (True, True, True)
    """
    from nearly.graph.generate import random_weight_kernels as kernels

    choice("kind", kind, ("int", "float"))
    check: Callable[..., float] = whole_number if kind == "int" else number
    low, high = check("low", low, 0, _LARGEST[kind]), check("high", high, 0, _LARGEST[kind])
    if low > high:
        raise InvalidArgumentError(f"low must not be above high, but low={low!r} and high={high!r}")
    key, directed = np.uint64(seed_of(seed)), graph.directed
    if kind == "int":
        least, span = np.uint64(low), np.uint64(high - low + 1)
        return weighed(
            graph, np.uint32, lambda u, v, w: kernels.whole_weights(key, directed, least, span, u, v, w), progress
        )
    return weighed(
        graph, np.float32, lambda u, v, w: kernels.real_weights(key, directed, low, high - low, u, v, w), progress
    )


def weighed(
    graph: Graph,
    dtype: type[np.generic],
    weigh: Callable[[np.ndarray, np.ndarray, np.ndarray], None],
    progress: Progress | None = None,
) -> Graph:
    """The graph with the weights that `weigh(src, dst, out)` writes for each chunk of its arcs."""
    require(graph.m * np.dtype(dtype).itemsize, f"weights for {graph.m:,} arcs")
    weights = np.empty(graph.m, dtype)
    done = 0
    for src, dst, _ in ArcSource(graph).chunks():
        with kernel_threads():
            weigh(src, dst, weights[done : done + src.size])
        done += src.size
        (progress or silent)("weighing", done, graph.m)
    offsets, targets, _ = graph.arrays
    return Graph._trusted(Arrays(offsets, targets, weights), graph.directed, graph.labels)
