"""The contests of `part_questions`: for each question, by library, a call and a function that reads its answer.

`contest(field)` gives {library: (call, read)}. Answers are compared after `read`, which is not timed; a `read` of None
means that answers may differ: walks and communities are random, NetworKit's Katz centrality leaves out what a vertex
has of its own, its biconnected components cannot be counted, and peers' densest subgraphs are not the densest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from harness import US

import nearly

Contest = dict[str, tuple[Callable[[], Any], Callable[[Any], Any] | None]]
STEPS = 10  # of each walk
TOL = 1e-9


def only(field: Any, contest: dict[str, Any], dag: bool = False) -> Contest:
    """The entries of the libraries that hold the graph; a peer's entry is `peer -> (call, read)`."""
    peers = field.dag_peers if dag else field.peers
    return {US: contest[US], **{name: make(peers[name]) for name, make in contest.items() if name in peers}}


def unit(x: Any) -> np.ndarray:
    """Centralities of length 1."""
    x = np.abs(np.asarray(x, np.float64))
    return x / np.linalg.norm(x)


def run_of(algorithm: Any) -> Any:
    algorithm.run()
    return algorithm


def eigenvector(f: Any) -> Contest:
    return only(f, {
        US: (lambda: nearly.eigenvector(f.graph, tol=TOL), lambda r: unit(r.values)),
        "networkit": lambda p: (
            lambda: run_of(p.nk.centrality.EigenvectorCentrality(p.plain, TOL)), lambda r: unit(r.scores())
        ),
        "igraph": lambda p: (lambda: p.graph.eigenvector_centrality(), unit),
        "rustworkx": lambda p: (
            lambda: p.rx.eigenvector_centrality(p.graph, max_iter=1000, tol=TOL), lambda r: unit(list(r.values()))
        ),
    })  # fmt: skip


def katz(f: Any) -> Contest:
    alpha = 0.5 / float(nearly.eigenvector(f.graph).eigenvalue)
    return only(f, {
        US: (lambda: nearly.katz(f.graph, alpha=alpha, tol=TOL), lambda r: unit(r.values)),
        "networkit": lambda p: (
            lambda: run_of(p.nk.centrality.KatzCentrality(p.plain, alpha, 1.0, TOL)), None
        ),
        "rustworkx": lambda p: (
            lambda: p.rx.katz_centrality(p.graph, alpha, 1.0, max_iter=1000, tol=TOL),
            lambda r: unit(list(r.values())),
        ),
    })  # fmt: skip


def hits(f: Any) -> Contest:
    return only(f, {
        US: (lambda: nearly.hits(f.dag, tol=TOL), lambda r: unit(r.authorities)),
        "igraph": lambda p: (
            lambda: (p.graph.authority_score(), p.graph.hub_score()), lambda r: unit(r[0])
        ),
        "rustworkx": lambda p: (
            lambda: p.rx.hits(p.graph, max_iter=1000, tol=TOL), lambda r: unit(list(r[1].values()))
        ),
    }, dag=True)  # fmt: skip


