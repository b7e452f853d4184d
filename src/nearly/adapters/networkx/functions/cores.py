"""Core and truss numbers, and the subgraphs they define, as NetworkX graphs with their attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np

import nearly
from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched, reported
from nearly.adapters.networkx.graph_conversion import induced, with_edges
from nearly.adapters.networkx.onion_kernels import peel_layers
from nearly.engine.result import Result


def _refuse_loops(G: BackendGraph, verb: str = "has") -> None:
    if G.loops.any():
        raise nx.NetworkXNotImplemented(
            f"Input graph {verb} self loops which is not permitted; Consider using "
            "G.remove_edges_from(nx.selfloop_edges(G))."
        )


def _cores(G: BackendGraph, how: dict[str, Any]) -> Result:
    _refuse_loops(G)
    return nearly.kcore(G.graph, **how)


@dispatched(algorithm="kcore", directed=False)
def core_number(G: BackendGraph, *, how: dict[str, Any]) -> dict:
    """See `nx.core_number`."""
    result = _cores(G, how)
    return reported(G.by_node(result.values), result)


@dispatched(directed=False)
def onion_layers(G: BackendGraph) -> dict:
    """See `nx.onion_layers`."""
    _refuse_loops(G, "contains")
    layer, begins = np.zeros(len(G), np.int64), np.zeros(len(G), np.int64)
    peel_layers(G.offsets, G.targets, G.degrees.copy(), layer, begins)
    order = np.lexsort((begins, layer))  # NetworkX peels the vertices of a layer by degree
    return dict(zip(G.nodes_at(order), layer[order].tolist()))


def _part(
    G: BackendGraph,
    core_number: dict | None,
    k: int | None,
    keep: Callable[[np.ndarray, int], np.ndarray],
    less: int = 0,
) -> nx.Graph:
    """The subgraph on the nodes that `keep` selects by core number; by default k is the largest one minus `less`."""
    if core_number is None:
        cores = _cores(G, {}).values
    elif all(node in core_number for node in G):
        cores = np.array([core_number[node] for node in G])
    else:
        raise NotImplementedError("core_number lacks nodes of the graph")
    if k is None and not cores.size:
        raise NotImplementedError("a graph without nodes has no largest core number")
    return induced(G, keep(cores, int(cores.max()) - less if k is None else k))


@dispatched(directed=False)
def k_core(G: BackendGraph, k: int | None = None, core_number: dict | None = None) -> nx.Graph:
    """See `nx.k_core`."""
    return _part(G, core_number, k, lambda cores, k: cores >= k)


@dispatched(directed=False)
def k_shell(G: BackendGraph, k: int | None = None, core_number: dict | None = None) -> nx.Graph:
    """See `nx.k_shell`."""
    return _part(G, core_number, k, lambda cores, k: cores == k)


@dispatched(directed=False)
def k_crust(G: BackendGraph, k: int | None = None, core_number: dict | None = None) -> nx.Graph:
    """See `nx.k_crust`."""
    return _part(G, core_number, k, lambda cores, k: cores <= k, less=1)


@dispatched(directed=False)
def k_corona(G: BackendGraph, k: int, core_number: dict | None = None) -> nx.Graph:
    """See `nx.k_corona`."""

    def keep(cores: np.ndarray, k: int) -> np.ndarray:
        inside = np.bincount(G.rows[cores[G.targets] >= k].astype(np.int64), minlength=len(G))
        return (cores == k) & (inside == k)

    return _part(G, core_number, k, keep)


@dispatched(directed=False)
def k_truss(G: BackendGraph, k: float) -> nx.Graph:
    """See `nx.k_truss`."""
    _refuse_loops(G)
    stay = nearly.ktruss(G.graph).values >= k
    per_edge = np.zeros(G.edges.size, np.bool_)
    per_edge[G.edge_of[stay]] = True
    nodes = np.zeros(len(G), np.bool_)
    nodes[G.rows[G.edges[per_edge]]] = nodes[G.targets[G.edges[per_edge]]] = True
    return with_edges(G, np.flatnonzero(per_edge), nodes)
