"""Positions for a drawing: a force layout, from coarse to fine, in which communities come apart.

An edge pulls its ends together, and all vertices push each other away, each with a mass that is its degree (the model
of ForceAtlas2: Jacomy, Venturini, Heymann and Bastian, 2014; with the exponents of Noack, "Energy models for graph
clustering", 2007). A weak spring to the middle keeps the parts of a graph that is not connected in one picture.
Vertices that nothing pulls stand in a spiral around the others.

The graph is made smaller until a few vertices are left (`coarsen`): these are placed from random positions, and each
finer level begins where its groups are (Hu, "Efficient and high quality force-directed graph drawing", 2005).
Since masses and weights of a group are the sums of its members', a picture keeps its size from level to level. Pushes
of far vertices are added up by cells of a quadtree (Barnes and Hut 1986; `quadtree`, `forces`).

A round reads the positions of the one before and each vertex adds up its forces in an order of its own, so that the
same seed gives the same picture for any number of threads.
"""

from __future__ import annotations

import numpy as np

from nearly.base.arguments import flag, whole_number
from nearly.base.errors import InvalidArgumentError, InvalidGraphError
from nearly.base.memory import require
from nearly.base.progress import Progress, following
from nearly.base.signatures import typed
from nearly.base.threads import checked_threads, kernel_threads
from nearly.graph.csr import Graph
from nearly.layouts.coarsen import Level, coarsened, first_level
from nearly.layouts.placing import Placing

_GOLDEN = np.pi * (3 - np.sqrt(5))  # radians between two vertices of a spiral that fills a disc evenly
_MARGIN = 1.08  # where the spiral of vertices without edges begins, as a multiple of the radius of the others


@typed
def layout(
    graph: Graph,
    *,
    weights: bool = False,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> np.ndarray:
    """Positions of the vertices for a drawing, in which neighbours are near and communities apart.

    Parameters
    ----------
    graph : Graph
        The graph; a directed one is read as undirected, and loops count for nothing.
    weights : bool, default False
        Whether heavier edges pull more. Off by default, because weights are lengths as often as strengths.
    seed : int, default 0
        The seed of the first positions; the same seed gives the same picture.
    threads : int, optional
        How many threads to use; the positions are the same for any number.
    progress : callable, optional
        Called as `progress(stage, done, total)`.

    Returns
    -------
    ndarray of float64
        A row of x and y for each vertex, from -1 to 1; the picture is longest from left to right.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2], [1, 2, 3], directed=False)
    >>> at = nearly.layout(g)
    >>> at.shape, bool(abs(at).max() <= 1), at[:, 0].argsort().tolist() in ([0, 1, 2, 3], [3, 2, 1, 0])
    ((4, 2), True, True)
    """
    if not isinstance(graph, Graph):
        raise InvalidArgumentError(f"layout needs a nearly.Graph, not {type(graph).__name__}; see Graph.from_networkx")
    whole_number("seed", seed, 0, 2**64 - 1)
    threads = None if threads is None else checked_threads(threads)
    weighted = flag("weights", weights) and graph.weighted
    require(96 * graph.n + 40 * graph.symmetrized().m, "a layout")
    if weighted and graph.m and not 0 <= graph.arrays.weights.min() <= graph.arrays.weights.max() < np.inf:
        raise InvalidGraphError("layout needs finite weights of at least 0; pass weights=False to pull all edges alike")
    joined, first = first_level(graph, weighted)
    at = np.zeros((graph.n, 2))
    with following(progress, "layout") as told, kernel_threads(threads, 4 * (graph.n + graph.m)) as workers:
        if joined.size:
            at[joined] = upright(placed(coarsened(first, seed), seed, workers, told))
        at[~joined_mask(graph.n, joined)] = around(at[joined], graph.n - joined.size)
    return at / max(np.abs(at).max(initial=0.0), 1e-300)


def placed(levels: list[Level], seed: int, workers: int, told: Progress) -> np.ndarray:
    """Positions of the vertices of the finest level, level by level from the coarsest."""
    at, spread = None, 0.0
    rounds = [Placing.rounds_of(level) * level.n for level in levels]
    done, total = 0, sum(rounds)
    for depth in range(len(levels) - 1, -1, -1):
        placing = Placing(levels[depth], seed, depth, workers)
        at, spread = placing.begin(at, None if at is None else levels[depth + 1].group, spread)
        for _ in range(Placing.rounds_of(levels[depth])):
            told("layout", done, total)
            placing.round()
            done += levels[depth].n
        at, spread = placing.positions(), placing.spacing()
    told("layout", total, total)
    assert at is not None
    return at


def joined_mask(n: int, joined: np.ndarray) -> np.ndarray:
    """Which of n vertices have an edge."""
    mask = np.zeros(n, bool)
    mask[joined] = True
    return mask


def upright(at: np.ndarray) -> np.ndarray:
    """The same picture around its middle, turned so that it is longest from left to right."""
    at = at - at.mean(axis=0)
    xx, yy, xy = (at[:, 0] ** 2).sum(), (at[:, 1] ** 2).sum(), (at[:, 0] * at[:, 1]).sum()
    angle = 0.5 * np.arctan2(2 * xy, xx - yy)
    c, s = np.cos(angle), np.sin(angle)
    turned = np.stack([c * at[:, 0] + s * at[:, 1], c * at[:, 1] - s * at[:, 0]], axis=1)
    low, high = turned.min(axis=0), turned.max(axis=0)
    return turned - (low + high) / 2


def around(at: np.ndarray, count: int) -> np.ndarray:
    """Positions of `count` vertices on a spiral around those at `at`, as dense as these."""
    radius = float(np.hypot(at[:, 0], at[:, 1]).max(initial=0.0)) * _MARGIN
    each = radius**2 / at.shape[0] if radius > 0 else 1.0
    k = np.arange(count)
    far = np.sqrt(radius**2 + (k + 0.5) * each)
    return np.stack([far * np.cos(k * _GOLDEN), far * np.sin(k * _GOLDEN)], axis=1)
