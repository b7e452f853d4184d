"""To and from NetworkX's graphs; see `Graph.from_networkx` and `Graph.to_networkx`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, compress
from typing import TYPE_CHECKING, Any

import numpy as np

from nearly.base.errors import InvalidArgumentError, InvalidGraphError, MissingDependencyError
from nearly.graph.adjacency_dicts import rows_of
from nearly.graph.build import from_converted, from_source
from nearly.graph.csr import Graph
from nearly.graph.edge_source import ArcSource, each_once

if TYPE_CHECKING:
    import networkx


def from_networkx(graph: networkx.Graph, weight: str | None = "weight") -> Graph:
    """See `Graph.from_networkx`."""
    if not all(hasattr(graph, name) for name in ("is_directed", "nodes", "edges")):
        raise InvalidArgumentError(f"expected a NetworkX graph, not {type(graph).__name__}")
    read = _parallel_edges if graph.is_multigraph() else _simple_edges
    labels, src, dst, values = read(graph, weight)
    weights = None
    if any(value is not None for value in values):
        weights = _numbers([1 if value is None else value for value in values], str(weight))
    built = from_converted(src, dst, weights, len(labels), graph.is_directed())
    return Graph._trusted(built.arrays, built.directed, _ids(list(labels)))


Edges = tuple[Sequence[Any], np.ndarray, np.ndarray, list[Any]]


def _simple_edges(graph: networkx.Graph, weight: str | None) -> Edges:
    """Nodes, both ends of each edge, and what the attribute `weight` holds there."""
    adjacency = {node: row if type(row) is dict else dict(row.items()) for node, row in graph.adjacency()}
    labels, offsets, dst = rows_of(adjacency)
    src = np.repeat(np.arange(len(labels), dtype=dst.dtype), np.diff(offsets).astype(np.int64))
    chosen = np.ones(dst.size, np.bool_) if graph.is_directed() else src <= dst
    values: list[Any] = []
    if weight is not None:
        data = compress(chain.from_iterable(row.values() for row in adjacency.values()), chosen.tobytes())
        values = [edge.get(weight) for edge in data]
    return labels, src[chosen], dst[chosen], values


def _parallel_edges(graph: networkx.MultiGraph, weight: str | None) -> Edges:
    """The same, where several edges may join two nodes."""
    labels = list(graph.nodes)
    place = {label: v for v, label in enumerate(labels)}
    pairs = list(graph.edges())
    src, dst = (np.fromiter((place[pair[end]] for pair in pairs), np.int64, len(pairs)) for end in (0, 1))
    return labels, src, dst, [] if weight is None else [value for *_, value in graph.edges(data=weight)]


def to_networkx(graph: Graph, ids: bool | None = None) -> networkx.Graph:
    """See `Graph.to_networkx`."""
    try:
        import networkx
    except ImportError:
        raise MissingDependencyError("this needs networkx: pip install 'nearly[networkx]'") from None

    simple = from_source(ArcSource(graph), graph.n)
    result = networkx.DiGraph() if graph.directed else networkx.Graph()
    labelled = graph.ids is not None and (graph.named if ids is None else ids)
    labels = graph.ids.tolist() if labelled else range(graph.n)  # type: ignore[union-attr]
    result.add_nodes_from(labels)
    for chunk in ArcSource(simple).chunks():
        src, dst, weights = chunk if graph.directed else each_once(chunk)
        begin, end = ([labels[v] for v in ends] if labelled else ends for ends in (src.tolist(), dst.tolist()))
        if weights is None:
            result.add_edges_from(zip(begin, end))
        else:
            result.add_weighted_edges_from(zip(begin, end, weights.tolist()))
    return result


def _numbers(values: list[Any], name: str) -> np.ndarray:
    try:
        array = np.asarray(values)
    except (ValueError, OverflowError):
        array = np.empty(0, object)
    if array.dtype.kind not in "buif" or array.ndim != 1:
        raise InvalidGraphError(f"the edge attribute {name!r} must hold numbers; pass weight=None to ignore it")
    return array


def _ids(labels: list[Any]) -> np.ndarray | None:
    if all(type(label) is int for label in labels):
        if labels == list(range(len(labels))):
            return None
        if all(-(2**63) <= label < 2**63 for label in labels):
            return np.array(labels, np.int64)
    if all(type(label) is str and not label.endswith("\0") for label in labels):  # numpy strips trailing zeros
        return np.array(labels, str)
    ids = np.empty(len(labels), object)
    for v, label in enumerate(labels):  # not a slice, which would take a tuple for a row
        ids[v] = label
    return ids
