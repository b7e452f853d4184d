"""What shortest-path algorithms share: parents from distances, and the certificate.

An arc u -> v supports d[v] when d[u] + w <= d[v] (floats: to rounding). Where no arc relaxes any more that means
d[u] + w = d[v]; but a search that was cut short may have found v before it found a better way to u. The parent
of v is the smallest u with such an arc and d[u] < d[v]. Vertices that have only supporting arcs of weight 0 get their
parents in rounds, from vertices that have one. So parents depend on distances alone, whatever order threads worked in.
If every reached vertex gets a parent, no distance is shorter than some path: an upper bound. If no arc can relax,
none is longer than any path: a lower bound. If both hold, the distances are exact. Infinity is an upper bound of
anything, so the certificate of upper bounds also says where a vertex can be reached but has no other: there must be
none, unless arcs or rounds were left out.

Any distances at all have factors: if every vertex has an arc with d[u] + low * w <= d[v], then no distance is below
`low` times the exact one, and if no arc has d[u] + high * w < d[v], none is above `high` times it. The best factors are
the extreme values of (d[v] - d[u]) / w over arcs (`distance_factors`); 0 and infinity say that nothing is known.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import prange

from nearly.base.atomics import atomic_min, fetch_add
from nearly.base.jit import kernel, light_kernel, parallel_kernel
from nearly.base.threads import kernel_threads
from nearly.base.unsigned import U0, U1, total_of
from nearly.engine.result import Certificate
from nearly.engine.row_pieces import crew_for
from nearly.graph.csr import Arrays, Graph

NO_PARENT = np.uint32(2**32 - 1)


def smallest_parents(graph: Graph, source: int, distances: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """For each vertex the smallest predecessor on a shortest path; -1 for the source and where there is none."""
    rows, parents = _rows(graph, weights), np.full(graph.n, NO_PARENT, np.uint32)
    with kernel_threads(work=graph.m) as workers:
        nearer_parents(rows, distances, source, parents, crew_for(graph, workers))
    settle_ties(rows, distances, source, parents)
    return parents.view(np.int32)


def _rows(graph: Graph, weights: np.ndarray | None) -> Arrays:
    """The graph's rows with these weights; all arcs have length 1 where there are none."""
    return graph.arrays._replace(weights=np.empty(0, np.float64) if weights is None else weights)


def shortest_path_certificate(
    graph: Graph, source: int, distances: np.ndarray, weights: np.ndarray | None, result: Any
) -> Certificate:
    """Check that a path attains each finite distance, that no arc relaxes, or both: what the guarantee says."""
    begins = bool(distances[source] == 0)
    if result.guarantee == "heuristic":
        return Certificate(begins, "the source is at distance 0; of the others nothing is claimed")
    if result.guarantee == "lower bound":
        relaxed = begins and _nothing_relaxes(graph, distances, weights)
        return Certificate(relaxed, "no arc shortens a distance, so each is a lower bound")
    if result.guarantee == "certified":
        return _certified(graph, source, distances, weights, result.factors)
    reached = np.isfinite(distances)
    attained = begins and _attained(graph, source, distances, weights)
    if result.guarantee != "exact":
        missed = int((reachable(graph, source) & ~reached).sum())
        claim = "no distance is shorter than some path, so each is an upper bound"
        if result.partial:
            return Certificate(attained, f"{claim}; {missed:,} vertices that can be reached have none but infinity")
        return Certificate(attained and missed == 0, f"{claim}, and every vertex that can be reached has a finite one")
    return Certificate(
        attained and _nothing_relaxes(graph, distances, weights),
        "every distance is attained by a path and no arc shortens one, so all are exact",
        0.0,
    )


def _attained(graph: Graph, source: int, distances: np.ndarray, weights: np.ndarray | None) -> bool:
    """Whether every finite distance but the source's has an arc that supports it."""
    parents, reached = smallest_parents(graph, source, distances, weights), np.isfinite(distances)
    return bool((parents[reached] >= 0).sum() == reached.sum() - 1)


def distance_factors(
    graph: Graph, source: int, distances: np.ndarray, weights: np.ndarray | None
) -> tuple[float, float]:
    """The least and the largest multiple of the exact distance that a distance can be; see the top of the file."""
    best, found = np.zeros(graph.n), np.zeros(1)
    extreme_ratios(_rows(graph, weights), distances, np.uint64(source), best, found)
    low = float(best[(best > 0) & np.isfinite(distances)].min(initial=np.inf))
    low = 1.0 if low == np.inf else low
    if distances[source] != 0 or not _attained(graph, source, distances, _scaled(graph, weights, low)):
        low = 0.0
    spare = float(slack(distances))  # more than rounding was allowed for
    return low / (1 + spare), (float(found[0]) or 1.0) * (1 + spare)


def _scaled(graph: Graph, weights: np.ndarray | None, factor: float) -> np.ndarray:
    """The lengths of the arcs times a factor."""
    return np.full(graph.m, factor) if weights is None else np.multiply(weights, factor, dtype=np.float64)


def _certified(
    graph: Graph, source: int, distances: np.ndarray, weights: np.ndarray | None, factors: tuple[float, float]
) -> Certificate:
    """Check that no distance is below the least multiple of the exact one, and none above the largest."""
    low, high = factors
    ok = bool(distances[source] == 0)
    if low > 0:
        ok = ok and _attained(graph, source, distances, _scaled(graph, weights, low))
    if high < np.inf:
        ok = ok and _nothing_relaxes(graph, distances, _scaled(graph, weights, high))
    claim = f"every distance is at least {low:.4g} times and at most {high:.4g} times the exact one"
    return Certificate(ok, claim, max(1 - low, high - 1, 0.0) if high < np.inf else None)


