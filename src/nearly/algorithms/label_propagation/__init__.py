"""Communities by label propagation: each vertex takes the label that weighs most among its neighbours.

Returns one label per vertex, the community's smallest member; `.count` is how many there are. A directed graph is read
as undirected; self-loops are ignored; weights, where there are any, are how much a neighbour counts.
Method: Raghavan, Albert and Kumara, "Near linear time algorithm to detect community structures in large-scale
networks" (2007). Strictly one by one cannot be done in parallel, and all at once goes round in circles on bipartite
parts. So each round has four turns: a hash of vertex, seed and round says whose turn it is, and those vertices choose
at the same time, from the labels as they were before the turn. Ties are broken by a hash. In the first rounds it is
drawn anew each time and the vertex's own label is one among equals, which lets small communities merge (without it
they freeze: modularity 0.62 instead of 0.81 on a road map). After these `explore` rounds a vertex that has a heaviest
label keeps it, and only vertices with a neighbour that changed look again. All of this is a function of the graph and
the seed: the number of threads does not show.
Done when no vertex would change: then the result is stable, which `certificate` checks, and called exact. Many
labellings are stable; which one comes out depends on the seed. Stopped before that, the result is heuristic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nearly.accuracy.judges import COMMUNITIES
from nearly.algorithms.label_propagation.kernels import (
    EMPTY,
    Labels,
    Plan,
    Tables,
    count_restless,
    name_by_smallest,
    play_rounds,
)
from nearly.algorithms.shared.labels import are_vertices, as_labels, count_labels
from nearly.algorithms.shared.weights import forbid_extremes, forbid_negative, uses_weights
from nearly.base.arguments import whole_number
from nearly.base.memory import require
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.row_pieces import widest_row
from nearly.engine.run import Did, Run
from nearly.graph.csr import Arrays, Graph

MOST_ROUNDS = 100  # real graphs settle in some tens
_SMALL = 1 << 17  # arcs and vertices: rounds that need no look in between
_TRIFLE = 1 << 20  # bytes: to ask what is free would take longer than the rounds


class CommunitiesResult(Result):
    """Communities of vertices."""

    shows = "parts"
    run_in_full = "a heuristic run in full"  # of the best communities nothing is known

    values: np.ndarray = field("a label for each vertex: the smallest member of its community", column="community")
    count: int = field("how many communities there are")
    weighted: bool = field("whether neighbours count by the weights of the arcs")


def certificate(graph: Graph, result: CommunitiesResult) -> Certificate:
    """Labels are smallest members; for an exact result no vertex has neighbours that outweigh those of its label."""
    view = graph.symmetrized()
    label = np.ascontiguousarray(result.values, np.int64)
    if not are_vertices(label, graph.n):
        return Certificate(False, "every label is a vertex")
    names = label.copy()
    name_by_smallest(names)
    named = bool((names == label).all())
    if result.guarantee != "exact":
        return Certificate(named, "every label is the smallest vertex that has it")
    rows = view.arrays if result.weighted else view.rows
    restless = count_restless(rows, label, tables_for(view, 1))
    return Certificate(
        named and int(restless) == 0, "no vertex has neighbours of another label that outweigh those of its own", 0.0
    )


@algorithm(
    memory=Needs(vertex=64),
    policies=ONE_POLICY, certificate=certificate, judge=COMMUNITIES, undirected=True, measures="amounts",
    fewer_arcs="any", merged="any", cut_short="any",
)  # fmt: skip
def label_propagation(run: Run, *, weights: bool = True, explore: int = 8) -> CommunitiesResult:
    """Communities in which each vertex has the label that weighs most among its neighbours; `.count` says how many.

    Runs at most 100 rounds unless `max_rounds` says otherwise.

    Parameters
    ----------
    weights : bool
        False counts every neighbour once, as it does on a graph without weights.
    explore : int
        For so many rounds ties are drawn at random, the vertex's own label included; more means fewer labels.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 0, 1, 3, 3, 4], [1, 2, 2, 4, 5, 5])
    >>> nearly.label_propagation(g).values.tolist()
    [0, 0, 0, 3, 3, 3]
    """
    graph = run.graph
    weighted = uses_weights(graph, weights)
    if weighted:
        forbid_negative(graph, "label_propagation", "count neighbours")
        forbid_extremes(graph)
    whole_number("explore", explore, 0)
    if run.max_rounds is None:
        run.max_rounds = MOST_ROUNDS
    label = np.arange(graph.n, dtype=graph.arrays.targets.dtype)
    finished = _propagate(run, label, graph.arrays if weighted else graph.rows, int(explore))
    name_by_smallest(label)
    values = run.back_labels(as_labels(label))
    return CommunitiesResult(
        values,
        guarantee="exact" if finished else "heuristic",
        weighted=weighted,
        count=lambda: count_labels(values),
    )


def _propagate(run: Run, label: np.ndarray, rows: Arrays, explore: int) -> bool:
    """Rounds of four turns until no vertex is awake; False if the rounds ran out first."""
    graph, n = run.graph, label.size
    labels = Labels(label, np.empty_like(label), np.ones(n, np.uint8), np.empty_like(label))
    tables, counters, settled = tables_for(graph, run.threads), np.zeros(4, np.uint64), False
    together = 1 if n + graph.m > _SMALL or run.techniques else MOST_ROUNDS

    def play() -> Sequence[Did] | None:
        nonlocal explore, settled
        if settled:
            return None
        did = np.zeros((min(together, run.rounds_left), 3), np.uint64)
        plan = Plan(np.uint64(run.trace.count), np.uint64(explore), np.uint64(run.seed))
        played = int(run.launch(play_rounds, rows, labels, tables, plan, counters, did, run.threads, run.stop))
        settled = played < len(did)
        explore = explore if did[:played, 2].all() else 0
        return Rounds(did[:played])

    return run.enact(play)


class Rounds(Sequence[Did]):
    """What rounds did, spelled out when it is read."""

    def __init__(self, rows: np.ndarray) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, i: Any) -> Any:
        looked, edges, moved = (int(number) for number in self.rows[i])
        return Did(looked, edges, edges + 1.0, {"changed": float(moved)})


def tables_for(graph: Graph, workers: int) -> Tables:
    """Empty tables for the largest neighbourhood."""
    slots = 2 << (max(int(widest_row(graph)), 1) - 1).bit_length()
    if 24 * slots * workers > _TRIFLE:
        require(24 * slots * workers, "label propagation")
    shape = (workers, slots)
    return Tables(np.full(shape, EMPTY, np.uint64), np.empty(shape), np.empty(shape, np.uint64))
