"""Core numbers with the order that proves them: peeling the vertex of fewest neighbours left, one after the other.

Returns core numbers, as `kcore` does, and `.order`, the smallest-last order of Matula and Beck (1983): each vertex
has at most its core number of neighbours behind it, and core numbers ascend, so that no vertex can be in a denser core.
That makes the certificate one pass. A directed graph is read as undirected; loops play no role. Method: Batagelj and
Zaversnik (2003), vertices in buckets by degree, linear in arcs, on one thread. `kcore` uses all threads; it is the one
to call for the numbers alone.
"""

from __future__ import annotations

import numpy as np

from nearly.algorithms.kcore import kcore
from nearly.algorithms.kcore.kernels import loopless_degrees, support
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


class CoreDecompositionResult(Result):
    """Core numbers and the order of peeling."""

    shows = "cores"

    values: np.ndarray = field("the core number of each vertex, int32", column="core")
    order: np.ndarray = field("the vertices in the order of peeling, int64")
    degeneracy: int = field("the largest core number")


def certificate(graph: Graph, result: CoreDecompositionResult) -> Certificate:
    """Enough neighbours of its number or more for each vertex, and no more behind it in an order that ascends."""
    claim = "each vertex has as many neighbours of its number or more, and no more than that behind it in the order"
    core, order = np.ascontiguousarray(result.values, np.int64), np.asarray(result.order, np.int64)
    if not np.array_equal(np.sort(order), np.arange(graph.n)) or (np.diff(core[order]) < 0).any():
        return Certificate(False, claim)
    place = np.empty(graph.n, np.int64)
    place[order] = np.arange(graph.n)
    offsets, targets, _ = graph.symmetrized().arrays
    backing, behind = support(offsets, targets, core), support(offsets, targets, place)
    return Certificate(bool((backing >= core).all() and (behind <= core).all()), claim, 0.0)


@algorithm(memory=Needs(vertex=48), policies=ONE_POLICY, certificate=certificate, undirected=True, direct=True)
def core_decomposition(run: Run) -> CoreDecompositionResult:
    """Core numbers, and a smallest-last order: each vertex has at most its core number of neighbours behind it.

    A directed graph is read as undirected.

    Examples
    --------
    >>> import nearly
    >>> r = nearly.core_decomposition(nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3]))
    >>> r.values.tolist(), r.order.tolist(), r.degeneracy
    ([2, 2, 2, 1], [3, 0, 1, 2], 2)
    """
    graph = run.graph
    offsets, targets, _ = graph.arrays
    degree, order = np.empty(graph.n, np.int32), np.empty(graph.n, targets.dtype)
    loopless_degrees(offsets, targets, degree)

    def work() -> int:
        run.launch(peel_smallest, offsets, targets, degree, order, run.stop)
        return graph.m

    at_once(run, work)
    return CoreDecompositionResult(degree, order=order.astype(np.int64), degeneracy=int(degree.max(initial=0)))


def degeneracy(graph: Graph) -> int:
    """The largest k for which some subgraph has at least k neighbours for each of its vertices.

    Parameters
    ----------
    graph : Graph
        The graph; a directed one is read as undirected.

    Returns
    -------
    int
        The largest core number, 0 without edges.

    Examples
    --------
    >>> import nearly
    >>> nearly.degeneracy(nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3]))
    2
    """
    if not isinstance(graph, Graph):
        raise InvalidArgumentError(f"degeneracy needs a nearly.Graph, not {type(graph).__name__}")
    return kcore(graph).degeneracy


@kernel
def peel_smallest(offsets, targets, degree, order, stop):
    """Peel one vertex of least degree after the other; `degree` ends as core numbers.

    `order` is sorted by degree all the time: a vertex that loses a neighbour changes places with the first of its
    bucket, which then begins one later.
    """
    n = np.uint64(order.size)
    most = U0
    for v in range(n):
        most = max(most, np.uint64(degree[v]))
    bucket, place = np.zeros(most + np.uint64(2), np.uint64), np.empty(n, np.uint64)
    for v in range(n):
        bucket[np.uint64(degree[v]) + U1] += U1
    for d in range(most + U1):
        bucket[d + U1] += bucket[d]
    for v in range(n):
        d = np.uint64(degree[v])
        place[v] = bucket[d]
        order[bucket[d]] = v
        bucket[d] += U1
    for d in range(most + U1, U0, -1):
        bucket[d] = bucket[np.uint64(d) - U1]
    bucket[U0] = U0
    for i in range(n):
        if i & EVERY == U0 and not going(stop):
            return
        u = np.uint64(order[i])
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if degree[v] > degree[u]:
                d = np.uint64(degree[v])
                here, there = place[v], bucket[d]
                other = np.uint64(order[there])
                order[here], order[there] = other, v
                place[other], place[v] = here, there
                bucket[d] += U1
                degree[v] -= 1
