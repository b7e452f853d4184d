"""Scores of pairs of nodes, for NetworkX's link prediction; pairs come out in the order in which they were given.

NetworkX counts a loop as a neighbour in Jaccard's union and twice in degrees, so the sums over common neighbours are
made here from the graph as it is, by the kernel of `nearly.jaccard` and its kin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import networkx as nx
import numpy as np

from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.both_ends import hops_both_ends
from nearly.adapters.networkx.dispatch import dispatched
from nearly.algorithms.shared.pair_scores import sum_common
from nearly.base.threads import kernel_threads
from nearly.engine.row_pieces import cursor


def _ends(G: BackendGraph, ebunch: Iterable[tuple] | None) -> tuple[list[tuple], np.ndarray, np.ndarray]:
    """The pairs, and the numbers of their nodes."""
    if ebunch is None or isinstance(ebunch, Iterator):
        raise NotImplementedError("NetworkX finds all pairs without an edge in the order of sets")
    pairs = [(u, v) for u, v in ebunch]
    for node in (node for pair in pairs for node in pair):
        if node not in G:
            raise nx.NodeNotFound(f"Node {node} not in G.")
    ends = np.array([(G.place(u), G.place(v)) for u, v in pairs], np.uint32).reshape(-1, 2)
    us, vs = np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1])
    if (us == vs).any():
        raise NotImplementedError("NetworkX decides what a node has in common with itself")
    return pairs, us, vs


def _sums(G: BackendGraph, us: np.ndarray, vs: np.ndarray, gains: np.ndarray) -> np.ndarray:
    """What the common neighbours of each pair count together."""
    sums, (offsets, targets, _) = np.empty(us.size), G.graph.arrays
    with kernel_threads(work=us.size * max(targets.size // max(len(G), 1), 1)) as threads:
        sum_common((offsets, targets), us, vs, gains, sums, cursor(), threads, np.zeros(1, np.uint32))
    return sums


def _triples(pairs: list[tuple], scores: np.ndarray) -> Iterator[tuple]:
    """The pairs with their scores; a sum over nothing is the whole number 0."""
    return iter([(u, v, score or 0) for (u, v), score in zip(pairs, scores.tolist())])


def _shared_loops(G: BackendGraph, us: np.ndarray, vs: np.ndarray) -> np.ndarray:
    """How many of the two nodes of each pair are, by a loop, neighbours of both."""
    looped, shared = np.zeros(len(G), np.int64), np.zeros(us.size, np.int64)
    looped[G.rows[G.loops]] = 1
    for i in np.flatnonzero(looped[us] + looped[vs]).tolist():
        row = G.targets[int(G.offsets[us[i]]) : int(G.offsets[us[i] + 1])]
        shared[i] = int((row == vs[i]).any()) * (looped[us[i]] + looped[vs[i]])
    return shared


@dispatched(directed=False)
def jaccard_coefficient(G: BackendGraph, ebunch: Iterable[tuple] | None = None) -> Iterator[tuple]:
    """See `nx.jaccard_coefficient`."""
    pairs, us, vs = _ends(G, ebunch)
    common = _sums(G, us, vs, np.ones(len(G)))
    either = G.out_degrees[us] + G.out_degrees[vs] - common - _shared_loops(G, us, vs)
    scores = np.divide(common, either, out=np.zeros_like(common), where=either > 0)
    return iter([(u, v, score if some else 0) for (u, v), score, some in zip(pairs, scores.tolist(), either.tolist())])


@dispatched(directed=False)
def adamic_adar_index(G: BackendGraph, ebunch: Iterable[tuple] | None = None) -> Iterator[tuple]:
    """See `nx.adamic_adar_index`."""
    pairs, us, vs = _ends(G, ebunch)
    return _triples(pairs, _sums(G, us, vs, 1 / np.log(np.maximum(G.degrees, 2))))


@dispatched(directed=False)
def resource_allocation_index(G: BackendGraph, ebunch: Iterable[tuple] | None = None) -> Iterator[tuple]:
    """See `nx.resource_allocation_index`."""
    pairs, us, vs = _ends(G, ebunch)
    return _triples(pairs, _sums(G, us, vs, 1 / np.maximum(G.degrees, 1)))


@dispatched(directed=False)
def preferential_attachment(G: BackendGraph, ebunch: Iterable[tuple] | None = None) -> Iterator[tuple]:
    """See `nx.preferential_attachment`."""
    pairs, us, vs = _ends(G, ebunch)
    return iter([(u, v, score) for (u, v), score in zip(pairs, (G.degrees[us] * G.degrees[vs]).tolist())])


@dispatched(directed=False)
def common_neighbor_centrality(
    G: BackendGraph, ebunch: Iterable[tuple] | None = None, alpha: float = 0.8
) -> Iterator[tuple]:
    """See `nx.common_neighbor_centrality`."""
    pairs, us, vs = _ends(G, ebunch)
    common = _sums(G, us, vs, np.ones(len(G))).astype(np.int64).tolist()
    if alpha == 1:
        return iter([(u, v, score) for (u, v), score in zip(pairs, common)])
    hops = [hops_both_ends(G, u, v) for u, v in zip(us.tolist(), vs.tolist())]
    far = [float("inf") if way is None else len(way) - 1 for way in hops]
    scores = (alpha * shared + (1 - alpha) * len(G) / d for shared, d in zip(common, far))
    return iter([(u, v, score) for (u, v), score in zip(pairs, scores)])


def _communities(G: BackendGraph, name: str) -> np.ndarray:
    """The number of the community that an attribute gives to each node."""
    data = G.node_data or []
    if len(data) < len(G) or any(name not in attributes for attributes in data):
        raise NotImplementedError("NetworkX names the first node without a community")
    numbers: dict[Any, int] = {}
    try:
        return np.array([numbers.setdefault(d[name], len(numbers)) for d in data], np.int64).reshape(len(G))
    except TypeError:
        raise NotImplementedError("communities that cannot be keys are for NetworkX") from None


def _within(
    G: BackendGraph, us: np.ndarray, vs: np.ndarray, gains: np.ndarray, name: str
) -> tuple[np.ndarray, np.ndarray]:
    """What common neighbours in the community of both ends count, 0 where these differ; and whether they agree."""
    of, total = _communities(G, name), np.zeros(us.size)
    alike = of[us] == of[vs]
    for community in np.unique(of[us[alike]]).tolist():
        chosen = np.flatnonzero(alike & (of[us] == community))
        total[chosen] = _sums(G, us[chosen], vs[chosen], np.where(of == community, gains, 0.0))
    return total, alike


@dispatched(directed=False)
def cn_soundarajan_hopcroft(
    G: BackendGraph, ebunch: Iterable[tuple] | None = None, community: str = "community"
) -> Iterator[tuple]:
    """See `nx.cn_soundarajan_hopcroft`."""
    pairs, us, vs = _ends(G, ebunch)
    every = np.ones(len(G))
    scores = _sums(G, us, vs, every) + _within(G, us, vs, every, community)[0]
    return iter([(u, v, score) for (u, v), score in zip(pairs, scores.astype(np.int64).tolist())])


@dispatched(directed=False)
def ra_index_soundarajan_hopcroft(
    G: BackendGraph, ebunch: Iterable[tuple] | None = None, community: str = "community"
) -> Iterator[tuple]:
    """See `nx.ra_index_soundarajan_hopcroft`."""
    pairs, us, vs = _ends(G, ebunch)
    return _triples(pairs, _within(G, us, vs, 1 / np.maximum(G.degrees, 1), community)[0])


@dispatched(directed=False)
def within_inter_cluster(
    G: BackendGraph, ebunch: Iterable[tuple] | None = None, delta: float = 0.001, community: str = "community"
) -> Iterator[tuple]:
    """See `nx.within_inter_cluster`."""
    if delta <= 0:
        raise nx.NetworkXAlgorithmError("Delta must be greater than zero")
    pairs, us, vs = _ends(G, ebunch)
    within, alike = _within(G, us, vs, np.ones(len(G)), community)
    scores = within / (_sums(G, us, vs, np.ones(len(G))) - within + delta)
    return iter([(u, v, s if same else 0) for (u, v), s, same in zip(pairs, scores.tolist(), alike.tolist())])
