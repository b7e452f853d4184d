"""Random shortest paths counted by the vertices they pass: the estimate of betweenness that `PathSampler` collects.

The share of samples whose path passes a vertex has as its mean the vertex's betweenness over all ordered pairs of
vertices, those without a path included (Riondato and Kornaropoulos, 2014). Memory is 36 bytes a vertex and thread.
"""

from __future__ import annotations

import numpy as np

from nearly.algorithms.topk_betweenness.path_sampling_kernels import Balls, Ways, sample_paths
from nearly.base.memory import require
from nearly.base.random import stream_key
from nearly.engine.run import Run

_STREAM = 0x7073  # which random numbers choose paths
_ARCS = 1 << 14  # arcs a sample visits, about: decides only whether a launch can be interrupted


class PathSampler:
    """Counts of sampled paths by the vertices inside them.

    Parameters
    ----------
    run : the graph, which needs at least two vertices, the seed, threads and stop flag.
    """

    def __init__(self, run: Run) -> None:
        self.run, graph = run, run.graph
        rows = (run.threads, graph.n)
        require(36 * run.threads * graph.n, "sampled paths")
        self._ways = Ways(*graph.arrays[:2], *graph.reverse.arrays[:2])
        self._balls = Balls(
            np.zeros(rows, np.uint32), np.zeros(rows), np.empty((run.threads, 2, graph.n), graph.arrays.targets.dtype),
            np.empty(rows), np.zeros(rows, np.uint32),
        )  # fmt: skip
        self.begin(0)

    def begin(self, stream: int) -> PathSampler:
        """Start again, with samples that are independent of those of other streams."""
        self._key = np.uint64(stream_key(np.uint64(self.run.seed), np.uint64(_STREAM + stream)))
        self._balls.counts[:] = 0
        self.samples, self.counts = 0, np.zeros(self.run.graph.n, np.int64)
        return self

    def take_until(self, samples: int) -> int:
        """Sample until there are `samples` in all; returns the arcs visited. Counts change only at the end."""
        low, high, run = np.uint64(self.samples), np.uint64(samples), self.run
        work = int(high - low) * _ARCS
        visited = run.launch(
            sample_paths, self._ways, self._balls, self._key, low, high, run.threads, run.stop, work=work
        )
        self.counts, self.samples = self._balls.counts.sum(axis=0, dtype=np.int64), samples
        return int(visited)
