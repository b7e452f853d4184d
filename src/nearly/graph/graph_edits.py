"""Graphs made from a graph by leaving out or adding vertices and edges; the graph itself never changes.

`subgraph`, `ego`, `remove_self_loops`, `remove_edges` and `add_edges` return new graphs with the ids and weights of the
old one. Where few vertices stay, their rows alone are read. Vertices are given by index, by a mask, or, where the graph
has names, by name.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.base.arguments import as_array, shown, whole_number
from nearly.base.errors import InvalidArgumentError
from nearly.base.memory import require
from nearly.base.signatures import typed
from nearly.graph.attributes import carry
from nearly.graph.build import from_edges
from nearly.graph.csr import NO_WEIGHTS, Arrays, Graph
from nearly.graph.derived_graphs import arcs_of, induced
from nearly.graph.vertex_lookup import with_indices

_MANY = 8  # where at least one of so many vertices is named, they are marked


@typed
def places(graph: Graph, name: str, vertices: Any) -> np.ndarray:
    """Vertices as indices, int64: from indices, from names, or from a mask of all vertices."""
    given = as_array(name, with_indices(graph, name, vertices), "indices, names or a mask")
    if given.dtype == bool and given.shape == (graph.n,):
        return np.flatnonzero(given)
    if given.ndim == 0:
        given = given.reshape(1)
    if given.ndim == 1 and given.size == 0:
        return np.empty(0, np.int64)
    if given.ndim != 1 or given.dtype.kind not in "iu":
        raise InvalidArgumentError(
            f"{name} must be indices, names or a mask of {graph.n} booleans, not {shown(vertices)}"
        )
    if given.min() < 0 or given.max() >= graph.n:
        wrong = given[(given < 0) | (given >= graph.n)][0]
        raise InvalidArgumentError(f"{name} holds {wrong}, which is no vertex of this graph of {graph.n}")
    return given.astype(np.int64)


@typed
def subgraph(graph: Graph, vertices: Any) -> Graph:
    """The graph on some vertices, with all arcs between them, renumbered in the order of the graph.

    Parameters
    ----------
    graph : Graph
        The graph.
    vertices : array_like
        Indices, names, or a mask with a boolean for each vertex; what is named twice counts once.

    Returns
    -------
    Graph
        Its `ids` say which vertices they were.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.subgraph(nearly.Graph.from_edges([0, 1, 2], [1, 2, 3]), [3, 1, 2])
    >>> g.ids.tolist(), g.arc_sources().tolist(), g.targets.tolist()
    ([1, 2, 3], [0, 1], [1, 2])
    """
    return induced(graph, distinct(places(graph, "vertices", vertices), graph.n))


@typed
def ego(graph: Graph, v: Any, radius: int = 1) -> Graph:
    """The graph on a vertex and all vertices within some hops of it.

    Parameters
    ----------
    graph : Graph
        The graph; of a directed one hops go along arcs.
    v : int or str
        The vertex, by index or by name.
    radius : int, default 1
        How many hops.

    Returns
    -------
    Graph
        Its `ids` say which vertices they were.

    Examples
    --------
    >>> import nearly
    >>> nearly.ego(nearly.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4]), 1, radius=2).ids.tolist()
    [1, 2, 3]
    """
    whole_number("radius", radius, 0)
    here = places(graph, "v", v)
    if here.size != 1 or isinstance(v, (bool, np.bool_)):
        raise InvalidArgumentError(f"v must be one vertex, not {shown(v)}")
    kept = here
    for _ in range(radius):
        if not here.size:
            break
        reached = distinct(graph.arrays.targets[arcs_of(graph, here)[0]], graph.n)
        here = np.setdiff1d(reached, kept, assume_unique=True)
        kept = np.sort(np.concatenate([kept, here]))
    return induced(graph, kept)


def distinct(vertices: np.ndarray, n: int) -> np.ndarray:
    """These vertices of n, ascending and each once, int64; by marks where they are many."""
    if _MANY * vertices.size < n:
        return np.unique(vertices).astype(np.int64)
    found = np.zeros(n, np.bool_)
    found[vertices] = True
    return np.flatnonzero(found)


def _with_arcs(graph: Graph, keep: np.ndarray) -> Graph:
    """The same vertices with some of the arcs."""
    offsets, targets, weights = graph.arrays
    ends = np.concatenate([np.zeros(1, np.uint64), np.cumsum(keep, dtype=np.uint64)])
    made = Arrays(ends[offsets], targets[keep], weights[keep] if graph.weighted else NO_WEIGHTS)
    return carry(graph, Graph._trusted(made, graph.directed, graph.labels), arcs=np.flatnonzero(keep))


@typed
def remove_self_loops(graph: Graph) -> Graph:
    """The graph without arcs from a vertex to itself.

    Parameters
    ----------
    graph : Graph
        The graph.

    Returns
    -------
    Graph
        With the same vertices.

    Examples
    --------
    >>> import nearly
    >>> nearly.remove_self_loops(nearly.Graph.from_edges([0, 1, 1], [1, 1, 2])).m
    2
    """
    return _with_arcs(graph, graph.arc_rows() != graph.arrays.targets)


def _ends(graph: Graph, src: Any, dst: Any) -> tuple[np.ndarray, np.ndarray]:
    one, other = places(graph, "src", src), places(graph, "dst", dst)
    if one.size != other.size:
        raise InvalidArgumentError(f"src and dst must be equally long, not {one.size} and {other.size}")
    return one, other


@typed
def remove_edges(graph: Graph, src: Any, dst: Any) -> Graph:
    """The graph without the edges from `src[i]` to `dst[i]`, parallel ones included.

    Parameters
    ----------
    graph : Graph
        The graph; of an undirected one the arcs of both directions go.
    src, dst : array_like
        The ends, indices or names. Edges that are not there are passed over.

    Returns
    -------
    Graph
        With the same vertices.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1], [1, 2], directed=False)
    >>> nearly.remove_edges(g, [1], [0]).targets.tolist()
    [2, 1]
    """
    one, other = _ends(graph, src, dst)
    if not graph.directed:
        one, other = np.concatenate([one, other]), np.concatenate([other, one])
    rows = np.unique(one)
    arcs, sizes = arcs_of(graph, rows)
    keys = np.repeat(rows, sizes).astype(np.uint64) * np.uint64(graph.n) + graph.arrays.targets[arcs].astype(np.uint64)
    gone = np.isin(keys, one.astype(np.uint64) * np.uint64(graph.n) + other.astype(np.uint64))
    keep = np.ones(graph.m, np.bool_)
    keep[arcs[gone]] = False
    return _with_arcs(graph, keep)


@typed
def add_edges(graph: Graph, src: Any, dst: Any, weights: Any = None, *, duplicates: str | None = None) -> Graph:
    """The graph with more edges.

    Parameters
    ----------
    graph : Graph
        The graph.
    src, dst : array_like
        The ends of the new edges, vertices of the graph by index or by name. In a graph without ids, indices beyond the
        last vertex are new vertices.
    weights : array_like of float, optional
        One number an edge, where the graph has weights, and only there.
    duplicates : {"keep", "first", "min", "sum"}, optional
        What becomes of parallel edges, as in `Graph.from_edges`.

    Returns
    -------
    Graph
        Directed or not as the graph is, with the type of its weights.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.add_edges(nearly.Graph.from_edges([0], [1], directed=False), [1, 2], [2, 0])
    >>> g.n, g.m
    (3, 6)
    """
    if (weights is not None) != graph.weighted:
        needs = "needs weights for the new edges" if graph.weighted else "has no weights, nor can new edges have any"
        raise InvalidArgumentError(f"this graph {needs}")
    grown, src, dst = graph, as_array("src", src), as_array("dst", dst)
    most = max((int(ends.max()) for ends in (src, dst) if ends.size and ends.dtype.kind in "iu"), default=-1)
    if graph.ids is None and most >= graph.n:
        require(24 * most, f"a graph of {most + 1:,} vertices")
        last = np.full(most + 1 - graph.n, graph.m, np.uint64)
        longer = graph.arrays._replace(offsets=np.concatenate([graph.arrays.offsets, last]))
        grown = Graph._trusted(longer, graph.directed)
    one, other = _ends(grown, src, dst)
    rows, targets = graph.arc_rows(), graph.arrays.targets
    once = np.ones(graph.m, np.bool_) if graph.directed else rows <= targets
    begin = np.concatenate([rows[once].astype(np.int64), one])
    end = np.concatenate([targets[once].astype(np.int64), other])
    kind = graph.arrays.weights.dtype if graph.weighted else None
    given = as_array("weights", weights) if graph.weighted else None
    if given is not None and given.ndim != 1:
        raise InvalidArgumentError(f"weights must be one row of numbers, not {shown(weights)}")
    both = None if given is None else np.concatenate([graph.arrays.weights[once], given])
    made = from_edges(begin, end, both, grown.n, graph.directed, duplicates, negative="keep", dtype=kind)
    whole = Graph._trusted(made.arrays, graph.directed, graph.labels)
    return carry(graph, whole) if grown is graph else whole
