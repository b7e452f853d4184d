"""R-MAT graphs: skewed degrees and communities within communities, from four numbers.

An edge is found by descending into the adjacency matrix: at each of `scale` levels it falls into the
top left, top right, bottom left or bottom right quadrant with probabilities a, b, c, d. (Chakrabarti,
Zhan, Faloutsos: R-MAT, a recursive model for graph mining, 2004.) No noise is added to the
probabilities between levels.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import numpy as np

from nearly.base.arguments import flag, number, shown, whole_number
from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress
from nearly.base.signatures import typed
from nearly.graph.csr import Graph
from nearly.graph.generate.numbered_edges import CounterSource, built, require_room, weight_kind
from nearly.graph.generate.random_streams import seed_of

PARAMETERS = {"graph500": (0.57, 0.19, 0.19, 0.05), "gtgraph": (0.45, 0.15, 0.15, 0.25)}


@typed
def rmat(  # noqa: PLR0913
    scale: int,
    edge_factor: int = 16,
    seed: int = 1,
    *,
    params: str | tuple[float, float, float, float] = "graph500",
    directed: bool = True,
    permute: bool = True,
    simple: bool = True,
    weights: Literal["int", "float"] | None = None,
    progress: Progress | None = None,
) -> Graph:
    """R-MAT (Kronecker) graph: a few hubs, many leaves, small diameter.

    Parameters
    ----------
    scale : int
        The graph has 2**scale vertices.
    edge_factor : int, default 16
        Edges sampled for each vertex; merging duplicates leaves fewer.
    seed : int, default 1
        Which graph; the same seed gives the same graph, whatever the number of threads.
    params : {"graph500", "gtgraph"}, str or tuple of float, default "graph500"
        `"graph500"` (0.57, 0.19, 0.19, 0.05), `"gtgraph"` (0.45, 0.15, 0.15, 0.25), or four
        probabilities, as a tuple or as text such as `"0.4,0.2,0.2,0.2"`.
    directed : bool, default True
        False stores each edge both ways.
    permute : bool, default True
        Rename the vertices at random, so that numbers say nothing about degrees.
    simple : bool, default True
        Drop self-loops and merge parallel edges.
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
    >>> g = nearly.generate.rmat(scale=8, edge_factor=4, simple=False)
    >>> g.n, g.m
    (256, 1024)
    """
    scale, edge_factor = whole_number("scale", scale, 1, 60), whole_number("edge_factor", edge_factor, 0, 2**32)
    seed, kind = seed_of(seed), weight_kind(weights)
    quadrants = quadrants_of(params)
    directed, permute, simple = flag("directed", directed), flag("permute", permute), flag("simple", simple)
    n, edges = 1 << scale, edge_factor << scale
    require_room("rmat", n, edges, directed, kind)

    from nearly.graph.generate.rmat_kernels import CELL_BITS, Descent, rmat_edges

    hashes = -(-scale // CELL_BITS)  # two look-ups of CELL_BITS / 2 levels each
    descent = Descent(alias_table(quadrants), np.uint64(hashes), np.uint64(hashes * CELL_BITS - scale))

    def fill(low: np.uint64, src: np.ndarray, dst: np.ndarray) -> None:
        rmat_edges(np.uint64(seed), low, np.uint64(n), permute, descent, src, dst)

    source = CounterSource(n, edges, fill)
    return built(source, directed=directed, weights=kind, seed=seed, progress=progress, merge=simple, drop_loops=simple)


def quadrants_of(params: Any) -> tuple[float, ...]:
    """The four probabilities, summing to 1."""
    if isinstance(params, str) and params in PARAMETERS:
        return PARAMETERS[params]
    words = (
        f"params must be {', '.join(map(repr, PARAMETERS))} or four probabilities that sum to 1, not {shown(params)}"
    )
    try:
        values = [float(word) for word in params.split(",")] if isinstance(params, str) else list(params)
    except (TypeError, ValueError):
        raise InvalidArgumentError(words) from None
    if len(values) != 4 or abs(sum(number("each of params", value, 0, 1) for value in values) - 1) > 1e-6:
        raise InvalidArgumentError(words)
    return tuple(float(value) / sum(values) for value in values)


@lru_cache(maxsize=8)
def alias_table(quadrants: tuple[float, ...]) -> np.ndarray:
    """The packed alias table of `rmat_kernels` for all cells of `LEVELS` levels.

    Probabilities are counted in units of 2**-32, exactly: every bucket stands for 2**COIN_BITS units, its
    own cell takes the coins below the threshold, its alias the rest.
    """
    from nearly.graph.generate.rmat_kernels import CELL_BITS, COIN_BITS, LEVELS

    one = np.array(quadrants).reshape(2, 2)
    cells = np.ones((1, 1))
    for _ in range(LEVELS):
        cells = np.kron(cells, one)
    left = _units(cells.ravel()).tolist()
    full = 1 << COIN_BITS
    threshold, alias = [full - 1] * len(left), list(range(len(left)))  # its own alias: the coin does not matter
    poor = [cell for cell, units in enumerate(left) if units < full]
    rich = [cell for cell, units in enumerate(left) if units > full]
    while poor:
        cell, giver = poor.pop(), rich[-1]
        threshold[cell], alias[cell] = left[cell], giver
        left[giver] -= full - left[cell]
        if left[giver] <= full:
            rich.pop()
        if left[giver] < full:
            poor.append(giver)
    return (np.array(threshold, np.uint32) << np.uint32(CELL_BITS)) | np.array(alias, np.uint32)


def _units(probabilities: np.ndarray) -> np.ndarray:
    """The probabilities in units of 2**-32, rounded so that they sum to 1 exactly."""
    exact = probabilities * 2.0**32
    units = np.floor(exact).astype(np.int64)
    missing = 2**32 - int(units.sum())
    units[np.argsort(units - exact, kind="stable")[:missing]] += 1
    return units
