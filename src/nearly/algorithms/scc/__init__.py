"""Strongly connected components: u and v belong together when each reaches the other.

Returns one label per vertex, the component's smallest member; `.count` is the number of components.
Method: rounds of trimming and forward-backward search in all parts at once (`forward_backward`), under any policy.
`auto` is serial depth-first search by Pearce's method where that reads memory in order (web crawls,
grids, small graphs). Where arcs jump about, every arc is a cache miss for it, so there a vertex of
largest degree first finds its own component by one forward and one backward search over bitmaps that
stay in cache: usually that is the giant one, and depth-first search has little left to do. Where these searches
take many passes they are given up. In an undirected graph strong components are the connected ones.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nearly.accuracy.judges import PARTS
from nearly.algorithms.connected_components import afforest
from nearly.algorithms.scc.certificate import certificate
from nearly.algorithms.scc.forward_backward import forward_backward, to_smallest
from nearly.algorithms.scc.kernels import Bitmaps, Stacks, finish, grow, pearce
from nearly.algorithms.shared.labels import as_labels, count_labels
from nearly.engine.algorithm import algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Result, field
from nearly.engine.row_pieces import cursor
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

_SAMPLES = 1024
_NEAR = 1 << 15  # vertices this close share second-level cache: 128 KiB of places
NO_SPANS = np.empty(0, np.int64)
_PASSES = 32  # over the bitmaps; more of them means a large diameter, where depth-first search is better


class SccResult(Result):
    """Strongly connected components."""

    shows = "parts"

    values: np.ndarray = field("a label for each vertex: the smallest member of its component", column="component")
    count: int = field("how many components there are")


@algorithm(
    memory=Needs(vertex=48, reverse=True),
    certificate=certificate, judge=PARTS, direct=True,
    fewer_arcs="up", two_hop="same", across="down", merged="down", renumbered="same", cut_short="up", copies="joined",
    averages=True, redraws=True,
)  # fmt: skip
def scc(run: Run) -> SccResult:
    """Strongly connected components; a label is the smallest member, `.count` how many there are.

    Examples
    --------
    >>> import nearly
    >>> r = nearly.scc(nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 1, 3]))
    >>> r.values.tolist(), r.count
    ([0, 1, 1, 3], 3)
    """
    graph = run.graph
    label = np.arange(graph.n, dtype=graph.arrays.targets.dtype)
    direct = run.direct and (run.mapped is None or run.mapped.copies is None)
    phases = (depth_first if graph.directed else afforest)(run, label) if direct else forward_backward(run, label)
    finished = run.enact(lambda: next(phases, None))
    if not direct:
        to_smallest(run, label)
    values = run.back_labels(as_labels(label))
    return SccResult(values, guarantee="exact" if finished else "upper bound", count=lambda: count_labels(values))


def depth_first(run: Run, label: np.ndarray) -> Iterator[list[Did]]:
    """The giant component first where that pays, then Pearce's method for the rest."""
    graph = run.graph
    offsets, targets, _ = graph.arrays
    number = np.dtype(np.uint32 if graph.n < 2**31 else np.uint64)
    known = np.uint64(1 << (8 * number.itemsize - 1))
    place = np.zeros(graph.n, number)
    span = _sample_spans(graph) if graph.n > _NEAR else NO_SPANS
    found = 0
    if span.size and np.median(np.abs(span)) > _NEAR:
        found, did = _giant(run, place, known)
        yield [did]
    falling = bool((span > 0).sum() * 2 > span.size)  # begin where arcs lead to: their targets are then finished
    kinds = (targets.dtype, np.uint64, number, targets.dtype)
    stacks = Stacks(*(np.empty(graph.n - found, kind) for kind in kinds))
    arcs = run.launch(pearce, offsets, targets, place, stacks, known, falling, run.stop)
    np.subtract(place, known.astype(number), out=label, casting="same_kind")
    yield [Did(graph.n - found, int(arcs))]


def _giant(run: Run, place: np.ndarray, known: np.uint64) -> tuple[int, Did]:
    """Finish the component of a vertex of largest degree; returns its size, 0 when the search was given up."""
    graph, workers = run.graph, run.threads
    offsets, targets, _ = graph.arrays
    pivot = int(np.argmax(graph.out_degrees))
    reached, reaching = (_only(pivot, graph.n) for _ in range(2))
    bitmaps = Bitmaps(reached, np.zeros_like(reached), reaching)
    arcs = passes = 0
    for forward in (True, False):
        grown = np.uint64(1)
        while grown:
            grown, read = run.launch(grow, offsets, targets, bitmaps, forward, cursor(), workers, run.stop)
            arcs, passes = arcs + int(read), passes + 1
            if grown and (passes > _PASSES or arcs > 3 * graph.m):
                return 0, Did(graph.n, arcs)
    return int(finish(reaching, place, known)), Did(graph.n, arcs)


def _only(v: int, n: int) -> np.ndarray:
    """A bitmap over n vertices with v set."""
    bitmap = np.zeros((n + 63) // 64, np.uint64)
    bitmap[v >> 6] = np.uint64(1 << (v & 63))
    return bitmap


def _sample_spans(graph: Graph) -> np.ndarray:
    """How far, and to which side, an even sample of the arcs leads."""
    if graph.m == 0:
        return NO_SPANS
    offsets, targets, _ = graph.arrays
    arcs = np.linspace(0, graph.m - 1, min(_SAMPLES, graph.m)).astype(np.int64)
    sources = np.searchsorted(offsets, arcs.astype(np.uint64), side="right") - 1
    return targets[arcs].astype(np.int64) - sources
