"""Random walks over a graph, as rows of vertices: what node2vec, DeepWalk and samplers of neighbourhoods are made of.

A walk goes on along an arc of the vertex it is at, drawn in proportion to the weights. With `p` and `q` it remembers
where it came from (Grover and Leskovec, "node2vec: scalable feature learning for networks", 2016): from t to v, an arc
v -> x counts 1/p times where x is t, once where t -> x is an arc, and 1/q times elsewhere. The factors are not tabled
for every pair of arcs, which is what makes node2vec's own walks slow to prepare and large. An arc is drawn by weight
and kept with a probability in proportion to its factor, else another is drawn (see `kernels`).
A walk draws from a stream of random numbers of its own, so that the seed alone decides, not the threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.base.arguments import as_array, flag, number, shown, vertex, whole_number
from nearly.base.errors import InvalidArgumentError, InvalidGraphError
from nearly.base.memory import require
from nearly.base.random import stream_key
from nearly.base.signatures import typed
from nearly.base.threads import checked_threads, kernel_threads
from nearly.engine.interruptible import launch, stop_flag
from nearly.graph.csr import Graph
from nearly.graph.vertex_lookup import with_indices
from nearly.walks.kernels import Ways, add_up, bias_of, walk_all

_STREAM = np.uint64(0x5741)


@typed
def random_walks(  # noqa: PLR0913
    graph: Graph,
    length: int,
    per_vertex: int = 1,
    p: float = 1.0,
    q: float = 1.0,
    *,
    start: Any = None,
    weights: bool = True,
    seed: int = 1,
    threads: int | None = None,
) -> np.ndarray:
    """Random walks from every vertex, or from some, with node2vec's bias.

    Parameters
    ----------
    graph : Graph
        The graph; walks follow the directions of its arcs.
    length : int
        How many vertices a walk has, the first included.
    per_vertex : int
        How many walks begin at each vertex.
    p : float
        Above 1, a walk seldom goes back to where it came from; below 1, often.
    q : float
        Above 1, a walk stays near where it came from; below 1, it leaves.
    start : array of vertices, optional
        Where walks begin, by index or by name, all vertices by default; a vertex may be named more than once.
    weights : bool
        Whether arcs are followed in proportion to their weights, if the graph has any.
    seed : int
        The seed of what is drawn.
    threads : int, optional
        How many threads to use; the walks are the same for any number.

    Returns
    -------
    ndarray of int64
        A row for each walk: first one from each vertex in order, then another one from each, and so on. Where a walk
        has met a vertex that no arc leaves, the rest of its row is -1.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> nearly.random_walks(g, 4).tolist()
    [[0, 1, 2, 3], [1, 2, 3, -1], [2, 3, -1, -1], [3, -1, -1, -1]]
    """
    if not isinstance(graph, Graph):
        raise InvalidArgumentError(f"random_walks needs a nearly.Graph, not {type(graph).__name__}")
    length, per_vertex = whole_number("length", length), whole_number("per_vertex", per_vertex)
    whole_number("seed", seed, 0, 2**64 - 1)
    threads = None if threads is None else checked_threads(threads)
    bias = bias_of(number("p", p, 0, above=True), number("q", q, 0, above=True))
    weighted = flag("weights", weights) and graph.weighted
    begins = _begins(graph, start)
    count = begins.size * per_vertex
    require(8 * count * length + 8 * graph.m * weighted, "random walks")
    walks = np.empty((count, length), np.int64)
    offsets, targets, weight = graph.arrays
    with kernel_threads(threads, count * length) as workers:
        ways = Ways(offsets, targets, _sums(graph, weight) if weighted else np.empty(0))
        key, cursor, stop = np.uint64(stream_key(np.uint64(seed), _STREAM)), np.zeros(1, np.uint64), stop_flag()
        arguments = (ways, bias, begins, key, walks, cursor, workers, stop)
        launch(walk_all, *arguments, stop=stop, work=8 * count * length)
    return walks


def _begins(graph: Graph, start: Any) -> np.ndarray:
    """The vertices at which walks begin."""
    if start is None:
        return np.arange(graph.n, dtype=np.uint64)
    begins = as_array("start", with_indices(graph, "start", start), "an array of vertices")
    if begins.ndim != 1 or not (begins.size == 0 or np.issubdtype(begins.dtype, np.integer)):
        raise InvalidArgumentError(f"start must be an array of vertices; not {shown(start)}")
    for extreme in (begins.min(), begins.max()) if begins.size else ():
        vertex("start", extreme, graph.n)
    return begins.astype(np.uint64)


def _sums(graph: Graph, weight: np.ndarray) -> np.ndarray:
    """The weights of each row added up, arc by arc; kept with the graph."""
    sums: np.ndarray | None = graph.__dict__.get("_weights_added_up")
    if sums is None:
        if weight.size and weight.min() < 0:
            raise InvalidArgumentError(
                f"random_walks needs weights of at least 0, but the graph has {weight.min():g}; shift or drop negative "
                "weights, or pass weights=False to follow all arcs alike"
            )
        sums = np.empty(graph.m)
        add_up(graph.arrays.offsets, weight, sums)
        if sums.size and not np.isfinite(sums).all():
            raise InvalidGraphError("the weights of a vertex sum to more than float64 holds; scale them")
        graph.__dict__["_weights_added_up"] = sums
    return sums
