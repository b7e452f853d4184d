"""Breadth-first search: the number of hops from a source to every vertex.

Returns levels as int32, -1 where the source does not reach; `.parents` (the smallest predecessor on a
shortest path, -1 for the source and the unreached) is computed when asked for.
Method: frontier rounds; `auto` and `frontier` switch direction as Beamer, Asanovic and Patterson
describe ("Direction-Optimizing Breadth-First Search", SC 2012): small frontiers push, large ones are pulled.
With `idempotent=True` levels are stored without atomics and frontiers may hold a vertex many times
(`nearly.engine.operators.idempotent`); the levels are the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.accuracy.judges import PATHS
from nearly.algorithms.shared.level_search import UNREACHED, LevelSearch
from nearly.algorithms.shared.shortest_paths import shortest_path_certificate, smallest_parents
from nearly.base.arguments import flag, vertex
from nearly.base.atomics import atomic_min
from nearly.base.unsigned import U1
from nearly.engine.algorithm import algorithm
from nearly.engine.devices import DEVICES
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class BfsResult(Result):
    """Levels of a breadth-first search."""

    shows = "distances"

    values: np.ndarray = field("hops from the source, int32; -1 where it does not reach", column="level")
    source: int = field("the vertex the search started from")
    partial: bool = field("whether arcs or rounds were left out, so that vertices may have been missed")
    parents: np.ndarray = field(
        "the smallest predecessor on a shortest path, int32; -1 for the source and the unreached",
        column="parent",
        vertices=True,
    )


class Levels(NamedTuple):
    level: np.ndarray  # uint32[n], UNREACHED where not reached
    before: np.ndarray  # the same array, or what it held before the round


def reach(state, u, v, e):
    """Reach v one hop after u."""
    depth = np.uint64(state.before[u]) + U1  # wide: one more than UNREACHED must not wrap
    return state.level[v] > depth and atomic_min(state.level, v, np.uint32(depth)) > depth


reach.settles = True  # type: ignore[attr-defined]  # in rounds, the first level a vertex gets is its last


def reach_again(state, u, v, e):
    """Reach v one hop after u, or again as far as it was reached in this round; all that store, store the same."""
    depth = np.uint64(state.before[u]) + U1
    if state.level[v] < depth:
        return False
    state.level[v] = np.uint32(depth)
    return True


def unreached(state, v):
    """Whether v still looks for a level."""
    return state.level[v] == UNREACHED


def certificate(graph: Graph, result: BfsResult) -> Certificate:
    """Parents attain every level, and no arc leads from a reached vertex to one more than a level further."""
    return shortest_path_certificate(graph, result.source, as_distances(result.values), None, result)


def as_distances(levels: np.ndarray) -> np.ndarray:
    """Levels as numbers with inf where not reached."""
    return np.where(levels < 0, np.inf, levels.astype(np.float64))


@algorithm(
    memory=Needs(vertex=18, reverse=True),
    certificate=certificate, judge=PATHS, devices=DEVICES, one_pass=True,
    fewer_arcs="up", two_hop="down", across="down", merged="down", renumbered="same", cut_short="up",
    combines="min", improves=True, one_way=True, copies="followed",
)  # fmt: skip
def bfs(run: Run, source: int | str, *, idempotent: bool = False) -> BfsResult:
    """Hops from a source to every vertex (-1 where there is no way).

    Parameters
    ----------
    source : int or str
        The vertex to start from, by index or by name.
    idempotent : bool
        Whether frontiers may hold vertices more than once, which saves atomics; the trace counts the duplicates. The
        answer is the same. For policy "auto" on the CPU, and without approximation of the rounds.

    Examples
    --------
    >>> import nearly
    >>> nearly.bfs(nearly.Graph.from_edges([0, 1, 3], [1, 2, 4]), source=0).values.tolist()
    [0, 1, 2, -1, -1]
    """
    graph = run.given
    source = vertex("source", source, graph.n)
    finished, levels = search(run, source, flag("idempotent", idempotent))
    values = run.back(levels)
    return BfsResult(
        values,
        guarantee="exact" if finished else "upper bound",
        source=source,
        partial=run.partial,
        parents=lambda: smallest_parents(graph, source, as_distances(values), None),
    )


def search(run: Run, source: int, idempotent: bool = False) -> tuple[bool, np.ndarray]:
    """Whether the search from a given vertex came to its end, and the levels in the graph worked on."""
    if run.direct and not idempotent and (run.mapped is None or not run.mapped.special):
        found = LevelSearch(run, run.graph, source if run.mapped is None else run.mapped.vertex(source))
        return run.enact(found.step), found.level.view(np.int32)
    level = np.full(run.graph.n, UNREACHED, np.uint32)
    begin = run.at(source)
    level[begin] = 0
    if idempotent:
        finished = run.advance(reach_again, Levels(level, level), start=begin, idempotent=True)
    else:
        finished = run.advance(reach, Levels(level, level), start=begin, pull=unreached)
    return finished, level.view(np.int32)  # UNREACHED is -1
