"""Arcs to 2-hop neighbours (of Graffix's transforms): which to add, what they weigh, and the graph that has them.

An added arc u -> w stands for a path u -> v -> w and weighs what that path weighs, the lightest one found. So no
distance falls, no component grows, and a spanning forest needs none of them: shortest paths, components and the weight
of spanning forests stay what they were. Hop counts fall, and whatever counts arcs (pagerank, betweenness) moves.
A sum is rounded upwards where the type of the weights cannot hold it; an arc whose sum it cannot hold at all is left
out. On a graph without weights an added arc weighs 2 against 1 for algorithms that go by lengths (sssp, mst) and
counts as any other for the rest. In an undirected graph it comes with the arc back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.base.memory import require
from nearly.base.random import stream_key
from nearly.base.threads import kernel_threads
from nearly.engine.interruptible import launch, stop_flag
from nearly.engine.technique import Task
from nearly.engine.traits import ADDS_ARCS_ACROSS, ADDS_SHORT_CUTS, ADDS_TWO_HOP_ARCS, RENUMBERS, Effect
from nearly.engine.transform.graph_map import NO_ARC, GraphMap
from nearly.graph.csr import NO_WEIGHTS, Arrays, Graph
from nearly.graph.renumber import look_up, renumbered
from nearly.techniques.shared.two_hop_kernels import Answers, Wishes, find_two_hop

_STREAM = 0x3268  # which random numbers say where in a row a search begins
Weigh = str | Callable[[np.ndarray, np.ndarray], Any]


class Added(NamedTuple):
    """Arcs to add, and the two arcs of the path that each stands for."""

    src: np.ndarray
    dst: np.ndarray
    first: np.ndarray
    second: np.ndarray

    def take(self, which: np.ndarray) -> Added:
        """Only these."""
        return Added(*(array[which] for array in self))


def purpose(task: Task) -> str:
    """What of a task the graph with added arcs depends on."""
    lengths = "lengths" if task.weighted or task.traits.measures == "lengths" else "hops"
    return f"{lengths} {'by weights' if task.weighted else 'without weights'}, seed {task.seed}"


def effects_of(adds: bool, weigh: Weigh, across: bool = False) -> tuple[Effect, ...]:
    """What a technique does that renumbers vertices and may add such arcs.

    All given arcs stay. So where a user's function weighs the added ones, lengths can only fall; a spanning forest is
    completed on the given graph whatever they weigh, and an edge it has among more edges it has without them.
    """
    if not adds:
        return (RENUMBERS,)
    return RENUMBERS, ADDS_ARCS_ACROSS if across else ADDS_SHORT_CUTS if callable(weigh) else ADDS_TWO_HOP_ARCS


def two_hop_arcs(graph: Graph, wanted: np.ndarray, task: Task) -> Added:
    """For each vertex up to as many new arcs as it wants, to 2-hop out-neighbours, lightest paths first.

    Examples
    --------
    >>> g = Graph.from_edges([0, 0, 1, 2, 2], [1, 2, 3, 3, 0], weights=[5, 1, 1, 2, 1])
    >>> [array.tolist() for array in two_hop_arcs(g, np.array([2, 0, 0, 0]), Task("sssp"))]
    [[0], [3], [1], [4]]
    """
    vertices = np.flatnonzero(wanted).astype(np.uint64)
    numbers = wanted[vertices].astype(np.uint64)
    starts = np.concatenate([np.zeros(1, np.uint64), np.cumsum(numbers, dtype=np.uint64)])
    room = int(starts[-1])
    require(40 * room, "arcs to 2-hop neighbours")
    dst, first, second = np.zeros((3, room), np.uint64)
    counts, stop = np.zeros(vertices.size, np.uint64), stop_flag()
    rows = graph.arrays if task.weighted else graph.arrays._replace(weights=NO_WEIGHTS)
    key = np.uint64(stream_key(np.uint64(task.seed), np.uint64(_STREAM)))
    with kernel_threads(work=graph.m) as workers:
        launch(
            find_two_hop, rows, Wishes(vertices, numbers, starts), key, Answers(dst, first, second, counts),
            np.zeros(1, np.uint64), workers, stop, stop=stop, work=graph.m,
        )  # fmt: skip
    filled = np.repeat(starts[:-1], counts.astype(np.int64))  # where each found one's vertex begins
    within = np.arange(filled.size, dtype=np.uint64) - np.repeat(np.cumsum(counts) - counts, counts.astype(np.int64))
    at = filled + within
    return Added(np.repeat(vertices, counts.astype(np.int64)), dst[at], first[at], second[at])


def path_weights(first: np.ndarray, second: np.ndarray, weigh: Weigh) -> tuple[np.ndarray, np.ndarray]:
    """What arcs weigh that stand for two, in the type of these, never rounded down; and which of them that can hold."""
    kind = first.dtype
    made = _sums(first, second) if not callable(weigh) else _told(weigh, first, second)
    if kind.kind == "u":
        fits = made <= np.iinfo(kind).max
        return np.where(fits, np.ceil(made), 0).astype(kind), fits
    with np.errstate(over="ignore"):
        near = made.astype(kind)
    near = np.where(near < made, np.nextafter(near, np.array(np.inf, kind)), near)
    return near, np.isfinite(near)


def _sums(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Sums in float64, the next one up where that is not exact."""
    a, b = first.astype(np.float64), second.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        total = a + b
        part = total - a
        short = (a - (total - part)) + (b - part)  # what rounding took away
    return np.where(short > 0, np.nextafter(total, np.inf), total)


