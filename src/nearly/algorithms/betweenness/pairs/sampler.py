"""Shares of pairs drawn at random, by vertex: the estimate of betweenness that `PairSampler` collects."""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.algorithms.betweenness.pairs.bounds import Look, Watch
from nearly.algorithms.betweenness.pairs.kernels import FIRST, Memory, Ways, sample_pairs
from nearly.algorithms.betweenness.pairs.shares import UNIT
from nearly.base.memory import require
from nearly.base.random import stream_key
from nearly.engine.run import Run

_STREAM = 0x7073  # which random numbers choose pairs
_ARCS = 1 << 14  # arcs a sample visits, about: decides only whether a launch can be interrupted


class PairSampler:
    """Sums of shares, and of their squares, over pairs drawn at random.

    Parameters
    ----------
    run : the graph, which needs at least two vertices, the seed, threads and stop flag.
    """

    def __init__(self, run: Run) -> None:
        self.run, graph = run, run.graph
        n, m, ids = graph.n, graph.m, graph.rows.targets.dtype
        require(run.threads * (100 * n + 8 * m), "sampled pairs")
        self._ways = Ways(*graph.rows[:2], *graph.reverse.rows[:2])

        def empty(kind: Any, *shape: int) -> np.ndarray:
            return np.empty((run.threads, *shape), kind)

        self._memory = Memory(
            mark=np.zeros((run.threads, n), np.uint32), found=empty(ids, n), begins=empty(np.uint64, n + 4),
            inner=empty(ids, m), outer=empty(ids, m), ranges=empty(np.uint64, n + 4), scales=empty(float, n + 4),
            paths=empty(float, n), share=np.zeros((run.threads, n)), sums=empty(np.uint64, n),
            squares=empty(np.uint64, n), reached=empty(ids, 2, n), ball_begins=empty(np.uint64, 2, n + 2),
            ball_arcs=empty(np.uint64, 2, n + 2), levels=empty(np.uint64, 2, 1), stamp=np.full(run.threads, FIRST),
        )  # fmt: skip
        self.begin(0)

    def begin(self, stream: int) -> PairSampler:
        """Start again, with pairs that are independent of those of other streams."""
        self._key = np.uint64(stream_key(np.uint64(self.run.seed), np.uint64(_STREAM + stream)))
        self._memory.sums[:] = 0
        self._memory.squares[:] = 0
        self.samples = self.visited = 0
        return self

    def take_until(self, samples: int) -> int:
        """Sample until there are `samples` in all; returns the arcs visited."""
        low, high, run = np.uint64(self.samples), np.uint64(samples), self.run
        work = int(high - low) * _ARCS
        visited = int(
            run.launch(sample_pairs, self._ways, self._memory, self._key, low, high, run.threads, run.stop, work=work)
        )
        self.samples, self.visited = samples, self.visited + visited
        return visited

    def look(self, watch: Watch) -> Look:
        """What is known now."""
        return watch.look(self._memory.sums, self._memory.squares, self.samples, self.visited)

    def averages(self) -> tuple[np.ndarray, np.ndarray]:
        """The means of shares, and of their squares."""
        unit = UNIT * max(self.samples, 1)
        return self._memory.sums.sum(axis=0) / unit, self._memory.squares.sum(axis=0) / unit