def reachable(graph: Graph, source: int) -> np.ndarray:
    """Which vertices there is a way to."""
    seen = np.zeros(graph.n, np.bool_)
    offsets, targets, _ = graph.arrays
    spread(offsets, targets, np.uint64(source), seen, np.empty(graph.n, targets.dtype))
    return seen


@kernel
def spread(offsets, targets, source, seen, stack):
    """Mark what can be reached."""
    seen[source] = True
    stack[0] = source
    size = U1
    while size > U0:
        size -= U1
        u = np.uint64(stack[size])
        for e in range(offsets[u], offsets[u + U1]):
            v = targets[e]
            if not seen[v]:
                seen[v] = True
                stack[size] = v
                size += U1


def _nothing_relaxes(graph: Graph, distances: np.ndarray, weights: np.ndarray | None) -> bool:
    """Whether no arc shortens a distance."""
    with kernel_threads(work=graph.m) as workers:
        found = count_relaxable(_rows(graph, weights), distances, crew_for(graph, workers))
    return bool(found == 0)


@light_kernel
def length(weights, e):
    """The weight of arc e, 1 where there are none."""
    return np.float64(weights[e]) if weights.size else 1.0


@light_kernel
def slack(distances):
    """What rounding may do to a sum of two numbers of the distances' kind."""
    return 1e-5 if distances.itemsize == 4 else 1e-11


@light_kernel
def supports(distances, u, v, w):
    """Whether the way through u is as short as d[v], to rounding; never for an unreached u or v."""
    through, here = np.float64(distances[u]) + w, np.float64(distances[v])
    return through < np.inf and here < np.inf and through <= here * (1.0 + slack(distances))


@kernel
def extreme_ratios(rows, distances, source, best, found):
    """(d[v] - d[u]) / w: per vertex the largest over arcs from nearer the source, and the largest over all arcs."""
    offsets, targets, weights = rows
    spare = slack(distances) / 2.0  # half of what the check allows, which rounds once more
    for u in range(np.uint64(offsets.size - 1)):
        near = np.float64(distances[u])
        if near == np.inf:
            continue
        for e in range(offsets[u], offsets[u + U1]):
            v, w = np.uint64(targets[e]), length(weights, e)
            far = np.float64(distances[v])
            gap = far * (1.0 - spare) - near
            if gap > 0.0:
                found[0] = max(found[0], gap / w if w > 0.0 else np.inf)
            if v != source and near < far and far < np.inf:
                best[v] = max(best[v], (far * (1.0 + spare) - near) / w if w > 0.0 else np.inf)


@parallel_kernel
def nearer_parents(rows, distances, source, parents, crew):
    """The smallest u with a supporting arc from strictly nearer the source."""
    offsets, targets, weights = rows
    cuts, cursor, workers, _ = crew
    for _ in prange(workers):
        piece = fetch_add(cursor, U0, U1)
        while piece < np.uint64(cuts.size - 1):
            for u in range(cuts[piece], cuts[piece + U1]):
                for e in range(offsets[u], offsets[u + U1]):
                    v = np.uint64(targets[e])
                    if v != source and distances[u] < distances[v] and supports(distances, u, v, length(weights, e)):
                        atomic_min(parents, v, np.uint32(u))
            piece = fetch_add(cursor, U0, U1)


@kernel
def settle_ties(rows, distances, source, parents):
    """Parents for vertices reached only over arcs that add nothing, in rounds from those that have one."""
    offsets, targets, weights = rows
    n = np.uint64(offsets.size - 1)
    orphan = np.zeros(n, np.bool_)
    left = U0
    for v in range(n):
        orphan[v] = distances[v] < np.inf and parents[v] == NO_PARENT and v != source
        left += np.uint64(orphan[v])
    if left == U0:
        return
    here = np.empty(n, np.uint32)
    size = U0
    for v in range(n):
        if distances[v] < np.inf and not orphan[v]:
            here[size] = v
            size += U1
    there = np.empty(n, np.uint32)
    while size > U0:
        fill = U0
        for i in range(size):
            u = np.uint64(here[i])
            for e in range(offsets[u], offsets[u + U1]):
                v = np.uint64(targets[e])
                if orphan[v] and supports(distances, u, v, length(weights, e)):
                    if parents[v] == NO_PARENT:
                        there[fill] = v
                        fill += U1
                    parents[v] = min(parents[v], np.uint32(u))
        for i in range(fill):
            orphan[there[i]] = False
        here, there, size = there, here, fill


@parallel_kernel
def count_relaxable(rows, distances, crew):
    """How many arcs would still shorten a distance by more than rounding."""
    offsets, targets, weights = rows
    cuts, cursor, workers, _ = crew
    found = np.zeros(cuts.size - 1, np.uint64)
    for _ in prange(workers):
        piece = fetch_add(cursor, U0, U1)
        while piece < np.uint64(cuts.size - 1):
            count = U0
            for u in range(cuts[piece], cuts[piece + U1]):
                if distances[u] < np.inf:
                    for e in range(offsets[u], offsets[u + U1]):
                        through = np.float64(distances[u]) + length(weights, e)
                        here = np.float64(distances[targets[e]])
                        if through < here * (1.0 - slack(distances)):
                            count += U1
            found[piece] = count
            piece = fetch_add(cursor, U0, U1)
    return total_of(found)
