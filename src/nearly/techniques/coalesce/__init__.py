"""Coalescing (GX1): vertices that are used together get places together, and some get a copy near their neighbours.

1. Vertices are renumbered by a breadth-first forest (`nearly.graph.bfs_order`): every level begins at a multiple of
   `chunk`, and `slack` places of each chunk stay free. What no vertex gets are holes.
2. A vertex with at least two arcs into a chunk, and to a share of its vertices of at least `threshold`, may have a
   copy in a hole of the level above that chunk; where holes are few, more arcs win. Its arcs into the chunk move
   there, and the copy gets arcs to the vertex's 2-hop neighbours in the chunk too, each as long as the lightest path
   found. `"auto"` is 0.6, and 0.4 on a graph like a road network, where no vertex has more than 16 arcs.
3. While an algorithm runs, copies follow their vertices (`nearly.engine.transform.replicas`): with
   `confluence="auto"` as is right for the algorithm. "mean" is Graffix's own rule; it and "max", "sum" or a function
   of the values of a vertex and its copies make distances anything. `every` says after how many rounds copies are
   merged, "end" whenever rounds have come to their end. Components and forests have their copies joined from the
   start, except by "mean":

   - betweenness: a vertex's dependency is the mean of its own and its copies' (else the sum);
   - scc: the lowest ranks that reach a vertex and its copies are merged by the mean, in the first rounds of searches;
   - mst: a vertex and its copies offer their tree the mean of their lightest weights. The forest spans all the same,
     so its weight is an upper bound; of the other two nothing is promised.

`replicate=False` leaves it at 1, an exact reordering. Betweenness by weights gets that too: its search by distance has
no rounds in which copies could follow.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.base.memory import require
from nearly.base.threads import kernel_threads
from nearly.engine.knob import Knob
from nearly.engine.row_pieces import row_cuts
from nearly.engine.technique import Task, Technique, technique
from nearly.engine.traits import ADDS_TWO_HOP_ARCS, RENUMBERS, CopiesVertices, Effect
from nearly.engine.transform.graph_map import NO_ARC, GraphMap
from nearly.engine.transform.replicas import RULES, Copies
from nearly.graph.bfs_order import ForestOrder, forest_order
from nearly.graph.csr import NO_WEIGHTS, Arrays, Graph
from nearly.graph.renumber import renumbered
from nearly.techniques.coalesce.kernels import (
    Chunks,
    Paths,
    Stretches,
    count_candidates,
    fill_candidates,
    give_arcs,
    two_hop_in_chunk,
)
from nearly.techniques.shared import copied_arcs, two_hop

_ROAD_DEGREE = 16  # no vertex of a road network has more arcs


@technique("coalesce", reference="GX1: Graffix, coalescing")
class Coalesce(Technique):
    """Renumber vertices level by level in chunks, and copy well-connected ones near their neighbours."""

    chunk = Knob(16, "places that are read together", low=1, high=4096, whole=True)
    threshold = Knob(
        "auto", "the share of a chunk's vertices that a vertex must have arcs to for a copy near them",
        low=0, high=1, above=True, words=("auto",),
    )  # fmt: skip
    slack = Knob(0, "places of each chunk that are left free for copies", low=0, high=4095, whole=True)
    replicate = Knob(True, "whether to make copies; without them it is a reordering", exact=False, words=(True, False))
    confluence = Knob("auto", "how values of a vertex and its copies are merged", words=RULES, function=True)
    every = Knob(1, "rounds after which they are", low=1, whole=True, words=("end",))

    def check(self) -> None:
        if self.slack >= self.chunk:
            raise InvalidArgumentError(f"Coalesce: slack must be below chunk, which is {self.chunk}; not {self.slack}")

    @property
    def idle(self) -> bool:
        return False

    @property
    def effects(self) -> tuple[Effect, ...]:
        if not self.replicate:
            return (RENUMBERS,)
        return RENUMBERS, CopiesVertices(self.confluence), ADDS_TWO_HOP_ARCS

    def purpose(self, task: Task) -> str:
        apart = ", averaged" if self.confluence == "mean" and task.traits.averages else ""
        return f"{copied_arcs.purpose(task)}{apart}, {two_hop.purpose(task)}"

    def transform(self, graph: Graph, task: Task) -> GraphMap | None:
        order = forest_order(graph, self.chunk, self.slack)
        with kernel_threads(work=graph.m):
            offsets, targets, numbers = renumbered(graph, order.place, order.size)
        arcs, weights = numbers.astype(np.uint64), copied_arcs.own_weights(graph, task)
        rows = Graph._trusted(Arrays(offsets, targets, weights[arcs] if weights.size else weights), graph.directed)
        chosen = np.empty((4, 0), np.uint64)
        threshold = self._threshold(graph)
        if self.replicate and copied_arcs.copies_work(task):
            chosen = self._chosen(rows, order, threshold)
        report: dict[str, float] = {
            "levels": order.first.size - 1,
            "holes": order.size - graph.n,
            "threshold": threshold,
        }
        if not chosen.size:
            report.update({"replicas": 0, "filled holes": 0, "arcs added": 0})
            return GraphMap(graph, rows, order.place, arcs, report)
        moved = self._replicated(graph, task, rows, order.place, arcs, Chosen(*chosen))
        assert moved.arcs is not None
        count = chosen.shape[1]
        report.update({"replicas": count, "filled holes": count, "arcs added": int((moved.arcs == NO_ARC).sum())})
        moved.report.update(report)
        return moved

    def _threshold(self, graph: Graph) -> float:
        if self.threshold != "auto":
            return self.threshold
        return 0.4 if graph.out_degrees.max(initial=0) <= _ROAD_DEGREE else 0.6

    def _chosen(self, rows: Graph, order: ForestOrder, threshold: float) -> np.ndarray:
        """Vertices to copy: (vertex, its arcs from, to, place of the copy), a column each."""
        chunks = order.size // self.chunk
        filled = np.bincount(order.place // self.chunk, minlength=chunks).astype(np.uint64)
        level = np.searchsorted(order.first, np.arange(chunks) * self.chunk, side="right") - 1
        taken = np.zeros(order.size, np.bool_)
        taken[order.place] = True
        holes = np.flatnonzero(~taken)
        level_of_hole = level[holes // self.chunk]
        free = np.bincount(level_of_hole, minlength=order.first.size)
        wanted = np.where((level > 0) & (free[level - 1] > 0), threshold, np.inf)
        found = _candidates(rows, filled, wanted, self.chunk)
        arcs, chunk = found.high - found.low, rows.arrays.targets[found.low] // self.chunk
        above = level[chunk] - 1
        ranked = np.lexsort((found.vertex, chunk, -arcs.astype(np.int64), above))
        first = np.searchsorted(above[ranked], above[ranked])  # where each one's level begins
        winners = ranked[np.arange(ranked.size) - first < free[above[ranked]]]
        winners = winners[np.lexsort((found.vertex[winners], chunk[winners]))]  # a level's copies in its chunks' order
        start = np.searchsorted(above[winners], above[winners])
        at = np.searchsorted(level_of_hole, above[winners]) + np.arange(winners.size) - start
        return np.stack([found.vertex[winners], found.low[winners], found.high[winners], holes[at].astype(np.uint64)])

    def _replicated(
        self, graph: Graph, task: Task, rows: Graph, place: np.ndarray, given: np.ndarray, chosen: Chosen
    ) -> GraphMap:
        """The graph with copies, their arcs and the way back."""
        src = rows.arc_rows()
        give_arcs(chosen.low, chosen.high, chosen.slot.astype(src.dtype), src)
        weights, added, more = self._added(rows, task, chosen)
        arcs = copied_arcs.NewArcs(
            np.concatenate([src, added.src.astype(src.dtype)]),
            np.concatenate([copied_arcs.heads(rows, task, src), added.dst.astype(src.dtype)]),
            np.concatenate([given, np.full(added.src.size, NO_ARC)]),
            np.concatenate([weights, more]) if weights.size else NO_WEIGHTS,
        )
        copies = Copies.made(rows.n, chosen.slot.astype(src.dtype), chosen.vertex.astype(src.dtype), **self._how())
        return copied_arcs.with_copies(graph, task, place, copies, arcs)

    def _added(self, rows: Graph, task: Task, chosen: Chosen) -> two_hop.Weighed:
        """Arcs from copies to 2-hop neighbours, and what all arcs weigh."""
        require(24 * chosen.vertex.size * self.chunk, "2-hop neighbours of copies; lower chunk or slack")
        found = np.zeros((3, chosen.vertex.size, self.chunk), np.uint64)
        with kernel_threads(work=rows.m):
            two_hop_in_chunk(rows.arrays, Stretches(*chosen[:3]), np.uint64(self.chunk), Paths(*found))
        winner, _ = np.nonzero(found[0] != NO_ARC)
        dst, first, second = (array[found[0] != NO_ARC] for array in found)
        added = two_hop.Added(chosen.slot[winner], dst, first, second)
        return two_hop.weighed(rows, task, added, both_ways=copied_arcs.stays_undirected(task))

    def _how(self) -> dict[str, Any]:
        at_once = self.confluence in ("auto", "min") and self.every == 1
        return {"merge": self.confluence, "every": 0 if self.every == "end" else self.every, "at_once": at_once}


class Chosen(NamedTuple):
    """Vertices to copy, the arcs that their copies get, and where these go."""

    vertex: np.ndarray
    low: np.ndarray
    high: np.ndarray
    slot: np.ndarray


def _candidates(rows: Graph, filled: np.ndarray, wanted: np.ndarray, chunk: int) -> Stretches:
    """Vertices well-connected to a chunk, with their arcs into it."""
    offsets, targets, _ = rows.arrays
    counts = np.zeros(rows.n + 1, np.uint64)
    shared = (offsets, targets, Chunks(np.uint64(chunk), filled, wanted), row_cuts(rows))
    with kernel_threads(work=rows.m):
        count_candidates(*shared, counts)
        starts = np.cumsum(counts, dtype=np.uint64)
        found = Stretches(*(np.empty(int(starts[-1]), np.uint64) for _ in range(3)))
        fill_candidates(*shared, starts, found)
    return found
