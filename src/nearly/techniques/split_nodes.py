"""Node splitting (LB1-LB3): a vertex of many out-arcs becomes several of few.

A vertex of d > `mda` out-arcs keeps about d / p of them, p = ceil(d / mda), and p - 1 copies of it get as many each.
In-arcs stay where they were, no arc is added, and copies always have the value of the vertex (see
`nearly.engine.transform.replicas`), so every answer is the exact one; a search begins at the source and all its
copies. With `update="atomic"` what lowers a vertex lowers its copies at once; with "pass" a pass after each round
does.

The rule "histogram" counts vertices in ten equal buckets from 0 to the largest out-degree; `mda` is the largest degree
of the fullest bucket (if that is the last, nothing is split). "percentile" is the degree that 99 of 100 vertices stay
within. Betweenness by weights works on the graph as it is: there a split vertex would settle twice.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nearly.engine.knob import Knob
from nearly.engine.technique import Task, Technique, technique
from nearly.engine.traits import CopiesVertices
from nearly.engine.transform.graph_map import GraphMap
from nearly.engine.transform.replicas import Copies
from nearly.graph.csr import Graph, vertex_dtype
from nearly.techniques.shared.copied_arcs import NewArcs, copies_work, heads, own_weights, purpose, with_copies

_BUCKETS, _PERCENTILE = 10, 99


@technique("split-nodes", reference="LB1-LB3: Kumar and Vadhiyar, node splitting")
class SplitNodes(Technique):
    """Split vertices of many out-arcs into several of few; answers stay exact."""

    mda = Knob(
        "histogram", "the most out-arcs a vertex keeps, or a rule to find that number; None splits nothing",
        exact=None, low=1, whole=True, words=("histogram", "percentile", None), mild=math.inf,
    )  # fmt: skip
    update = Knob(
        "atomic", "whether copies change with their vertex or in a pass after each round", words=("atomic", "pass")
    )

    effects = (CopiesVertices(),)

    def purpose(self, task: Task) -> str:
        return purpose(task)

    def transform(self, graph: Graph, task: Task) -> GraphMap | None:
        degrees = graph.out_degrees.astype(np.int64)
        most = largest_allowed(degrees, self.mda)
        report: dict[str, float] = {"mda": most, "vertices split": 0, "copies": 0}
        pieces = np.maximum(-(-degrees // max(most, 1)), 1)
        if pieces.max(initial=1) == 1 or not copies_work(task):
            return GraphMap(graph, graph, report=report)
        report.update({"vertices split": int((pieces > 1).sum()), "copies": int(pieces.sum()) - graph.n})
        owner, sizes = np.repeat(np.arange(graph.n), pieces), piece_sizes(degrees, pieces)
        slots = owner.astype(vertex_dtype(owner.size))
        first = np.cumsum(pieces) - pieces
        extra = np.ones(owner.size, np.bool_)
        extra[first] = False
        slots[extra] = np.arange(graph.n, owner.size)
        copies = Copies.made(owner.size, slots[extra], owner[extra].astype(slots.dtype), **self._how())
        src = np.repeat(slots, sizes)
        arcs = NewArcs(src, heads(graph, task, src), np.arange(graph.m, dtype=np.uint64), own_weights(graph, task))
        moved = with_copies(graph, task, np.arange(graph.n, dtype=slots.dtype), copies, arcs)
        moved.report.update(report)
        return moved

    def _how(self) -> dict[str, Any]:
        return {"at_once": self.update == "atomic"}


def largest_allowed(degrees: np.ndarray, rule: int | str | None) -> int:
    """The most out-arcs a vertex keeps, by a rule or as a number.

    Examples
    --------
    >>> largest_allowed(np.array([3, 5, 8, 1181]), "histogram"), largest_allowed(np.array([3, 5, 8, 255]), "histogram")
    (118, 25)
    """
    largest = int(degrees.max(initial=0))
    if rule is None or not largest:
        return largest
    if rule == "percentile":
        return max(int(np.percentile(degrees, _PERCENTILE, method="higher")), 1)
    if isinstance(rule, int):
        return rule
    bucket = np.minimum(degrees * _BUCKETS // largest, _BUCKETS - 1)
    fullest = int(np.argmax(np.bincount(bucket, minlength=_BUCKETS)))
    return max(largest * (fullest + 1) // _BUCKETS, 1)


def piece_sizes(degrees: np.ndarray, pieces: np.ndarray) -> np.ndarray:
    """The arcs of each piece, row after row; those of one row differ by at most one.

    Examples
    --------
    >>> piece_sizes(np.array([7, 2]), np.array([3, 1])).tolist()
    [2, 2, 3, 2]
    """
    row = np.repeat(np.arange(degrees.size), pieces)
    within = np.arange(row.size) - (np.cumsum(pieces) - pieces)[row]
    d, p = degrees[row], pieces[row]
    return (within + 1) * d // p - within * d // p
