"""Changes to a graph whose effect on an answer is known, and changes to an answer that make it wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from nearly import Graph
from nearly.accuracy import judges
from nearly.base.arguments import is_number
from nearly.engine.algorithm import ALGORITHMS

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


def tampered(name: str, g: Graph, values: np.ndarray) -> Iterator[np.ndarray]:
    """Wrong answers of the algorithm, each a little off a right one; a graph may be too plain for some kinds."""
    judge = ALGORITHMS.get(name).judge
    if judge is judges.FORESTS:
        yield from _forests(values)
    elif judge in (judges.PARTS, judges.COMMUNITIES):
        yield from _parts(values)
    elif judge is judges.COLORS:
        yield from _colors(g, values)
    elif any(judge is one for one in (judges.MEMBERS, judges.SETS, judges.ARC_SETS)):  # others may be equal to these
        yield from _sets(values)
    elif judge is judges.ARC_PARTS:
        yield from _arc_parts(values)
    elif judge in (judges.SIDES, judges.GENERATIONS):
        yield from _sides(g, values)
    else:
        yield from _numbers(values)


def _changed(values: np.ndarray, at: int, to: Any) -> np.ndarray:
    made = values.copy()
    made[at] = to
    return made


def _numbers(values: np.ndarray) -> Iterator[np.ndarray]:
    """The greatest one too large, and too small; all of them 0."""
    if is_number(values):
        yield from (other for other in (values + 1, values - 1, 0) if values)
        return
    if not values.size:  # nothing was asked
        return
    known = np.where(np.isfinite(values), values, -1)
    top = int(np.argmax(known))
    if known[top] > 0:
        step = 1 if values.dtype.kind in "iu" else values.dtype.type(values[top] / 8)
        yield _changed(values, top, values[top] + step)
        yield _changed(values, top, values[top] - step)
        yield np.zeros_like(values)


def _parts(values: np.ndarray) -> Iterator[np.ndarray]:
    """A member of a part on its own."""
    others = np.flatnonzero(values != np.arange(values.size))
    if others.size:
        yield _changed(values, others[-1], others[-1])


def _arc_parts(values: np.ndarray) -> Iterator[np.ndarray]:
    """Two parts as one, and an arc of a part apart from the others."""
    if values.max() > 0:
        yield np.where(values == values.max(), 0, values)
    shared = np.flatnonzero(np.bincount(values[values >= 0]) > 1)
    if shared.size:
        yield _changed(values, int(np.argmax(values == shared[0])), values.max() + 1)


def _sides(g: Graph, values: np.ndarray) -> Iterator[np.ndarray]:
    """The ends of an edge alike; and one vertex of the same with another value."""
    apart = np.flatnonzero(g.arc_sources() != g.targets)
    if apart.size:
        u, v = int(g.arc_sources()[apart[0]]), int(g.targets[apart[0]])
        yield _changed(values, u, values[v] if values[u] != values[v] else 0)
        yield _changed(values, u, 3)


def _forests(values: np.ndarray) -> Iterator[np.ndarray]:
    """An edge short."""
    if values.size:
        yield values[1:]
        yield values[:-1]


def _colors(g: Graph, values: np.ndarray) -> Iterator[np.ndarray]:
    """The ends of an edge alike; and one vertex without a colour."""
    apart = np.flatnonzero(g.arc_sources() != g.targets)
    if apart.size:
        u, v = int(g.arc_sources()[apart[0]]), int(g.targets[apart[0]])
        yield _changed(values, u, values[v])
        yield _changed(values, u, -1)


def _sets(values: np.ndarray) -> Iterator[np.ndarray]:
    """A member more, and one less."""
    for v in (int(np.argmax(values)), int(np.argmin(values))):
        yield _changed(values, v, not values[v])
