"""Every algorithm against brute force or another library, on small graphs of every kind.

`check(number)` draws a graph and asks some algorithms about it, with any policy, one or two threads, and weights of any
type; `ORACLES` say what is right from the matrix of the graph. Algorithms without an oracle must have an answer
whose certificate accepts it. Every answer's certificate must accept it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
from tests.algorithms.questions import BUILT_IN, needs_vertex
from tests.campaign.matrices import Small
from tests.techniques.drawing import draw_graph, pick

import nearly
from nearly import Graph, NearlyError
from nearly.engine.algorithm import ALGORITHMS

ASKED = 4  # algorithms a graph
CLOSE = 1e-6
_CERTIFIED_ONLY = ("kcore", "scc", "mst", "bfs", "sssp", "pagerank")


def check(number: int) -> dict[str, int]:
    """Ask some algorithms about the graph of this number; counts of what was compared."""
    rng = np.random.default_rng([number, 24])
    graph = draw_graph(rng)
    small, counts = Small(graph), {"graphs": 1, "answers": 0, "compared": 0, "refused": 0}
    for name in rng.choice(BUILT_IN, ASKED, replace=False):
        arguments = _arguments(rng, str(name), graph)
        try:
            result = getattr(nearly, str(name))(graph, **arguments)
        except NearlyError:
            counts["refused"] += 1
            continue
        counts["answers"] += 1
        certificate = result.certificate()
        assert certificate.ok, f"{name}({arguments}) on {described(graph)}: {certificate}"
        oracle = ORACLES.get(str(name))
        if oracle is not None and result.guarantee == "exact":
            wanted = oracle(small, arguments)
            if wanted is not None:
                counts["compared"] += 1
                got = _answer(str(name), result)
                assert _same(got, wanted), f"{name}({arguments}) on {described(graph)}: {got}, wanted {wanted}"
    return counts


def described(graph: Graph) -> str:
    """What makes the graph again."""
    arcs = list(zip(graph.arc_sources().tolist(), graph.targets.tolist(), strict=True))
    weights = None if graph.weights is None else (graph.weights.tolist(), str(graph.weights.dtype))
    return f"n={graph.n} directed={graph.directed} arcs={arcs} weights={weights}"


def _arguments(rng: np.random.Generator, name: str, graph: Graph) -> dict[str, Any]:
    entry = ALGORITHMS.get(name)
    drawn: dict[str, Any] = {"seed": int(rng.integers(5))}
    if needs_vertex(name):
        drawn["source"] = int(rng.integers(graph.n))
    if rng.random() < 0.3:
        drawn["policy"] = pick(rng, entry.policies)
    if rng.random() < 0.2:
        drawn["threads"] = 2
    for key, parameter in entry.parameters.items():
        if isinstance(parameter.default, bool) and rng.random() < 0.3:
            drawn[key] = bool(rng.random() < 0.5)
    if name in ("distances", "jaccard", "common_neighbors"):
        drawn["pairs"] = rng.integers(0, graph.n, (5, 2)).tolist()
    if "unconnected" in entry.parameters:
        drawn["unconnected"] = pick(rng, ("reachable", "infinite"))
    return drawn


def _answer(name: str, result: Any) -> Any:
    if name == "mst":
        return float(result.weight)
    if name in ("connected_components", "scc", "biconnected_components"):
        return np.asarray(result.values, np.int64)
    return np.asarray(result.values, np.float64)


def _same(got: Any, wanted: Any) -> bool:
    return np.shape(got) == np.shape(wanted) and bool(np.allclose(got, wanted, rtol=CLOSE, atol=1e-9, equal_nan=True))


def _weighted(small: Small, arguments: dict[str, Any], default: bool) -> bool:
    return small.graph.weighted and arguments.get("weights", default)


def _hops(small: Small, arguments: dict[str, Any]) -> Any:
    row = small.hops[arguments["source"]]
    return np.where(np.isinf(row), -1, row)


def _lengths(small: Small, arguments: dict[str, Any]) -> Any:
    return small.distances(_weighted(small, arguments, True))[arguments["source"]]


def _pairs(small: Small, arguments: dict[str, Any]) -> Any:
    us, vs = np.array(arguments["pairs"]).T
    return small.distances(_weighted(small, arguments, True))[us, vs]


def _closeness(small: Small, arguments: dict[str, Any]) -> Any:
    far = small.distances(_weighted(small, arguments, False))  # of those that reach the vertex
    there = np.isfinite(far)
    total, count, n = np.where(there, far, 0).sum(axis=0), there.sum(axis=0), small.n
    with np.errstate(divide="ignore", invalid="ignore"):
        plain = np.where(total > 0, (count - 1) / total, 0.0)
    return plain * (count - 1) / (n - 1) if arguments.get("wf_improved", True) and n > 1 else plain


def _harmonic(small: Small, arguments: dict[str, Any]) -> Any:
    far = small.distances(_weighted(small, arguments, False)).copy()
    np.fill_diagonal(far, np.inf)
    if (far == 0).any():
        return None  # a distance of 0 has no inverse
    sums = (1 / far).sum(axis=0)
    return sums / (small.n - 1) if arguments.get("normalized") and small.n > 1 else sums


def _eccentricity(small: Small, arguments: dict[str, Any]) -> Any:
    far = small.hops
    return (far if arguments["unconnected"] == "infinite" else np.where(np.isinf(far), 0, far)).max(axis=1)


def _pagerank(small: Small, arguments: dict[str, Any]) -> Any:
    matrix = small.sums(_weighted(small, arguments, True))
    out, n = matrix.sum(axis=1), small.n
    if (out == 0).any() and small.graph.weighted and (small.sums(False).sum(axis=1) > 0)[out == 0].any():
        return None  # arcs of weight 0 alone
    step = np.where(out[:, None] > 0, matrix / np.where(out > 0, out, 1)[:, None], 1 / n)
    return np.linalg.solve(np.eye(n) - 0.85 * step.T, np.full(n, 0.15 / n))


def _betweenness(small: Small, arguments: dict[str, Any]) -> Any:
    if small.parallel or _weighted(small, arguments, False) or arguments.get("edges"):
        return None
    simple = nx.DiGraph if small.graph.directed else nx.Graph
    made = nx.from_numpy_array((small.counts > 0).astype(int), create_using=simple)
    made.remove_edges_from([(v, v) for v in made])
    kept = {key: arguments[key] for key in ("normalized", "endpoints") if key in arguments}
    found = nx.betweenness_centrality(made, **kept)
    return np.array([found[v] for v in range(small.n)])


def _undirected(ask: Callable[[nx.Graph], Any]) -> Callable[[Small, dict[str, Any]], Any]:
    return lambda small, arguments: ask(small.simple)


def _by_vertex(found: dict[int, float]) -> np.ndarray:
    return np.array([found[v] for v in range(len(found))], np.float64)


def _articulation(graph: nx.Graph) -> np.ndarray:
    found = np.zeros(len(graph))
    found[list(nx.articulation_points(graph))] = 1
    return found


def _topological(small: Small, arguments: dict[str, Any]) -> Any:
    made = nx.from_numpy_array(small.counts > 0, create_using=nx.DiGraph)
    if not nx.is_directed_acyclic_graph(made):
        return None
    found = np.empty(small.n)
    for generation, members in enumerate(nx.topological_generations(made)):
        found[members] = generation
    return found


def _jaccard(small: Small, arguments: dict[str, Any]) -> Any:
    if small.graph.directed or small.loops:
        return None
    near = small.counts > 0
    found = []
    for u, v in arguments["pairs"]:
        union = (near[u] | near[v]).sum()
        found.append((near[u] & near[v]).sum() / union if union else 0.0)
    return np.array(found)


def _common(small: Small, arguments: dict[str, Any]) -> Any:
    if small.graph.directed or small.loops:
        return None
    near = small.counts > 0
    return np.array([float((near[u] & near[v]).sum()) for u, v in arguments["pairs"]])


ORACLES: dict[str, Callable[[Small, dict[str, Any]], Any]] = {
    "bfs": _hops,
    "sssp": _lengths,
    "distances": _pairs,
    "closeness": _closeness,
    "harmonic": _harmonic,
    "eccentricity": _eccentricity,
    "diameter": lambda small, arguments: _eccentricity(small, arguments).max(),
    "pagerank": _pagerank,
    "betweenness": _betweenness,
    "connected_components": lambda small, _: small.parts(small.reach | small.reach.T, closed=False),
    "scc": lambda small, _: small.parts(small.reach & small.reach.T, closed=True),
    "mst": lambda small, arguments: small.forest_weight(_weighted(small, arguments, True)),
    "kcore": _undirected(lambda graph: _by_vertex(nx.core_number(graph))),
    "core_decomposition": _undirected(lambda graph: _by_vertex(nx.core_number(graph))),
    "triangle_count": _undirected(lambda graph: _by_vertex(nx.triangles(graph))),
    "clustering_coefficient": _undirected(lambda graph: _by_vertex(nx.clustering(graph))),
    "articulation_points": _undirected(_articulation),
    "topological_sort": _topological,
    "jaccard": _jaccard,
    "common_neighbors": _common,
}
