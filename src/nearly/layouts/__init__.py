"""Positions for a drawing: a force layout, from coarse to fine, in which communities come apart.

An edge pulls its ends together, and all vertices push each other away, each with a mass that is its degree. Edges pull
alike, however long they are, which separates communities best (Noack, "Energy models for graph clustering", 2007); but
in meshes, road networks and trees they are springs (ForceAtlas2: Jacomy, Venturini, Heymann and Bastian, 2014), which
spaces vertices evenly. Coarsening tells the two kinds apart: groups of a mesh have few neighbours too. Components of a
graph that is not connected stand on a spiral around the largest one.

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
from nearly.base.random import stream_key
from nearly.base.signatures import typed
from nearly.base.threads import checked_threads, kernel_threads
from nearly.graph.csr import Graph
from nearly.layouts.coarsen import Level, coarsened, first_level
from nearly.layouts.placing import GOLDEN, Placing

SPRINGS, ROPES = (1.0, 0.0), (1.0, 1.0)  # how edges pull: the part that grows with their length, and the other
_FEW_NEIGHBOURS = 10  # arcs a vertex, on average, of what is like a mesh
_STREAM = np.uint64(0x504C)
_ROOM = 1.9  # the room of a component around the largest one, as a multiple of its own


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
    require(96 * graph.n + 64 * graph.symmetrized().m, "a layout")
    if weighted and graph.m and not 0 <= graph.arrays.weights.min() <= graph.arrays.weights.max() < np.inf:
        raise InvalidGraphError("layout needs finite weights of at least 0; pass weights=False to pull all edges alike")
    joined, first = first_level(graph, weighted)
    at = np.zeros((graph.n, 2))
    with following(progress, "layout") as told, kernel_threads(threads, 4 * (graph.n + graph.m)) as workers:
        part = np.full(graph.n, -1)
        if joined.size:
            at[joined], part[joined] = placed(coarsened(first, seed), seed, workers, told), first.part
        alone = np.flatnonzero(part < 0)
        part[alone] = np.arange(alone.size) + (first.part.max(initial=-1) + 1)
        packed = upright(at, part)
    return packed / max(np.abs(packed).max(initial=0.0), 1e-300)


def placed(levels: list[Level], seed: int, workers: int, told: Progress) -> np.ndarray:
    """Positions of the vertices of the finest level, level by level from the coarsest."""
    pull, before = SPRINGS if is_mesh(levels) else ROPES, None
    done, total = 0, sum(Placing.rounds_of(level) * level.n for level in levels)
    for depth in range(len(levels) - 1, -1, -1):
        key = np.uint64(stream_key(np.uint64(seed), _STREAM + np.uint64(depth)))
        placing = Placing(levels[depth], key, workers, pull)
        placing.begin(before, None if before is None else levels[depth + 1].group)
        for _ in range(placing.rounds):
            told("layout", done, total)
            placing.round()
            done += levels[depth].n
        before = placing
    told("layout", total, total)
    return placing.at.T


def is_mesh(levels: list[Level]) -> bool:
    """Whether the graph is like a mesh, a road network or a tree: its groups too have few neighbours, at all levels."""
    return all(level.targets.size <= _FEW_NEIGHBOURS * level.n for level in levels)


def upright(at: np.ndarray, part: np.ndarray) -> np.ndarray:
    """The picture with its components side by side, the largest in the middle and longest from left to right."""
    at = together(at, part)
    xx, yy, xy = (at[:, 0] ** 2).sum(), (at[:, 1] ** 2).sum(), (at[:, 0] * at[:, 1]).sum()
    angle = 0.5 * np.arctan2(2 * xy, xx - yy)
    c, s = np.cos(angle), np.sin(angle)
    turned = np.stack([c * at[:, 0] + s * at[:, 1], c * at[:, 1] - s * at[:, 0]], axis=1)
    low, high = turned.min(axis=0, initial=0.0), turned.max(axis=0, initial=0.0)
    return turned - (low + high) / 2


def together(at: np.ndarray, part: np.ndarray) -> np.ndarray:
    """Components on a spiral around the largest, each as large as its vertices need to be as dense as in that one."""
    count = np.bincount(part)
    if not count.size:
        return at
    middle = np.stack([np.bincount(part, at[:, k]) / count for k in (0, 1)], axis=1)
    inside = at - middle[part]
    radius = np.zeros(count.size)
    np.maximum.at(radius, part, np.hypot(inside[:, 0], inside[:, 1]))
    wanted = np.sqrt(count / count[0])
    scale = np.divide(wanted, radius, out=np.ones(count.size), where=radius > 0)
    room = _ROOM * wanted**2
    far = np.where(np.arange(count.size) > 0, np.sqrt(1 + np.cumsum(room) - room / 2 - room[0]) + wanted / 2, 0.0)
    angle = np.arange(count.size) * GOLDEN
    return inside * scale[part, None] + np.stack([far * np.cos(angle), far * np.sin(angle)], axis=1)[part]
