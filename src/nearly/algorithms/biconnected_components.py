"""Biconnected components: the largest sets of edges any two of which lie on a cycle; a bridge is one of its own.

Returns the number of the component of each arc of the given graph, from 0, and -1 for loops; both directions of an
edge have the same. `.components` lists the vertices of each: a vertex may be in several, then it is an articulation
point. A directed graph is read as undirected. Method: one depth-first search with low points (`shared.lowpoints`).
The certificate finds them another way, from the cycles of a breadth-first forest.
"""

from __future__ import annotations

import numpy as np

from nearly.accuracy.judges import ARC_PARTS
from nearly.algorithms.shared.cycle_joins import joined
from nearly.algorithms.shared.lowpoints import Lowpoints, lowpoints, parts_of_arcs
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class BiconnectedResult(Result):
    """Sets of edges any two of which lie on a cycle."""

    per = "arc"
    shows = "parts"

    values: np.ndarray = field("the number of the component of each arc, int64, -1 for a loop", column="component")
    count: int = field("how many components there are")
    components: list[np.ndarray] = field("the vertices of each component, ascending")
    largest: int = field("how many vertices the largest component has")


def certificate(graph: Graph, result: BiconnectedResult) -> Certificate:
    """The cycles of a breadth-first forest divide the edges alike."""
    found = joined(graph)
    expected = np.empty(graph.m, np.int64)
    parts_of_arcs(*graph.arrays[:2], found.depth, found.part, expected)
    ours = np.asarray(result.values, np.int64)
    ok = ours.shape == expected.shape and np.array_equal(ours < 0, expected < 0) and _alike(ours, expected)
    ok = ok and result.count == np.unique(ours[ours >= 0]).size
    return Certificate(ok, "edges are in one component if and only if cycles of a breadth-first forest join them", 0.0)


def _alike(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two labellings divide things alike: as many pairs of labels as labels of either."""
    pairs = np.unique(np.stack([one, other], 1), axis=0)
    return len(pairs) == np.unique(one).size == np.unique(other).size


@algorithm(
    memory=Needs(vertex=44, arc=9),
    policies=ONE_POLICY,
    certificate=certificate,
    judge=ARC_PARTS,
    undirected=True,
    direct=True,
)
def biconnected_components(run: Run) -> BiconnectedResult:
    """Biconnected components: which edges lie on a cycle together, as a number for each arc of the graph.

    A directed graph is read as undirected. `.components` are the vertices of each component.

    Examples
    --------
    >>> import nearly
    >>> r = nearly.biconnected_components(nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3]))
    >>> r.values.tolist(), [part.tolist() for part in r.components]
    ([1, 1, 1, 0], [[2, 3], [0, 1, 2]])
    """
    found, graph = lowpoints(run), run.source or run.given
    values = np.empty(graph.m, np.int64)
    parts_of_arcs(*graph.arrays[:2], found.place, found.part, values)
    return BiconnectedResult(
        values,
        count=found.heads.size,
        components=lambda: members(found),
        largest=lambda: int(np.bincount(found.part[found.parent != np.arange(graph.n)]).max(initial=-1)) + 1,
    )


def members(found: Lowpoints) -> list[np.ndarray]:
    """The vertices of each component: those whose tree edge is in it, and the one it hangs from."""
    below = np.flatnonzero(found.parent != np.arange(found.parent.size))
    vertices = np.concatenate([below, found.heads.astype(np.int64)])
    parts = np.concatenate([found.part[below].astype(np.int64), np.arange(found.heads.size)])
    order = np.lexsort((vertices, parts))
    ends = np.cumsum(np.bincount(parts, minlength=found.heads.size))
    return np.split(vertices[order], ends[:-1]) if found.heads.size else []
