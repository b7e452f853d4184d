"""Truss numbers: for each edge the largest k of a subgraph around it in which each edge is in k - 2 triangles.

Returns the number of each arc of the given graph, the same for both directions: 2 for an edge in no triangle, 0 for a
loop. The k-truss is the arcs of number k and above. A directed graph is read as undirected; parallel edges are one.
Method (Wang and Cheng, "Truss decomposition in massive networks", 2012; in waves as Kabir and Madduri, 2017): count
the triangles of each edge, then take away the edges of fewest until none is left. See `kernels`.
The certificate goes through all triangles once more: each edge is in enough of those whose edges have its number or
more, and when it was taken away it was not in more, so that no other numbers are possible.
"""

from __future__ import annotations

import numpy as np

from nearly.accuracy.judges import ARC_SCORES
from nearly.algorithms.ktruss import kernels as kk
from nearly.base.errors import InvalidGraphError
from nearly.base.memory import require
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph
from nearly.graph.opposite_arcs import opposite_arcs


class KtrussResult(Result):
    """Truss numbers."""

    per = "arc"
    shows = "cores"

    values: np.ndarray = field("the truss number of each arc, int32; 2 in no triangle, 0 for a loop", column="truss")
    largest: int = field("the largest truss number")
    removal: np.ndarray = field("the place of each arc's edge in the order of peeling, int64; -1 for a loop")


def certificate(graph: Graph, result: KtrussResult) -> Certificate:
    """Enough triangles of its number or more at each edge, and no more when it was peeled."""
    claim = "each edge is in enough triangles of edges of its number or more, and was in no more when it was peeled"
    edges, rank = numbered(graph)
    count, rows = edges.low.size, graph.arrays[:2]
    truss, place = np.zeros(count, np.int64), np.zeros(count, np.int64)
    same = kk.along_edges(rows, edges, rank, np.ascontiguousarray(result.values, np.int64), truss)
    same = same and kk.along_edges(rows, edges, rank, np.ascontiguousarray(result.removal, np.int64), place)
    if not same or not np.array_equal(np.sort(place), np.arange(count)):
        return Certificate(False, claim)
    backing, later = np.zeros(count, np.int64), np.zeros(count, np.int64)
    kk.weigh_triangles(edges, truss, place, backing, later)
    falling = truss[np.argsort(place)]
    ok = bool((backing >= truss - 2).all() and (later <= truss - 2).all() and (np.diff(falling) >= 0).all())
    loops = np.asarray(result.values)[graph.arc_rows() == graph.arrays.targets]
    return Certificate(ok and not loops.any(), claim, 0.0)


def numbered(graph: Graph) -> tuple[kk.Edges, np.ndarray]:
    """The undirected graph without loops and parallel edges, by degree, its edges numbered; and the new numbers."""
    view = graph.symmetrized()
    src, dst = view.arc_rows(), view.arrays.targets
    rank = np.empty(view.n, dst.dtype)
    rank[np.argsort(view.out_degrees, kind="stable")] = np.arange(view.n)
    once = src < dst
    simple = Graph.from_edges(rank[src[once]], rank[dst[once]], n=view.n, directed=False, duplicates="first")
    if simple.m // 2 >= int(kk.NONE):
        raise InvalidGraphError(f"truss numbers are for up to {int(kk.NONE):,} edges, not {simple.m // 2:,}")
    require(24 * simple.m, "truss numbers")
    offsets, targets, _ = simple.arrays
    number = np.empty(simple.m, np.uint32)
    low, high = np.empty(simple.m // 2, np.uint32), np.empty(simple.m // 2, np.uint32)
    kk.number_edges(offsets, targets, opposite_arcs(simple), number, low, high)
    return kk.Edges(offsets, targets, number, low, high), rank


@algorithm(
    memory=Needs(vertex=64, arc=48),
    policies=ONE_POLICY,
    certificate=certificate,
    judge=ARC_SCORES,
    undirected=True,
    takes_arcs=True,
    direct=True,
)
def ktruss(run: Run) -> KtrussResult:
    """Truss numbers: for each edge the largest k of a subgraph around it in which each edge is in k - 2 triangles.

    A directed graph is read as undirected. There is a value for each arc; those of k and more make the k-truss.

    Examples
    --------
    >>> import nearly
    >>> r = nearly.ktruss(nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3]))
    >>> r.values.tolist(), r.largest
    ([3, 3, 3, 2], 3)
    """
    given = run.source or run.given
    edges, rank = numbered(given)
    count, n, rows = edges.low.size, given.n, given.arrays[:2]
    support, place = np.zeros(count, np.int32), np.full(count, kk.NONE, np.uint32)
    phases = iter([lambda: _peel(run, edges, support, place)] if n else [])
    run.enact(lambda: todo() if (todo := next(phases, None)) else None)
    values = np.empty(given.m, np.int32)
    kk.along_arcs(rows, edges, rank, support + np.int32(2), np.int32(0), values)

    def removal() -> np.ndarray:
        made = np.empty(given.m, np.int64)
        kk.along_arcs(rows, edges, rank, place.astype(np.int64), np.int64(-1), made)
        return made

    return KtrussResult(values, largest=int(values.max(initial=0)), removal=removal)


def _peel(run: Run, edges: kk.Edges, support: np.ndarray, place: np.ndarray) -> list[Did]:
    """Count triangles and peel, in one round; the rows are packed on the way, so it is done on copies."""
    n, count = run.graph.n, support.size
    work = 8 * edges.targets.size
    run.launch(kk.count_triangles_of_edges, edges, support, run.stop, work=work)
    lengths = np.diff(edges.offsets)
    state = kk.Peeling(
        support, place, lengths, lengths.copy(), np.full(n, kk.NONE), np.full((2, n), kk.NONE),
        np.empty(count, np.uint32), np.empty((2, n), np.uint32), np.zeros(3, np.uint64),
    )  # fmt: skip
    mine = edges._replace(targets=edges.targets.copy(), number=edges.number.copy())
    run.launch(kk.peel_edges, mine, state, run.stop, work=work)
    return [Did(n, edges.targets.size)]
