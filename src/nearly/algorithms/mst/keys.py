"""Weights as the spanning forest's algorithms read them, and the way from the undirected view back to given arcs.

A key is an unsigned number that compares as its weight does; `ordered` makes it from the bits of the weight. A graph
whose vertices were renumbered gets keys of 64 bits, in which the given order of edges breaks ties.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.algorithms.mst.kernels import KeyedRows, lightest_arcs, ordered_all, rows_of
from nearly.engine.transform.graph_map import NO_ARC, GraphMap
from nearly.graph.csr import Graph
from nearly.graph.opposite_arcs import opposite_arcs

_POSITION, _LAST = np.uint64(32), np.uint64(2**32 - 1)


class Keys(NamedTuple):
    """Weight bits beside the arcs, none where all edges weigh the same; `sign` is the sign bit of floats, else 0."""

    bits: np.ndarray
    sign: np.uint64


def keys_of(graph: Graph, weighted: bool) -> Keys:
    """The graph's weights as bits that `ordered` turns into keys."""
    if not weighted:
        return Keys(np.empty(0, np.uint32), np.uint64(0))
    weights = graph.arrays.weights
    width = 8 * weights.itemsize
    sign = 1 << (width - 1) if weights.dtype.kind == "f" else 0
    return Keys(weights.view(np.uint64 if width == 64 else np.uint32), np.uint64(sign))


def keyed_rows(graph: Graph, keys: Keys) -> KeyedRows:
    """The graph's rows with keys beside them, as kernels take them."""
    return KeyedRows(*graph.arrays[:2], *keys)


def given_order(moved: GraphMap, weighted: bool) -> Keys:
    """Keys for a graph whose vertices have other numbers: among equal weights the given graph's order of edges decides.

    An edge that was added comes after all others of its weight: it stands for two that are no heavier.
    """
    if moved.given.m > int(_LAST):  # too many for keys of 64 bits: ties are broken in any way
        return keys_of(moved.graph, weighted)
    known = moved.graph.__dict__.setdefault("_given_order", {})
    if weighted not in known:
        edge = np.full(moved.graph.m, _LAST)
        own = slice(None) if moved.arcs is None else moved.arcs != NO_ARC
        given = np.arange(moved.given.m, dtype=np.uint64) if moved.arcs is None else moved.arcs[own]
        edge[own] = np.minimum(given, opposite_arcs(moved.given)[given])
        known[weighted] = Keys(edge | _ranks(moved.graph, weighted) << _POSITION, np.uint64(0))
    return known[weighted]


def _ranks(graph: Graph, weighted: bool) -> np.ndarray:
    """The weights as whole numbers of 32 bits that compare alike."""
    if not weighted:
        return np.zeros(graph.m, np.uint64)
    if graph.arrays.weights.itemsize == 8:
        return np.unique(graph.arrays.weights + 0.0, return_inverse=True)[1].astype(np.uint64)  # -0 is 0
    keys = np.empty(graph.m, np.uint64)
    ordered_all(*keys_of(graph, True), keys)
    return keys


def ascending(arcs: np.ndarray, m: int) -> np.ndarray:
    """Different arcs in order; where they are a good part of all m, marking them is faster than sorting."""
    if m > 16 * arcs.size:
        return np.sort(arcs)
    marked = np.zeros(m, np.bool_)
    marked[arcs] = True
    return np.flatnonzero(marked).view(np.uint64)


def arcs_in(given: Graph, view: Graph, arcs: np.ndarray, weighted: bool) -> np.ndarray:
    """Edges of the undirected view as the lightest arcs of the graph it was made from, ascending."""
    own = np.empty_like(arcs)
    lightest_arcs(keyed_rows(given, keys_of(given, weighted)), *ends_of(view, arcs), own)
    return ascending(own, given.m)


def ends_of(graph: Graph, arcs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The source and the target of each arc; arcs ascend."""
    offsets, targets, _ = graph.arrays
    tail = np.empty(arcs.size, targets.dtype)
    rows_of(offsets, arcs, tail)
    return tail, targets[arcs]


def total_weight(graph: Graph, arcs: np.ndarray, weighted: bool) -> float:
    """The sum of the arcs' weights, each 1 where there are none."""
    return float(graph.arrays.weights[arcs].sum(dtype=np.float64)) if weighted else float(arcs.size)
