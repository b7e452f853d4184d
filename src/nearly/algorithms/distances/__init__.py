"""Distances of given pairs of vertices: the length of the shortest path from the first to the second of each.

Returns float64 values, one for each pair, inf where there is no way. Weights count where the graph has them, as they do
for `sssp`; without weights an arc is one hop.
Method: a search from both ends of each pair (`kernels`), workers take pairs. `nearly.DistanceIndex` answers with
intervals in a microsecond a pair, for many pairs of the same graph. A round is a share of the pairs; pairs left
out by `max_rounds` are inf, which makes the values an `upper bound`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.accuracy.judges import ARC_SCORES
from nearly.algorithms.distances.search import PairSearch
from nearly.algorithms.shared.pair_scores import checked_pairs
from nearly.algorithms.shared.weights import forbid_negative, uses_weights
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.needs import Needs, count_of_pairs, memory_of_pairs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

_SHARE = 1 << 12  # pairs of a round
_FIRST, _EIGHTH = 8, 8  # where a run may be cut short: pairs of the first round, and what a later one has of all before
_CHECKED = 1 << 22  # vertices and arcs that a certificate may visit
_FEW = 12  # sources that it checks at least


class DistancesResult(Result):
    """Distances of pairs."""

    per = "arc"
    shows = "distances"

    values: np.ndarray = field("the distance of each pair, float64; inf where there is no way", column="distance")
    pairs: np.ndarray | None = field("the pairs; None for the ends of all arcs")
    weighted: bool = field("whether lengths are sums of weights")


def certificate(graph: Graph, result: DistancesResult) -> Certificate:
    """Search from the first vertices of some pairs, and compare."""
    from nearly.algorithms.sssp import sssp

    us, vs = checked_pairs(graph, result.pairs)
    values = np.asarray(result.values, np.float64)
    sources = np.unique(us)[: max(_FEW, _CHECKED // max(graph.n + graph.m, 1))]
    slack = 1e-5 if result.weighted and graph.arrays.weights.dtype == np.float32 else 1e-9
    ok, checked = bool((values >= 0).all()) and values.size == us.size, 0
    for source in sources:
        rows = np.flatnonzero(us == source)
        right = np.asarray(sssp(graph, int(source), weights=result.weighted).values)[vs[rows].astype(np.int64)]
        fits = np.isclose(values[rows], right, rtol=slack, atol=0)
        ok = ok and bool((fits | ((values[rows] > right) & (result.guarantee != "exact"))).all())
        checked += rows.size
    return Certificate(ok, f"searches from one end give {checked:,} of the distances again", 0.0)


@algorithm(
    memory=Needs(vertex=16, thread=48, reverse=True, more=memory_of_pairs),
    policies=ONE_POLICY, certificate=certificate, judge=ARC_SCORES, direct=True, cut_short="up",
    work=lambda graph, arguments: 0.1 * (graph.n + graph.m) * count_of_pairs(graph, arguments["pairs"]),
)  # fmt: skip
def distances(run: Run, pairs: Any = None, *, weights: bool = True) -> DistancesResult:
    """Lengths of the shortest paths from the first to the second vertex of each pair (inf where there is none).

    Parameters
    ----------
    pairs : array_like of int, optional
        Two vertices in each row; by default the ends of every arc.
    weights : bool
        False counts 1 for every arc, as it does on a graph without weights.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 0, 1], [1, 2, 2], weights=[2, 7, 3], n=4)
    >>> nearly.distances(g, [(0, 2), (1, 1), (2, 0)]).values.tolist()
    [5.0, 0.0, inf]
    """
    graph, done = run.graph, 0
    (us, vs), weighted = checked_pairs(graph, pairs), uses_weights(graph, weights)
    if weighted:
        forbid_negative(graph, "distances", "count hops")
    values, search = np.full(us.size, np.inf), PairSearch(run, graph, weighted)

    def step() -> list[Did] | None:
        nonlocal done
        most = min(_FIRST + done // _EIGHTH, _SHARE) if run.cut_short else _SHARE
        share = slice(done, done + most)
        if done >= us.size:
            return None
        values[share] = search.find(us[share], vs[share])
        done += us[share].size
        return [Did(us[share].size, graph.m)]

    run.enact(step)
    return DistancesResult(
        values, guarantee="exact" if done >= us.size else "upper bound", weighted=weighted,
        pairs=None if pairs is None else np.asarray(pairs),
    )  # fmt: skip
