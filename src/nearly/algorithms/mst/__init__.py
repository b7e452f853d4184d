"""Minimum spanning forest: edges of least total weight that hold every component together.

Returns the forest as `.edges` (also `.values`): ascending indices into the arcs of the given graph, one arc per edge,
and `.weight`, their total. An undirected graph's edge is its arc from the smaller to the larger end; of the arcs
between two vertices of a directed graph, which is read as undirected, it is the lightest, the first of equals. Edges
of equal weight rank by (smaller, larger) end in the given graph, so the forest is unique. Self-loops play no role.
Method: Boruvka's rounds under any policy (`boruvka`); `auto` is filter-Kruskal (`kruskal`), which sorts only edges
light enough to matter. What a technique leaves unfinished, or found among a share of the edges, filter-Kruskal
completes on the given graph: the forest always spans, so its weight is an upper bound, and after whole rounds of
Boruvka's it is exact.
"""

from __future__ import annotations

import numpy as np

from nearly.accuracy.judges import FORESTS
from nearly.algorithms.connected_components import afforest
from nearly.algorithms.mst.boruvka import boruvka
from nearly.algorithms.mst.certificate import certificate
from nearly.algorithms.mst.kernels import plant
from nearly.algorithms.mst.keys import arcs_in, ascending, ends_of, given_order, keys_of, total_weight
from nearly.algorithms.mst.kruskal import filter_kruskal
from nearly.algorithms.shared.labels import count_labels
from nearly.algorithms.shared.weights import run_uses_weights, uses_weights, weight_range
from nearly.engine.algorithm import algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class MstResult(Result):
    """A minimum spanning forest."""

    shows = "edges"

    values: np.ndarray = field("the edges of the forest: ascending indices into the arcs of the graph, int64")
    edges: np.ndarray = field("the same")
    weight: float = field("the total weight of the edges")
    weighted: bool = field("whether edges weigh what the graph says")


@algorithm(
    memory=Needs(vertex=40, arc=12),
    certificate=certificate, judge=FORESTS, undirected=True, takes_arcs=True, direct=True, measures="lengths",
    fewer_arcs="up", heavier="up", reweighted="up", two_hop="same", across="same", merged="up", renumbered="same",
    cut_short="same", copies="planted", averages=True, completed=True, redraws=True,
)  # fmt: skip
def mst(run: Run, *, weights: bool = True) -> MstResult:
    """Minimum spanning forest: `.edges`, indices into the graph's arcs, and `.weight`, their total.

    A directed graph is read as undirected; without weights every edge weighs 1. `.values` are the edges.

    Parameters
    ----------
    weights : bool
        False ignores the graph's weights.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 0], [1, 2, 2], weights=[5, 1, 2], directed=False)
    >>> r = nearly.mst(g)
    >>> [(int(g.arc_sources()[e]), int(g.targets[e])) for e in r.edges], r.weight
    ([(0, 2), (1, 2)], 3.0)
    """
    given, view = run.source or run.given, run.graph.symmetrized()
    weighted, here = uses_weights(given, weights), run_uses_weights(run, weights)
    found: list[np.ndarray] = []
    mapped = run.mapped
    copies = None if mapped is None else mapped.copies
    averaged = copies is not None and copies.merge == "mean"
    by_given = mapped is not None and mapped.renumbers and not averaged
    keys = given_order(run.map, here) if by_given else keys_of(view, here)
    phases = (filter_kruskal if run.direct and not averaged else boruvka)(run, view, keys, found, copies=copies)
    finished = run.enact(lambda: next(phases, None))
    arcs = ascending(np.concatenate([np.empty(0, np.uint64), *found]), view.m)
    part = run.visits() is not None  # of the edges, each round
    if (mapped is not None and mapped.lossy) or (run.techniques and not finished) or part:
        finished, view = True, run.given.symmetrized()
        arcs = completed(run, view, weighted, arcs)
    if given.directed:
        arcs = arcs_in(given, view, arcs, weighted)
    edges = arcs.view(np.int64)
    return MstResult(
        edges,
        guarantee="exact" if finished else _word_for_part(given, weighted),
        edges=edges,
        weight=total_weight(given, edges, weighted),
        weighted=weighted,
    )


def completed(run: Run, view: Graph, weighted: bool, arcs: np.ndarray) -> np.ndarray:
    """A forest of the graph worked on as arcs of the given one, with the lightest edges that still join trees."""
    planted = run.map.arcs_given(arcs)
    if run.map.place is not None:  # ends have other numbers there, so an edge may be its other arc
        planted = arcs_in(view, view, ascending(planted, view.m), weighted)
    joins = np.empty(planted.size, np.bool_)  # trees that do not see the same edges may have closed a cycle
    plant(*ends_of(view, planted), np.arange(view.n, dtype=view.arrays.targets.dtype), joins)
    planted = planted[joins]
    if planted.size == view.n - count_components(run, view):
        return planted
    found: list[np.ndarray] = []
    for _ in filter_kruskal(run, view, keys_of(view, weighted), found, planted):
        pass
    return ascending(found[0], view.m)


def count_components(run: Run, view: Graph) -> int:
    """How many trees a spanning forest has; much cheaper to find than the forest."""
    label = np.empty(view.n, view.arrays.targets.dtype)
    for _ in afforest(Run(view, threads=run.threads, stop=run.stop), label):
        pass
    return count_labels(label)


def _word_for_part(graph: Graph, weighted: bool) -> str:
    """Part of the forest weighs no more than all of it, unless weights are negative."""
    return "heuristic" if weighted and weight_range(graph)[0] < 0 else "lower bound"
