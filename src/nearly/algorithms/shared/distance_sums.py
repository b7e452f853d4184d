"""What closeness and harmonic closeness add up: for each vertex, the distances from all vertices that reach it.

In hops, batches of sources are searched along the arcs, and every vertex counts the bits of the searches that come by
(`hop_batches`). By weights, each vertex is searched from against the arcs (`length_sums`). A round is a share of the
sources, or of the vertices.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.algorithms.shared.clustered_order import clustered
from nearly.algorithms.shared.hop_batches import HopBatches, batch_sources
from nearly.algorithms.shared.length_sums import length_desks, length_sums
from nearly.algorithms.shared.weights import forbid_negative, uses_weights
from nearly.base.random import stream_key
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

_SEARCHES = 1 << 22  # arcs that searches by weights visit in a round, about
_CHECKED = 1 << 22  # vertices and arcs that a certificate may visit
_FEW = 12  # vertices that it checks at least


class DistanceSums(NamedTuple):
    """One entry for each vertex, over the other vertices that reach it."""

    reached: np.ndarray  # float64: how many there are
    total: np.ndarray  # float64: the sum of the distances
    inverse: np.ndarray  # float64: the sum of 1 / distance
    done: int  # sources, or vertices, that were searched from


def distance_sums(run: Run, weights: bool, what: str) -> DistanceSums:
    """The sums, as far as the run got; `what` is the algorithm that asks, for errors."""
    if uses_weights(run.graph, weights):
        forbid_negative(run.graph, what, "count hops")
        return _by_weights(run)
    return _in_hops(run)


def _in_hops(run: Run) -> DistanceSums:
    graph, done = run.graph, 0
    sums = HopBatches(run, graph)
    order, share = clustered(graph), batch_sources(graph)

    def step() -> list[Did] | None:
        nonlocal done
        batch = order[done : done + share]
        if not batch.size:
            return None
        sums.add(batch)
        done += batch.size
        return [Did(batch.size, graph.m)]

    run.enact(step)
    return DistanceSums(sums.reached.astype(np.float64), sums.total.astype(np.float64), sums.inverse, done)


def _by_weights(run: Run) -> DistanceSums:
    graph, back, done = run.graph, run.graph.reverse, 0
    made = DistanceSums(np.zeros(graph.n), np.zeros(graph.n), np.zeros(graph.n), 0)
    desks = length_desks(back, run.threads)
    share = max(64, _SEARCHES // max(graph.n + graph.m, 1))

    def step() -> list[Did] | None:
        nonlocal done
        batch = np.arange(done, min(done + share, graph.n))
        if not batch.size:
            return None
        sums = length_sums(run, back, desks, batch)
        made.reached[batch], made.total[batch], made.inverse[batch] = sums.reached, sums.total, sums.inverse
        done += batch.size
        return [Did(batch.size, graph.m * batch.size)]

    run.enact(step)
    return made._replace(done=done)


def checked_vertices(graph: Graph, values: np.ndarray) -> np.ndarray:
    """Vertices whose values a certificate finds again: all of a small graph, else the extremes and some at random."""
    if graph.n * (graph.n + graph.m) <= _CHECKED or graph.n <= _FEW:
        return np.arange(graph.n)
    more = max(_FEW, _CHECKED // (graph.n + graph.m))
    drawn = np.random.default_rng(int(stream_key(np.uint64(graph.n), np.uint64(graph.m)))).integers(0, graph.n, more)
    return np.unique(np.r_[np.argmax(values), np.argmin(values), drawn])


def distances_to(graph: Graph, v: int, weighted: bool) -> np.ndarray:
    """The distance from every vertex to v, inf where there is none, by one search."""
    from nearly.algorithms.sssp import sssp

    return np.asarray(sssp(graph.reverse, int(v), weights=weighted).values, np.float64)


def rounding(graph: Graph, weighted: bool) -> float:
    """How far, relatively, sums of distances that were added up in another way may be off."""
    return 1e-5 if weighted and graph.arrays.weights.dtype == np.float32 else 1e-9
