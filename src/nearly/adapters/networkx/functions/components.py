"""Connected, weakly, strongly connected and attracting components.

Both kinds come in NetworkX's order: connected components in the order of their first nodes, strongly connected ones in
the order in which a depth-first search leaves them, a reverse topological order.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np

import nearly
from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched, reported
from nearly.adapters.networkx.ordered_search import Search, deep


def groups(G: BackendGraph, labels: np.ndarray) -> list[set]:
    """The sets of nodes that share a label, in the order of labels."""
    order = np.argsort(labels, kind="stable")
    ends = np.flatnonzero(np.diff(labels[order])) + 1
    nodes, cuts = G.nodes_at(order), [0, *ends.tolist(), labels.size]
    return [set(nodes[low:high]) for low, high in pairwise(cuts)] if nodes else []


def as_left(G: BackendGraph, labels: np.ndarray) -> list[set]:
    """The same in the order in which a depth-first search leaves the last of each set."""
    parts, names = groups(G, labels), np.unique(labels)
    last = np.zeros(labels.size, np.int64)
    last[labels[deep(G).post]] = np.arange(labels.size)
    return [parts[i] for i in np.argsort(last[names]).tolist()]


def _family(prefix: str, algorithm: str, directed: bool) -> None:
    """Register `<prefix>_components`, `number_<prefix>_components` and `is_<prefix>`, all by one algorithm."""

    def found(G: BackendGraph, how: dict[str, Any]) -> Any:
        return getattr(nearly, algorithm)(G.graph, **how)

    takes: dict[str, Any] = {"directed": directed, "multigraph": True}

    @dispatched(name=f"{prefix}_components", algorithm=algorithm, **takes)
    def components(G: BackendGraph, *, how: dict[str, Any]) -> Iterator[set]:
        result = found(G, how)
        return reported(iter((as_left if algorithm == "scc" else groups)(G, result.values)), result)

    @dispatched(name=f"number_{prefix}_components", algorithm=algorithm, **takes)
    def number(G: BackendGraph, *, how: dict[str, Any]) -> int:
        result = found(G, how)
        return reported(result.count, result)

    @dispatched(name=f"is_{prefix}", **takes)
    def is_one(G: BackendGraph) -> bool:
        if not len(G):
            raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
        return found(G, {}).count == 1


_family("connected", "connected_components", False)
_family("weakly_connected", "connected_components", True)
_family("strongly_connected", "scc", True)


@dispatched(directed=False, multigraph=True)
def node_connected_component(G: BackendGraph, n: Any) -> set:
    """See `nx.node_connected_component`."""
    place = G.place(n)
    if place is None:
        raise KeyError(n)
    return set(G.nodes_at(Search(G)([place]).order))


@dispatched(algorithm="scc", multigraph=True)
def attracting_components(G: BackendGraph, *, how: dict[str, Any]) -> Iterator[set]:
    """See `nx.attracting_components`."""
    result = nearly.scc(G.graph, **how)
    return reported(iter(_attracting(G, result.values)), result)


@dispatched(algorithm="scc", multigraph=True)
def number_attracting_components(G: BackendGraph, *, how: dict[str, Any]) -> int:
    """See `nx.number_attracting_components`."""
    result = nearly.scc(G.graph, **how)
    return reported(len(_attracting(G, result.values)), result)


@dispatched(multigraph=True)
def is_attracting_component(G: BackendGraph) -> bool:
    """See `nx.is_attracting_component`."""
    return len(G) > 0 and nearly.scc(G.graph).count == 1


def _attracting(G: BackendGraph, labels: np.ndarray) -> list[set]:
    """The components that no arc leaves."""
    leaky = np.zeros(labels.size, np.bool_)
    leaky[labels[G.rows][labels[G.rows] != labels[G.targets]]] = True
    return [part for part in as_left(G, labels) if not leaky[labels[G.place(next(iter(part)))]]]
