"""Distances and paths between all pairs at once, and the cells around centres.

NetworkX has Floyd and Warshall's and Johnson's algorithms; without negative weights Dijkstra's gives the same
distances, and the paths of Johnson's, whose new weights are then the old ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import networkx as nx
import numpy as np

from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched
from nearly.adapters.networkx.functions.weighted_paths import all_pairs_dijkstra_path, multi_source_places
from nearly.adapters.networkx.ordered_search import Nearest
from nearly.base.memory import require


def _rows(G: BackendGraph, weight: str | None) -> Any:
    """The distances from each node, float64 with inf; and whether weights are whole."""
    nearest = Nearest(G, weight)
    require(8 * len(G) ** 2, "the distances between all pairs")
    for v in range(len(G)):
        found = nearest([v])
        row = np.full(len(G), np.inf)
        row[found.order] = found.distances
        yield row


@dispatched(multigraph=True)
def floyd_warshall(G: BackendGraph, weight: str | None = "weight") -> dict:
    """See `nx.floyd_warshall`."""
    whole, labels = G.lengths(weight).dtype.kind == "i", list(G)
    made: dict[Any, Any] = {}
    for node, row in zip(labels, _rows(G, weight)):
        far = [int(d) if d < np.inf else d for d in row.tolist()] if whole else row.tolist()
        made[node] = defaultdict(lambda: np.inf, zip(labels, far))
        made[node][node] = 0
    return made


@dispatched(multigraph=True)
def floyd_warshall_numpy(G: BackendGraph, nodelist: Any = None, weight: str | None = "weight") -> np.ndarray:
    """See `nx.floyd_warshall_numpy`."""
    if nodelist is not None and not (len(nodelist) == len(G) == len(set(nodelist))):
        raise nx.NetworkXError(
            "nodelist must contain every node in G with no repeats."
            "If you wanted a subgraph of G use G.subgraph(nodelist)"
        )
    far = np.array(list(_rows(G, weight))).reshape(len(G), len(G))
    if nodelist is None:
        return far
    places = G.places(nodelist)
    if places.size < len(G):
        raise NotImplementedError("NetworkX names the nodes that are not in the graph")
    return far[np.ix_(places, places)]


@dispatched(multigraph=True)
def johnson(G: BackendGraph, weight: str | None = "weight") -> dict:
    """See `nx.johnson`."""
    return dict(all_pairs_dijkstra_path(G, weight=weight))


@dispatched(multigraph=True)
def voronoi_cells(G: BackendGraph, center_nodes: Iterable[Any], weight: str | None = "weight") -> dict:
    """See `nx.voronoi_cells`."""
    places = list(dict.fromkeys(multi_source_places(G, center_nodes)))
    found = Nearest(G, weight)(places)
    own = np.full(len(G), -1, np.int64)
    own[places] = places
    for v in found.order[len(places) :].tolist():
        own[v] = own[found.parent[v]]
    cells: dict[Any, set] = {}
    order = found.order[np.argsort(own[found.order], kind="stable")]
    ends = np.flatnonzero(np.diff(own[order])) + 1
    parts = {int(own[part[0]]): set(G.nodes_at(part)) for part in np.split(order, ends)}
    for v in dict.fromkeys(own[found.order].tolist()):
        cells[G.nodes_at(np.array([v]))[0]] = parts[v]
    left = G.nodes_at(np.flatnonzero(own < 0))
    return {**cells, "unreachable": set(left)} if left else cells
