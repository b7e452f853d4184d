"""Single-source shortest paths: the length of the shortest path from a source to every vertex.

Returns distances, inf where the source does not reach; `.parents` (the smallest predecessor on a shortest
path, -1 for the source and the unreached) is computed when asked for. Weights must not be negative.
Method: delta-stepping over bins of distances (`shared.length_search`); it comes to the fixed point of `relax`, which
other policies run in rounds, and graphs with copies of vertices through the near/far queue. A distance only ever falls
to the length of some path and in the end none can fall, so neither the order of the work nor the number of threads
shows in the answer. A run with `max_rounds` may be cut short, where order would show: there a round reads the distances
of the round before.
Encoding: whole weights give whole distances in 32 bits; should a path be longer, the search is
done again in float64. float32 weights give float32 distances, float64 gives float64. `.values` is spelled out when
it is first read: as floats where distances are whole, and for all vertices where few were reached. Without weights
an arc counts 1 and breadth-first search does the work.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from nearly.accuracy.judges import PATHS
from nearly.algorithms.bfs import UNREACHED, as_distances, search
from nearly.algorithms.shared.length_search import LengthSearch, spelled
from nearly.algorithms.shared.shortest_paths import distance_factors, shortest_path_certificate, smallest_parents
from nearly.algorithms.shared.weights import forbid_negative, run_uses_weights, uses_weights, weight_range
from nearly.base.arguments import number, vertex
from nearly.base.atomics import atomic_min
from nearly.engine.algorithm import algorithm
from nearly.engine.devices import DEVICES
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.engine.trace import Trace
from nearly.graph.csr import Graph

_LARGEST = float(np.finfo(np.float32).max)
_SAMPLE = 1024  # weights looked at for the first delta
NO_WAY = np.uint64(UNREACHED)


class SsspResult(Result):
    """Distances of a shortest-path search."""

    shows = "distances"

    values: np.ndarray = field(
        "lengths of the shortest paths from the source; inf where there is none", column="distance"
    )
    source: int = field("the vertex the search started from")
    partial: bool = field("whether arcs or rounds were left out, so that vertices may have been missed")
    weighted: bool = field("whether lengths are sums of weights")
    factors: tuple[float, float] = field(
        "the least and the largest multiple of the exact distance that a distance can be, computed from the answer"
    )
    parents: np.ndarray = field(
        "the smallest predecessor on a shortest path, int32; -1 for the source and the unreached",
        column="parent",
        vertices=True,
    )


class SearchGoal(NamedTuple):
    """What a search is to reach; a technique that rounds weights may go there in rounds of its own."""

    source: int  # a given vertex
    given: np.ndarray | None  # the given graph's weights, None where each arc counts 1
    delta: float


class Found(NamedTuple):
    """What a search found: whether it came to its end, and what makes the distances in the graph worked on."""

    finished: bool
    distances: Callable[[], np.ndarray]


class Distances(NamedTuple):
    distance: np.ndarray  # of the weights' type [n]; inf or UNREACHED where not reached
    before: np.ndarray  # the same array, or what it held before the round
    weight: np.ndarray  # [m]
    overflow: np.ndarray  # uint32[1]; 1 once a path was longer than a whole distance can say


def relax(state, u, v, e):
    """Shorten the way to v if it is shorter through u."""
    through = state.before[u] + state.weight[e]
    return through < state.distance[v] and atomic_min(state.distance, v, through) > through


def relax_whole(state, u, v, e):
    """`relax` on whole numbers, which must not wrap: too long a way is no way, and is noted if v has no other."""
    near, here = np.uint64(state.before[u]), np.uint64(state.distance[v])
    through = near + np.uint64(state.weight[e])
    if through < here:
        return np.uint64(atomic_min(state.distance, v, np.uint32(through))) > through
    if here == NO_WAY and near != NO_WAY:
        state.overflow[0] = 1
    return False


def distance(state, v):
    """The priority of v: nearest first."""
    return np.float64(state.distance[v])


def certificate(graph: Graph, result: SsspResult) -> Certificate:
    """Parents attain every distance, and no arc shortens one."""
    lengths = graph.arrays.weights if result.weighted else None
    return shortest_path_certificate(graph, result.source, result.values, lengths, result)


@algorithm(
    memory=Needs(vertex=64),
    certificate=certificate, judge=PATHS, devices=DEVICES, one_pass=True, goal=SearchGoal, measures="lengths",
    certified=True,
    fewer_arcs="up", heavier="up", reweighted="any", two_hop="same", short_cuts="down", across="down", merged="down",
    renumbered="same",
    cut_short="up", combines="min", improves=True, one_way=True, copies="followed",
)  # fmt: skip
def sssp(run: Run, source: int | str, *, weights: bool = True, delta: float | str = "auto") -> SsspResult:
    """Lengths of the shortest paths from a source to every vertex (inf where there is none).

    Parameters
    ----------
    source : int or str
        The vertex to start from, by index or by name.
    weights : bool
        False counts 1 for every arc, as it does on a graph without weights.
    delta : float or "auto"
        How far the policy "auto" lets the search run ahead of the nearest vertex at first; it adapts.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 0, 1], [1, 2, 2], weights=[2, 7, 3], n=4)
    >>> nearly.sssp(g, source=0).values.tolist()
    [0.0, 2.0, 5.0, inf]
    """
    graph = run.given
    source = vertex("source", source, graph.n)
    step = number("delta", delta, 0, above=True, words=("auto",))
    weighted = uses_weights(graph, weights)
    lengths = graph.arrays.weights if weighted else None
    if run_uses_weights(run, weights):
        forbid_negative(run.graph, "sssp", "count hops")
        goal = SearchGoal(source, lengths, _first_delta(run.graph) if step == "auto" else step)
        finished, distances = run.rounds(goal, search_by_length)
    else:
        finished, levels = search(run, source)
        distances = partial(as_distances, levels)
    values = cache(distances if run.mapped is None else lambda: run.back(distances()))
    return SsspResult(
        values,
        guarantee="exact" if finished else "upper bound",
        source=source,
        partial=run.partial,
        weighted=weighted,
        factors=lambda: distance_factors(graph, source, values(), lengths),
        parents=lambda: smallest_parents(graph, source, values(), lengths),
    )


def search_by_length(run: Run, goal: SearchGoal) -> Found:
    """The search in the narrowest type that holds every distance; whole distances are UNREACHED where there is none."""
    weight = run.graph.arrays.weights
    if weight.dtype == np.float32 and weight_range(run.graph)[1] * run.graph.n > _LARGEST:
        weight = weight.astype(np.float64)
    if weight.dtype == np.uint32 and weight_range(run.graph)[1] >= UNREACHED:
        weight = weight.astype(np.float64)  # such a weight means "no way" to a search in whole numbers
    if weight.dtype == np.uint32:
        found, too_long = _search(run, goal, weight, relax_whole)
        if not (found.finished and too_long):
            return _in_units(run, found)
        run.trace = Trace()  # of the search that gives the answer
        weight = weight.astype(np.float64)
    return _in_units(run, _search(run, goal, weight, relax)[0])


def _in_units(run: Run, found: Found) -> Found:
    """Distances over weights that a technique counts in units."""
    unit = 1.0 if run.mapped is None else run.mapped.unit
    return found if unit == 1.0 else Found(found.finished, lambda: found.distances() * unit)


def _search(run: Run, goal: SearchGoal, weight: np.ndarray, visit: Any) -> tuple[Found, bool]:
    """Relax to the fixed point, or for `max_rounds` rounds of which each reads only what the one before wrote.

    Says too whether a path was longer than a whole distance can say.
    """
    copies = None if run.mapped is None else run.mapped.copies
    if run.direct and copies is None:
        source = goal.source if run.mapped is None else run.mapped.vertex(goal.source)
        search = LengthSearch(run, source, weight, goal.delta)
        return Found(run.enact(search.step), search.result()), search.too_long
    far = np.full(run.graph.n, UNREACHED if weight.dtype == np.uint32 else np.inf, weight.dtype)
    begin = run.at(goal.source)
    far[begin] = 0
    state = Distances(far, far, weight, np.zeros(1, np.uint32))
    if run.direct and copies is not None and copies.at_once:
        finished = run.near_far(visit, distance, state, begin, goal.delta)
    else:
        finished = run.advance(visit, state, begin)
    return Found(finished, partial(spelled, far)), bool(state.overflow[0])


def _first_delta(graph: Graph) -> float:
    """The mean weight (of a sample) over the mean degree; looked for once per graph."""
    known = graph.__dict__.get("_first_delta")
    if known is None:
        weight = graph.arrays.weights
        mean = float(weight[:: max(1, weight.size // _SAMPLE)].mean(dtype=np.float64)) if weight.size else 1.0
        known = (mean if 0 < mean < math.inf else 1.0) * graph.n / max(graph.m, 1)
        graph.__dict__["_first_delta"] = known
    return known
