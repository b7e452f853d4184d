"""Changes to a graph whose effect on an answer is known: renaming, two copies side by side, isolated vertices."""

from __future__ import annotations

import numpy as np

from nearly import Graph

ISOLATED = 3


def permutation_of(g: Graph, seed: int) -> np.ndarray:
    """A random renaming of the vertices, for `g.relabel`."""
    return np.random.default_rng(seed).permutation(g.n)


def doubled(g: Graph) -> Graph:
    """The graph beside a copy of itself, followed by isolated vertices; directed as the graph is."""
    src, dst = g.arc_sources().astype(np.int64), g.targets.astype(np.int64)
    weights = None if g.weights is None else np.r_[g.weights, g.weights]
    return Graph.from_edges(
        np.r_[src, src + g.n], np.r_[dst, dst + g.n], weights, n=2 * g.n + ISOLATED, directed=g.directed,
        duplicates="keep" if g.directed else None, negative="keep",
        weight_dtype=None if g.weights is None else g.weights.dtype,
    )  # fmt: skip


def reweighted(g: Graph, weights: np.ndarray) -> Graph:
    """The graph with other weights."""
    return Graph(g.offsets.copy(), g.targets.copy(), weights, directed=g.directed)


def same_parts(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two labellings divide the vertices alike."""
    return bool(np.array_equal(a[:, None] == a, b[:, None] == b))
