"""Core numbers: the largest k such that a vertex belongs to a subgraph in which each vertex has k neighbours.

Returns one number per vertex; `.degeneracy` is the largest. A directed graph is read as undirected. Self-loops are
ignored; parallel edges, where a graph keeps them, count as often as they are stored.
Method: peeling (Seidman 1983; Batagelj and Zaversnik 2003). For k = 0, 1, ... vertices of at most k remaining
neighbours go, which may bring others down to k; a vertex that goes at k has core number k. Each round peels those
that the round before brought down. `auto` peels without rounds, see `nearly.algorithms.kcore.kernels`.
Core numbers do not depend on the order of peeling, so they do not depend on policy or threads. When the run is stopped
early, a vertex that is left gets the current k, a lower bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nearly.algorithms.kcore.kernels import (
    COUNTERS,
    LEFT,
    Lists,
    count_unpeelable,
    is_little,
    loopless_degrees,
    next_level,
    peel_alone,
    peel_levels,
    support,
)
from nearly.algorithms.shared.turns import Turns
from nearly.base.atomics import fetch_add
from nearly.engine.algorithm import algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

_LEVELS_A_CALL = 1 << 10
_FEW = 1 << 14  # vertices that one thread peels sooner


class KcoreResult(Result):
    """Core numbers."""

    shows = "cores"

    values: np.ndarray = field("the core number of each vertex, int32", column="core")
    degeneracy: int = field("the largest core number")


class Shells(NamedTuple):
    """What rounds of peeling work on."""

    degree: np.ndarray  # int32[n], neighbours not yet peeled
    core: np.ndarray  # int32[n], the level at which a vertex went, -1 before
    level: np.ndarray  # int32[1], the current k
    stamp: np.ndarray  # uint32[n], the round in which a vertex was brought down
    now: np.ndarray  # uint32[1]


def let_go(state, u, v, e):
    """Take the peeled u from the neighbours of v; the visit that brings v down to the level peels it."""
    k = state.level[0]
    if u == v or state.degree[v] <= k or fetch_add(state.degree, v, -1) != k + 1:
        return False
    state.core[v] = k
    return True


def certificate(graph: Graph, result: KcoreResult) -> Certificate:
    """Each vertex has enough neighbours of its number or more; peeling by these numbers leaves none (exact)."""
    offsets, targets, _ = graph.symmetrized().arrays
    core = np.ascontiguousarray(result.values, np.int64)
    backing = support(offsets, targets, core)
    enough = bool((core >= 0).all() and (backing >= core).all())
    if result.guarantee != "exact":
        return Certificate(enough, "each vertex has as many neighbours of its number or more, so it is a lower bound")
    return Certificate(
        enough and int(count_unpeelable(offsets, targets, core, backing)) == 0,
        "each vertex has as many neighbours of its number or more, and peeling by the numbers leaves none",
        0.0,
    )


@algorithm(memory=Needs(vertex=48), certificate=certificate, undirected=True, direct=True)
def kcore(run: Run) -> KcoreResult:
    """Core numbers: for each vertex the largest k of a subgraph around it in which each vertex has k neighbours.

    Examples
    --------
    >>> import nearly
    >>> r = nearly.kcore(nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3]))
    >>> r.values.tolist(), r.degeneracy
    ([2, 2, 2, 1], 2)
    """
    graph = run.graph
    degree = np.empty(graph.n, np.int32)
    loopless_degrees(*graph.arrays[:2], degree)
    if run.direct:
        values, finished = peeled_at_once(run, degree), True
    else:
        values, finished, _ = peeled_in_rounds(run, degree)
    return KcoreResult(
        values, guarantee="exact" if finished else "lower bound", degeneracy=lambda: int(values.max(initial=0))
    )


def peeled_at_once(run: Run, degree: np.ndarray) -> np.ndarray:
    """Core numbers by a kernel that peels level after level; `degree` becomes them."""
    rows, n = run.graph.rows, run.graph.n
    left, counters, few = np.arange(n, dtype=rows.targets.dtype), np.zeros(COUNTERS, np.uint64), np.uint64(_FEW)
    counters[LEFT] = n
    others = [np.empty_like(left) for _ in range(1 if run.threads == 1 else 3)]

    def step() -> list[Did] | None:
        if not counters[LEFT]:
            return None
        trace = np.empty((min(n, _LEVELS_A_CALL), 3), np.uint64)
        if run.threads == 1 or is_little(rows, counters, few):
            levels = run.launch(peel_alone, rows, degree, left, others[0], counters, trace, run.stop)
        else:
            lists = Lists(left, *others)
            levels = run.launch(peel_levels, rows, degree, lists, counters, trace, few, run.threads, run.stop)
        return [Did(*row) for row in trace[: int(levels)].tolist()]

    run.enact(step)
    return degree


def peeled_in_rounds(run: Run, degree: np.ndarray) -> tuple[np.ndarray, bool, np.ndarray]:
    """Core numbers by rounds of `let_go`, whether that came to its end, and the round in which each vertex went."""
    n = run.graph.n
    core, level = np.full(n, -1, np.int32), np.zeros(1, np.int32)
    state = Shells(degree, core, level, np.zeros(n, np.uint32), np.zeros(1, np.uint32))
    turns = Turns(run, run.graph, let_go, state)
    left, out = np.arange(n, dtype=turns.here.dtype), np.empty_like(turns.here)
    size = np.uint64(n)

    def step() -> Sequence[Did] | None:
        nonlocal size
        if turns.size == 0 and size:
            k, fill, size = next_level(degree, core, left, size, out)
            if fill:
                level[0] = k
                turns.start(out[:fill])
        return turns.step()

    finished = run.enact(step)
    core[core < 0] = level[0]
    return core, finished, state.stamp
