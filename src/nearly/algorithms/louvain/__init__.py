"""Communities by Louvain's method: vertices join the neighbours' community that raises modularity most, phase by phase.

Returns one label per vertex, the community's smallest member; `.modularity` is what they have, `.hierarchy` the labels
after each phase, `.count` and `.phases` how many. A directed graph is read as undirected. A self-loop counts for both
its ends; an edge of weight 0 joins nothing.
Method: Blondel, Guillaume, Lambiotte and Lefebvre, "Fast unfolding of communities in large networks" (2008). A phase
begins with every vertex alone. In a round vertices look around one after the other (see `one_by_one`); on large graphs,
and where an order is asked for, they have turns as in Lu, Halappanavar and Kalyanaraman ("Parallel heuristics for
scalable community detection", 2015): those of one turn choose at the same time, from what was true before it. After
the first round a vertex looks around only if a neighbour, moving elsewhere, has given reason to. When a round gains
no more than `tol` in modularity the phase is over: modularity is computed afresh, communities become the vertices
of the next, smaller graph (see `level`), and so on until a phase gains no more than `tol`. Levels that are small are
climbed in one compiled call (see `small_levels`).

That is one climb, and there are two. The first is in haste: its rounds and phases end when they gain little. The second
begins on the given graph again, with the communities found: vertices that were put in the wrong one when communities
were small now see whole ones. It is left out where a sample of the vertices promises next to nothing. `.hierarchy` has
the phases of the last climb.

Grappolo's own baseline (Lu, Halappanavar and Kalyanaraman) is reached by `turns="all"`, `threshold_kind="relative"` and
`community_map="hash"`: every vertex looks around in every round and all choose at once, modularity is computed after
every round, a phase is over when it changes by no more than the share `tol`, up or down, and communities around a
vertex are found through a hash map. The best communities of a phase are what it ends with.

`refine` adds what Leiden's method does between two phases (Traag, Waltman and van Eck, "From Louvain to Leiden", 2019),
in the last climb, which then is never left out (where a sample promises next to nothing it begins with refining):
vertices that are alone again merge inside the communities found, where they are well connected with them (see
`refine`), and never part again, so that what comes out is connected; these parts are the vertices of the next graph,
and the communities where its first round begins. A climb goes on until communities are no longer in parts. At the end a
community that is not connected is split, which never lowers modularity.

`exact` says that the method ran to its end, not that no better communities exist: that question is NP-hard.
"""

from __future__ import annotations

import os

import numpy as np

from nearly.accuracy.judges import COMMUNITIES
from nearly.accuracy.structures import modularity
from nearly.algorithms.label_propagation.kernels import name_by_smallest
from nearly.algorithms.louvain.advice import Patience, Thresholds, TurnOrder
from nearly.algorithms.louvain.level import first_level
from nearly.algorithms.louvain.order import ORDERS, TURNS
from nearly.algorithms.louvain.phases import Asked, Climb
from nearly.algorithms.louvain.split import connect, split_apart
from nearly.algorithms.shared.labels import are_vertices, as_labels, count_labels
from nearly.algorithms.shared.weights import forbid_extremes, forbid_negative, uses_weights
from nearly.base.arguments import choice, flag, number
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.checkpoint import checkpoint_of
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph

_ROUNDING = 1e-9


class LouvainResult(Result):
    """Communities, and how good they are."""

    shows = "parts"
    run_in_full = "a heuristic run in full"  # of the best communities nothing is known

    values: np.ndarray = field("a label for each vertex: the smallest member of its community", column="community")
    modularity: float = field("the modularity of the communities")
    hierarchy: list[np.ndarray] = field("the labels after each phase of the last climb")
    count: int = field("how many communities there are")
    phases: int = field("how many phases there were")
    resolution: float = field("the resolution asked for")
    weighted: bool = field("whether edges count by their weights")
    refined: bool = field("whether communities were refined, so that each is connected")


