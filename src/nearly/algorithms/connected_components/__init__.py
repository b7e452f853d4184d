"""Connected components: which vertices hang together, arcs read in both directions (weak components).

Returns one label per vertex, the component's smallest member; `.count` is the number of components.
Method: every vertex starts with its own number and the smallest label spreads along arcs, in rounds, under any
policy. `auto` follows Afforest (Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph Connectivity Computation via
Subgraph Sampling", IPDPS 2018): a forest of parent pointers, each to a smaller vertex, is linked over the smallest and
the largest neighbour of each vertex, and mostly one large tree is there by then. Its vertices are skipped, and
others look through their neighbours only until they are in it: a vertex outside of it sees the same edges from its
own end. In a directed graph it does not, so unless the reverse is at hand all arcs are looked at there, those between
vertices of the large tree only in passing, which is still cheaper than making the undirected view. Where each edge is
held once, by its smaller end, arcs are linked without looking for a large tree first. All of this is one compiled call
(`afforest`). Roots are smallest members whatever order threads worked in.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from nearly.accuracy.judges import PARTS
from nearly.algorithms.connected_components.afforest import JOB, JOBS, Forest, link_components
from nearly.algorithms.connected_components.kernels import find_all, join_all, unite_arcs
from nearly.algorithms.shared.labels import are_vertices, as_labels, count_labels
from nearly.algorithms.shared.work_memory import give_back, take_memory
from nearly.base.atomics import atomic_min
from nearly.base.team import team_for
from nearly.engine.algorithm import algorithm
from nearly.engine.devices import DEVICES
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.row_pieces import row_cuts
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

_SMALL = 1 << 16  # vertices and arcs that one thread joins before others would have begun


class ComponentsResult(Result):
    """Components of a graph."""

    shows = "parts"

    values: np.ndarray = field("a label for each vertex: the smallest member of its component", column="component")
    count: int = field("how many components there are")


class Labels(NamedTuple):
    label: np.ndarray  # unsigned[n], a member of the component, falling to the smallest
    before: np.ndarray  # the same array, or what it held before the round


def lower(state, u, v, e):
    """Give v the label of u if that is smaller."""
    label = state.before[u]
    return label < state.label[v] and atomic_min(state.label, v, label) > label


def certificate(graph: Graph, result: ComponentsResult) -> Certificate:
    """Unite the ends of all arcs again, one after the other; roots are smallest members, so they must be the labels."""
    offsets, targets, _ = graph.arrays
    roots = np.arange(graph.n, dtype=targets.dtype)
    unite_arcs(offsets, targets, roots)
    find_all(roots)
    labels = np.asarray(result.values)
    if not are_vertices(labels, graph.n):
        return Certificate(False, "every label is a vertex")
    if result.guarantee == "heuristic":
        return Certificate(np.array_equal(labels[labels], labels), "every label is a vertex that has it")
    if result.guarantee != "exact":
        inside = np.array_equal(labels[labels], labels) and np.array_equal(roots[labels], roots)
        return Certificate(
            inside and bool((labels >= roots).all()),
            "vertices of one label hang together, and none is below the exact one",
        )
    return Certificate(
        np.array_equal(labels, roots),
        "labels agree across arcs, components are connected, labels are smallest members",
        0.0,
    )


@algorithm(
    memory=Needs(vertex=9),
    certificate=certificate, judge=PARTS, devices=DEVICES, undirected=True, takes_arcs=True, direct=True,
    one_pass=True,
    fewer_arcs="up", two_hop="same", across="same", merged="same", renumbered="same", cut_short="up",
    combines="min", improves=True, copies="joined",
)  # fmt: skip
def connected_components(run: Run) -> ComponentsResult:
    """Components of the graph read as undirected; a label is the smallest member, `.count` how many there are.

    Examples
    --------
    >>> import nearly
    >>> r = nearly.connected_components(nearly.Graph.from_edges([0, 3], [2, 4]))
    >>> r.values.tolist(), r.count
    ([0, 1, 0, 3, 3], 3)
    """
    graph = run.graph
    kind = graph.arrays.targets.dtype
    if run.direct:
        label = np.empty(graph.n, kind)
        phases = afforest(run, label)
        finished = run.enact(lambda: next(phases, None))
    else:
        label = np.arange(graph.n, dtype=kind)
        finished = run.advance(lower, Labels(label, label), start=label.copy(), graph=graph.symmetrized())
    if run.cut_short:  # then a label may be a vertex that has got a smaller one since
        find_all(label)
    values = run.back_labels(as_labels(label))
    guarantee = "exact" if finished else "upper bound"
    return ComponentsResult(values, guarantee=guarantee, count=lambda: count_labels(values))


def afforest(run: Run, label: np.ndarray) -> Iterator[list[Did]]:
    """Fill `label` with the smallest member of each vertex's component: three rounds, in one compiled call."""
    graph, (offsets, targets, _) = run.graph, run.graph.rows
    if graph.n + graph.m < _SMALL:
        join_all(offsets, targets, label)
        yield [Did(graph.n, graph.m)]
        return
    reverse = graph.__dict__.get("_reverse") if graph.directed else None
    key = "forest", reverse is not None
    memory = take_memory(graph, key, _memory, graph, reverse)
    last, (back_offsets, back_targets, *others), team = memory
    forest = Forest(offsets, targets, back_offsets, back_targets, label, last, *others)
    run.launch(link_components, team, forest, np.uint64(run.threads), run.stop)
    give_back(graph, key, memory)
    yield [Did(graph.n, graph.n), Did(graph.n, graph.n), Did(graph.n, int(forest.linked[0]))]


def _memory(graph: Graph, reverse: Graph | None) -> tuple[Any, ...]:
    """Room for the largest neighbours; the other fields of a forest that stay; a team."""
    offsets, targets, _ = graph.rows
    back = (offsets[:0], targets[:0]) if reverse is None else reverse.rows[:2]
    one_way, linked = np.array([graph.directed and reverse is None]), np.zeros(1, np.uint64)
    return np.empty(graph.n, targets.dtype), (*back, row_cuts(graph), one_way, linked), team_for(JOBS, JOB)


def largest_component(graph: Graph) -> Graph:
    """The graph on the vertices of the component with the most of them; of a tie, on that with the smallest vertex.

    Parameters
    ----------
    graph : Graph
        The graph; a directed one is read as undirected to find components, and stays directed.

    Returns
    -------
    Graph
        The graph itself where it is connected; otherwise its `ids` say which vertices they were.

    Examples
    --------
    >>> import nearly
    >>> nearly.largest_component(nearly.Graph.from_edges([0, 3, 4], [2, 4, 5])).ids.tolist()
    [3, 4, 5]
    """
    labels = connected_components(graph).values
    if not labels.size:
        return graph
    inside = labels == np.argmax(np.bincount(labels.astype(np.int64)))
    return graph if inside.all() else graph.subgraph(inside)
