"""The operators as functions on graphs and frontiers, one call each (MG2); for users, and for code that explores.

They are the ones that `run.advance`, `run.reduce`, ... of an algorithm call, on a run of one call. A frontier holds
vertices or edges; `Frontier.everything()` is all vertices without listing them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from nearly.base.arguments import choice
from nearly.base.errors import InvalidArgumentError
from nearly.base.threads import kernel_threads
from nearly.engine.interruptible import launch, stop_flag
from nearly.engine.operators import advance as _rounds  # noqa: F401  (first, or it would take the name of `advance` below)
from nearly.engine.operators import advance_kernels as kernels
from nearly.engine.operators.filter import filter_items
from nearly.engine.operators.filter import for_each as each_item
from nearly.engine.operators.frontier import push_to_edges
from nearly.engine.operators.intersect import ends_of
from nearly.engine.operators.intersect import intersect as intersect_rows
from nearly.engine.operators.reduce import Reduction, add, least, most
from nearly.engine.operators.reduce import reduce as reduce_rows
from nearly.engine.primitives import compact, scan
from nearly.graph.csr import Graph

__all__ = [
    "Frontier", "add", "advance", "filter", "for_each", "intersect", "least", "most", "neighborhood_reduce",
]  # fmt: skip


@dataclass(frozen=True)
class Frontier:
    """Vertices (or, with `edges`, arcs) to work on; `items` None means all vertices."""

    items: np.ndarray | None
    edges: bool = False

    @classmethod
    def everything(cls) -> Frontier:
        """All vertices of whatever graph."""
        return cls(None)

    @classmethod
    def of(cls, vertices: Any, graph: Graph) -> Frontier:
        """These vertices, checked against the graph."""
        items = np.asarray(vertices)
        if items.size and (items.dtype.kind not in "iu" or items.min() < 0 or items.max() >= graph.n):
            raise InvalidArgumentError(f"a frontier holds vertex numbers from 0 to {graph.n - 1}")
        return cls(items.astype(graph.arrays.targets.dtype).ravel())

    def heads(self, graph: Graph) -> np.ndarray:
        """The vertices whose out-edges come next: the items themselves, or the edges' targets."""
        if self.items is None:
            return np.arange(graph.n, dtype=graph.arrays.targets.dtype)
        return graph.arrays.targets[self.items] if self.edges else self.items

    def rows(self, graph: Graph) -> np.ndarray | None:
        """As `heads`, None for all vertices."""
        return None if self.items is None else self.heads(graph)

    def __len__(self) -> int:
        return -1 if self.items is None else self.items.size


EVERYTHING = Frontier(None)


class Once:
    """What an operator needs of a run, for one call outside of an algorithm."""

    policy, threshold = "auto", None

    def __init__(self, graph: Graph, threads: int) -> None:
        self.graph, self.threads, self.stop = graph, threads, stop_flag()

    def launch(self, kernel: Callable[..., Any], *arguments: Any, work: int | None = None) -> Any:
        """Run a kernel so that Ctrl-C is honoured."""
        return launch(kernel, *arguments, stop=self.stop, work=self.graph.m if work is None else work)