def _told(weigh: Callable[..., Any], first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """What the user's function says."""
    made = np.asarray(weigh(first, second))
    if made.shape != first.shape or made.dtype.kind not in "uif" or not np.isfinite(made).all():
        raise InvalidArgumentError("weight must give one finite number for each pair of weights it gets")
    if first.dtype.kind == "u" and made.size and made.min() < 0:
        raise InvalidArgumentError("weight gave a negative number for weights that are whole and not negative")
    return made.astype(np.float64)


class Weighed(NamedTuple):
    """The weights that count of a graph's arcs, arcs to add, and what these weigh; no weights where none count."""

    weights: np.ndarray
    added: Added
    more: np.ndarray


def weighed(graph: Graph, task: Task, added: Added, weigh: Weigh = "sum", both_ways: bool = False) -> Weighed:
    """What arcs weigh once some are added, which are left out if no weight of the graph's type will do.

    None is added to a copy of a vertex: a copy is reached when its vertex is, never by arcs of its own.
    """
    if task.closed is not None:
        added = added.take(~np.isin(added.dst, task.closed) & ~(both_ways & np.isin(added.src, task.closed)))
    weighted = task.weighted and graph.weighted
    weights = graph.arrays.weights if weighted else NO_WEIGHTS
    if not weighted and task.traits.measures == "lengths" and added.src.size:
        weights = np.ones(graph.m, np.uint32)
    more = np.empty(0, weights.dtype)
    if weights.size:
        more, fits = path_weights(weights[added.first], weights[added.second], weigh)
        added, more = added.take(fits), more[fits]
    if both_ways:
        added, more = _both_ways(added, more)
    return Weighed(weights, added, more)


def with_arcs(graph: Graph, task: Task, added: Added, place: np.ndarray, weigh: Weigh = "sum") -> GraphMap:
    """The graph under new numbers with arcs added, and the way back."""
    weights, added, more = weighed(graph, task, added, weigh, both_ways=not graph.directed)
    require(graph.m * (24 + weights.itemsize), "a graph with more arcs")
    with kernel_threads(work=graph.m):
        offsets, targets, numbers = renumbered(graph, place, graph.n, added.src, added.dst)
        chosen = weights if weights is NO_WEIGHTS else np.empty(targets.size, weights.dtype)
        if chosen.size:
            look_up(np.concatenate([weights, more]), numbers, chosen)
    arcs = numbers.astype(np.uint64)
    arcs[arcs >= graph.m] = NO_ARC
    larger = Graph._trusted(Arrays(offsets, targets, chosen), graph.directed)
    return GraphMap(graph, larger, place, arcs, {"arcs added": larger.m - graph.m})


def _both_ways(added: Added, weights: np.ndarray) -> tuple[Added, np.ndarray]:
    """Every edge once, the lightest of those between two vertices, and then both its arcs."""
    low, high = np.minimum(added.src, added.dst), np.maximum(added.src, added.dst)
    order = np.lexsort((weights, high, low) if weights.size else (high, low))
    low, high = low[order], high[order]
    fresh = np.ones(order.size, bool)
    fresh[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    once = added.take(order[fresh])
    twice = Added(*(np.concatenate(pair) for pair in zip(once, Added(once.dst, once.src, once.second, once.first))))
    return twice, np.tile(weights[order[fresh]], 2) if weights.size else weights
