"""Freezing (PR2): PageRank passes over what has nearly stopped changing.

`by="edges"` is the paper's form. Every arc has a slot that its source writes and its target reads; a source whose
share changed little writes only to the targets that matter most, by in-degree. `against="sent"` measures the change
from what was last written, so that frozen changes cannot build up: then all of them together leave a residual of
at most damping * n * c. `against="previous"` measures it from the round before, as the paper does.
`by="vertices"` freezes whole vertices of the pull form, which does without slots: a vertex that changed little
is not computed again for 2, 4, 8, then 16 rounds. All vertices together may forgo a change of n * c a round,
each in proportion to its importance: by in-degree, that is to the work it saves.
`scaled` makes c the constant for a graph of 10^8 vertices, and that for a graph of n larger by 10^8 / n, so that the
error does not depend on the size of the graph. Another importance: override `measure` in a subclass.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.algorithms.pagerank import check_plain
from nearly.algorithms.pagerank.problem import RankGoal
from nearly.engine.knob import Knob
from nearly.engine.run import Run
from nearly.engine.technique import Task, Technique, technique
from nearly.engine.traits import OtherRounds
from nearly.engine.transform.graph_map import GraphMap
from nearly.graph.csr import Graph
from nearly.techniques.freeze_edges.rounds import Freezing, FrozenEdges, FrozenVertices, groups_of

_MEASURES = ("in-degree", "out-degree", "alike")


@technique("freeze-edges", reference="PR2: Panyala et al., freezing edges")
class FreezeEdges(Technique):
    """Pass over arcs, or vertices, whose contribution to PageRank has nearly stopped changing."""

    c = Knob(1e-11, "a change below this is frozen (edges: divided by 4 for every bin of importance)", exact=0.0, low=0)
    against = Knob("sent", "what changes are measured from (edges)", words=("sent", "previous"))
    scaled = Knob(True, "whether c is for 10^8 vertices, and scaled to the graph", words=(True, False))
    by = Knob("edges", "what is frozen", words=("edges", "vertices"))
    importance = Knob("in-degree", "how much a vertex matters", words=_MEASURES)
    effects = (OtherRounds(RankGoal),)

    def measure(self, graph: Graph) -> np.ndarray:
        """The importance of every vertex: numbers that are not negative."""
        if self.importance == "alike":
            return np.ones(graph.n)
        return graph.in_degrees if self.importance == "in-degree" else graph.out_degrees

    def in_rounds(self, task: Task) -> bool:
        return True

    def make_rounds(self, run: Run, goal: Any) -> Any:
        if not isinstance(goal, RankGoal):
            return None
        check_plain(run, "freezing")
        freezing = Freezing(self.c, self.against == "previous", self.scaled, self.measure)
        return (FrozenEdges if self.by == "edges" else FrozenVertices)(run, goal, freezing)

    def transform(self, graph: Graph, task: Task) -> GraphMap | None:
        """No other graph; but arcs are put in groups now, where that counts as preparation."""
        if self.by == "edges" and graph.n:
            groups_of(graph, self.measure(graph))
        return None
