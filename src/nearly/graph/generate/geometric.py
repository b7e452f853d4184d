"""Random geometric graphs: points in the unit square, joined where they are close."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from nearly.base.arguments import number, whole_number
from nearly.base.memory import require
from nearly.base.progress import Progress
from nearly.base.signatures import typed
from nearly.base.threads import kernel_threads
from nearly.graph.csr import Graph, vertex_dtype
from nearly.graph.generate.numbered_edges import CounterSource, built, require_room, weight_kind
from nearly.graph.generate.random_streams import seed_of
from nearly.graph.generate.random_weights import weighed

_SCRATCH = 56  # bytes a vertex: points twice, cell order, counts, cells


@typed
def geometric(
    n: int,
    radius: float,
    seed: int = 1,
    *,
    weights: Literal["int", "float", "distance"] | None = None,
    progress: Progress | None = None,
) -> Graph:
    """Random geometric graph: points in the unit square, joined within a radius; undirected.

    Parameters
    ----------
    n : int
        Vertices.
    radius : float
        Two points are joined if they are at most this far apart.
    seed : int, default 1
        Which graph; the same seed gives the same graph, whatever the number of threads.
    weights : {"int", "float", "distance"} or None, default None
        The distance of the two points, random whole numbers from 1 to 255, random real numbers from 1 to 255, or none.
    progress : callable, optional
        Called as `progress(stage, done, total)`.

    Returns
    -------
    Graph

    Examples
    --------
    >>> import nearly
    >>> g = nearly.generate.geometric(n=4, radius=1.5, weights="distance")
    >>> xy = nearly.generate.geometric_points(4)
    >>> g.m, bool(abs(g.weights[0] - ((xy[0] - xy[1]) ** 2).sum() ** 0.5) < 1e-6)
    (12, True)
    """
    n, radius, seed = whole_number("n", n, 1, 2**32), number("radius", radius, 0, 1.5), seed_of(seed)
    kind = weight_kind(weights, ("distance",))
    expected = n * (n - 1) / 2 * min(math.pi * radius * radius, 1.0)
    require_room("geometric", n, round(expected * 0.9), False, kind, _SCRATCH * n)

    from nearly.graph.generate import geometric_kernels as kernels

    points = geometric_points(n, seed)
    limit, side = radius * radius, _side(n, radius)
    starts, order = np.zeros(side * side + 2, np.uint64), np.empty(n, vertex_dtype(n))
    placed, ends = np.empty_like(points), np.empty(n, np.uint64)
    with kernel_threads():
        kernels.sort_points(points, side, starts, order, placed)
        cells = kernels.Cells(placed, order, starts, side, limit)
        kernels.count_ahead(cells, ends)
    np.cumsum(ends, out=ends)
    require_room("geometric", n, int(ends[-1]), False, kind)

    def fill(low: np.uint64, src: np.ndarray, dst: np.ndarray) -> None:
        kernels.edges_ahead(cells, ends, low, src, dst)

    source = CounterSource(n, int(ends[-1]), fill)
    uniform = None if kind == "distance" else kind
    graph = built(source, directed=False, weights=uniform, seed=seed, progress=progress)
    if kind != "distance":
        return graph
    return weighed(graph, np.float32, lambda u, v, w: kernels.distances(points, u, v, w), progress)


def geometric_points(n: int, seed: int = 1) -> np.ndarray:
    """Where the vertices of `geometric` with this seed lie: n rows of x and y in [0, 1).

    Parameters
    ----------
    n : int
        Vertices.
    seed : int, default 1
        The seed given to `geometric`.

    Returns
    -------
    numpy.ndarray
        n rows of two float64, row v for vertex v.

    Examples
    --------
    >>> import nearly
    >>> nearly.generate.geometric_points(3).shape
    (3, 2)
    """
    from nearly.graph.generate.geometric_kernels import place_points

    n, seed = whole_number("n", n, 1, 2**32), seed_of(seed)
    require(16 * n, f"{n:,} points")
    points = np.empty((n, 2))
    with kernel_threads():
        place_points(np.uint64(seed), points)
    return points


def _side(n: int, radius: float) -> int:
    """How many cells lie along a side: each wider than the radius by more than rounding can hide, about one a point."""
    most = math.isqrt(n)
    return max(1, min(most, int((1 - 1e-9) / radius))) if radius * most > 1e-9 else most
