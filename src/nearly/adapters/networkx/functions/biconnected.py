"""Articulation points, bridges and biconnected components, in the order in which NetworkX finds them.

NetworkX's depth-first search takes rows in the order of insertion and yields as it leaves vertices; so does the search
with low points over the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import nearly
from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched
from nearly.adapters.networkx.functions.components import groups
from nearly.algorithms.biconnected_components import members
from nearly.algorithms.shared.lowpoints import Lowpoints, lowpoints_of


def _searched(G: BackendGraph) -> Lowpoints:
    return lowpoints_of(G.offsets, G.targets, np.zeros(1, np.uint32))


@dispatched(directed=False, multigraph=True)
def articulation_points(G: BackendGraph) -> Iterator[Any]:
    """See `nx.articulation_points`."""
    return iter(G.nodes_at(_searched(G).cuts))


@dispatched(directed=False, multigraph=True)
def biconnected_components(G: BackendGraph) -> Iterator[set]:
    """See `nx.biconnected_components`."""
    return iter([set(G.nodes_at(part)) for part in members(_searched(G))])


@dispatched(directed=False)
def bridge_components(G: BackendGraph) -> Iterator[set]:
    """See `nx.k_edge_components` with k = 2: what is left connected without bridges."""
    keep = np.ones(G.edges.size, np.bool_)
    keep[_bridges(G, None)] = False
    arcs = G.edges[keep]
    left = nearly.Graph.from_edges(G.rows[arcs], G.targets[arcs], n=len(G), directed=False)
    return iter(groups(G, nearly.connected_components(left).values))


@dispatched(directed=False, multigraph=True)
def is_biconnected(G: BackendGraph) -> bool:
    """See `nx.is_biconnected`."""
    parts = members(_searched(G))
    return len(parts) == 1 and parts[0].size == len(G)


def _bridges(G: BackendGraph, root: Any) -> np.ndarray:
    """The numbers of the edges that are bridges."""
    if root is not None:
        raise NotImplementedError("the order of the edges of one component is that of a set")
    found = nearly.bridges(G.graph).values
    per_edge = np.zeros(G.edges.size, np.bool_)
    per_edge[G.edge_of[found]] = True
    return np.flatnonzero(per_edge)


@dispatched(directed=False)
def bridges(G: BackendGraph, root: Any = None) -> Iterator[tuple]:
    """See `nx.bridges`."""
    return iter(G.pairs(_bridges(G, root)))


@dispatched(directed=False)
def has_bridges(G: BackendGraph, root: Any = None) -> bool:
    """See `nx.has_bridges`."""
    return bool(_bridges(G, root).size)
