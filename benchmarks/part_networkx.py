"""The NetworkX backend on a graph of a million edges, beside NetworkX itself and other backends that are installed.

The first table converts the graph on every call, the second uses the conversion that NetworkX keeps with the graph.
"""

from __future__ import annotations

from argparse import Namespace
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import numpy as np
from harness import US, Row, measure, table

import nearly
from nearly.adapters.networkx.graph_conversion import convert_from_nx

BEFORE = "converted before"
HUB = 0  # the node of most edges has this number
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "pagerank": ("pagerank", {}),
    "betweenness of 50 sources": ("betweenness_centrality", {"k": 50, "seed": 1}),
    "louvain": ("community.louvain_communities", {"seed": 1}),
    "triangles": ("triangles", {}),
    "clustering": ("clustering", {}),
    "shortest path lengths, hops": ("single_source_shortest_path_length", {"source": HUB}),
    "shortest path lengths, weights": ("single_source_dijkstra_path_length", {"source": HUB}),
    "connected components": ("connected_components", {}),
    "core numbers": ("core_number", {}),
    "minimum spanning edges": ("minimum_spanning_edges", {"data": False}),
}


def run(options: Namespace) -> str:
    nx.config.warnings_to_ignore.add("cache")
    G = million_edges(options.scale)
    conversions = [conversion_row("convert", G, {}, options.repeat)]
    conversions.append(conversion_row("convert with weights", G, {"edge_attrs": {"weight": 1}}, options.repeat))
    rows = [
        row(what, G, name, keywords, options.repeat) for what, (name, keywords) in CALLS.items() if options.only in what
    ]
    title = f"NetworkX backend, {G.number_of_edges() / 1e6:.2f}M edges"
    return "\n".join(
        [
            table("Conversion from NetworkX", conversions),
            table(f"{title}, conversion included", [without(r, BEFORE) for r in rows]),
            table(f"{title}, converted before", [without(r, US, BEFORE) for r in rows]),
        ]
    )


def without(row: Row, name: str, instead: str | None = None) -> Row:
    """The row without one contestant, or with another one in its place."""
    kept = Row(row.what, failed=row.failed)
    for mine, theirs in ((kept.seconds, row.seconds), (kept.first, row.first)):
        mine.update({name if key == instead else key: taken for key, taken in theirs.items() if key != name})
    return kept


def million_edges(scale: int) -> nx.Graph:
    """An R-MAT graph of a million edges (at scale 20) with whole weights, nodes by falling degree."""
    g = nearly.generate.rmat(scale=scale - 3, edge_factor=9, seed=1).symmetrized()
    place = np.empty(g.n, np.int64)
    place[np.argsort(-g.out_degrees.astype(np.int64), kind="stable")] = np.arange(g.n)
    g = g.relabel(place)
    once = g.arc_sources() < g.targets
    src, dst = g.arc_sources()[once].tolist(), g.targets[once].tolist()
    G = nx.empty_graph(g.n)
    G.add_weighted_edges_from(zip(src, dst, np.random.default_rng(1).integers(1, 100, len(src)).tolist()))
    return G


def conversion_row(what: str, G: nx.Graph, attributes: dict[str, Any], repeat: int) -> Any:
    return measure(
        what,
        {
            US: lambda: convert_from_nx(G, **attributes),
            "from_networkx": lambda: nearly.Graph.from_networkx(G, weight="weight" if attributes else None),
            "networkx to scipy": lambda: nx.to_scipy_sparse_array(G, weight="weight" if attributes else None),
        },
        repeat,
    )


def row(what: str, G: nx.Graph, name: str, keywords: dict[str, Any], repeat: int) -> Any:
    function = nx
    for part in name.split("."):
        function = getattr(function, part)

    def by(backend: str, forget: bool = False) -> Callable[[], None]:
        def call() -> None:
            if forget:
                G.__networkx_cache__.clear()
            answer = function(G, backend=backend, **keywords)
            if isinstance(answer, Iterator):
                deque(answer, maxlen=0)

        return call

    contestants = {US: by("nearly", forget=True), BEFORE: by("nearly"), "networkx": by("networkx")}
    for other in ("parallel", "graphblas"):
        if other in nx.utils.backends.backends:
            contestants[other] = by(other)
    return measure(what, contestants, repeat)
