"""How degrees of neighbours go together: average degrees of neighbours, assortativity, the rich club; without weights.

Sums of degrees are whole numbers, so the order of adding does not matter.
"""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched


def _of_kind(G: BackendGraph, kind: str) -> np.ndarray:
    """Degrees of a directed graph by the name that NetworkX has for them."""
    return {"in": G.in_degrees, "out": G.out_degrees, "in+out": G.degrees}[kind]


def _sums(G: BackendGraph, side: str, of: np.ndarray) -> np.ndarray:
    """int64[n]: the sum of a number over the neighbours of each node, along its arcs out, in, or both."""
    total = np.zeros(len(G), np.int64)
    if "out" in side:
        total += np.bincount(G.rows, of[G.targets], len(G)).astype(np.int64)
    if "in" in side:
        total += np.bincount(G.targets, of[G.rows], len(G)).astype(np.int64)
    return total


def _check(G: BackendGraph, weight: Any, source: str, target: str, plain: str) -> tuple[np.ndarray, np.ndarray]:
    """The degrees of both sides of arcs; those of an undirected graph are its own."""
    if weight is not None:
        raise NotImplementedError("degrees are counted, not weighed")
    if not G.directed:
        if (source, target) != (plain, plain):
            raise nx.NetworkXError("source and target arguments are only supported for directed graphs")
        return G.degrees, G.degrees
    for name, kind in (("source", source), ("target", target)):
        if kind not in ("in", "out", "in+out"):
            raise nx.NetworkXError(f"{name} argument {kind} must be 'in', 'out' or 'in+out'")
    return _of_kind(G, source), _of_kind(G, target)


@dispatched()
def average_neighbor_degree(
    G: BackendGraph, source: str = "out", target: str = "out", nodes: Any = None, weight: str | None = None
) -> dict:
    """See `nx.average_neighbor_degree`."""
    mine, other = _check(G, weight, source, target, "out")
    if nodes in G:
        raise NotImplementedError("a single node is no list of nodes")
    total = _sums(G, source if G.directed else "out", other)
    values = np.divide(total, mine, out=np.zeros(len(G)), where=mine > 0)
    if nodes is None:
        return G.by_node(values)
    places = G.bunch(nodes)
    return dict(zip(G.nodes_at(places), values[places].tolist()))


@dispatched()
def average_degree_connectivity(
    G: BackendGraph, source: str = "in+out", target: str = "in+out", nodes: Any = None, weight: str | None = None
) -> dict:
    """See `nx.average_degree_connectivity`."""
    mine, other = _check(G, weight, source, target, "in+out")
    side = source if G.directed and source != "in+out" else "out"  # NetworkX's neighbours of both kinds are successors
    total = _sums(G, side, other)
    places = np.arange(len(G)) if nodes is None else G.bunch(nodes)
    kinds, first, which = np.unique(mine[places], return_index=True, return_inverse=True)
    above = np.bincount(which, total[places], kinds.size).astype(np.int64)
    below = np.bincount(which, mine[places], kinds.size).astype(np.int64)
    found = {k: a / b if b else a for k, a, b in zip(kinds.tolist(), above.tolist(), below.tolist())}
    return {k: found[k] for k in kinds[np.argsort(first)].tolist()}


def _ends(G: BackendGraph, x: str, y: str, weight: Any, nodes: Any) -> tuple[np.ndarray, np.ndarray]:
    """The degrees at both ends of all arcs; an undirected edge counts in both directions."""
    if weight is not None or nodes is not None:
        raise NotImplementedError("degrees of all nodes are counted, not weighed")
    mine, other = (_of_kind(G, x), _of_kind(G, y)) if G.directed else (G.degrees, G.degrees)
    return mine[G.rows], other[G.targets]


def _correlated(a: np.ndarray, b: np.ndarray) -> float:
    """Pearson's correlation, from sums that are whole numbers."""
    m = a.size
    sums = [int(part) for part in (a.sum(), b.sum(), (a * b).sum(), (a * a).sum(), (b * b).sum())]
    across, down, up = (m * sums[2] - sums[0] * sums[1], m * sums[3] - sums[0] ** 2, m * sums[4] - sums[1] ** 2)
    return across / (down**0.5 * up**0.5)


@dispatched()
def degree_assortativity_coefficient(
    G: BackendGraph, x: str = "out", y: str = "in", weight: str | None = None, nodes: Any = None
) -> float:
    """See `nx.degree_assortativity_coefficient`."""
    mine, other = _ends(G, x, y, weight, nodes)
    if not mine.size or np.ptp(mine) == 0 or np.ptp(other) == 0:
        raise NotImplementedError("NetworkX decides what the correlation of degrees that do not differ is")
    return _correlated(mine, other)


@dispatched()
def degree_pearson_correlation_coefficient(
    G: BackendGraph, x: str = "out", y: str = "in", weight: str | None = None, nodes: Any = None
) -> float:
    """See `nx.degree_pearson_correlation_coefficient`."""
    return degree_assortativity_coefficient(G, x, y, weight, nodes)


@dispatched()
def s_metric(G: BackendGraph) -> float:
    """See `nx.s_metric`."""
    return float(np.dot(G.degrees[G.rows[G.edges]], G.degrees[G.targets[G.edges]]))


@dispatched(directed=False)
def rich_club_coefficient(G: BackendGraph, normalized: bool = True, Q: float = 100, seed: Any = None) -> dict:
    """See `nx.rich_club_coefficient`."""
    if normalized or G.loops.any():
        raise NotImplementedError("NetworkX rewires edges to compare with, and says what loops mean")
    if not G.edges.size:
        return {}
    degrees = G.degrees
    above = len(G) - np.cumsum(np.bincount(degrees))
    lower = np.minimum(degrees[G.rows[G.edges]], degrees[G.targets[G.edges]])
    inside = G.edges.size - np.cumsum(np.bincount(lower, minlength=above.size))
    rich = zip(above[above > 1].tolist(), inside.tolist())
    return {d: 2 * edges / (nodes * (nodes - 1)) for d, (nodes, edges) in enumerate(rich)}
