"""Graphs with two sides: the sides in the order in which NetworkX finds them, and centralities made for them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import networkx as nx
import numpy as np

import nearly
from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched
from nearly.adapters.networkx.hop_sums import hop_sums
from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1


@dispatched(multigraph=True)
def is_bipartite(G: BackendGraph) -> bool:
    """See `nx.is_bipartite`."""
    return nearly.bipartite(G.graph).is_bipartite


@kernel
def give_side(rows, v, side, order, stack, sizes):
    """Put the neighbours of v that have none on the other side; returns whether none is on its own side."""
    offsets, targets = rows
    for e in range(offsets[v], offsets[v + U1]):
        w = np.uint64(targets[e])
        if side[w] == side[v]:
            return False
        if side[w] < 0:
            side[w] = 1 - side[v]
            order[sizes[U0]], stack[sizes[U1]] = w, w
            sizes[U0] += U1
            sizes[U1] += U1
    return True


@kernel
def find_sides(forth, back, directed, side, order):
    """The sides of all vertices with neighbours, listed as they are met; returns how many, or -1 for an odd cycle."""
    n = np.uint64(side.size)
    stack, sizes = np.empty(n, np.uint32), np.zeros(2, np.uint64)
    for s in range(n):
        if side[s] >= 0 or forth[0][s] == forth[0][s + U1]:
            continue
        side[s] = 1
        order[sizes[U0]], stack[U0] = s, s
        sizes[U0] += U1
        sizes[U1] = U1
        while sizes[U1] > U0:
            sizes[U1] -= U1
            v = np.uint64(stack[sizes[U1]])
            if directed and not give_side(back, v, side, order, stack, sizes):
                return -1
            if not give_side(forth, v, side, order, stack, sizes):
                return -1
    return np.int64(sizes[U0])


def _colored(G: BackendGraph) -> dict:
    """0 or 1 for each node, those without neighbours last."""
    side, order = np.full(len(G), -1, np.int8), np.empty(len(G), np.uint32)
    into = G.into
    count = int(find_sides((G.offsets, G.targets), (into.offsets, into.sources), G.directed, side, order))
    if count < 0:
        raise nx.NetworkXError("Graph is not bipartite.")
    found = order[:count]
    return dict(zip(G.nodes_at(found), side[found].tolist())) | dict.fromkeys(
        G.nodes_at(np.flatnonzero(G.degrees == 0)), 0
    )


@dispatched(multigraph=True)
def color(G: BackendGraph) -> dict:
    """See `nx.bipartite.color`."""
    return _colored(G)


@dispatched(multigraph=True)
def sets(G: BackendGraph, top_nodes: Any = None) -> tuple[set, set]:
    """See `nx.bipartite.sets`."""
    if top_nodes is not None:
        top = set(top_nodes)
        return top, set(G) - top
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    if nearly.connected_components(G.graph).count > 1:
        raise nx.AmbiguousSolution("Disconnected graph: Ambiguous solution for bipartite sets.")
    sides = _colored(G)
    return {node for node, side in sides.items() if side}, {node for node, side in sides.items() if not side}


@dispatched(directed=False, multigraph=True)
def is_bipartite_node_set(G: BackendGraph, nodes: Collection[Any]) -> bool:
    """See `nx.bipartite.is_bipartite_node_set`."""
    if len(set(nodes)) < len(nodes):
        raise NotImplementedError("NetworkX has the error of nodes that are given twice")
    if not nearly.bipartite(G.graph).is_bipartite:
        raise NotImplementedError("NetworkX may find a component that settles it first")
    inside = np.zeros(len(G), np.bool_)
    inside[G.places(nodes)] = True
    return bool((inside[G.rows] != inside[G.targets]).all())


def _sides(G: BackendGraph, nodes: Collection[Any]) -> tuple[np.ndarray, int, int]:
    """Which nodes are on top, and how many are there and how many below; NetworkX's order of nodes is that of sets."""
    top = np.zeros(len(G), np.bool_)
    top[G.places(nodes)] = True
    above = int(np.count_nonzero(top))
    if above < len(set(nodes)) or above in (0, len(G)):
        raise NotImplementedError("NetworkX decides what other nodes, and sides without nodes, mean")
    return top, above, len(G) - above


@dispatched()
def bipartite_degree_centrality(G: BackendGraph, nodes: Collection[Any]) -> dict:
    """See `nx.bipartite.degree_centrality`."""
    top, above, below = _sides(G, nodes)
    return G.by_node(G.degrees * np.where(top, 1.0 / below, 1.0 / above))


def _most(mine: int, other: int) -> float:
    """The largest betweenness that a node of a side may have (Borgatti and Halgin 2011)."""
    s, t = divmod(mine - 1, other)
    return (other**2 * (s + 1) ** 2 + other * (s + 1) * (2 * t - s - 1) - t * (2 * s - t + 3)) / 2.0


@dispatched()
def bipartite_betweenness_centrality(G: BackendGraph, nodes: Collection[Any]) -> dict:
    """See `nx.bipartite.betweenness_centrality`."""
    top, above, below = _sides(G, nodes)
    most = _most(above, below), _most(below, above)
    if not all(most):
        raise ZeroDivisionError("float division by zero")
    return G.by_node(nearly.betweenness(G.graph, normalized=False).values / np.where(top, *most))


@dispatched()
def bipartite_closeness_centrality(G: BackendGraph, nodes: Collection[Any], normalized: bool = True) -> dict:
    """See `nx.bipartite.closeness_centrality`."""
    top, above, below = _sides(G, nodes)
    sums = hop_sums(G.graph)
    least = np.where(top, below + 2.0 * (above - 1), above + 2.0 * (below - 1))
    values = np.divide(least, sums.total, out=np.zeros(len(G)), where=sums.total > 0)
    if normalized:
        values *= (sums.reached - 1) / (len(G) - 1)
    return G.by_node(values)
