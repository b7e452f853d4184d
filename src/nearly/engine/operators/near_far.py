"""The near/far queue (MG4): work in order of priority, roughly, at the price of two piles instead of a heap.

`NearFar(run, graph, visit, priority, state, delta)` runs the functor `visit(state, u, v, e)` to a fixed point
as `Advance` does, but lets vertices wait whose `priority(state, v)` is beyond a bound. Rounds work through
the near pile; a vertex that changed joins the next round if its priority is within the bound, else the far
pile. When nothing is near, the bound moves up by `delta` and the far pile is parted anew. With distances as
priorities that is delta-stepping (Meyer and Sanders, "Delta-stepping: a parallelizable shortest path
algorithm", 2003) in the two-pile form of Davidson, Baxter, Garland and Owens (IPDPS 2014). The answer
is the fixed point, which does not depend on the order; order only saves work.

Delta adapts: it doubles when a phase (all rounds under one bound) handled fewer vertices than parting the far pile
looked at, and halves when it handled eight times as many, for then order costs less than repeated work.

One stamp a vertex, only ever raised, keeps both piles free of duplicates. Priorities never rise and the
bound never falls, so a vertex goes far at most once (stamp 1) and, once near, never again; every round has a
larger number, which its near pile's vertices carry. A far entry whose vertex came within an earlier bound is
stale, because the vertex was near then, and is dropped when the pile is parted.

Whole phases run inside compiled code, many to a call (`near_far_kernels` has their parts); rounds of few edges run on
one thread.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from nearly.base.atomics import going
from nearly.base.intrinsics import ticks
from nearly.base.jit import ALONE, kernel
from nearly.base.unsigned import U0, U1
from nearly.engine.functor import functor, functor_alone
from nearly.engine.functor_wrappers import sharing, with_copies
from nearly.engine.operators.near_far_kernels import (
    CURSOR,
    EDGES,
    FAR,
    NEAR,
    ROUND,
    WAITING,
    Queue,
    few_edges,
    parting,
    round_alone,
    round_together,
)
from nearly.engine.trace import Did
from nearly.engine.transform.replicas import Copies
from nearly.graph.csr import Graph

_EDGES_A_CALL = np.uint64(1 << 24)  # some tens of milliseconds: control comes back often enough for Ctrl-C
_PHASES_A_CALL = 1 << 10
PHASE, SLACK, ARCS = np.uint64(256), np.uint64(8), np.uint64(8)  # see `fitting`


class NearFar:
    """One functor and its priority, bound to a graph.

    Parameters
    ----------
    run : the run this belongs to.
    graph : whose arcs are visited.
    visit : `visit(state, u, v, e) -> bool`, whether v changed.
    priority : `priority(state, v) -> float`; must not rise when v changes.
    state : a NamedTuple of arrays, the first of them what `visit` reads of v.
    delta : how far the bound moves at first.
    copies : vertices that change together with others, to the same priority.
    """

    def __init__(
        self,
        run: Any,
        graph: Graph,
        visit: Callable[..., bool],
        priority: Callable[..., float],
        state: Any,
        delta: float,
        copies: Copies | None = None,
    ) -> None:
        if copies is not None:
            visit, state = sharing(visit), with_copies(state, copies)
        self.run, self.graph, self.state = run, graph, state
        self.phases = near_far(visit, priority)
        dtype = graph.arrays.targets.dtype
        far, *self.others = (np.empty(graph.n, dtype) for _ in range(3))
        self.queue = Queue(
            far, np.zeros(5, np.uint64), np.array([-np.inf, delta, np.nan]), np.zeros(graph.n, np.uint32)
        )
        self.queue.counters[ROUND] = WAITING

    def start(self, vertices: Any) -> NearFar:
        """Begin with these vertices."""
        vertices = np.asarray(vertices, self.queue.far.dtype)
        self.queue.far[: vertices.size] = vertices
        self.queue.stamp[vertices] = WAITING
        self.queue.counters[FAR] = vertices.size
        return self

    def step(self) -> list[Did] | None:
        """As many phases as fit into one call; None when there is nothing to do."""
        trace = np.zeros((min(self.run.rounds_left, _PHASES_A_CALL), 3), np.uint64)
        run = self.run
        phases = run.launch(
            self.phases, self.graph.arrays, self.queue, *self.others, self.state, trace, run.threads, run.stop
        )
        return [Did(int(s), int(e), float(t)) for s, e, t in trace[: int(phases)].tolist()] or None


@cache
def near_far(visit: Callable[..., bool], priority: Callable[..., float]) -> Any:
    """The kernel that runs phases until both piles are empty, the trace is full or enough edges were visited."""
    visits, ranks = functor(visit), functor(priority)
    copied = getattr(visit, "copied", False)
    alone, together = round_alone(functor_alone(visit), ranks, copied), round_together(visits, ranks, copied)
    part = parting(ranks)

    @kernel
    def run(rows, queue, here, there, state, trace, workers, stop):
        counters, bound = queue.counters, queue.bound
        phases, visited = U0, U0
        while counters[FAR] > U0 and phases < np.uint64(trace.shape[0]) and visited < _EDGES_A_CALL and going(stop):
            since = ticks()
            handled, parted, counters[EDGES] = U0, counters[FAR], U0
            bound[0] += bound[1]
            least = part(queue, here, state, workers)
            if counters[NEAR] == U0 and counters[FAR] > U0:  # nothing in this step: skip the gap
                bound[0] = least + bound[1]
                part(queue, here, state, workers)
            bound[2] = bound[0]
            size = counters[NEAR]
            while size > U0 and going(stop):
                handled += size
                counters[ROUND] += U1
                counters[NEAR] = counters[CURSOR] = U0
                if ALONE or few_edges(rows.offsets, here, size):
                    alone(rows, here, size, there, queue, state)
                else:
                    together(rows, here, size, there, queue, state, workers, stop)
                here, there = there, here
                size = counters[NEAR]
            if handled > U0:  # else all that was left in the far pile was stale
                trace[phases, 0], trace[phases, 1], trace[phases, 2] = handled, counters[EDGES], ticks() - since
                phases += U1
            visited += counters[EDGES]
            bound[1] *= fitting(parted, handled + counters[EDGES] // ARCS)
        return phases

    return run


@kernel(_nrt=False)
def fitting(parted, handled):
    """What to multiply delta by, so that a phase handles 1 to 8 times as many vertices as parting looks at."""
    price = parted + PHASE
    if price > handled:
        return 2.0
    return 0.5 if price * SLACK < handled else 1.0
