"""Bridges: the edges without which a component falls apart, those on no cycle.

Returns a bool for each arc of the given graph; `.edges` are the arcs that stand for the bridges, one each, and
`.pairs` their ends. A directed graph is read as undirected: the arcs of both directions between two vertices are one
edge. Parallel edges of an undirected graph are no bridge, nor are loops. Method: one depth-first search with low
points (`shared.lowpoints`). The certificate finds bridges another way, from the cycles of a breadth-first forest.
"""

from __future__ import annotations

import numpy as np

from nearly.accuracy.judges import ARC_SETS
from nearly.algorithms.shared.cycle_joins import joined
from nearly.algorithms.shared.lowpoints import bridges_of_arcs, lowpoints
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class BridgesResult(Result):
    """Edges without which a component falls apart."""

    per = "arc"
    shows = "members"

    values: np.ndarray = field("whether each arc is a bridge, bool", column="bridge")
    edges: np.ndarray = field("an arc for each bridge, ascending indices, int64")
    pairs: np.ndarray = field("the ends of each of these, the smaller first, int64 of two columns")
    count: int = field("how many bridges there are")


def certificate(graph: Graph, result: BridgesResult) -> Certificate:
    """The tree edges of a breadth-first forest that no cycle goes through, and they alone, are bridges."""
    found = joined(graph)
    bare = ~found.closed[found.part]
    expected = arcs_among(graph, found.parent, bare & (found.parent != np.arange(graph.n)))
    ok = np.array_equal(np.asarray(result.values, bool), expected)
    return Certificate(ok, "just these edges lie on no cycle that an edge outside a breadth-first forest closes", 0.0)


def arcs_among(graph: Graph, parent: np.ndarray, bridge: np.ndarray) -> np.ndarray:
    """Tree edges as arcs of the graph."""
    values = np.empty(graph.m, np.bool_)
    bridges_of_arcs(*graph.arrays[:2], parent, bridge, values)
    return values


def one_arc_each(graph: Graph, values: np.ndarray) -> np.ndarray:
    """The first of the arcs between the same two vertices, for those where `values` is true."""
    arcs = np.flatnonzero(values)
    ends = ends_of(graph, arcs)
    return np.sort(arcs[np.unique(ends[:, 0] * graph.n + ends[:, 1], return_index=True)[1]])


def ends_of(graph: Graph, arcs: np.ndarray) -> np.ndarray:
    """The two ends of each arc, the smaller first."""
    offsets, targets, _ = graph.arrays
    sources = np.searchsorted(offsets, arcs.astype(np.uint64), side="right") - 1
    return np.sort(np.stack([sources, targets[arcs].astype(np.int64)], 1), axis=1)


@algorithm(
    memory=Needs(vertex=44, arc=1),
    policies=ONE_POLICY,
    certificate=certificate,
    judge=ARC_SETS,
    undirected=True,
    direct=True,
)
def bridges(run: Run) -> BridgesResult:
    """Bridges: the edges on no cycle, without which what was connected falls apart.

    A directed graph is read as undirected. There is a value for each arc of the graph, the same for both directions.

    Examples
    --------
    >>> import nearly
    >>> r = nearly.bridges(nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3]))
    >>> r.values.tolist(), r.pairs.tolist(), r.count
    ([False, False, False, True], [[2, 3]], 1)
    """
    found, graph = lowpoints(run), run.source or run.given
    values = arcs_among(graph, found.parent, found.bridge)
    return BridgesResult(
        values,
        edges=lambda: one_arc_each(graph, values),
        pairs=lambda: ends_of(graph, one_arc_each(graph, values)),
        count=int(np.count_nonzero(found.bridge)),
    )