def ktruss(f: Any) -> Contest:
    import networkx as nx

    largest = int(nearly.ktruss(f.graph).largest) if "networkx" in f.peers else 0
    return only(f, {
        US: (lambda: nearly.ktruss(f.graph), lambda r: int((r.values >= largest).sum()) // 2),
        "networkx": lambda G: (lambda: nx.k_truss(G, largest), lambda H: H.number_of_edges()),
    })  # fmt: skip


def densest_subgraph(f: Any) -> Contest:
    import networkx as nx

    return only(f, {
        US: (lambda: nearly.densest_subgraph(f.graph, max_error=0.1), None),
        "networkx": lambda G: (lambda: nx.approximation.densest_subgraph(G, 1, method="greedy++"), None),
    })  # fmt: skip


def core_decomposition(f: Any) -> Contest:
    return only(f, {
        US: (lambda: nearly.core_decomposition(f.graph), lambda r: r.values),
        "networkit": lambda p: (
            lambda: run_of(p.nk.centrality.CoreDecomposition(p.simple, False, False, True)), lambda r: r.scores()
        ),
    })  # fmt: skip


def core_numbers(f: Any) -> Contest:
    return only(f, {
        US: (lambda: nearly.kcore(f.graph), lambda r: r.values),
        "networkit": lambda p: (lambda: run_of(p.nk.centrality.CoreDecomposition(p.simple)), lambda r: r.scores()),
        "igraph": lambda p: (lambda: p.graph.coreness(), list),
        "rustworkx": lambda p: (
            lambda: p.rx.core_number(p.graph), lambda r: [r[v] for v in range(p.graph.num_nodes())]
        ),
    })  # fmt: skip


def scores(name: str, index: str) -> Callable[[Any], Contest]:
    """Scores of pairs; NetworKit sorts its answers by pairs, so sums are compared."""

    def contest(f: Any) -> Contest:
        pairs = [tuple(pair) for pair in f.pairs.tolist()]
        made = {
            US: (lambda: getattr(nearly, name)(f.graph, f.pairs), lambda r: float(np.sum(r.values))),
            "networkit": lambda p: (
                lambda: getattr(p.nk.linkprediction, index)(p.plain).runOn(pairs),
                lambda r: sum(score for _, score in r),
            ),
        }
        if name == "jaccard":
            made["igraph"] = lambda p: (lambda: p.graph.similarity_jaccard(pairs=pairs), sum)
        return only(f, made)

    return contest


def random_walks(f: Any) -> Contest:
    starts = np.random.default_rng(1).integers(0, f.graph.n, 2000).tolist()
    return only(f, {
        US: (lambda: nearly.random_walks(f.graph, STEPS + 1, start=starts), None),
        "igraph": lambda p: (lambda: [p.graph.random_walk(v, STEPS) for v in starts], None),
    })  # fmt: skip


def articulation_points(f: Any) -> Contest:
    return only(f, {
        US: (lambda: nearly.articulation_points(f.graph), lambda r: np.flatnonzero(r.values)),
        "igraph": lambda p: (lambda: p.graph.articulation_points(), sorted),
        "rustworkx": lambda p: (lambda: p.rx.articulation_points(p.graph), sorted),
    })  # fmt: skip


def bridges(f: Any) -> Contest:
    return only(f, {
        US: (lambda: nearly.bridges(f.graph), lambda r: int(np.count_nonzero(r.values)) // 2),
        "igraph": lambda p: (lambda: p.graph.bridges(), len),
        "rustworkx": lambda p: (lambda: p.rx.bridges(p.graph), len),
    })  # fmt: skip


def biconnected_components(f: Any) -> Contest:
    return only(f, {
        US: (lambda: nearly.biconnected_components(f.graph), lambda r: r.count),
        "networkit": lambda p: (lambda: run_of(p.nk.components.BiconnectedComponents(p.plain)), None),
        "igraph": lambda p: (lambda: p.graph.biconnected_components(), len),
        "rustworkx": lambda p: (
            lambda: p.rx.biconnected_components(p.graph), lambda r: len(set(r.values()))
        ),
    })  # fmt: skip


def topological_sort(f: Any) -> Contest:
    def leads_onwards(order: Any) -> bool:
        place = np.empty(f.dag.n, np.int64)
        place[np.asarray(order, np.int64)] = np.arange(f.dag.n)
        return bool((place[f.dag.arc_sources()] < place[f.dag.targets]).all())

    return only(f, {
        US: (lambda: nearly.topological_sort(f.dag), lambda r: leads_onwards(r.order)),
        "networkit": lambda p: (lambda: p.nk.graphtools.topologicalSort(p.graph), leads_onwards),
        "igraph": lambda p: (lambda: p.graph.topological_sorting(), leads_onwards),
        "rustworkx": lambda p: (lambda: p.rx.topological_sort(p.graph), leads_onwards),
    }, dag=True)  # fmt: skip


def is_dag(f: Any) -> Contest:
    return only(f, {
        US: (lambda: nearly.is_dag(f.dag), bool),  # igraph keeps its answer after the first call
        "rustworkx": lambda p: (lambda: p.rx.is_directed_acyclic_graph(p.graph), bool),
    }, dag=True)  # fmt: skip


def bipartite(f: Any) -> Contest:
    return only(f, {
        US: (lambda: nearly.bipartite(f.graph), lambda r: r.is_bipartite),
        "igraph": lambda p: (lambda: p.graph.is_bipartite(return_types=True), lambda r: r[0]),
        "rustworkx": lambda p: (lambda: p.rx.two_color(p.graph), lambda r: r is not None),
    })  # fmt: skip


def leiden(f: Any) -> Contest:
    return only(f, {
        US: (lambda: nearly.leiden(f.graph), None),
        "networkit": lambda p: (lambda: run_of(p.nk.community.ParallelLeiden(p.plain)), None),
        "igraph": lambda p: (lambda: p.graph.community_leiden(objective_function="modularity"), None),
    })  # fmt: skip


def ego(f: Any) -> Contest:
    center = int(np.argsort(f.graph.out_degrees)[f.graph.n // 2])
    return only(f, {
        US: (lambda: nearly.ego(f.graph, center, 2), lambda g: g.n),
        "igraph": lambda p: (
            lambda: p.graph.induced_subgraph(p.graph.neighborhood(center, 2)), lambda g: g.vcount()
        ),
    })  # fmt: skip


def subgraph(f: Any) -> Contest:
    half = np.sort(np.random.default_rng(1).permutation(f.graph.n)[: f.graph.n // 2])
    nodes = half.tolist()
    return only(f, {
        US: (lambda: nearly.subgraph(f.graph, half), lambda g: g.m // 2),
        "networkit": lambda p: (
            lambda: p.nk.graphtools.subgraphFromNodes(p.plain, nodes), lambda g: g.numberOfEdges()
        ),
        "igraph": lambda p: (lambda: p.graph.induced_subgraph(nodes), lambda g: g.ecount()),
    })  # fmt: skip


def largest_component(f: Any) -> Contest:
    return only(f, {
        US: (lambda: nearly.largest_component(f.graph), lambda g: g.n),
        "networkit": lambda p: (
            lambda: p.nk.components.ConnectedComponents.extractLargestConnectedComponent(p.plain, True),
            lambda g: g.numberOfNodes(),
        ),
        "igraph": lambda p: (lambda: p.graph.connected_components().giant(), lambda g: g.vcount()),
    })  # fmt: skip


CONTESTS: dict[str, Callable[[Any], Contest]] = {
    "eigenvector": eigenvector,
    "katz": katz,
    "hits": hits,
    "ktruss": ktruss,
    "densest_subgraph": densest_subgraph,
    "core_decomposition": core_decomposition,
    "kcore": core_numbers,
    "jaccard": scores("jaccard", "JaccardIndex"),
    "common_neighbors": scores("common_neighbors", "CommonNeighborsIndex"),
    "adamic_adar": scores("adamic_adar", "AdamicAdarIndex"),
    "resource_allocation": scores("resource_allocation", "ResourceAllocationIndex"),
    "random_walks": random_walks,
    "articulation_points": articulation_points,
    "bridges": bridges,
    "biconnected_components": biconnected_components,
    "topological_sort": topological_sort,
    "is_dag": is_dag,
    "bipartite": bipartite,
    "leiden": leiden,
    "ego": ego,
    "subgraph": subgraph,
    "largest_component": largest_component,
}
