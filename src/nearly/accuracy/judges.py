"""How results are judged: one number, and finer ones beside it. An algorithm names its judge when it is registered.

A single number invites cheating: stop before the far vertices are reached, call every vertex its own component,
leave the forest's heavy edges out, colour everything alike. Each definition here makes such answers as bad as they
are. All are 0 for the exact answer and unbounded above only where an answer can be worse than none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from nearly.accuracy import partitions, ranks, structures, values
from nearly.accuracy.inputs import array_of, check_algorithms, check_size, two_arrays
from nearly.base.errors import InvalidArgumentError
from nearly.engine.result import Result
from nearly.engine.technique import ALGORITHMS
from nearly.graph.csr import Graph

_LEADING = 100
FAINT = 1e-9  # a modularity this small is that of no structure at all, and no measure for a drop


class Judge(NamedTuple):
    """The two questions asked about a pair of results on a graph, the exact one first."""

    inaccuracy: Callable[[Result, Result, Graph], float]  # one number, 0 for the exact answer
    metrics: Callable[[Result, Result, Graph], dict[str, float]]  # finer ones, by short names
    per_vertex: bool = True  # whether there is a value for every vertex
    local: bool = True  # whether the error on a part of a graph says something of that on the whole


def inaccuracy(exact: Result, approx: Result, graph: Graph) -> float:
    """How far `approx` is from `exact` in one number, 0 for an exact answer, by the definition of its algorithm.

    - sssp, bfs: the mean over all vertices of the relative error, at most 1 each, and 1 for a vertex reached by one
      and not by the other.
    - pagerank, betweenness, and all algorithms not named here: the L1 norm of the difference over that of the exact
      values (where that is 0: 1 if there is a difference).
    - scc, connected_components: 1 - pair F1.
    - mst: weight over exact minus 1, at least 0, plus the share of the exact forest's edges that leave trees unjoined.
    - label_propagation, louvain, leiden: the drop in modularity relative to exact (as it is where exact has none), at
      least 0.
    - triangle_count: the difference of the totals relative to exact.
    - coloring: extra colours relative to exact, plus the share of vertices without a colour, plus the share of arcs
      with one colour at both ends.
    - topk_betweenness: 1 - overlap.
    - diameter, radius, distance_statistics: the difference relative to exact, at most 1.
    - an algorithm of your own: as its judge says.

    Parameters
    ----------
    exact : Result
        The exact result.
    approx : Result
        The result of the same algorithm to be judged.
    graph : Graph
        The graph that both are about.

    Returns
    -------
    float
        0 for an exact answer.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> nearly.accuracy.inaccuracy(nearly.bfs(g, 0), nearly.bfs(g, 0, max_rounds=2), g)
    0.25
    """
    return float(_judge(exact, approx, graph).inaccuracy(exact, approx, graph))


def metrics(exact: Result, approx: Result, graph: Graph) -> dict[str, float]:
    """The finer metrics of the results' algorithm, by short names.

    - pagerank, betweenness, eigenvector, katz, hits: `l1`, `l2`, `linf`, `top-100 overlap`, `kendall tau` (of the
      10,000 vertices with the greatest exact values, where there are more); for pagerank also `global difference`,
      that of the sums.
    - sssp, bfs: `mean relative error`, `p95 relative error`, `max relative error`, `unreached` (by one of the two).
    - scc, connected_components: `parts` (how many more), `ari`, `pair f1`.
    - label_propagation, louvain, leiden: `modularity`, `exact modularity`, `nmi`, `ari`, `parts`.
    - mst: `weight` (relative excess, negative where edges are missing), `missing trees`.
    - triangle_count: `total` (relative difference), and `l1`, `l2`, `linf` of the counts per vertex.
    - coloring: `colors` (how many more), `uncolored` (vertices), `conflicts` (share of arcs).
    - maximal_independent_set: `size` (how many more), `conflicts` (share of arcs).
    - topk_betweenness: `overlap`.
    - all others: `l1`, `l2`, `linf`.

    Parameters
    ----------
    exact : Result
        The exact result.
    approx : Result
        The result of the same algorithm to be judged.
    graph : Graph
        The graph that both are about.

    Returns
    -------
    dict of str to float
        The metrics by name.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> nearly.accuracy.metrics(nearly.bfs(g, 0), nearly.bfs(g, 0, max_rounds=2), g)["unreached"]
    1.0
    """
    found = _judge(exact, approx, graph).metrics(exact, approx, graph)
    return {name: float(value) for name, value in found.items()}


def _judge(exact: Result, approx: Result, graph: Graph) -> Judge:
    for result in (exact, approx):
        if not isinstance(result, Result):
            raise InvalidArgumentError(f"two results are compared, not a {type(result).__name__}")
    check_algorithms(exact, approx)
    entry = ALGORITHMS.find(exact.algorithm)
    judge: Judge = (entry and entry.judge) or NORMS
    if judge.per_vertex:
        check_size(two_arrays(exact, approx)[0], graph.n)
    return judge


def _norms(exact: Result, approx: Result, graph: Graph) -> dict[str, float]:
    measures = (values.l1, values.l2, values.linf)
    return {measure.__name__: measure(exact, approx) for measure in measures}


def _scores(exact: Result, approx: Result, graph: Graph) -> dict[str, float]:
    return _norms(exact, approx, graph) | {
        f"top-{_LEADING} overlap": ranks.top_k_overlap(exact, approx, _LEADING),
        "kendall tau": ranks.kendall_tau(exact, approx),
    }


def _rank_scores(exact: Result, approx: Result, graph: Graph) -> dict[str, float]:
    sums = [array_of(result).sum(dtype=np.float64) for result in (exact, approx)]
    return _scores(exact, approx, graph) | {"global difference": values.l1(sums[:1], sums[1:])}


def _path_error(exact: Result, approx: Result, graph: Graph) -> float:
    errors = values.relative_errors(exact, approx)
    return np.minimum(errors, 1.0).mean() if errors.size else 0.0


def _path_errors(exact: Result, approx: Result, graph: Graph) -> dict[str, float]:
    return {
        "mean relative error": values.mean_relative_error(exact, approx),
        "p95 relative error": values.p95_relative_error(exact, approx),
        "max relative error": values.max_relative_error(exact, approx),
        "unreached": values.reachability_mismatches(exact, approx),
    }


def _pairs_apart(exact: Result, approx: Result, graph: Graph) -> float:
    return 1.0 - partitions.pair_f1(exact, approx)


def _parts(exact: Result, approx: Result, graph: Graph) -> dict[str, float]:
    sizes = partitions.table(exact, approx)
    return {
        "parts": sizes.approx.size - sizes.exact.size,
        "ari": partitions.adjusted_rand_of(sizes),
        "pair f1": partitions.pair_f1_of(sizes),
    }


def _modularities(exact: Result, approx: Result, graph: Graph) -> tuple[float, float]:
    weights, resolution = structures.field(exact, "weighted", True), structures.field(exact, "resolution", 1.0)
    before, after = (structures.modularity(graph, r, resolution, weights=weights) for r in (exact, approx))
    return before, after


def _modularity_drop(exact: Result, approx: Result, graph: Graph) -> float:
    before, after = _modularities(exact, approx, graph)
    return max(before - after, 0.0) / (before if before > FAINT else 1.0)


def _communities(exact: Result, approx: Result, graph: Graph) -> dict[str, float]:
    before, after = _modularities(exact, approx, graph)
    sizes = partitions.table(exact, approx)
    return {
        "modularity": after,
        "exact modularity": before,
        "nmi": partitions.normalized_mutual_information_of(sizes),
        "ari": partitions.adjusted_rand_of(sizes),
        "parts": sizes.approx.size - sizes.exact.size,
    }


def _forest_error(exact: Result, approx: Result, graph: Graph) -> float:
    missing = structures.missing_trees(exact, approx, graph)
    excess = structures.weight_excess(exact, approx, graph)  # what is missing weighs nothing: no merit
    return max(excess, 0.0) + values.relative(missing, array_of(structures.field(exact, "edges", exact)).size)


def _forests(exact: Result, approx: Result, graph: Graph) -> dict[str, float]:
    return {
        "weight": structures.weight_excess(exact, approx, graph),
        "missing trees": structures.missing_trees(exact, approx, graph),
    }


def _triangle_error(exact: Result, approx: Result, graph: Graph) -> float:
    totals = [structures.field(result, "total", array_of(result).sum() / 3) for result in (exact, approx)]
    return values.l1(totals[:1], totals[1:]) / max(totals[0], 1)


def _triangles(exact: Result, approx: Result, graph: Graph) -> dict[str, float]:
    return {"total": _triangle_error(exact, approx, graph)} | _norms(exact, approx, graph)


def _colors(result: Result) -> tuple[int, int]:
    """How many colours are used, and how many vertices have none."""
    color = array_of(result)
    return partitions.part_sizes(color[color >= 0]).size, int(np.count_nonzero(color < 0))


def _color_error(exact: Result, approx: Result, graph: Graph) -> float:
    (needed, _), (used, bare) = _colors(exact), _colors(approx)
    unfinished = bare / max(graph.n, 1) + structures.conflicts(graph, approx)
    return max(used - needed, 0) / max(needed, 1) + unfinished


def _coloring(exact: Result, approx: Result, graph: Graph) -> dict[str, float]:
    (needed, _), (used, bare) = _colors(exact), _colors(approx)
    return {"colors": used - needed, "uncolored": bare, "conflicts": structures.conflicts(graph, approx)}


def _independent(exact: Result, approx: Result, graph: Graph) -> dict[str, float]:
    one, other = (array_of(result).astype(bool) for result in (exact, approx))
    return {
        "size": int(other.sum()) - int(one.sum()),
        "conflicts": structures.conflicts(graph, np.where(other, 0, -1)),
    }


def _overlap(exact: Result, approx: Result, graph: Graph) -> dict[str, float]:
    one, other = two_arrays(*(structures.field(result, "vertices", result) for result in (exact, approx)))
    return {"overlap": np.intersect1d(one, other).size / np.unique(one).size if one.size else 1.0}


def _lost_leaders(exact: Result, approx: Result, graph: Graph) -> float:
    return 1.0 - _overlap(exact, approx, graph)["overlap"]


def _relative_l1(exact: Result, approx: Result, graph: Graph) -> float:
    return values.relative_l1(exact, approx)


def _number_error(exact: Result, approx: Result, graph: Graph) -> float:
    right, given = float(exact.values), float(approx.values)
    if right == given:
        return 0.0
    return min(abs(given - right) / abs(right), 1.0) if right and np.isfinite(right) else 1.0


def _number(exact: Result, approx: Result, graph: Graph) -> dict[str, float]:
    return {"difference": float(approx.values) - float(exact.values)}


NORMS = Judge(_relative_l1, _norms)  # for algorithms that say nothing else
SCORES = Judge(_relative_l1, _scores)
RANKS = Judge(_relative_l1, _rank_scores)
LEADERS = Judge(_lost_leaders, _overlap, per_vertex=False)
PATHS = Judge(_path_error, _path_errors)
PARTS = Judge(_pairs_apart, _parts, local=False)
COMMUNITIES = Judge(_modularity_drop, _communities, local=False)
FORESTS = Judge(_forest_error, _forests, per_vertex=False)
TRIANGLES = Judge(_triangle_error, _triangles)
COLORS = Judge(_color_error, _coloring)
MEMBERS = Judge(_relative_l1, _independent)
SETS = Judge(_relative_l1, _norms)  # of vertices, the only right one
ARC_SETS = Judge(_relative_l1, _norms, per_vertex=False)
ARC_PARTS = Judge(_pairs_apart, _parts, per_vertex=False)
ARC_SCORES = Judge(_relative_l1, _norms, per_vertex=False)  # of arcs, or of pairs of vertices
GENERATIONS = Judge(_relative_l1, _norms)
SIDES = Judge(_relative_l1, _norms)
NUMBER = Judge(_number_error, _number, per_vertex=False, local=False)  # of the whole graph
