"""Whether the vertices fall into two sides with every edge between them; if not, a cycle of odd length shows it.

Returns the side of each vertex, 0 or 1 (the smallest vertex of each component is on side 0), or -1 for all of them
where there is an odd cycle, which is `.odd_cycle` then. A directed graph is read as undirected; a loop is an odd cycle.
Method: breadth first; sides alternate, and the first edge between two vertices of one side ends the search, because
their paths to where they part in the tree close an odd cycle.
"""

from __future__ import annotations

import numpy as np

from nearly.accuracy.judges import SIDES
from nearly.algorithms.shared.turns import EVERY, at_once
from nearly.base.atomics import going
from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class BipartiteResult(Result):
    """Two sides, or an odd cycle."""

    shows = "classes"

    values: np.ndarray = field(
        "the side of each vertex, 0 or 1, int8; -1 everywhere if there is an odd cycle", column="side"
    )
    is_bipartite: bool = field("whether there are two sides")
    odd_cycle: np.ndarray = field("the vertices of a cycle of odd length, int64; none if there are two sides")


def certificate(graph: Graph, result: BipartiteResult) -> Certificate:
    """Every edge joins the two sides; or the odd cycle is one."""
    view, values = graph.symmetrized(), np.asarray(result.values, np.int8)
    if result.is_bipartite:
        ok = bool(np.isin(values, (0, 1)).all()) and int(count_inside(*view.arrays[:2], values)) == 0
        return Certificate(ok, "every edge joins the two sides", 0.0)
    cycle = np.asarray(result.odd_cycle, np.int64)
    ok = cycle.size % 2 == 1 and bool((values == -1).all()) and _closed(view, cycle)
    return Certificate(ok, "there is a cycle of odd length", 0.0)


def _closed(graph: Graph, cycle: np.ndarray) -> bool:
    """Whether there is an edge from each of these vertices to the next, and from the last to the first."""
    offsets, targets, _ = graph.arrays
    if not cycle.size or cycle.min() < 0 or cycle.max() >= graph.n or np.unique(cycle).size < cycle.size:
        return False
    rows = (targets[int(offsets[u]) : int(offsets[u + 1])] for u in cycle.tolist())
    return all(bool((row == v).any()) for row, v in zip(rows, np.roll(cycle, -1).tolist()))


@algorithm(
    memory=Needs(vertex=12), policies=ONE_POLICY, certificate=certificate, judge=SIDES, undirected=True, direct=True
)
def bipartite(run: Run) -> BipartiteResult:
    """Two sides with every edge between them, or an odd cycle, which shows that there are none.

    A directed graph is read as undirected.

    Examples
    --------
    >>> import nearly
    >>> nearly.bipartite(nearly.Graph.from_edges([0, 1, 2], [1, 2, 3])).values.tolist()
    [0, 1, 0, 1]
    >>> r = nearly.bipartite(nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3]))
    >>> r.is_bipartite, sorted(r.odd_cycle.tolist())
    (False, [0, 1, 2])
    """
    graph = run.graph
    offsets, targets, _ = graph.arrays
    side = np.zeros(graph.n, np.int8)  # 1 and 2, 0 where the search has not been: memory that is not read costs nothing
    queue, above, clash = np.empty(graph.n, np.uint32), np.empty(graph.n, np.uint32), np.zeros(2, np.uint64)
    agreed = [True]

    def work() -> int:
        found, arcs = run.launch(take_sides, offsets, targets, side, queue, above, clash, run.stop)
        agreed[0] = not found
        return int(arcs)

    at_once(run, work)
    if agreed[0]:
        return BipartiteResult(side - np.int8(1), is_bipartite=True, odd_cycle=np.empty(0, np.int64))
    cycle = odd_cycle(queue, above, *clash.tolist())
    return BipartiteResult(np.full(graph.n, -1, np.int8), is_bipartite=False, odd_cycle=cycle)


def odd_cycle(queue: np.ndarray, above: np.ndarray, i: int, j: int) -> np.ndarray:
    """The cycle of an edge between two vertices equally far from the root: up to where their paths meet, and down.

    They are given by their places in the queue; `above` has for each place that of the vertex the search came from.
    """
    up, down = [i], [j]
    while up[-1] != down[-1]:
        up.append(int(above[up[-1]]))
        down.append(int(above[down[-1]]))
    return queue[up + down[-2::-1]].astype(np.int64)


@kernel
def take_sides(offsets, targets, side, queue, above, clash, stop):
    """Breadth first, sides alternating; (whether there is an edge within a side, how many arcs were visited).

    The places of the ends of that edge in the queue are in `clash`.
    """
    n, arcs = np.uint64(side.size), U0
    for s in range(n):
        if side[s] > 0:
            continue
        side[s] = 1
        queue[U0], above[U0] = s, U0
        low, high = U0, U1
        while low < high:
            if low & EVERY == U0 and not going(stop):
                return False, arcs
            u = np.uint64(queue[low])
            low += U1
            arcs += offsets[u + U1] - offsets[u]
            for e in range(offsets[u], offsets[u + U1]):
                v = np.uint64(targets[e])
                if side[v] == 0:
                    side[v] = 3 - side[u]
                    queue[high], above[high] = v, low - U1
                    high += U1
                elif side[v] == side[u]:
                    clash[U0] = low - U1
                    while queue[clash[U1]] != v:
                        clash[U1] += U1
                    return True, arcs
    return False, arcs


@kernel
def count_inside(offsets, targets, side):
    """How many arcs have both ends on one side."""
    inside = U0
    for u in range(np.uint64(side.size)):
        for e in range(offsets[u], offsets[u + U1]):
            inside += np.uint64(side[u] == side[targets[e]])
    return inside
