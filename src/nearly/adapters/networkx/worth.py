"""Whether NetworkX should hand a call over by itself: only where that is faster, compiling and converting included.

Three things cost time besides the answer. A graph is converted, about a microsecond for each node and edge. In a new
process kernels are loaded, a second or so. Where they were never compiled on this machine, compiling takes several
seconds. Against that stands what NetworkX itself would take: microseconds for each node and edge, for some functions
once for every node. A call is handed over if that is more. So a small call is never slower with the backend switched
on, and pays for no import either: this module imports nothing that takes time.

A function is hot once it has answered in this process. It is ready where it has answered on this machine before (its
kernels are in the cache, and a file beside them says so) or where kernels came with the package.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

LOADING, COMPILING = 1.0, 10.0  # seconds
CONVERTING = 1.5e-6  # seconds for each node and edge
MANY = 1 << 16  # nodes and edges from which on kernels are those for several threads
_SHIPPED = Path(__file__).resolve().parents[2] / "shipped" / "baseline.json"
_FILE = "networkx-ready.json"

# microseconds that NetworkX itself takes for each node and edge; 2 for all that are not named
_MICROSECONDS = {
    0.1: """
        degree_centrality in_degree_centrality out_degree_centrality isolates number_of_isolates number_of_selfloops
        is_tree is_forest is_bipartite is_directed_acyclic_graph has_path overall_reciprocity bfs_layers
        descendants_at_distance shortest_path shortest_path_length dijkstra_path dijkstra_path_length
        bellman_ford_path_length
    """,
    5: """
        articulation_points biconnected_components bridges core_number strongly_connected_components
        single_source_dijkstra single_source_dijkstra_path single_source_dijkstra_path_length
    """,
    10: """
        pagerank hits triangles clustering average_clustering transitivity minimum_spanning_tree
        minimum_spanning_edges maximum_spanning_tree maximum_spanning_edges asyn_lpa_communities
        fast_label_propagation_communities eigenvector_centrality katz_centrality maximal_independent_set
    """,
    100: "louvain_communities louvain_partitions",
}
_FROM_EVERY_NODE = """
        betweenness_centrality edge_betweenness_centrality closeness_centrality harmonic_centrality eccentricity
        diameter radius center periphery barycenter average_shortest_path_length global_efficiency wiener_index
        harmonic_diameter all_pairs_shortest_path all_pairs_shortest_path_length all_pairs_dijkstra
        all_pairs_dijkstra_path all_pairs_dijkstra_path_length all_pairs_bellman_ford_path_length
"""
_EVERY = frozenset(_FROM_EVERY_NODE.split())
_EFFORT = {name: 1e-6 * each for each, names in _MICROSECONDS.items() for name in names.split()}


class Readiness:
    """Which functions have answered: in this process, and on this machine."""

    def __init__(self) -> None:
        self.hot: set[str] = set()
        self._kept: set[str] | None = None

    def seconds(self, key: str) -> float:
        """How long loading or compiling may take before this call can answer."""
        if key in self.hot:
            return 0.0
        return LOADING if _SHIPPED.exists() or key in self.kept() else COMPILING

    def kept(self) -> Iterable[str]:
        """Those that have answered on this machine, with the same versions."""
        if self._kept is None:
            self._kept = set()
            file = self._file()
            with suppress(OSError, ValueError, AttributeError):
                self._kept = set(json.loads(file.read_text()).get(_versions(), ())) if file is not None else set()
        return self._kept

    def answered(self, key: str) -> None:
        """A function has answered, so its kernels are compiled."""
        if key in self.hot:
            return
        self.hot.add(key)
        file = self._file()
        if key not in self.kept() and file is not None:
            from nearly.base.errors import NearlyError
            from nearly.base.files import replacing

            self._kept = {*self.kept(), key}
            with suppress(OSError, NearlyError), replacing(file) as out:
                out.write(json.dumps({_versions(): sorted(self._kept)}).encode())

    @staticmethod
    def _file() -> Path | None:
        from nearly.base.cache_dir import cache_dir

        folder = cache_dir()
        return None if folder is None else folder / _FILE


readiness = Readiness()


def key_of(name: str, graph: Any) -> str:
    """What kernels a call needs, in one word: the function, and the kind and size of graph."""
    large = len(graph) + _edges(graph) >= MANY
    return f"{name} {'directed' if graph.is_directed() else 'undirected'} {'large' if large else 'small'}"


def own_seconds(name: str, graph: Any) -> float:
    """About how long NetworkX itself would take."""
    each = _EFFORT.get(name, 2e-6) * (len(graph) + _edges(graph))
    return each * len(graph) if name in _EVERY else each


def why_not(name: str, graph: Any, least_edges: int) -> str | None:
    """Why the call should stay with NetworkX; None if it should be handed over."""
    if _edges(graph) < least_edges:
        return f"the graph has fewer than {least_edges} edges, so converting it takes longer than it saves"
    converting = 0.0 if _converted(graph) else CONVERTING * (len(graph) + _edges(graph))
    waiting, theirs = readiness.seconds(key_of(name, graph)), own_seconds(name, graph)
    if theirs > converting + waiting:
        return None
    parts = [f"converting the graph about {converting:.2g} s"] if converting else []
    if waiting:
        what = "compiling" if waiting > LOADING else "loading"
        parts.append(f"{what} its kernels about {waiting:.2g} s (nearly warm compiles them once)")
    told = " and ".join(parts) or "the answer is immediate"
    return f"NetworkX takes about {theirs:.2g} s for it, {told}"


def _edges(graph: Any) -> int:
    return graph.number_of_edges() if hasattr(graph, "number_of_edges") else int(graph.targets.size)


def _converted(graph: Any) -> bool:
    kept = getattr(graph, "__networkx_cache__", None) or {}
    return bool(kept.get("backends", {}).get("nearly"))


def _versions() -> str:
    from nearly import __version__

    with suppress(PackageNotFoundError):
        return f"{__version__} {version('numba')}"
    return __version__
