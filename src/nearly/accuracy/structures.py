"""Measures that need the graph: modularity, the weight of a forest and what it joins, neighbours that should differ.

Weights are always those of the given graph, so that an answer found on altered weights is judged by the true ones. A
forest is judged by the vertices it joins, so that edges in a circle count for nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.accuracy.inputs import array_of, check_algorithms, check_size
from nearly.accuracy.partitions import numbered
from nearly.accuracy.values import relative
from nearly.base.arguments import number
from nearly.base.errors import InvalidArgumentError
from nearly.engine.result import Result
from nearly.graph.csr import NO_WEIGHTS, Graph, vertex_dtype


def modularity(graph: Graph, labels: Any, resolution: float = 1.0, *, weights: bool = True) -> float:
    """The share of edge weight inside parts, less what the vertices' degrees alone would put there.

    A directed graph is read as undirected. A graph without weight has modularity 0.

    Parameters
    ----------
    graph : Graph
        The graph.
    labels : Result or array
        A label for each vertex: its part.
    resolution : float, default 1.0
        How much the expected share counts; above 1 favours small parts.
    weights : bool, default True
        Whether the graph's weights count; otherwise every edge counts 1.

    Returns
    -------
    float
        The modularity, at most 1.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2, 3, 4, 5, 0], [1, 2, 0, 4, 5, 3, 3], directed=False)
    >>> round(modularity(g, [0, 0, 0, 3, 3, 3]), 4)
    0.3571
    """
    from nearly.accuracy.kernels import weigh_parts

    given = array_of(labels, "labels")
    check_size(given, graph.n, "labels")
    resolution = number("resolution", resolution)
    places, count = numbered(given)
    view = graph.symmetrized()
    offsets, targets, known = view.arrays
    strength = np.zeros(count)
    label = places.astype(vertex_dtype(graph.n))
    inside = weigh_parts(offsets, targets, known if weights and view.weighted else NO_WEIGHTS, label, strength)
    total = float(strength.sum())
    if total <= 0.0:
        return 0.0
    return float(inside / total - resolution * np.square(strength / total).sum())


def weight_excess(exact: Any, approx: Any, graph: Graph | None = None) -> float:
    """How much more a spanning forest weighs, relative to the exact one; below 0 only where it does not span.

    Parameters
    ----------
    exact, approx : Result or array
        The exact forest and the other: results of `nearly.mst`, or numbers of arcs.
    graph : Graph, optional
        The graph, to add up the weights of the edges; without it, the `weight` of the results is used.

    Returns
    -------
    float
        The excess, as a share of the exact weight.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 0], [1, 2, 2], weights=[5, 1, 2], directed=False)
    >>> exact = nearly.mst(g)
    >>> heavier = type(exact)([0, 3], edges=[0, 3])  # the arcs 0-1 and 1-2
    >>> heavier.algorithm = "mst"
    >>> weight_excess(exact, heavier, g)
    1.0
    """
    check_algorithms(exact, approx)
    if graph is None:
        true, found = float(exact.weight), float(approx.weight)
    else:
        weighted = graph.weighted and field(exact, "weighted", True)
        true, found = (_forest_weight(graph, _edges(answer, graph), weighted) for answer in (exact, approx))
    return float(np.copysign(relative(abs(found - true), true), found - true))


def missing_trees(exact: Any, approx: Any, graph: Graph) -> int:
    """How many more pieces the other forest leaves than the exact one, which joins them.

    Parameters
    ----------
    exact, approx : Result or array
        The exact forest and the other: results of `nearly.mst`, or numbers of arcs.
    graph : Graph
        The graph of both.

    Returns
    -------
    int
        The number of missing joins, from 0.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1], [1, 2], directed=False)
    >>> missing_trees(nearly.mst(g), [], g)
    2
    """
    check_algorithms(exact, approx)
    whole, part = (_joins(graph, _edges(answer, graph)) for answer in (exact, approx))
    return max(whole - part, 0)


def conflicts(graph: Graph, labels: Any) -> float:
    """The share of arcs between different vertices whose ends have one label; negative labels mean none.

    Parameters
    ----------
    graph : Graph
        The graph.
    labels : Result or array
        A label for each vertex; a negative one is none.

    Returns
    -------
    float
        The share, from 0 to 1; 0 without such arcs.

    Examples
    --------
    >>> import nearly
    >>> conflicts(nearly.Graph.from_edges([0, 1], [1, 2]), [0, 1, 1])
    0.5
    """
    from nearly.accuracy.kernels import equal_neighbours

    label = array_of(labels, "labels").astype(np.int64)
    check_size(label, graph.n, "labels")
    offsets, targets, _ = graph.arrays
    arcs, equal = equal_neighbours(offsets, targets, label, 0)
    return int(equal) / int(arcs) if arcs else 0.0


def field(result: Any, name: str, default: Any) -> Any:
    """A field of the result, or `default` where there is none (results made by hand, arrays)."""
    return getattr(result, name, default) if isinstance(result, Result) else default


def _edges(answer: Any, graph: Graph) -> np.ndarray:
    """The different arcs of a forest, known to be arcs of the graph."""
    edges = array_of(field(answer, "edges", answer), "edges")
    if not (edges[1:] > edges[:-1]).all():  # the algorithm's own are ascending already
        edges = np.unique(edges)
    if edges.size and (edges.dtype.kind not in "iu" or edges[0] < 0 or edges[-1] >= graph.m):
        raise InvalidArgumentError(f"edges must be indices into the graph's {graph.m:,} arcs, from 0")
    return edges.astype(np.int64)


def _forest_weight(graph: Graph, edges: np.ndarray, weighted: bool) -> float:
    return float(graph.arrays.weights[edges].sum(dtype=np.float64)) if weighted else float(edges.size)


def _joins(graph: Graph, edges: np.ndarray) -> int:
    """How many fewer pieces there are with the edges than without."""
    if not edges.size:
        return 0
    from nearly.accuracy.kernels import count_joins

    offsets, targets, _ = graph.arrays
    sources = np.searchsorted(offsets, edges.astype(offsets.dtype), side="right") - 1
    vertex = vertex_dtype(graph.n)
    return int(count_joins(sources.astype(vertex), targets[edges].astype(vertex), np.arange(graph.n, dtype=vertex)))
