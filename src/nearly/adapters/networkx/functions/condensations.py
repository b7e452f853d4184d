"""What follows from strongly connected components: the condensation, and properties that it decides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import networkx as nx
import numpy as np

import nearly
from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched
from nearly.adapters.networkx.functions.components import as_left, groups
from nearly.adapters.networkx.ordered_search import deep


def _directed(G: BackendGraph) -> None:
    if not G.directed:
        raise NotImplementedError("NetworkX says that undirected graphs have none")


def _joined(numbers: np.ndarray, G: BackendGraph) -> np.ndarray:
    """The arcs between different components, each once, as rows of two numbers in the order of `G.edges`."""
    ends = np.stack([numbers[G.rows], numbers[G.targets]], 1)
    ends = ends[ends[:, 0] != ends[:, 1]]
    _, first = np.unique(ends, axis=0, return_index=True)
    return ends[np.sort(first)]


@dispatched(multigraph=True)
def condensation(G: BackendGraph, scc: Iterable[Any] | None = None) -> nx.DiGraph:
    """See `nx.condensation`."""
    _directed(G)
    if scc is not None:
        raise NotImplementedError("components are found here")
    members = dict(enumerate(as_left(G, nearly.scc(G.graph).values)))
    made = nx.DiGraph(mapping={node: i for i, part in members.items() for node in part})
    numbers = np.fromiter(map(made.graph["mapping"].__getitem__, G), np.int64, len(G))
    made.add_nodes_from((i, {"members": part}) for i, part in members.items())
    made.add_edges_from(_joined(numbers, G).tolist())
    return made


@dispatched(multigraph=True)
def kosaraju_strongly_connected_components(G: BackendGraph, source: Any = None) -> Iterator[set]:
    """See `nx.kosaraju_strongly_connected_components`."""
    _directed(G)
    if source is not None:
        raise NotImplementedError("components are those of the whole graph")
    labels = nearly.scc(G.graph).values
    order = labels[deep(G, rows=G.into[:2]).post[::-1]]
    _names, first = np.unique(order, return_index=True)
    parts = groups(G, labels)
    return iter([parts[i] for i in np.argsort(first).tolist()])


@dispatched(multigraph=True)
def is_semiconnected(G: BackendGraph) -> bool:
    """See `nx.is_semiconnected`."""
    _directed(G)
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    found = nearly.scc(G.graph)
    _, numbers = np.unique(found.values, return_inverse=True)
    ends = _joined(numbers, G)
    order = nearly.topological_sort(nearly.Graph.from_edges(ends[:, 0], ends[:, 1], n=found.count)).order
    place = np.empty(found.count, np.int64)
    place[order] = np.arange(found.count)
    steps = place[ends[:, 0]][place[ends[:, 1]] == place[ends[:, 0]] + 1]
    return int(np.unique(steps).size) == found.count - 1


@dispatched()
def flow_hierarchy(G: BackendGraph, weight: str | None = None) -> float:
    """See `nx.flow_hierarchy`."""
    if not G.targets.size:
        raise nx.NetworkXError("flow_hierarchy not applicable to empty graphs")
    if not G.directed:
        raise nx.NetworkXError("G must be a digraph in flow_hierarchy")
    labels, weights = nearly.scc(G.graph).values, G.weights(weight)
    inside = labels[G.rows] == labels[G.targets]
    return 1 - weights[inside].sum().item() / weights.sum().item()
