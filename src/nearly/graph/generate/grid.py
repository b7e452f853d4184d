"""Grids: road-like graphs with small degrees, planar, and a diameter that grows with their side."""

from __future__ import annotations

from typing import Literal

import numpy as np

from nearly.base.arguments import number, whole_number
from nearly.base.progress import Progress
from nearly.base.signatures import typed
from nearly.graph.csr import Graph
from nearly.graph.generate.numbered_edges import CounterSource, built, require_room, weight_kind
from nearly.graph.generate.random_streams import seed_of


@typed
def grid(
    rows: int,
    cols: int,
    seed: int = 1,
    *,
    delete: float = 0.1,
    weights: Literal["int", "float"] | None = "int",
    progress: Progress | None = None,
) -> Graph:
    """Road-like grid: planar, degrees up to 4, large diameter; undirected, with weights.

    Vertex `r * cols + c` lies in row r and column c and is joined to its neighbours in the row and in
    the column, except where the edge was deleted.

    Parameters
    ----------
    rows : int
        Rows of vertices.
    cols : int
        Columns of vertices.
    seed : int, default 1
        Which graph; the same seed gives the same graph, whatever the number of threads.
    delete : float, default 0.1
        Share of the edges that is left out at random.
    weights : {"int", "float"} or None, default "int"
        Random weights: whole numbers from 1 to 255, real numbers from 1 to 255, or none.
    progress : callable, optional
        Called as `progress(stage, done, total)`.

    Returns
    -------
    Graph

    Examples
    --------
    >>> import nearly
    >>> g = nearly.generate.grid(rows=2, cols=2, delete=0, weights=None)
    >>> g.arc_sources().tolist(), g.targets.tolist()
    ([0, 0, 1, 1, 2, 2, 3, 3], [1, 2, 0, 3, 0, 3, 1, 2])
    """
    rows, cols = whole_number("rows", rows, 1, 2**32), whole_number("cols", cols, 1, 2**32)
    delete, seed, kind = number("delete", delete, 0, 1), seed_of(seed), weight_kind(weights)
    n, edges = rows * cols, rows * (cols - 1) + (rows - 1) * cols
    require_room("grid", n, edges, False, kind)

    from nearly.graph.generate.lattice_kernels import grid_edges

    def fill(low: np.uint64, src: np.ndarray, dst: np.ndarray) -> None:
        grid_edges(np.uint64(seed), low, np.uint64(rows), np.uint64(cols), delete, src, dst)

    source = CounterSource(n, edges, fill)
    return built(source, directed=False, weights=kind, seed=seed, progress=progress, drop_loops=delete > 0)
