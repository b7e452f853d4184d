"""The vertices most similar to one vertex, by Jaccard's coefficient of their neighbourhoods.

Returns the coefficient of every vertex with the source (0 without a common neighbour, and for the source itself);
`.vertices` are the k highest, ties by number, `.scores` theirs. A directed graph is read as undirected; loops
and parallel edges play no role. Method: only vertices two hops away have common neighbours; walking all paths of two
hops counts them, so the cost is that of the neighbours' rows, not of the graph. Within a budget some of the source's
neighbours stand for all (see `budget.estimators.similar`), and coefficients have intervals.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.algorithms.shared.pair_scores import plain_degrees
from nearly.algorithms.shared.turns import at_once
from nearly.base.arguments import is_whole, vertex, whole_number
from nearly.base.atomics import going
from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class SimilarResult(Result):
    """The vertices most similar to one."""

    values: np.ndarray = field(
        "Jaccard's coefficient of each vertex with the source, float64; 0 for itself", column="similarity"
    )
    vertices: np.ndarray = field("those of the highest coefficients, the highest first, int64; at most k, none of 0")
    scores: np.ndarray = field("their coefficients, float64")
    source: int = field("the vertex they are similar to")


def certificate(graph: Graph, result: SimilarResult) -> Certificate:
    """A pass over all rows counts the neighbours of the source in each, and gives the same coefficients and order."""
    view = graph.symmetrized()
    counts = np.empty(graph.n, np.uint64)
    count_marked(*view.arrays[:2], np.uint64(result.source), counts)
    expected = coefficients(counts, plain_degrees(view), result.source)
    if result.guarantee == "statistical":
        return within_intervals(result, expected)
    first = leading(expected, result.vertices.size)
    ok = np.array_equal(result.values, expected) and np.array_equal(result.vertices, first)
    ok = ok and np.array_equal(result.scores, expected[first])
    return Certificate(ok, "counting the neighbours of the source in every row gives the same coefficients", 0.0)


def within_intervals(result: SimilarResult, expected: np.ndarray) -> Certificate:
    """All coefficients, counted, lie in their intervals, and the vertices named are those of the largest values."""
    assert result.interval is not None  # an answer within a budget has an interval and an error
    assert result.error is not None
    low, high = result.interval
    ok = bool((low <= expected).all() and (expected <= high).all())
    off = float(np.abs(result.values - expected).max(initial=0.0))
    first = leading(np.asarray(result.values), result.vertices.size)
    ok = ok and off <= result.error and np.array_equal(result.vertices, first)
    return Certificate(ok, "counting the neighbours of the source in every row gives coefficients within bounds", off)


def two_hop_arcs(graph: Graph, arguments: dict[str, Any]) -> float:
    """How many arcs the neighbours of the source have; and a few visits for each vertex."""
    view, source = graph.symmetrized(), arguments["source"]
    if not is_whole(source) or not 0 <= source < graph.n:
        return graph.m + graph.n  # which is an error when the run begins
    low, high = int(view.offsets[source]), int(view.offsets[source + 1])
    return float(view.out_degrees[view.arrays.targets[low:high]].sum()) + graph.n


@algorithm(
    memory=Needs(vertex=64),
    policies=ONE_POLICY,
    certificate=certificate,
    undirected=True,
    direct=True,
    work=two_hop_arcs,
)
def similar(run: Run, source: int | str, k: int = 10) -> SimilarResult:
    """The k vertices most similar to a vertex, by Jaccard's coefficient of neighbourhoods, and their scores.

    A directed graph is read as undirected.

    Parameters
    ----------
    source : int or str
        The vertex, by index or by name.
    k : int
        How many vertices to name; fewer where fewer share a neighbour with it.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 0, 1, 1, 2], [1, 2, 2, 3, 3], directed=False)
    >>> r = nearly.similar(g, 0, 2)
    >>> r.vertices.tolist(), r.scores.tolist()
    ([3, 1], [1.0, 0.25])
    """
    graph = run.graph
    source = vertex("source", source, graph.n)
    whole_number("k", k)
    counts, middles = np.zeros(graph.n, np.uint64), neighbours_of(graph, source)
    at_once(run, lambda: run.launch(walk_two_hops, *graph.arrays[:2], middles, counts, run.stop))
    values = coefficients(counts, plain_degrees(graph), source)
    first = leading(values, k)
    return SimilarResult(values, vertices=first, scores=values[first], source=source)


def neighbours_of(graph: Graph, source: int) -> np.ndarray:
    """The neighbours of a vertex of an undirected graph, each once and without itself, ascending."""
    row = graph.arrays.targets[int(graph.offsets[source]) : int(graph.offsets[source + 1])]
    return row[(row != source) & np.append(True, row[1:] != row[:-1])[: row.size]]


def coefficients(counts: np.ndarray, degrees: np.ndarray, source: int) -> np.ndarray:
    """Jaccard's coefficients from the numbers of common neighbours."""
    common = counts.astype(np.float64)
    either = degrees + float(degrees[source]) - common
    values = np.divide(common, either, out=np.zeros(counts.size), where=either > 0)
    values[source] = 0.0
    return values


def leading(values: np.ndarray, k: int) -> np.ndarray:
    """The k largest that are above 0, the largest first, ties by number."""
    found = np.flatnonzero(values > 0)
    if found.size > k:
        least = np.partition(values[found], found.size - k)[found.size - k]
        found = found[values[found] >= least]
    return found[np.argsort(-values[found], kind="stable")][:k]


@kernel
def walk_two_hops(offsets, targets, middles, counts, stop):
    """Count for each vertex how many of `middles` are its neighbours; returns how many arcs were walked."""
    arcs = U0
    for i in range(np.uint64(middles.size)):
        if not going(stop):
            break
        u = np.uint64(middles[i])
        arcs += offsets[u + U1] - offsets[u]
        before = u
        for e in range(offsets[u], offsets[u + U1]):
            w = np.uint64(targets[e])
            if w != before and w != u:
                counts[w] += U1
            before = w
    return arcs


@kernel
def count_marked(offsets, targets, source, counts):
    """The same by a pass over all rows."""
    marked = np.zeros(counts.size, np.bool_)
    for e in range(offsets[source], offsets[source + U1]):
        marked[targets[e]] = True
    marked[source] = False
    for w in range(np.uint64(counts.size)):
        count, before = U0, w
        for e in range(offsets[w], offsets[w + U1]):
            v = np.uint64(targets[e])
            count += np.uint64(marked[v] and v != w and v != before)
            before = v
        counts[w] = count
