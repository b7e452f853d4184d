"""The operators as functions on graphs and frontiers, one call each (MG2).

These allocate what they need per call, which suits algorithms of a few rounds and code that explores.
For a loop of many rounds `Advance` keeps buffers and stamps between rounds and knows the policies.
A frontier holds vertices or edges; `Frontier.everything` is all vertices without listing them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.base.threads import kernel_threads
from nearly.engine.interruptible import launch, stop_flag
from nearly.engine.operators import kernels
from nearly.engine.primitives import compact, scan, transform
from nearly.engine.row_pieces import row_cuts
from nearly.graph.csr import Graph


@dataclass(frozen=True)
class Frontier:
    """Vertices (or, with `edges`, arcs) to work on; `items` None means all vertices."""

    items: np.ndarray | None
    edges: bool = False

    @classmethod
    def everything(cls) -> Frontier:
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

    def __len__(self) -> int:
        return -1 if self.items is None else self.items.size


def advance(
    graph: Graph,
    frontier: Frontier,
    visit: Callable[..., bool],
    state: Any,
    output: str | None = "vertices",
    once: bool = True,
) -> Frontier:
    """Visit the out-edges of a frontier; what `visit(state, u, v, e)` accepts is the next frontier.

    output : "vertices" (each at most once), "edges" (in order), or None to skip the output.
    once : False lets an idempotent functor see some vertices twice, which saves an atomic each.
    """
    if output == "edges":
        return _advance_to_edges(graph, frontier, visit, state)
    if output not in ("vertices", None):
        raise InvalidArgumentError(f"output must be 'vertices', 'edges' or None, not {output!r}")
    offsets, targets, _ = graph.arrays
    items = np.empty(0, targets.dtype) if frontier.items is None else frontier.heads(graph)
    count = graph.n if frontier.items is None else items.size
    if count == 0:
        return Frontier(np.empty(0, targets.dtype))
    with kernel_threads(work=graph.m) as workers:
        room = 0 if output is None else graph.n if once else graph.n * workers
        out, counters = np.empty(room, targets.dtype), np.zeros(4, np.uint64)
        stop, never = stop_flag(), np.uint64(2**64 - 1)
        batch = np.uint64(min(max(count // (workers * 16), 1), 64))
        launch(
            kernels.push(visit), offsets, targets, items, np.uint64(count), batch, never, out[:0], out, counters,
            np.zeros(graph.n, np.uint32), np.uint32(1), state, output is not None, once, workers, stop,
            stop=stop, work=graph.m,
        )  # fmt: skip
    return Frontier(out[: int(counters[kernels.EMITTED])])


def _advance_to_edges(graph: Graph, frontier: Frontier, visit: Callable[..., bool], state: Any) -> Frontier:
    offsets, targets, _ = graph.arrays
    items = frontier.heads(graph)
    first = np.empty(items.size + 1, np.uint64)
    with kernel_threads(work=graph.m):
        total = int(scan(graph.out_degrees[items], first))
        edges, keep, out = np.empty(total, np.uint64), np.empty(total, np.bool_), np.empty(total, np.uint64)
        kernels.push_to_edges(visit)(offsets, targets, items, first, keep, edges, state)
        kept = int(compact(edges, keep, out))
    return Frontier(out[:kept], edges=True)


def filter(frontier: Frontier, keep: Callable[..., bool], state: Any, graph: Graph) -> Frontier:
    """The items for which `keep(state, item)`, in order."""
    items = np.arange(graph.n, dtype=graph.arrays.targets.dtype) if frontier.items is None else frontier.items
    out = np.empty_like(items)
    with kernel_threads(work=graph.m):
        kept = int(kernels.filter_items(keep)(state, items, out))
    return Frontier(out[:kept], frontier.edges)


def for_each(frontier: Frontier, do: Callable[..., Any], state: Any, graph: Graph) -> None:
    """`do(state, item)` for every item."""
    with kernel_threads(work=graph.m):
        if frontier.items is None:
            kernels.for_each(do)(state, np.uint64(graph.n))
        else:
            transform(do)(state, frontier.items)


def add(a: Any, b: Any) -> Any:
    """The sum, for `neighborhood_reduce`."""
    return a + b


def least(a: Any, b: Any) -> Any:
    """The minimum, for `neighborhood_reduce`."""
    return min(a, b)


def most(a: Any, b: Any) -> Any:
    """The maximum, for `neighborhood_reduce`."""
    return max(a, b)


def neighborhood_reduce(
    graph: Graph,
    gather: Callable[..., Any],
    combine: Callable[..., Any],
    apply: Callable[..., Any],
    state: Any,
    start: Any,
    direction: str = "in",
) -> None:
    """For each vertex v, combine `gather(state, u, v, e)` over its neighbours u, then `apply(state, v, total)`.

    direction : "in" reduces over in-neighbours (e numbers arcs of `graph.reverse`), "out" over out-neighbours.
    combine : `add`, `least`, `most`, or a function of your own.
    """
    if direction not in ("in", "out"):
        raise InvalidArgumentError(f"direction must be 'in' or 'out', not {direction!r}")
    side = graph.reverse if direction == "in" else graph
    offsets, targets, _ = side.arrays
    stop = stop_flag()
    with kernel_threads(work=graph.m) as workers:
        launch(
            kernels.neighborhood_reduce(gather, combine, apply), offsets, targets, row_cuts(side), start, state,
            np.zeros(1, np.uint64), workers, stop, stop=stop, work=graph.m,
        )  # fmt: skip


def intersect(graph: Graph, found: Callable[..., Any], state: Any) -> int:
    """`found(state, u, v, w)` for every common out-neighbour w of the ends of every arc u -> v; returns how many."""
    offsets, targets, _ = graph.arrays
    stop = stop_flag()
    with kernel_threads(work=graph.m) as workers:
        kernel, cursor = kernels.intersect(found), np.zeros(1, np.uint64)
        cuts = row_cuts(graph)
        return int(launch(kernel, offsets, targets, cuts, state, cursor, workers, stop, stop=stop, work=graph.m))
