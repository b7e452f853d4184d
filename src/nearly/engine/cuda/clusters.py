"""Clusters on the device (GX2): a block loads a cluster's values into shared memory and iterates its own arcs there.

The functor is the search's own. It gets a state whose values are the block's copy, and numbers of vertices that count
from the cluster's first; arcs keep theirs. A cluster of more than `ROOM` vertices does not fit and is left to the
rounds, which reach the same fixed point.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import cuda

from nearly.base.atomics import fetch_add
from nearly.base.unsigned import U0, U1
from nearly.engine.cuda.device import BLOCK, device_functor, device_kernel, graph_arrays, launch, put
from nearly.engine.cuda.primitives import copy_first
from nearly.engine.run import Run
from nearly.engine.trace import Did
from nearly.engine.transform.clusters import Clusters, stretches

ROOM = 2048


class Iterated:
    """The rounds of a search over all vertices, each followed by the clusters' own; `state` is on the device."""

    def __init__(self, run: Run, visit: Callable[..., bool], state: Any) -> None:
        clusters = Clusters.unpacked(run.map.clusters)  # type: ignore[arg-type]
        self.state, self.count, self.members = state, clusters.times.size, int(clusters.starts[-1])
        self.rows = tuple(cuda.to_device(array) for array in stretches(run.graph, clusters))
        self.clusters = tuple(cuda.to_device(array) for array in clusters)
        self.targets, self.edges = graph_arrays(run.graph).targets, cuda.to_device(np.zeros(1, np.uint64))
        kind: Any = type(state)
        self.kernel = push_inside(visit, kind, np.dtype(state[0].dtype))

    def after(self, did: Did) -> Did:
        """Iterate the clusters after a round that changed anything."""
        if not did.changed:
            return did
        now, before = self.state[0], self.state[1]
        put(self.edges, 0)
        launch(self.kernel, self.count, self.targets, self.rows, self.clusters, self.state, self.edges, each=BLOCK)
        if now is not before:
            launch(copy_first, self.members, self.members, now, before)
        return did._replace(edges=did.edges + int(self.edges.copy_to_host()[0]))


@cache
def push_inside(visit: Callable[..., bool], kind: Any, dtype: Any) -> Any:
    """The kernel that visits the arcs inside each cluster until nothing changes or it has done so often enough."""
    visits = device_functor(visit)

    @device_kernel
    def run(targets, rows, clusters, state, counter):
        low, high = rows
        starts, times = clusters
        part = cuda.shared.array(ROOM, dtype)
        changed = cuda.shared.array(1, np.uint32)
        local = kind(part, part, *state[2:])
        edges = U0
        for c in range(cuda.blockIdx.x, times.size, cuda.gridDim.x):
            first, size = starts[c], np.int64(starts[c + 1] - starts[c])
            if size > ROOM:
                continue
            for k in range(cuda.threadIdx.x, size, BLOCK):
                part[k] = state[0][first + np.uint64(k)]
            done, again = U0, times[c] > U0
            while again:
                cuda.syncthreads()
                if cuda.threadIdx.x == 0:
                    changed[0] = 0
                cuda.syncthreads()
                for k in range(cuda.threadIdx.x, size, BLOCK):
                    u = first + np.uint64(k)
                    edges += high[u] - low[u]
                    e = low[u]
                    while e < high[u]:
                        if visits(local, np.uint64(k), targets[e] - first, e):
                            changed[0] = 1
                        e += U1
                cuda.syncthreads()
                done += U1
                again = changed[0] != 0 and done < times[c]
            for k in range(cuda.threadIdx.x, size, BLOCK):
                state[0][first + np.uint64(k)] = part[k]
            cuda.syncthreads()
        fetch_add(counter, U0, edges)

    return run
