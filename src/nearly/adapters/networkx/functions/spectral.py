"""Eigenvector, Katz and HITS centralities.

Two of NetworkX's functions are power iterations whose answer depends on where they stop: these are followed round by
round, with its start and its stopping rule, and one sweep of ours for each of its loops over the edges. The
others ask SciPy for the converged vector, and so do ours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np

import nearly
from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched, reported
from nearly.algorithms.shared.arc_sums import arc_sums
from nearly.algorithms.shared.dominant import KEPT
from nearly.base.arguments import is_number
from nearly.base.threads import kernel_threads

_CLOSE = 1e-11  # what an answer may be off that stands for a solver's
_FEW = 3  # nodes below which SciPy refuses to look for eigenvectors


def iterated(
    G: BackendGraph, weight: str | None, x: np.ndarray, following: Callable[..., np.ndarray], max_iter: int, tol: float
) -> np.ndarray:
    """x after rounds of `following(sums over in-arcs, x)`, until one changes x by less than n times tol."""
    G.lengths(weight)
    graph = G.weighted(weight)
    with kernel_threads(work=graph.m + graph.n) as threads:
        matrix = arc_sums(graph, threads, graph.weighted)
        for _ in range(max_iter):
            before, x = x, following(matrix.into(x), x)
            if np.abs(x - before).sum() < len(G) * tol:
                return x
    raise nx.PowerIterationFailedConvergence(max_iter)


def numbers_of(G: BackendGraph, given: dict) -> np.ndarray:
    """Numbers by node as an array; NetworkX decides what other nodes in it, or missing ones, mean."""
    if set(given) != set(G):
        raise NotImplementedError("it names other nodes than those of the graph")
    return np.array([given[node] for node in G], np.float64)


@dispatched()
def eigenvector_centrality(
    G: BackendGraph,
    max_iter: int = 100,
    tol: float = 1e-6,
    nstart: dict | None = None,
    weight: str | None = None,
) -> dict:
    """See `nx.eigenvector_centrality`."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("cannot compute centrality for the null graph")
    start = np.ones(len(G)) if nstart is None else numbers_of(G, nstart)
    if not start.any():
        raise nx.NetworkXError("initial vector cannot have all zero values")

    def following(sums: np.ndarray, x: np.ndarray) -> np.ndarray:
        sums += x
        return sums / (np.linalg.norm(sums) or 1)

    return G.by_node(iterated(G, weight, start / start.sum(), following, max_iter, tol))


@dispatched()
def katz_centrality(
    G: BackendGraph,
    alpha: float = 0.1,
    beta: Any = 1.0,
    max_iter: int = 1000,
    tol: float = 1e-6,
    nstart: dict | None = None,
    normalized: bool = True,
    weight: str | None = None,
) -> dict:
    """See `nx.katz_centrality`."""
    if len(G) == 0:
        return {}
    own = checked_beta(G, beta)
    start = np.zeros(len(G)) if nstart is None else numbers_of(G, nstart)
    with np.errstate(over="ignore", invalid="ignore"):  # what does not converge goes beyond all numbers
        x = iterated(G, weight, start, lambda sums, _: alpha * sums + own, max_iter, tol)
    return G.by_node(x / (np.linalg.norm(x) or 1.0) if normalized else x)


def checked_beta(G: BackendGraph, beta: Any) -> Any:
    """One number, or one for each node."""
    if is_number(beta):
        return float(beta)
    if not isinstance(beta, dict):
        raise NotImplementedError("NetworkX decides what else beta may be")
    if set(beta) != set(G):
        raise nx.NetworkXError("beta dictionary must have a value for every node")
    return numbers_of(G, beta)


@dispatched(algorithm="katz")
def katz_centrality_numpy(
    G: BackendGraph,
    alpha: float = 0.1,
    beta: Any = 1.0,
    normalized: bool = True,
    weight: str | None = None,
    *,
    how: dict[str, Any],
) -> dict:
    """See `nx.katz_centrality_numpy`."""
    if len(G) == 0:
        return {}
    own = checked_beta(G, beta)
    if len(G) == 1:
        raise NotImplementedError("a single node is NetworkX's own case")
    G.lengths(weight)
    result = nearly.katz(G.weighted(weight), alpha=alpha, beta=own, normalized=bool(normalized), tol=1e-13, **how)
    if result.bound > _CLOSE * max(1.0, result.size):
        raise NotImplementedError("rounds come less close than a solver")
    return reported(G.by_node(result.values), result)


@dispatched(algorithm="eigenvector")
def eigenvector_centrality_numpy(
    G: BackendGraph, weight: str | None = None, max_iter: int = 50, tol: float = 0, *, how: dict[str, Any]
) -> dict:
    """See `nx.eigenvector_centrality_numpy`."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("cannot compute centrality for the null graph")
    parts = nearly.scc(G.graph) if G.is_directed() else nearly.connected_components(G.graph)
    if parts.count > 1:
        raise nx.AmbiguousSolution(
            "`eigenvector_centrality_numpy` does not give consistent results for disconnected graphs"
        )
    if len(G) < _FEW or max_iter < 1:
        raise NotImplementedError("SciPy decides what happens here")
    G.lengths(weight)
    result = nearly.eigenvector(G.weighted(weight), tol=max(tol, 1e-13), **how)
    if result.guarantee != "exact":
        raise NotImplementedError("rounds do not come as close as SciPy's")
    return reported(G.by_node(result.values), result)


@dispatched(algorithm="hits")
def hits(
    G: BackendGraph,
    max_iter: int = 100,
    tol: float = 1e-8,
    nstart: dict | None = None,
    normalized: bool = True,
    *,
    how: dict[str, Any],
) -> tuple[dict, dict]:
    """See `nx.hits`."""
    if len(G) == 0:
        return {}, {}
    if max_iter <= 0:
        raise nx.PowerIterationFailedConvergence(max_iter)
    if len(G) < _FEW or not G.targets.size or not normalized:
        raise NotImplementedError("SciPy decides what happens here")
    G.lengths("weight")
    result = nearly.hits(G.weighted("weight"), tol=1e-13, max_rounds=KEPT * max_iter, **how)
    if result.guarantee != "exact" or result.eigenvalue == 0:
        raise NotImplementedError("rounds do not come as close as SciPy's")
    return reported((G.by_node(result.hubs), G.by_node(result.authorities)), result)
