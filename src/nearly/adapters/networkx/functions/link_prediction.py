"""Scores of pairs of nodes, for NetworkX's link prediction; pairs come out in the order in which they were given.

NetworkX counts a loop as a neighbour in Jaccard's union and twice in degrees, so the sums over common neighbours are
made here from the graph as it is, by the kernel of `nearly.jaccard` and its kin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import networkx as nx
import numpy as np

from nearly.adapters.networkx.backend_graph import BackendGraph
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
