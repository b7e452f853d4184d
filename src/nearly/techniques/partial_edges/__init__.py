"""Partial processing (GP2): work on a share of the arcs.

Each vertex keeps the share `keep` of its arcs (at least one): the lightest, the heaviest, or a random choice. An arc
stays if either end keeps it, so that the share is somewhat larger than `keep`. In an undirected graph that is searched
or ranked an arc stays if the end it leads to keeps it: it is the arcs that enter which decide how well a vertex is
reached, and the arc back is judged by itself. Ties, and arcs without weights, are ordered by a seeded hash of the two
ends, so that both arcs of an edge and all parallel arcs share one fate.

A random choice is drawn anew each round (a hash of arc and round) where rounds only ever improve an upper bound (bfs,
sssp, connected_components); the share may grow with the rounds. In betweenness a round is a source: paths are counted
on all arcs, and on the way back each vertex of more than 64 arcs reads a stretch of them, drawn anew for every source
and scaled up, so that errors average out. Everywhere else, and with `redraw=False`, the choice is made once, before
the run, which then works on a smaller graph at full speed.

`redraw=True` draws anew for pagerank, scc and mst too, as the thesis does for all five. What holds of the answers:

- pagerank: draws never let ranks settle; rounds end when they only wander (`rounds`), and the bound on the error is
  computed from the answer as always, so it is "certified";
- scc: one draw serves a round of searches forward and backward, so every part found is strongly connected and no
  label is below the exact one: an upper bound;
- mst: a tree picks the lightest edge of the round's draw; what is not joined in the end is completed with all edges.
  The forest spans, so its weight is an upper bound.

Algorithms that count (triangle_count) get every edge with probability `keep` instead, which makes counts / keep^3 an
unbiased estimate (Tsourakakis, Kang, Miller and Faloutsos, "DOULION", KDD 2009).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from nearly.algorithms.mst.keys import keys_of
from nearly.algorithms.pagerank.problem import RankGoal
from nearly.base.errors import DeviceUnavailableError
from nearly.base.memory import require
from nearly.base.random import stream_key
from nearly.engine.functor_wrappers import limit_of
from nearly.engine.knob import Knob
from nearly.engine.row_pieces import row_cuts
from nearly.engine.run import Run
from nearly.engine.technique import Task, Technique, Visits, technique
from nearly.engine.traits import REMOVES_ARCS
from nearly.engine.transform.graph_map import GraphMap
from nearly.graph.csr import NO_WEIGHTS, Arrays, Graph
from nearly.techniques.partial_edges.kernels import Limits, Order, count_kept, fill_kept, thresholds
from nearly.techniques.partial_edges.rounds import DrawnSweeps

STREAM = 0x7067  # which random numbers choose arcs once


@technique("partial-edges", reference="GP2: Graprox, partial graph processing")
class PartialEdges(Technique):
    """Process only a share of each vertex's arcs: the lightest, the heaviest, or a random choice."""

    keep = Knob(0.7, "the share of arcs that stays", exact=1.0, low=0, high=1, above=True)
    select = Knob("random", "which arcs stay", words=("random", "heaviest", "lightest"))
    growth = Knob(1.0, "the share is multiplied by this after each round, while drawn anew", low=1)
    redraw = Knob(
        "auto", "whether a random choice is drawn anew each round: where that suits the algorithm, or where it can",
        words=("auto", True, False),
    )  # fmt: skip
    effects = (REMOVES_ARCS,)

    def in_rounds(self, task: Task) -> bool:
        suits = task.traits.improves or (Visits in task.traits.listens and not task.weighted)
        anew = suits or (self.redraw is True and task.traits.redraws)
        return self.select == "random" and bool(self.redraw) and anew

    def visits(self, round: int) -> Visits | None:
        return Visits(math.exp(min(0.0, math.log(self.keep) + round * math.log(self.growth))))

    def make_rounds(self, run: Run, goal: Any) -> Any:
        """PageRank's rounds by draws, where a choice is not made once."""
        if not isinstance(goal, RankGoal) or self not in run.techniques:
            return None
        if run.device != "cpu":
            raise DeviceUnavailableError("PartialEdges(redraw=True) for pagerank runs on device='cpu' only")
        return DrawnSweeps(run, goal)

    def transform(self, graph: Graph, task: Task) -> GraphMap | None:
        if self.in_rounds(task):
            return None
        weighted = task.weighted and graph.weighted
        one_way, sampled = task.traits.one_way and not graph.directed, task.traits.fewer_arcs == "estimated"
        offsets, targets, weights = graph.arrays
        require(graph.m * (12 + weights.itemsize) + 24 * graph.n, "a graph of part of the edges")
        order = self._order(graph, task, weighted)
        if sampled:
            into = out = np.full(graph.n, limit_of(self.keep))
        else:
            into = self._limits(graph.reverse, order)
            out = np.zeros_like(into) if one_way else into if not graph.directed else self._limits(graph, order)
        sizes, cuts, limits = np.zeros(graph.n + 1, np.uint64), row_cuts(graph), Limits(into, out)
        count_kept(offsets, targets, order(graph), limits, cuts, sizes)
        starts = np.cumsum(sizes, dtype=np.uint64)
        arcs = np.empty(int(starts[-1]), np.uint64)
        fill_kept(offsets, targets, order(graph), limits, cuts, starts, arcs)
        chosen = weights[arcs] if weighted else NO_WEIGHTS
        part = Graph._trusted(Arrays(starts, targets[arcs], chosen), directed=graph.directed or one_way)
        share = arcs.size / graph.m if graph.m else 1.0
        chance = self.keep if sampled else 1.0
        return GraphMap(graph, part, arcs=arcs, report={"share of arcs": share}, chance=chance)

    def _order(self, graph: Graph, task: Task, weighted: bool) -> Callable[[Graph], Order]:
        """What kernels need to know of the order of the arcs, for the graph or its reverse."""
        key = np.uint64(stream_key(np.uint64(task.seed), np.uint64(STREAM)))
        flip = np.uint64(2**64 - 1 if self.select == "heaviest" else 0)
        symmetric = not graph.directed

        def order(side: Graph) -> Order:
            return Order(*keys_of(side, weighted and self.select != "random"), flip, key, symmetric, side is not graph)

        return order

    def _limits(self, rows: Graph, order: Callable[[Graph], Order]) -> np.ndarray:
        """Each row's limit: at least one of its arcs is within it."""
        offsets, targets, _ = rows.arrays
        limits = np.zeros(rows.n, np.uint64)
        thresholds(offsets, targets, order(rows), self.keep, row_cuts(rows), limits)
        return limits