def certificate(graph: Graph, result: LouvainResult) -> Certificate:
    """Labels are the smallest members, and have the modularity that is claimed; refined communities are connected."""
    label = np.ascontiguousarray(result.values, np.int64)
    if not are_vertices(label, graph.n):
        return Certificate(False, "every label is a vertex")
    names = label.copy()
    name_by_smallest(names)
    found = modularity(graph, label, result.resolution, weights=result.weighted)
    fine = bool((names == label).all()) and abs(found - result.modularity) <= _ROUNDING
    claim = f"every label is the smallest vertex that has it, and modularity is {result.modularity:.9g}"
    if result.refined:
        fine = fine and np.array_equal(split_apart(graph, label), label)
        claim += ", and every community is connected"
    return Certificate(fine, claim)


@algorithm(
    memory=Needs(vertex=144, arc=10, weight=24, thread=56),
    policies=ONE_POLICY, certificate=certificate, judge=COMMUNITIES, undirected=True, measures="amounts",
    listens=(Patience, TurnOrder, Thresholds),
)  # fmt: skip
def louvain(  # noqa: PLR0913
    run: Run,
    *,
    resolution: float = 1.0,
    weights: bool = True,
    tol: float = 1e-6,
    order: str = "random",
    refine: bool = False,
    turns: str = "classes",
    threshold_kind: str = "absolute",
    community_map: str = "vector",
    checkpoint: str | os.PathLike[str] | None = None,
) -> LouvainResult:
    """Communities of high modularity by Louvain's method; `.modularity`, `.hierarchy`, `.count`, `.phases`.

    Parameters
    ----------
    resolution : float
        Above 1 favours small communities, below 1 large ones.
    weights : bool
        False counts every edge once, as it does on a graph without weights.
    tol : float
        A round, or a phase, that gains no more in modularity is the last.
    order : {"random", "natural", "degree", "color"}
        Which vertices choose together in the first phase: none, or on large graphs one of eight classes, drawn each
        round; stretches of vertices; by degree, few edges first; or no two neighbours.
    refine : bool
        Whether communities are refined between phases and connected at the end (Leiden).
    turns : {"classes", "all"}
        Whether vertices choose as `order` says, where they have reason to look around;
        or all of them look around at once in every round, as in Grappolo. Then modularity is computed after each.
    threshold_kind : {"absolute", "relative"}
        Whether `tol` (and thresholds of techniques) is a gain in modularity, or a share of the modularity before.
    community_map : {"vector", "hash"}
        Where the weights of the communities around a vertex are added up; the answer is the same.
    checkpoint : str or os.PathLike, optional
        A file where the phases so far are kept; a call that finds it goes on from there.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 0, 1, 3, 3, 4, 2], [1, 2, 2, 4, 5, 5, 3], directed=False)
    >>> r = nearly.louvain(g)
    >>> r.values.tolist(), round(r.modularity, 4)
    ([0, 0, 0, 3, 3, 3], 0.3571)
    """
    graph = run.graph
    weighted = uses_weights(graph, weights)
    if weighted:
        forbid_negative(graph, "louvain", "count edges")
        forbid_extremes(graph)
    resolution, tol = number("resolution", resolution, 0), number("tol", tol, 0)
    choice("order", order, ORDERS)
    refine = flag("refine", refine)
    everyone = choice("turns", turns, TURNS) == "all"
    relative = choice("threshold_kind", threshold_kind, ("absolute", "relative")) == "relative"
    hashed = choice("community_map", community_map, ("vector", "hash")) == "hash"
    asked = Asked(resolution, tol, refine, everyone, relative, hashed)
    climb = Climb(run, first_level(graph, weighted, run.threads), asked)
    climb.order(order)
    run.checkpoint = checkpoint_of(run, checkpoint, asked=tuple(asked), order=order, weighted=weighted)
    finished = run.enact(climb.step, climb)
    climb.end_phase()
    connect(climb)
    labels = _named(climb.labels())
    return LouvainResult(
        labels,
        guarantee="exact" if finished else "heuristic",
        modularity=climb.modularity,
        hierarchy=lambda: [_named(part) for part in climb.hierarchy()],
        count=count_labels(labels),
        phases=climb.phases,
        resolution=resolution,
        weighted=weighted,
        refined=refine,
    )


def _named(labels: np.ndarray) -> np.ndarray:
    name_by_smallest(labels)
    return as_labels(labels)
