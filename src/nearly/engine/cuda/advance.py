"""`Advance` on the device: one functor on one graph, round after round, under a policy.

The policies map a frontier to threads (see `kernels`):

- `topology`: a thread for every vertex, every round;
- `frontier`: a thread for every vertex that changed, or a warp where rows are long on average;
- `heavy-light`: a thread each, then a block each for vertices of more than `threshold` edges, in a second launch;
- `split`: merge-path, `threshold` steps a thread.

Frontiers and state stay on the device; after a round the host reads three counters. Rounds read what the round before
wrote where the run may be cut short; else they run to the fixed point as it comes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import cuda

from nearly.engine.cuda import advance_kernels as kernels
from nearly.engine.cuda.device import BLOCK, WARP, graph_arrays, launch, put, state_arrays
from nearly.engine.cuda.primitives import Scan, copy_at
from nearly.engine.functor_wrappers import sampled, set_dial, sharing, with_copies, with_dial
from nearly.engine.trace import Did
from nearly.engine.transform.replicas import Copies
from nearly.graph.csr import Graph

_NEVER = np.uint64(2**64 - 1)
_HEAVY, _STEPS = 1024, 16  # default thresholds: edges of a heavy vertex, steps of a thread
_LONG = 16  # mean edges of a vertex from which on a warp is better than a thread


class Push:
    """Visits the out-edges of frontiers under a run's policy; what changed becomes the next frontier."""

    def __init__(self, run: Any, graph: Graph, visit: Callable[..., bool]) -> None:
        self.arrays, self.visit, self.policy, n = graph_arrays(graph), visit, run.policy, graph.n
        long_rows = run.policy in ("auto", "frontier") and graph.m >= _LONG * n
        self.lanes = WARP if long_rows else 1
        heavy = self.policy == "heavy-light"
        self.threshold = np.uint64(run.threshold or _HEAVY) if heavy else _NEVER
        self.heavy = cuda.device_array(n if heavy else 1, graph.arrays.targets.dtype)
        self.counters = cuda.to_device(np.zeros(3, np.uint64))
        if self.policy == "split":
            self.steps, self.scan = np.uint64(run.threshold or _STEPS), Scan(n)
            self.paths = (n + graph.m) // int(self.steps) + 1  # threads for the longest path there can be
            self.sizes = cuda.device_array(max(n, 1), np.uint64)

    def __call__(self, state: Any, items: Any, count: int, out: Any, stamp: Any, now: int) -> tuple[int, int]:
        """Visit the edges of items[:count] (of all vertices, if `items` is empty); how many emitted, edges visited."""
        offsets, targets, _ = self.arrays
        put(self.counters, 0, 0, 0)
        output = kernels.Output(out, self.counters, stamp, np.uint32(now))
        if self.policy == "split":
            launch(kernels.row_sizes, count, offsets, items, count, self.sizes)
            first = self.scan(self.sizes, count)
            rows = (offsets, targets)
            launch(kernels.merge_path(self.visit), self.paths, rows, items, count, first, self.steps, output, state)
        else:
            self._by_lanes(items, count, output, state)
        emitted, edges, _ = self.counters.copy_to_host()
        return int(emitted), int(edges)

    def _by_lanes(self, items: Any, count: int, output: kernels.Output, state: Any) -> None:
        kernel, rows = kernels.push(self.visit), self.arrays[:2]
        share = kernels.Share(self.lanes, self.threshold, self.heavy)
        launch(kernel, count, rows, items, count, share, output, state, each=self.lanes)
        if self.policy == "heavy-light":
            heavy = int(self.counters.copy_to_host()[kernels.HEAVY])
            share = kernels.Share(BLOCK, _NEVER, self.heavy)
            launch(kernel, heavy, rows, self.heavy, heavy, share, output, state, each=BLOCK)


class Advance:
    """One functor bound to a graph and a policy; as `nearly.engine.operators.advance.Advance`, for `device="cuda"`.

    Parameters
    ----------
    run : the run this belongs to (policy, limits).
    graph : whose arcs are visited.
    visit : `visit(state, u, v, e) -> bool`, whether v changed.
    state : a NamedTuple of arrays, on the host or on the device already; `self.state` is the one on the device.
    partly : whether techniques may have it visit only a share of the arcs each round.
    copies : vertices that are lowered together with others, and join the frontier with them.
    """

    def __init__(
        self,
        run: Any,
        graph: Graph,
        visit: Callable[..., bool],
        state: Any,
        partly: bool = False,
        copies: Copies | None = None,
    ) -> None:
        self.run, self.graph, self.dial = run, graph, partly and run.visits() is not None
        if copies is not None:
            visit, state = sharing(visit), with_copies(state, copies)
        if self.dial:
            visit, state = sampled(visit), with_dial(state, np.zeros(2, np.uint64))
        self.state = state_arrays(state, graph)
        self.values, self.before = self.state[0], getattr(self.state, "before", self.state[0])
        self.pushes, self.everything = Push(run, graph, visit), run.policy == "topology"
        dtype = graph.arrays.targets.dtype
        self.here, self.there = cuda.device_array(graph.n, dtype), cuda.device_array(graph.n, dtype)
        self.none = cuda.device_array(0, dtype)
        self.stamp, self.now, self.size = cuda.to_device(np.zeros(graph.n, np.uint32)), 0, 0

    def start(self, vertices: Any) -> Any:
        """Begin with these vertices (topology: with all)."""
        vertices = np.asarray(vertices, self.here.dtype)
        self.size = vertices.size
        if self.size:
            self.here[: self.size].copy_to_device(vertices)
        return self

    def step(self) -> list[Did] | None:
        """One round; None when there is nothing to do."""
        return [self.one_round()] if self.size else None

    def one_round(self) -> Did:
        """One push of the frontier (topology: of all), after which `before` holds what the values are."""
        did = self.push()
        if self.before is not self.values:
            launch(copy_at, self.size, self.here, self.size, self.values, self.before)
        return did

    def push(self) -> Did:
        """One round."""
        if self.dial:
            chosen = np.zeros(2, np.uint64)
            set_dial(chosen, self.run.seed, self.now, self.run.visits().share)
            self.state.dial.copy_to_device(chosen)
        self.now += 1
        items, count = (self.none, self.graph.n) if self.everything else (self.here, self.size)
        self.size, edges = self.pushes(self.state, items, count, self.there, self.stamp, self.now)
        self.here, self.there = self.there, self.here
        return Did(count, edges, changed=self.size)
