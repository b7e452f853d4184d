"""Single-source shortest paths: the length of the shortest path from a source to every vertex.

Returns distances, inf where the source does not reach; `.parents` (the smallest predecessor on a shortest
path, -1 for the source and the unreached) is computed when asked for. Weights must not be negative.
Method: every policy runs `relax` to the same fixed point; `auto` does so through the near/far queue, which is
delta-stepping (see `nearly.engine.near_far`). A distance only ever falls to the length of a path and in the end
none can fall, so the order of the work, and with it the number of threads, does not show.
Encoding: whole weights give whole distances in 32 bits; should a path need more, the search is
done again in float64. float32 weights give float32 distances, float64 gives float64. Without weights an
arc counts 1 and breadth-first search does the work.
"""

from __future__ import annotations

from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from nearly.algorithms.bfs import UNREACHED, Levels, as_distances, reach, unreached
from nearly.algorithms.paths import check_source, shortest_path_certificate, smallest_parents
from nearly.base.atomics import atomic_min
from nearly.base.errors import InvalidArgumentError
from nearly.engine.advance import POLICIES, Advance
from nearly.engine.algorithm import algorithm
from nearly.engine.enact import Run
from nearly.engine.near_far import NearFar
from nearly.engine.result import Certificate, Result
from nearly.graph.csr import Graph

_SAMPLE = 1024  # weights looked at for the first delta
FAR_AWAY = np.uint64(UNREACHED)


class Distances(NamedTuple):
    distance: np.ndarray  # float[n], inf where not reached
    weight: np.ndarray  # of the same type


class WholeDistances(NamedTuple):
    distance: np.ndarray  # uint32[n], UNREACHED where not reached
    weight: np.ndarray  # uint32[m]
    overflow: np.ndarray  # uint32[1], 1 once a path was longer than 32 bits can say


def relax(state, u, v, e):
    """Shorten the way to v if it is shorter through u."""
    through = state.distance[u] + state.weight[e]
    return through < state.distance[v] and atomic_min(state.distance, v, through) > through


def relax_whole(state, u, v, e):
    """`relax` on whole numbers, which must not wrap: too long a way is no way, and is noted if v has no other."""
    before, here = np.uint64(state.distance[u]), np.uint64(state.distance[v])
    through = before + np.uint64(state.weight[e])
    if through < here:
        return np.uint64(atomic_min(state.distance, v, np.uint32(through))) > through
    if here == FAR_AWAY and before != FAR_AWAY:
        state.overflow[0] = 1
    return False


def distance(state, v):
    """The priority of v: nearest first."""
    return np.float64(state.distance[v])
