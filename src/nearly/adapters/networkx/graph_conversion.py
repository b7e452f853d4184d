"""From NetworkX's dictionaries to arrays (see `nearly.graph.adjacency_dicts`) and back."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, compress
from typing import Any
from weakref import ref

import networkx as nx
import numpy as np

from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.edge_columns import values_of
from nearly.graph.adjacency_dicts import rows_of


def convert_from_nx(
    graph: Any,
    *,
    edge_attrs: dict[str, Any] | None = None,
    node_attrs: dict[str, Any] | None = None,
    preserve_edge_attrs: bool = False,
    preserve_node_attrs: bool = False,
    preserve_graph_attrs: bool = False,
    name: str | None = None,
    graph_name: str | None = None,
) -> BackendGraph:
    """The arrays of a NetworkX graph, with the attributes that NetworkX says a function needs.

    Examples
    --------
    >>> import networkx as nx
    >>> g = convert_from_nx(nx.Graph([("b", "a"), ("b", "c")]))
    >>> list(g.labels), g.offsets.tolist(), g.targets.tolist()
    (['b', 'a', 'c'], [0, 2, 3, 4], [1, 2, 0, 0])
    """
    if type(graph).__getitem__ is not nx.Graph.__getitem__ or type(graph).adjacency is not nx.Graph.adjacency:
        raise NotImplementedError(f"{type(graph).__name__} has neighbours of its own making")
    adjacency = graph._adj
    if type(adjacency) is not dict:  # a view; its rows may not know their own length
        adjacency = {node: dict(row.items()) for node, row in adjacency.items()}
    labels, offsets, targets = rows_of(adjacency)
    directed, multigraph = graph.is_directed(), graph.is_multigraph()
    made = BackendGraph(labels, offsets, targets, directed, multigraph)
    made.origin = ref(graph)
    if edge_attrs or preserve_edge_attrs or multigraph:
        data = list(_of_edges(made, chain.from_iterable(row.values() for row in adjacency.values())))
        if edge_attrs and not multigraph:
            made.columns = {key: values_of(data, key, 1 if v is None else v) for key, v in edge_attrs.items()}
        made.edge_data = data if preserve_edge_attrs or multigraph else None
    if node_attrs or preserve_node_attrs:
        made.node_data = list(graph._node.values())
    if preserve_graph_attrs:
        made.graph_data = graph.graph
    return made


def _of_edges(graph: BackendGraph, along_arcs: Iterable[Any]) -> Iterable[Any]:
    """Each edge once, because looking into dictionaries takes time."""
    return along_arcs if graph.directed else compress(along_arcs, (graph.rows <= graph.targets).tobytes())


def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
    """A NetworkX graph from a `BackendGraph`; anything else is returned as it is.

    Examples
    --------
    >>> import networkx as nx
    >>> G = nx.path_graph(3)
    >>> nx.utils.graphs_equal(convert_to_nx(convert_from_nx(G)), G)
    True
    """
    if not isinstance(result, BackendGraph):
        return result
    if not result.multigraph:
        return with_edges(result, everything(result))
    made = nx.MultiDiGraph() if result.directed else nx.MultiGraph()
    made.graph.update(result.graph_data or {})
    made.add_nodes_from(_nodes(result))
    keyed = zip(result.pairs(everything(result)), result.edge_data or ())
    made.add_edges_from((u, v, key, d) for (u, v), keys in keyed for key, d in keys.items())
    return made


def with_edges(graph: BackendGraph, edges: np.ndarray, nodes: np.ndarray | None = None) -> nx.Graph:
    """The simple NetworkX graph with these edges and nodes (all if none are given), and their attributes."""
    made = nx.DiGraph() if graph.directed else nx.Graph()
    made.graph.update(graph.graph_data or {})
    made.add_nodes_from(_nodes(graph) if nodes is None else compress(_nodes(graph), nodes.tolist()))
    made.add_edges_from((u, v, d) for (u, v), d in zip(graph.pairs(edges), edge_attributes(graph, edges)))
    return made


def induced(graph: BackendGraph, keep: np.ndarray) -> nx.Graph:
    """The NetworkX graph on the nodes where `keep` is true, with all edges between them."""
    inside = keep[graph.rows[graph.edges]] & keep[graph.targets[graph.edges]]
    return with_edges(graph, np.flatnonzero(inside), keep)


def everything(graph: BackendGraph) -> np.ndarray:
    """The numbers of all edges."""
    return np.arange(graph.edges.size)


def edge_attributes(graph: BackendGraph, edges: np.ndarray) -> list[dict]:
    """The attributes of edges, those that were asked for."""
    if graph.edge_data is not None:
        return list(map(graph.edge_data.__getitem__, edges.tolist()))
    kept = {name: values for name, values in graph.columns.items() if values is not None}
    return [{name: values[e] for name, values in kept.items()} for e in edges.tolist()]


def _nodes(graph: BackendGraph) -> Iterable[Any]:
    return graph.labels if graph.node_data is None else zip(graph.labels, graph.node_data)
