"""Single-source shortest paths: the length of the shortest path from a source to every vertex.

Returns distances, inf where the source does not reach; `.parents` (the smallest predecessor on a shortest
path, -1 for the source and the unreached) is computed when asked for. Weights must not be negative.
Method: every policy runs `relax` to the same fixed point; `auto` does so through the near/far queue, which is
delta-stepping (see `nearly.engine.operators.near_far`). A distance only ever falls to the length of some path and in the
end none can fall, so neither the order of the work nor the number of threads shows in the answer. A run
with `max_rounds` may be cut short, where order would show: there a round reads the distances of the round before.
Encoding: whole weights give whole distances in 32 bits; should a path be longer, the search is
done again in float64. float32 weights give float32 distances, float64 gives float64. Without weights an
arc counts 1 and breadth-first search does the work.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from nearly.algorithms.bfs import UNREACHED, as_distances, search
from nearly.algorithms.shared.common import is_direct, search_from
from nearly.algorithms.shared.shortest_paths import check_source, shortest_path_certificate, smallest_parents
from nearly.algorithms.shared.weights import forbid_negative, run_uses_weights, uses_weights, weight_range
from nearly.base.atomics import atomic_min
from nearly.base.errors import InvalidArgumentError
from nearly.engine.algorithm import algorithm
from nearly.engine.devices import DEVICES
from nearly.engine.operators.advance import POLICIES
from nearly.engine.operators.near_far import NearFar
from nearly.engine.result import Certificate, Result
from nearly.engine.run import Run
from nearly.engine.trace import Trace
from nearly.graph.csr import Graph
from nearly.techniques.round_weights.levels import search_levels

_LARGEST = float(np.finfo(np.float32).max)
_SAMPLE = 1024  # weights looked at for the first delta
NO_WAY = np.uint64(UNREACHED)


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


def certificate(graph: Graph, result: Result) -> Certificate:
    """Parents attain every distance, and no arc shortens one."""
    lengths = graph.arrays.weights if result.weighted else None
    return shortest_path_certificate(graph, result.source, result.values, lengths, result)


@algorithm(policies=POLICIES, certificate=certificate, devices=DEVICES)
def sssp(run: Run, source: int, *, weights: bool = True, delta: float | str = "auto") -> Result:
    """Lengths of the shortest paths from a source to every vertex (inf where there is none).

    Parameters
    ----------
    source : the vertex to start from.
    weights : False counts 1 for every arc, as it does on a graph without weights.
    delta : how far the policy "auto" lets the search run ahead of the nearest vertex at first; it adapts.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 0, 1], [1, 2, 2], weights=[2, 7, 3], n=4)
    >>> nearly.sssp(g, source=0).values.tolist()
    [0.0, 2.0, 5.0, inf]
    """
    graph = run.given
    source, step = check_source(graph, source), _checked_delta(run.graph, delta)
    weighted, begin = uses_weights(graph, weights), run.map.vertex(source)
    lengths, by_length = graph.arrays.weights if weighted else None, run_uses_weights(run, weights)
    finished, values = _by_length(run, begin, step, lengths) if by_length else search(run, begin)
    values = run.map.values(values if by_length else as_distances(values))
    return Result(
        values,
        guarantee="exact" if finished else "upper bound",
        source=source,
        weighted=weighted,
        parents=lambda: smallest_parents(graph, source, values, lengths),
    )


def _by_length(run: Run, source: int, delta: float, given: np.ndarray | None) -> tuple[bool, np.ndarray]:
    """The search in the narrowest type that holds every distance; `given` are the given graph's weights."""
    weight = run.graph.arrays.weights
    forbid_negative(run.graph, "sssp", "count hops")
    few = 0 < run.map.levels * run.graph.n < int(UNREACHED)  # no path is longer than a level can say
    few = few and run.map.copies is None
    if few and run.policy in ("auto", "frontier") and run.device == "cpu" and not run.cut_short:
        return search_levels(run, source, run.map.levels, given)
    if weight.dtype == np.float32 and weight_range(run.graph)[1] * run.graph.n > _LARGEST:
        weight = weight.astype(np.float64)
    if weight.dtype == np.uint32:
        finished, state = _search(run, source, weight, UNREACHED, relax_whole, delta)
        if not (finished and state.overflow[0]):
            values = state.distance.astype(np.float64)
            values[state.distance == UNREACHED] = np.inf
            return finished, _in_units(run, values)
        run.trace = Trace()  # of the search that gives the answer
        weight = weight.astype(np.float64)
    finished, state = _search(run, source, weight, np.inf, relax, delta)
    return finished, _in_units(run, state.distance)


def _in_units(run: Run, distances: np.ndarray) -> np.ndarray:
    """Distances over weights that a technique counts in units."""
    return distances if run.map.unit == 1.0 else distances * run.map.unit


def _search(
    run: Run, source: int, weight: np.ndarray, nowhere: Any, visit: Any, delta: float
) -> tuple[bool, Distances]:
    """Relax to the fixed point, or for `max_rounds` rounds of which each reads only what the one before wrote."""
    far = np.full(run.graph.n, nowhere, weight.dtype)
    begin, copies = run.map.group(source), run.map.copies
    far[begin] = 0
    state = Distances(far, far.copy() if run.cut_short else far, weight, np.zeros(1, np.uint32))
    if is_direct(run) and (copies is None or copies.at_once):
        return NearFar(run, run.graph, visit, distance, state, delta, copies).start(begin).to_fixed_point(), state
    return search_from(run, source, visit, state, far.dtype.type(nowhere)), state


def _checked_delta(graph: Graph, delta: Any) -> float:
    """The step of the near/far queue; `auto` is the mean weight (of a sample) over the mean degree."""
    if delta == "auto":
        weight = graph.arrays.weights
        mean = float(weight[:: max(1, weight.size // _SAMPLE)].mean(dtype=np.float64)) if weight.size else 1.0
        return (mean if 0 < mean < math.inf else 1.0) * graph.n / max(graph.m, 1)
    if isinstance(delta, (bool, np.bool_)) or not isinstance(delta, (int, float, np.integer, np.floating)):
        raise InvalidArgumentError(f"delta must be 'auto' or a number above 0, not {delta!r}")
    if not 0 < delta < math.inf:
        raise InvalidArgumentError(f"delta must be 'auto' or a finite number above 0, not {delta!r}")
    return float(delta)
