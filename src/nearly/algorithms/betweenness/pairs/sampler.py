"""Shares of pairs drawn at random, by vertex: the estimate of betweenness that `PairSampler` collects."""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.algorithms.betweenness.pairs.bounds import Look, Watch
from nearly.algorithms.betweenness.pairs.fringe import find_fringe
from nearly.algorithms.betweenness.pairs.kernels import FIRST, Memory, Ways, sample_pairs
from nearly.algorithms.betweenness.pairs.shares import UNIT
from nearly.algorithms.betweenness.pairs.weighted import Sums, WeightedWays, sample_weighted_pairs
from nearly.algorithms.betweenness.queues import Buckets, make_trips
from nearly.algorithms.shared.work_memory import give_back, take_memory
from nearly.base.memory import require
from nearly.base.random import stream_key
from nearly.engine.run import Run
from nearly.graph.csr import Graph

_STREAM = 0x7073  # which random numbers choose pairs
_KEPT = "sampled pairs"  # the name of the memory
_ARCS = 1 << 14  # arcs a sample visits, about: decides only whether a launch can be interrupted


class PairSampler:
    """Sums of shares, and of their squares, over pairs drawn at random; what is known without them is apart.

    Parameters
    ----------
    run : the graph, which needs at least two vertices, the seed, threads and stop flag.
    weighted : whether paths are measured by weights, which must be above 0, rather than in hops.

    `known` is what has to be added to the means, of all vertices or of each: see `fringe`. Weighted pairs are sampled
    as they are: where lengths are added up from decides which of them tie.
    """

    known: Any = 0.0

    def __init__(self, run: Run, *, weighted: bool = False) -> None:
        self.run, graph = run, run.graph
        require(run.threads * (100 * graph.n + (0 if weighted else 8 * graph.m)), "sampled pairs")
        self._weighted, self.fits = weighted, True
        if weighted:
            self._sums = Sums(*(np.zeros((run.threads, graph.n), np.uint64) for _ in range(2)))
            self._trips = make_trips(graph, run.threads)
            self._kernel: Any = sample_weighted_pairs(isinstance(self._trips, Buckets))
            self._places: tuple[Any, ...] = (
                WeightedWays(*graph.arrays, *graph.reverse.arrays),
                self._trips,
                self._sums,
            )
        else:
            self._kernel = sample_pairs
            memory = Memory(*take_memory(graph, (_KEPT, run.threads), lambda: _memory(graph, run.threads)))
            self._sums = Sums(memory.sums, memory.squares)
            fringe = find_fringe(run)
            self.known = fringe.known if fringe.known.size else 0.0
            self._places = Ways(*graph.rows[:2], *graph.reverse.rows[:2], fringe.anchors), memory
        self.begin(0)

    def begin(self, stream: int) -> PairSampler:
        """Start again, with pairs that are independent of those of other streams."""
        self._key = np.uint64(stream_key(np.uint64(self.run.seed), np.uint64(_STREAM + stream)))
        self._sums.sums[:] = 0
        self._sums.squares[:] = 0
        self.samples = self.visited = 0
        return self

    def close(self) -> None:
        """Leave the memory to the next call; this sampler is not used again."""
        if not self._weighted:
            give_back(self.run.graph, (_KEPT, self.run.threads), self._places[1])

    def take_until(self, samples: int) -> int:
        """Sample until there are `samples` in all; returns the arcs visited."""
        run, shared = self.run, self.run.shared
        low, high = (
            np.uint64(i) for i in ((self.samples, samples) if shared is None else shared.range(self.samples, samples))
        )
        work = int(high - low) * _ARCS
        told = run.launch(self._kernel, *self._places, self._key, low, high, run.threads, run.stop, work=work)
        visited, fits = told if self._weighted else (told, True)
        if shared is not None:
            visited, misfits = shared.total(np.array([visited, not fits], np.int64))
            fits = not misfits
        self.samples, self.visited, self.fits = samples, self.visited + int(visited), self.fits and bool(fits)
        return int(visited)

    def look(self, watch: Watch) -> Look:
        """What is known now."""
        return watch.look(*self._all_sums(), self.samples, self.visited)

    def averages(self) -> tuple[np.ndarray, np.ndarray]:
        """The means of the sampled shares, and of their squares."""
        unit = UNIT * max(self.samples, 1)
        return tuple(sums.sum(axis=0) / unit for sums in self._all_sums())  # type: ignore[return-value]

    def _all_sums(self) -> Sums:
        """The sums of all workers, also of other processes."""
        shared = self.run.shared
        return self._sums if shared is None else Sums(*(shared.total(one.sum(axis=0))[None, :] for one in self._sums))


def _memory(graph: Graph, workers: int) -> Memory:
    n, m, ids = graph.n, graph.m, graph.rows.targets.dtype

    def empty(kind: Any, *shape: int) -> np.ndarray:
        return np.empty((workers, *shape), kind)

    return Memory(
        mark=np.zeros((workers, n), np.uint32), found=empty(ids, n), begins=empty(np.uint64, n + 4),
        inner=empty(ids, m), outer=empty(ids, m), ranges=empty(np.uint64, n + 4), scales=empty(float, n + 4),
        paths=empty(float, n), share=np.zeros((workers, n)), sums=empty(np.uint64, n), squares=empty(np.uint64, n),
        reached=empty(ids, 2, n), ball_begins=empty(np.uint64, 2, n + 2), ball_arcs=empty(np.uint64, 2, n + 2),
        levels=empty(np.uint64, 2, 1), stamp=np.full(workers, FIRST),
    )  # fmt: skip
