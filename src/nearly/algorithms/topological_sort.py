"""Topological order: every arc leads from an earlier vertex to a later one, if there is no cycle.

Returns the generation of each vertex: how many arcs the longest path that ends there has, and -1 for a vertex on a
cycle or behind one. `.order` lists the vertices that have a generation, generation by generation; `.is_dag` says
whether all have one, and if not, `.cycle` is a cycle. In an undirected graph every edge is a cycle of two arcs.
Method: Kahn's (1962): a vertex is next when all arcs into it have been followed. A queue makes the generations.
"""

from __future__ import annotations

import numpy as np

from nearly.accuracy.judges import GENERATIONS
from nearly.algorithms.shared.turns import EVERY, at_once
from nearly.base.atomics import going
from nearly.base.errors import InvalidArgumentError
from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class TopologicalResult(Result):
    """Generations, and an order in which every arc leads onwards."""

    shows = "spread"

    values: np.ndarray = field("the generation of each vertex, int64; -1 on a cycle or behind one", column="generation")
    order: np.ndarray = field("the vertices that have a generation, every arc between them leading onwards, int64")
    is_dag: bool = field("whether there is no cycle, so that all vertices are in the order")
    cycle: np.ndarray = field(
        "the vertices of a cycle, an arc from each to the next and from the last to the first; or none"
    )


def certificate(graph: Graph, result: TopologicalResult) -> Certificate:
    """Generations follow from those before; what has none is behind a cycle, and a cycle is there."""
    values = np.asarray(result.values, np.int64)
    wrong = int(count_wrong(*graph.arrays[:2], values))
    placed = np.flatnonzero(values >= 0)
    order = np.asarray(result.order, np.int64)
    ok = wrong == 0 and np.array_equal(np.sort(order), placed) and bool((np.diff(values[order]) >= 0).all())
    ok = ok and result.is_dag == (placed.size == graph.n)
    ok = ok and (result.is_dag or _is_cycle(graph, np.asarray(result.cycle, np.int64)))
    claim = "the generation of each vertex is one above the highest with an arc to it, and -1 if one of these has none"
    return Certificate(ok, claim + ("" if result.is_dag else "; the cycle is one"), 0.0)


def _is_cycle(graph: Graph, cycle: np.ndarray) -> bool:
    """Whether these are vertices, each once, with an arc from each to the next."""
    if not cycle.size or cycle.min() < 0 or cycle.max() >= graph.n or np.unique(cycle).size < cycle.size:
        return False
    offsets, targets, _ = graph.arrays
    rows = (targets[int(offsets[u]) : int(offsets[u + 1])] for u in cycle.tolist())
    return all(bool((row == v).any()) for row, v in zip(rows, np.roll(cycle, -1).tolist()))


@algorithm(memory=Needs(vertex=32), policies=ONE_POLICY, certificate=certificate, judge=GENERATIONS, direct=True)
def topological_sort(run: Run) -> TopologicalResult:
    """Generations of a directed acyclic graph, and an order in which every arc leads from earlier to later.

    A graph with cycles has an answer too: vertices on a cycle or behind one have generation -1, `.is_dag` is False, and
    `.cycle` is a cycle.

    Examples
    --------
    >>> import nearly
    >>> r = nearly.topological_sort(nearly.Graph.from_edges([0, 2, 1], [1, 1, 3]))
    >>> r.values.tolist(), r.order.tolist(), r.is_dag
    ([0, 1, 0, 2], [0, 2, 1, 3], True)
    >>> nearly.topological_sort(nearly.Graph.from_edges([0, 1, 2], [1, 2, 1])).cycle.tolist()
    [1, 2]
    """
    graph = run.graph
    offsets, targets, _ = graph.arrays
    values, order, sizes = np.empty(graph.n, np.int64), np.empty(graph.n, targets.dtype), [0]

    def work() -> int:
        sizes[0] = int(run.launch(sort_vertices, offsets, targets, values, order, run.stop))
        return graph.m

    at_once(run, work)
    return TopologicalResult(
        values,
        order=lambda: order[: sizes[0]].astype(np.int64),
        is_dag=sizes[0] == graph.n,
        cycle=lambda: found_cycle(graph, values),
    )


def is_dag(graph: Graph) -> bool:
    """Whether a graph is directed and has no cycle; a loop is one, and so is every undirected edge.

    Parameters
    ----------
    graph : Graph
        The graph.

    Returns
    -------
    bool
        Whether `nearly.topological_sort` puts all vertices in order.

    Examples
    --------
    >>> import nearly
    >>> nearly.is_dag(nearly.Graph.from_edges([0, 1], [1, 2])), nearly.is_dag(nearly.Graph.from_edges([0, 1], [1, 0]))
    (True, False)
    """
    if not isinstance(graph, Graph):
        raise InvalidArgumentError(f"is_dag needs a nearly.Graph, not {type(graph).__name__}")
    return topological_sort(graph).is_dag


def found_cycle(graph: Graph, values: np.ndarray) -> np.ndarray:
    """A cycle among the vertices without a generation: walk back until a vertex comes again."""
    left = np.flatnonzero(values < 0)
    if not left.size:
        return left
    before = np.zeros(graph.n, np.int64)
    note_before(*graph.arrays[:2], values, before)
    place: dict[int, int] = {}
    v = int(left[0])
    while v not in place:
        place[v] = len(place)
        v = int(before[v])
    walked = list(place)[place[v] :]
    return np.roll(np.array(walked[::-1], np.int64), 1)  # the one that came again first


@kernel
def sort_vertices(offsets, targets, values, order, stop):
    """Vertices in the order of generations, rows in theirs; returns how many. `values` gets the generations."""
    n = np.uint64(order.size)
    waiting = np.zeros(n, np.uint64)
    for e in range(np.uint64(targets.size)):
        waiting[targets[e]] += U1
    high = U0
    for v in range(n):
        values[v] = -1
        if waiting[v] == U0:
            values[v] = 0
            order[high] = v
            high += U1
    low = U0
    while low < high:
        if low & EVERY == U0 and not going(stop):
            break
        u = np.uint64(order[low])
        low += U1
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            waiting[v] -= U1
            if waiting[v] == U0:
                values[v] = values[u] + 1
                order[high] = v
                high += U1
    return high


@kernel
def note_before(offsets, targets, values, before):
    """For each vertex without a generation another one with an arc to it."""
    for u in range(np.uint64(values.size)):
        if values[u] < 0:
            for e in range(offsets[u], offsets[u + U1]):
                before[targets[e]] = u


@kernel
def count_wrong(offsets, targets, values):
    """How many vertices do not have the generation that follows from those with an arc to them."""
    n = np.uint64(values.size)
    right = np.zeros(n, np.int64)
    for u in range(n):
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if values[u] < 0:
                right[v] = -1
            elif right[v] >= 0:
                right[v] = max(right[v], values[u] + 1)
    wrong = U0
    for v in range(n):
        wrong += np.uint64(right[v] != values[v])
    return wrong
