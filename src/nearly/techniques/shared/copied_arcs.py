"""A graph in which some vertices have copies that hold part of their arcs, built from arcs in any order.

Searches, pagerank and betweenness work on copies (`nearly.engine.transform.replicas`), and mst joins them from the
start. For components an arc each way between a vertex and its copy says all there is to say, unless values are to be
merged by their mean and the algorithm can do that. Where the graph is read
as undirected it stays so: an edge is between the copies that hold its two arcs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.base.memory import require
from nearly.engine.technique import Task
from nearly.engine.transform.graph_map import NO_ARC, GraphMap
from nearly.engine.transform.replicas import Copies
from nearly.graph.build import from_source
from nearly.graph.csr import NO_WEIGHTS, Arrays, Graph
from nearly.graph.edge_source import ArraySource
from nearly.graph.opposite_arcs import opposite_arcs


class NewArcs(NamedTuple):
    """The arcs of the new graph: their ends, which given arc each is (or NO_ARC), and their weights, if any count."""

    src: np.ndarray
    dst: np.ndarray
    given: np.ndarray
    weights: np.ndarray


def purpose(task: Task) -> str:
    """What of a task a graph with copies depends on."""
    form = f"copies {task.traits.copies}{', undirected' if task.undirected else ''}"
    return f"{form} {'by weights' if task.weighted else 'without weights'}"


def copies_work(task: Task) -> bool:
    """Whether copies can stand for a vertex in this task; a search by distance has no rounds in which they follow."""
    return task.traits.copies_by_weights or not task.weighted


def stays_undirected(task: Task) -> bool:
    """Whether the graph is undirected, and has to be."""
    return task.undirected


def own_weights(graph: Graph, task: Task) -> np.ndarray:
    """The weights that count."""
    return graph.arrays.weights if task.weighted and graph.weighted else NO_WEIGHTS


def heads(rows: Graph, task: Task, src: np.ndarray) -> np.ndarray:
    """Where the arcs of `rows` lead if they now come from `src`: as before, or to the copy that holds the arc back."""
    if stays_undirected(task):
        return src[opposite_arcs(rows)]
    return rows.arrays.targets.astype(src.dtype)


def with_copies(graph: Graph, task: Task, place: np.ndarray, copies: Copies, arcs: NewArcs) -> GraphMap:
    """The graph of these arcs on `copies.n` vertices, and the way back."""
    require((32 + arcs.weights.itemsize) * arcs.src.size, "a graph with copies of vertices")
    joined = task.traits.copies == "joined" and not (copies.merge == "mean" and task.traits.averages)
    if joined and copies.slot.size:
        src, dst = (
            np.concatenate([arcs.src, copies.of, copies.slot]),
            np.concatenate([arcs.dst, copies.slot, copies.of]),
        )
        arcs = NewArcs(src, dst, np.append(arcs.given, np.full(2 * copies.slot.size, NO_ARC)), NO_WEIGHTS)
    number = np.dtype(np.uint32 if arcs.src.size < 2**32 else np.float64)  # the builder moves bits whatever they mean
    numbers = np.arange(arcs.src.size, dtype=f"u{number.itemsize}")
    offsets, targets, order = from_source(
        ArraySource(arcs.src, arcs.dst, numbers.view(number)), copies.n, True, "keep"
    ).arrays
    order = order.view(numbers.dtype)
    weights = arcs.weights[order] if arcs.weights.size else arcs.weights
    made = Graph._trusted(Arrays(offsets, targets, weights), not stays_undirected(task))
    return GraphMap(graph, made, place, arcs.given[order], copies=copies if copies.slot.size and not joined else None)