def advance(
    graph: Graph,
    frontier: Frontier,
    visit: Callable[..., bool],
    state: Any,
    output: str | None = "vertices",
    once: bool = True,
) -> Frontier:
    """Visit the out-edges of a frontier; what `visit(state, u, v, e)` accepts is the next frontier.

    Parameters
    ----------
    graph : Graph
        Whose arcs are visited.
    frontier : Frontier
        The vertices, or the edges, whose out-edges are visited.
    visit : function
        `visit(state, u, v, e) -> bool`: whether v belongs to what comes out.
    state : NamedTuple of arrays
        What the functor works on.
    output : {"vertices", "edges", None}
        Vertices (each at most once), edges (in order), or nothing.
    once : bool
        False lets an idempotent functor see some vertices twice, which saves an atomic each.

    Returns
    -------
    Frontier
        What the functor accepted.
    """
    if output == "edges":
        return _advance_to_edges(graph, frontier, visit, state)
    choice("output", output, ("vertices", "edges", None))
    targets = graph.arrays.targets
    items = targets[:0] if frontier.items is None else frontier.heads(graph)
    count = graph.n if frontier.items is None else items.size
    if count == 0:
        return Frontier(np.empty(0, targets.dtype))
    with kernel_threads(work=graph.m) as workers:
        run = Once(graph, workers)
        room = 0 if output is None else graph.n if once else graph.n * workers
        out, counters = np.empty(room, targets.dtype), np.zeros(4, np.uint64)
        batch = np.uint64(min(max(count // (workers * 16), 1), 64))
        wanted = kernels.Items(items, np.uint64(count), batch, np.uint64(2**64 - 1), out[:0])
        goal = kernels.Output(out, counters, np.zeros(graph.n, np.uint32), np.uint32(1), output is not None, once)
        run.launch(kernels.push(visit), graph.rows, wanted, goal, state, workers, run.stop)
    return Frontier(out[: int(counters[kernels.EMITTED])])


def _advance_to_edges(graph: Graph, frontier: Frontier, visit: Callable[..., bool], state: Any) -> Frontier:
    items = frontier.heads(graph)
    first = np.empty(items.size + 1, np.uint64)
    with kernel_threads(work=graph.m):
        total = int(scan(graph.row_sizes[items], first))
        edges, keep, out = np.empty(total, np.uint64), np.empty(total, np.bool_), np.empty(total, np.uint64)
        push_to_edges(visit)(graph.rows, items, first, keep, edges, state)
        kept = int(compact(edges, keep, out))
    return Frontier(out[:kept], edges=True)


def filter(frontier: Frontier, keep: Callable[..., bool], state: Any, graph: Graph) -> Frontier:
    """The items for which `keep(state, item)`, in order."""
    items = np.arange(graph.n, dtype=graph.arrays.targets.dtype) if frontier.items is None else frontier.items
    with kernel_threads(work=graph.m):
        return Frontier(filter_items(keep, state, items), frontier.edges)


def for_each(frontier: Frontier, do: Callable[..., Any], state: Any, graph: Graph) -> None:
    """`do(state, item)` for every item."""
    with kernel_threads(work=graph.m):
        if frontier.items is None:
            each_item(do, state, graph.arrays.targets[:0], graph.n)
        elif frontier.items.size:
            each_item(do, state, frontier.items, frontier.items.size)


def neighborhood_reduce(
    graph: Graph,
    gather: Callable[..., Any],
    combine: Callable[..., Any],
    apply: Callable[..., Any],
    state: Any,
    start: Any,
    direction: str = "in",
    frontier: Frontier = EVERYTHING,
) -> Frontier:
    """For each vertex v, combine `gather(state, u, v, e)` over its neighbours u, then `apply(state, v, total)`.

    Parameters
    ----------
    graph : Graph
        Whose neighbourhoods are reduced.
    gather, combine, apply : functions
        What an arc gives; `add`, `least`, `most`, or a function of your own; what becomes of the result. With
        `apply.emits = True` it returns whether v changed.
    state : NamedTuple of arrays
        What the functors work on.
    start : number
        What an empty neighbourhood gives.
    direction : {"in", "out"}
        Over in-neighbours (e numbers arcs of `graph.reverse`), or over out-neighbours.
    frontier : Frontier
        The vertices to reduce; all by default.

    Returns
    -------
    Frontier
        The vertices that changed, if `apply.emits`; else none.
    """
    choice("direction", direction, ("in", "out"))
    side = graph.reverse if direction == "in" else graph
    with kernel_threads(work=graph.m) as workers:
        what = Reduction(gather, apply, start, combine)
        return Frontier(reduce_rows(Once(graph, workers), side, what, state, frontier.rows(graph)).changed)


def intersect(
    graph: Graph,
    found: Callable[..., Any],
    state: Any,
    frontier: Frontier = EVERYTHING,
    other: Frontier | None = None,
) -> Any:
    """`found(state, u, v, w)` for every common out-neighbour w of the ends of every arc u -> v of a frontier.

    Parameters
    ----------
    graph : Graph
        Whose neighbourhoods are intersected.
    found : function
        What happens to a common neighbour. With `found.emits = True` it returns whether it accepts w.
    state : NamedTuple of arrays
        What the functor works on.
    frontier : Frontier
        Vertices: all their arcs; edges: these arcs. All arcs by default.
    other : Frontier, optional
        A second frontier of vertices of the same length: then u and v are what stands at the same place in the two.

    Returns
    -------
    int or (int, Frontier)
        How many there are; with `found.emits = True`, also those that it accepted.
    """
    with kernel_threads(work=graph.m) as workers:
        if other is not None:
            pairs: Any = _pairs(graph, frontier, other)
        else:
            pairs = ends_of(graph, frontier.items) if frontier.edges and frontier.items is not None else None
        items = None if pairs is not None else frontier.rows(graph)
        count, accepted = intersect_rows(Once(graph, workers), graph, found, state, items, pairs)
    return (count, Frontier(accepted)) if getattr(found, "emits", False) else count


def _pairs(graph: Graph, one: Frontier, two: Frontier) -> tuple[np.ndarray, np.ndarray]:
    """The vertices of two frontiers, place by place."""
    if one.edges or two.edges:
        raise InvalidArgumentError("two frontiers are intersected place by place if both hold vertices")
    us, vs = one.heads(graph), two.heads(graph)
    if us.size != vs.size:
        raise InvalidArgumentError(f"two frontiers must be of the same length, not {us.size} and {vs.size}")
    return us, vs
