"""`GraphMap`: a graph that stands in for another one, and the way back.

A transform may renumber vertices, let one vertex stand for several, and leave arcs out or change their weights.
`place` says which vertex of the new graph stands for each given one, `arcs` which given arc each new arc is
(NO_ARC: none, it was added). Vertices of the new graph that no given one is placed at are `copies`, which hold
arcs of others, or holes.
Maps compose, so that an answer comes back in the given graph's order however many transforms there were.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.engine.transform.replicas import Copies
from nearly.graph.csr import Graph
from nearly.graph.opposite_arcs import opposite_arcs

NO_ARC = np.uint64(2**64 - 1)


def graph_of_arcs(graph: Graph, arcs: Any, weights: Any = None) -> GraphMap:
    """The graph that has only these arcs of the given one, and the way back; for techniques that leave arcs out.

    Parameters
    ----------
    graph : Graph
        The given graph.
    arcs : array of int
        Numbers of the arcs that stay. Where an undirected graph loses an arc but not the one back, a directed graph
        comes out.
    weights : array of numbers, optional
        What they weigh now, in ascending order of the arcs' numbers; as before by default.

    Returns
    -------
    GraphMap
        The new graph, as `.graph`, and which given arc each of its arcs is.

    Examples
    --------
    >>> g = Graph.from_edges([0, 0, 1], [1, 2, 2], weights=[5, 1, 2])
    >>> graph_of_arcs(g, g.weights.argsort()[:2]).graph.targets.tolist()
    [2, 2]
    """
    kept = np.unique(np.asarray(arcs, np.uint64)) if len(arcs) else np.empty(0, np.uint64)
    if kept.size and int(kept[-1]) >= graph.m:
        raise InvalidArgumentError(f"arcs are numbers from 0 to {graph.m - 1}, the arcs of this graph")
    offsets, targets, given = graph.arrays
    chosen = given[kept] if given.size else given
    if weights is not None:
        chosen = np.asarray(weights, given.dtype if given.size else np.float32)
        if chosen.shape != kept.shape:
            raise InvalidArgumentError(f"there must be one weight for each of the {kept.size} arcs, ascending")
    starts = np.searchsorted(kept, offsets).astype(np.uint64)
    weighed = chosen if graph.weighted or weights is not None else None
    directed = graph.directed or not np.isin(opposite_arcs(graph)[kept], kept).all()
    made = Graph(starts, targets[kept], weighed, directed=directed)
    return GraphMap(graph, made, arcs=kept)


@dataclass(frozen=True)
class GraphMap:
    """The given graph, the one to work on, and the maps between them; None stands for the identity."""

    given: Graph
    graph: Graph
    place: np.ndarray | None = None
    arcs: np.ndarray | None = None  # uint64
    report: dict[str, float] = field(default_factory=dict)
    unit: float = 1.0  # what a weight of 1 stands for
    levels: int | None = None  # weights are whole numbers from 1 to this; 0: any; None: as before
    chance: float = 1.0  # with which each edge stayed, independently of the others
    copies: Copies | None = None  # vertices that hold arcs of others
    clusters: np.ndarray | None = None  # `Clusters.packed`: vertices that are iterated by themselves

    def then(self, step: GraphMap) -> GraphMap:
        """This move and the next one as one."""
        place = step.place if self.place is None else self.place if step.place is None else step.place[self.place]
        arcs = step.arcs if self.arcs is None else self.arcs if step.arcs is None else _through(self.arcs, step.arcs)
        report, unit = {**self.report, **step.report}, self.unit * step.unit
        kept = 0 if step.adds else self.levels
        levels, chance = kept if step.levels is None else step.levels, self.chance * step.chance
        copies = step.copies if self.copies is None else self.copies.then(step.copies, step.place, step.graph.n)
        clusters = self.clusters if step.clusters is None and step.place is None else step.clusters
        return GraphMap(self.given, step.graph, place, arcs, report, unit, levels, chance, copies, clusters)

    @cached_property
    def adds(self) -> bool:
        """Whether there are arcs that the given graph has not."""
        return self.arcs is not None and bool((self.arcs == NO_ARC).any())

    @cached_property
    def drops(self) -> bool:
        """Whether arcs of the given graph are missing."""
        return self.arcs is not None and np.unique(self.arcs[self.arcs != NO_ARC]).size < self.given.m

    @property
    def special(self) -> bool:
        """Whether there are copies that must follow their vertices, or clusters to iterate."""
        return self.copies is not None or self.clusters is not None

    @property
    def lossy(self) -> bool:
        """Whether vertices or arcs of the given graph have no one of their own here."""
        return self.place is not None or self.arcs is not None

    @property
    def renumbers(self) -> bool:
        """Whether given vertices have other numbers here, each one of its own."""
        return self.place is not None and bool(self.sizes.max(initial=0) <= 1)

    def vertex(self, v: int) -> int:
        """Where a given vertex is now."""
        return v if self.place is None else int(self.place[v])

    def group(self, v: int) -> np.ndarray | list[int]:
        """A vertex of the new graph and its copies."""
        return [v] if self.copies is None else self.copies.group(v)

    def vertices(self, given: np.ndarray) -> np.ndarray:
        """Where given vertices are now, each once, in order of first mention."""
        if self.place is None:
            return given
        moved = self.place[given]
        _, first = np.unique(moved, return_index=True)
        return moved[np.sort(first)].astype(given.dtype)

    def values(self, values: np.ndarray) -> np.ndarray:
        """Every given vertex gets the value of the one that stands for it."""
        return values if self.place is None else values[self.place]

    def shares(self, values: np.ndarray) -> np.ndarray:
        """As `values`, but those a vertex stands for share its value equally."""
        return values if self.place is None else (values / np.maximum(self.sizes, 1))[self.place]

    def sums(self, values: np.ndarray) -> np.ndarray:
        """What the given vertices have, together for those that one vertex stands for."""
        return values if self.place is None else np.bincount(self.place, values, self.graph.n)

    def labels(self, labels: np.ndarray) -> np.ndarray:
        """Labels of parts come back as the smallest given member of the part."""
        if self.place is None:
            return labels
        smallest = np.full(self.graph.n, self.given.n, np.int64)
        here = labels[self.place]
        np.minimum.at(smallest, here, np.arange(self.given.n))
        return smallest[here].astype(labels.dtype)

    def arcs_given(self, arcs: np.ndarray) -> np.ndarray:
        """The given arcs that these are; added ones are left out."""
        if self.arcs is None:
            return arcs
        given = self.arcs[arcs]
        return given[given != NO_ARC]

    def arc_values(self, values: np.ndarray) -> np.ndarray:
        """Every given arc gets the value of the one it became; 0 where it has become none."""
        if self.arcs is None:
            return values
        back = np.zeros(self.given.m, values.dtype)
        own = self.arcs != NO_ARC
        back[self.arcs[own]] = values[own]
        return back

    @cached_property
    def sizes(self) -> np.ndarray:
        """How many given vertices each vertex stands for."""
        if self.place is None:
            return np.ones(self.graph.n, np.int64)
        return np.bincount(self.place, minlength=self.graph.n)

    @property
    def extra_space(self) -> float:
        """Vertices and arcs of the new graph beyond those of the given one, as a share of these."""
        before = self.given.n + self.given.m
        return max(self.graph.n + self.graph.m - before, 0) / before if before else 0.0


def _through(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Which given arcs arcs are, by way of a graph between; an arc added on the way stays one that was added."""
    added = second == NO_ARC
    return np.where(added, NO_ARC, first[np.where(added, np.uint64(0), second)])
