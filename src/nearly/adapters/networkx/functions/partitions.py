"""How good a division into communities is: modularity, coverage, performance."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from networkx.algorithms.community.quality import NotAPartition

from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched


def _numbers(G: BackendGraph, communities: list[Iterable[Any]]) -> np.ndarray | None:
    """The community of each node; None where some node is in none, or in several."""
    parts = [list(part) for part in communities]
    given = [node for part in parts for node in part]
    places = G.places(given)
    if not len(G) == places.size == sum(map(len, communities)):  # type: ignore[arg-type]
        return None
    of = np.empty(len(G), np.int64)
    of[places] = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    return of


def _plain(communities: Any) -> list[Any]:
    made = communities if isinstance(communities, list) else list(communities)
    if any(len(part) != len(set(part)) for part in made):
        raise NotImplementedError("NetworkX decides what a node given twice means")
    return made


@dispatched()
def modularity(
    G: BackendGraph, communities: Iterable[Any], weight: str | None = "weight", resolution: float = 1
) -> float:
    """See `nx.community.modularity`."""
    parts = _plain(communities)
    of = _numbers(G, parts)
    if of is None:
        raise NotAPartition(G, parts)
    weights = G.weights(weight)
    tails, heads = of[G.rows[G.edges]], of[G.targets[G.edges]]
    inside, within = tails == heads, len(parts)
    own = np.bincount(tails[inside], weights[inside], within)
    ends: list[Any] = [np.bincount(tails, weights, within), np.bincount(heads, weights, within)]
    total = float(weights.sum())
    out, into = ends if G.directed else [(ends[0] + ends[1]) / 2] * 2
    if not total:
        raise ZeroDivisionError("division by zero")
    return float((own / total - resolution * out * into / total**2).sum())


def _inside(G: BackendGraph, partition: Any) -> tuple[int, np.ndarray]:
    """How many edges are inside communities, and the sizes of these."""
    of = _numbers(G, _plain(partition))
    if of is None:
        raise NotImplementedError("NetworkX decides what nodes outside of communities mean")
    return int(np.count_nonzero(of[G.rows[G.edges]] == of[G.targets[G.edges]])), np.bincount(of)


@dispatched()
def intra_community_edges(G: BackendGraph, partition: Iterable[Any]) -> int:
    """See `networkx.algorithms.community.quality.intra_community_edges`."""
    return _inside(G, partition)[0]


@dispatched()
def inter_community_edges(G: BackendGraph, partition: Iterable[Any]) -> int:
    """See `networkx.algorithms.community.quality.inter_community_edges`."""
    return G.edges.size - _inside(G, partition)[0]


@dispatched()
def partition_quality(G: BackendGraph, partition: Iterable[Any]) -> tuple[float, float]:
    """See `nx.community.partition_quality`."""
    inside, sizes = _inside(G, partition)
    pairs, across = len(G) * (len(G) - 1), len(G) ** 2 - int((sizes**2).sum())
    if not G.directed:
        pairs, across = pairs // 2, across // 2
    return inside / G.edges.size, (inside + across - (G.edges.size - inside)) / pairs
