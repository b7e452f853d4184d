"""The neighbourhood of a node as a graph of its own."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched
from nearly.adapters.networkx.graph_conversion import induced
from nearly.adapters.networkx.ordered_search import Nearest, Search


@dispatched()
def ego_graph(
    G: BackendGraph,
    n: Any,
    radius: float = 1,
    center: bool = True,
    undirected: bool = False,
    distance: str | None = None,
) -> nx.Graph:
    """See `nx.ego_graph`."""
    begin = G.place(n)
    if begin is None:
        raise nx.NodeNotFound(f"Source {n} is not in G")
    if undirected and G.directed and distance is not None:
        raise NotImplementedError("NetworkX decides which weight an arc there and back has")
    if distance is not None:
        found = Nearest(G, distance)([begin], radius)
    else:
        view = G.graph.symmetrized() if undirected and G.directed else None
        found = Search(G, None if view is None else view.arrays[:2])([begin], radius)
    keep = np.zeros(len(G), np.bool_)
    keep[found.order] = True
    keep[begin] = center
    return induced(G, keep)
