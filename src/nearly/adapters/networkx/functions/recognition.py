"""Kinds of graphs that degrees and connectedness decide: branchings, Eulerian graphs, graphs with a cycle."""

from __future__ import annotations

from math import gcd
from typing import Any

import networkx as nx
import numpy as np

import nearly
from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched
from nearly.adapters.networkx.functions.degrees import is_forest, is_tree
from nearly.adapters.networkx.functions.orders import in_generations
from nearly.adapters.networkx.ordered_search import Search


def _in_degrees(G: BackendGraph) -> np.ndarray:
    if not G.directed:
        raise NotImplementedError("NetworkX says that undirected graphs have none")
    return G.in_degrees


@dispatched()
def is_arborescence(G: BackendGraph) -> bool:
    """See `nx.is_arborescence`."""
    degrees = _in_degrees(G)
    return is_tree(G) and bool(degrees.max() <= 1)


@dispatched()
def is_branching(G: BackendGraph) -> bool:
    """See `nx.is_branching`."""
    degrees = _in_degrees(G)
    return is_forest(G) and bool(degrees.max() <= 1)


def _connected(G: BackendGraph, strongly: bool) -> bool:
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return (nearly.scc if strongly else nearly.connected_components)(G.graph).count == 1


def _uneven(G: BackendGraph) -> np.ndarray:
    """By how much more arcs leave a node than enter it; undirected, whether its degree is odd."""
    return G.out_degrees - G.in_degrees if G.directed else G.degrees % 2


@dispatched()
def is_eulerian(G: BackendGraph) -> bool:
    """See `nx.is_eulerian`."""
    return not _uneven(G).any() and _connected(G, G.directed)


@dispatched()
def has_eulerian_path(G: BackendGraph, source: Any = None) -> bool:
    """See `nx.has_eulerian_path`."""
    if is_eulerian(G):
        return True
    uneven = _uneven(G)
    if source is not None and uneven[_place(G, source)] != 1:
        return False
    begins, ends = np.count_nonzero(uneven == 1), np.count_nonzero(uneven == -1)
    if G.directed:
        even = begins + ends == np.count_nonzero(uneven) and begins <= 1 and ends <= 1
        return bool(even) and _connected(G, False)
    return bool(begins == 2) and _connected(G, False)


def _place(G: BackendGraph, node: Any) -> int:
    place = G.place(node)
    if place is None:
        raise NotImplementedError("NetworkX has the error of a node that is not in the graph")
    return place


@dispatched()
def is_semieulerian(G: BackendGraph) -> bool:
    """See `nx.is_semieulerian`."""
    return has_eulerian_path(G) and not is_eulerian(G)


@dispatched(multigraph=True)
def has_cycle(G: BackendGraph) -> bool:
    """See `networkx.algorithms.dag.has_cycle`."""
    return in_generations(G)[1].size < len(G)


@dispatched(multigraph=True)
def is_aperiodic(G: BackendGraph) -> bool:
    """See `nx.is_aperiodic`."""
    if not G.directed:
        raise nx.NetworkXError("is_aperiodic not defined for undirected graphs")
    if not len(G):
        raise nx.NetworkXPointlessConcept("Graph has no nodes.")
    if nearly.scc(G.graph).count > 1:
        raise nx.NetworkXError("Graph is not strongly connected.")
    level = Search(G)([0]).far
    return gcd(*np.unique(np.abs(level[G.rows] + 1 - level[G.targets])).tolist()) == 1
