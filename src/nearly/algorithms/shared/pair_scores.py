"""How alike two vertices are, for many pairs: a sum over the neighbours they have in common.

`jaccard`, `common_neighbors`, `adamic_adar` and `resource_allocation` differ in what a common neighbour counts. Rows
ascend, so two of about the same length are merged; of two that differ much, the longer one is searched for each
neighbour of the shorter. Where the pairs are the ends of all arcs, each row is marked once, and the rows of its
neighbours of lower degree are read against the marks; the arc back has the same sum. A directed graph is read as
undirected; loops and parallel edges play no role. Workers take pairs from a cursor, and each sum is in the order of the
row, the same for any number of threads. The certificate intersects rows again, by NumPy: those of all pairs, or of some
where there are many.

A score is a `Score`: what a common neighbour counts, and what is made of the sums. `@scored` makes the algorithm.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from nearly.accuracy.judges import ARC_SCORES
from nearly.algorithms.shared.row_search import first_from
from nearly.algorithms.shared.turns import at_once
from nearly.base.arguments import as_array
from nearly.base.atomics import fetch_add, going
from nearly.base.errors import InvalidArgumentError
from nearly.base.jit import kernel, light_kernel, parallel_kernel
from nearly.base.unsigned import U0, U1
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.needs import Needs, memory_of_pairs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.row_pieces import cursor
from nearly.engine.run import Run
from nearly.graph.csr import Graph
from nearly.graph.opposite_arcs import opposite_arcs

_BATCH = np.uint64(256)  # pairs that a worker takes at a time
_ROWS = np.uint64(32)  # rows that a worker takes at a time
_STEEP = np.uint64(16)  # how many times longer a row must be to be searched rather than merged
_CHECKED = 1 << 13  # pairs that a certificate looks at; of more, half the largest scores and half at random


class Score(NamedTuple):
    """How a score is made of common neighbours."""

    gain: Callable[[np.ndarray], np.ndarray]  # what each counts, from the degrees of all vertices
    finish: Callable[[np.ndarray, np.ndarray], np.ndarray] = lambda sums, degrees: sums  # degrees of both ends, added


class PairScoresResult(Result):
    """Scores of pairs of vertices."""

    per = "arc"

    values: np.ndarray = field(
        "the score of each pair: float64, or int64 where it is a number of vertices", column="score"
    )
    pairs: np.ndarray | None = field("the pairs; None for the ends of all arcs")


def scored(score: Score) -> Callable[..., Any]:
    """The decorator that makes an algorithm of a score; its body returns `scores_of_pairs`."""
    return algorithm(
        memory=Needs(vertex=16, more=memory_of_pairs),
        policies=ONE_POLICY,
        certificate=partial(check_scores, score),
        judge=ARC_SCORES,
        undirected=True,
        direct=True,
    )


def checked_pairs(graph: Graph, pairs: Any) -> tuple[np.ndarray, np.ndarray]:
    """The two ends of the pairs; of all arcs where none are given."""
    if pairs is None:
        return graph.arc_rows(), graph.arrays.targets
    given, kind = as_array("pairs", pairs, "an array of pairs"), graph.arrays.targets.dtype
    if given.size == 0:
        return np.empty(0, kind), np.empty(0, kind)
    if given.ndim != 2 or given.shape[1] != 2 or given.dtype.kind not in "iu":
        raise InvalidArgumentError(
            f"pairs must hold two vertices in each row, not {given.dtype} of shape {given.shape}; for two arrays use "
            "numpy.stack([u, v], 1)"
        )
    if given.min() < 0 or given.max() >= graph.n:
        wrong = given[(given < 0) | (given >= graph.n)][0]
        raise InvalidArgumentError(f"pairs holds {wrong}, which is no vertex of this graph of {graph.n}")
    return given[:, 0].astype(kind), given[:, 1].astype(kind)


def plain_degrees(graph: Graph) -> np.ndarray:
    """uint32[n]: how many neighbours each vertex of an undirected graph has, itself not counted; kept with it."""
    known = graph.__dict__.get("_plain_degrees")
    if known is None:
        known = np.empty(graph.n, np.uint32)
        count_neighbors(*graph.arrays[:2], known)
        graph.__dict__["_plain_degrees"] = known
    return known


def scores_of_pairs(run: Run, pairs: Any, score: Score) -> PairScoresResult:
    """The scores of the pairs, or of the ends of all arcs."""
    graph, given = run.graph, run.source or run.given
    us, vs = checked_pairs(given, pairs)
    degrees = plain_degrees(graph)
    gains, sums = np.ascontiguousarray(score.gain(degrees), np.float64), np.empty(us.size)
    rows = graph.arrays[:2]
    work = int(us.size) * max(graph.m // max(graph.n, 1), 1)

    def add_up() -> int:
        if pairs is not None:
            return run.launch(sum_common, rows, us, vs, gains, sums, cursor(), run.threads, run.stop, work=work)
        along = sums if given is graph else np.empty(graph.m)
        run.launch(sum_along_rows, rows, gains, along, cursor(), run.threads, run.stop, work=work)
        copy_back(rows, opposite_arcs(graph), along)
        if given is not graph:
            pick_arcs(given.arrays[:2], rows, along, sums)
        return graph.m

    at_once(run, add_up)
    values = score.finish(sums, degrees[us].astype(np.float64) + degrees[vs])
    return PairScoresResult(values, pairs=None if pairs is None else np.asarray(pairs))


def check_scores(score: Score, graph: Graph, result: PairScoresResult) -> Certificate:
    """Intersecting rows by NumPy gives the same: the largest scores and some others."""
    values, view = np.asarray(result.values), graph.symmetrized()
    us, vs = checked_pairs(graph, result.pairs)
    claim = f"the scores of {min(_CHECKED, us.size):,} of the pairs, the largest among them, follow from their rows"
    if values.shape != us.shape or not np.isfinite(values).all():
        return Certificate(False, claim)
    first = np.argsort(-values, kind="stable")[: _CHECKED // 2]
    others = np.random.default_rng(1).permutation(us.size)[: _CHECKED // 2]
    chosen = np.unique(np.concatenate([first, others])) if us.size > _CHECKED else np.arange(us.size)
    degrees, sums = plain_degrees(view), np.empty(chosen.size)
    gains = score.gain(degrees)
    for i, (u, v) in enumerate(zip(us[chosen].tolist(), vs[chosen].tolist())):
        one, other = (view.arrays.targets[int(view.offsets[x]) : int(view.offsets[x + 1])] for x in (u, v))
        common = np.intersect1d(one, other)
        sums[i] = gains[common[(common != u) & (common != v)]].sum()
    right = score.finish(sums, degrees[us[chosen]].astype(np.float64) + degrees[vs[chosen]])
    return Certificate(bool(np.allclose(values[chosen], right, rtol=1e-9, atol=1e-12)), claim, 0.0)


@kernel
def count_neighbors(offsets, targets, degree):
    """How many different neighbours each vertex has, without itself."""
    for u in range(np.uint64(degree.size)):
        count, last = U0, u
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            count += np.uint64(v != u and v != last)
            last = v
        degree[u] = count


@light_kernel
def sum_of_pair(offsets, targets, u, v, gains):
    """The sum over the common neighbours of two vertices, none counted twice, and neither of the two."""
    low, end, other, other_end = offsets[u], offsets[u + U1], offsets[v], offsets[v + U1]
    if other_end - other < end - low:
        low, end, other, other_end = other, other_end, low, end
    steep = (other_end - other) > _STEEP * (end - low)
    total, last = 0.0, np.uint64(gains.size)
    while low < end and other < other_end:
        w = np.uint64(targets[low])
        low += U1
        if steep:
            other = first_from(targets, other, other_end, w)
        else:
            while other < other_end and np.uint64(targets[other]) < w:
                other += U1
        if other < other_end and np.uint64(targets[other]) == w and w != last and w != u and w != v:
            total += gains[w]
            last = w
    return total


@parallel_kernel
def sum_common(rows, us, vs, gains, sums, place, workers, stop):
    """`sum_of_pair` for all pairs; returns how many there are."""
    offsets, targets = rows
    size = np.uint64(us.size)
    for _ in prange(workers):
        start = fetch_add(place, U0, _BATCH)
        while start < size and going(stop):
            for i in range(start, min(start + _BATCH, size)):
                sums[i] = sum_of_pair(offsets, targets, np.uint64(us[i]), np.uint64(vs[i]), gains)
            start = fetch_add(place, U0, _BATCH)
    return size


@light_kernel
def is_shorter(offsets, u, v):
    """Whether the arc from u to v is the one of the two that is summed: v has the shorter row."""
    mine, other = offsets[u + U1] - offsets[u], offsets[v + U1] - offsets[v]
    return other < mine or (other == mine and v <= u)


@light_kernel
def sum_of_row(offsets, targets, u, marked, gains, sums):
    """The sums of the arcs of u that lead to shorter rows."""
    for a in range(offsets[u], offsets[u + U1]):
        marked[targets[a]] = True
    marked[u] = False
    for a in range(offsets[u], offsets[u + U1]):
        v = np.uint64(targets[a])
        if is_shorter(offsets, u, v):
            total, last = 0.0, np.uint64(gains.size)
            for b in range(offsets[v], offsets[v + U1]):
                w = np.uint64(targets[b])
                if marked[w] and w != v and w != last:
                    total += gains[w]
                    last = w
            sums[a] = total
    for a in range(offsets[u], offsets[u + U1]):
        marked[targets[a]] = False


@parallel_kernel
def sum_along_rows(rows, gains, sums, place, workers, stop):
    """`sum_of_row` for all rows."""
    offsets, targets = rows
    n = np.uint64(gains.size)
    for _ in prange(workers):
        marked = np.zeros(n, np.bool_)
        start = fetch_add(place, U0, _ROWS)
        while start < n and going(stop):
            for u in range(start, min(start + _ROWS, n)):
                sum_of_row(offsets, targets, u, marked, gains, sums)
            start = fetch_add(place, U0, _ROWS)


@kernel
def copy_back(rows, mirror, sums):
    """The sums of the other arcs: those of the arcs back."""
    offsets, targets = rows
    for u in range(np.uint64(offsets.size - 1)):
        for a in range(offsets[u], offsets[u + U1]):
            if not is_shorter(offsets, u, np.uint64(targets[a])):
                sums[a] = sums[mirror[a]]


@kernel
def pick_arcs(given, rows, along, sums):
    """The sums of the arcs of a directed graph, from those of its undirected view."""
    offsets, targets = rows
    for u in range(np.uint64(offsets.size - 1)):
        b = offsets[u]
        for a in range(given[0][u], given[0][u + U1]):
            while targets[b] < given[1][a]:
                b += U1
            sums[a] = along[b]
