"""Topological order and two sides; the order is NetworkX's, generation by generation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import networkx as nx
import numpy as np

import nearly
from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched
from nearly.algorithms.topological_sort import sort_vertices


def _generations(G: BackendGraph) -> Iterator[list]:
    """The generations; an error comes where NetworkX has it, after the last that can be had."""
    if not G.is_directed():
        raise nx.NetworkXError("Topological sort not defined on undirected graphs.")
    generation, order = np.empty(len(G), np.int64), np.empty(len(G), np.uint32)
    count = int(sort_vertices(G.offsets, G.targets, generation, order, np.zeros(1, np.uint32)))
    found = order[:count]
    ends = np.flatnonzero(np.diff(generation[found])) + 1
    yield from (G.nodes_at(some) for some in np.split(found, ends) if some.size)
    if count < len(G):
        raise nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")


@dispatched(multigraph=True)
def topological_generations(G: BackendGraph) -> Iterator[list]:
    """See `nx.topological_generations`."""
    return _generations(G)


@dispatched(multigraph=True)
def topological_sort(G: BackendGraph) -> Iterator[Any]:
    """See `nx.topological_sort`."""
    return chain.from_iterable(_generations(G))


@dispatched(multigraph=True)
def is_bipartite(G: BackendGraph) -> bool:
    """See `nx.is_bipartite`."""
    return nearly.bipartite(G.graph).is_bipartite
