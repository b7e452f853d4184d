"""Dependencies of sources on vertices, summed over batches of sources: what betweenness and its top-k share.

`Dependencies` chooses how. Under `auto`, where there are many sources each worker takes whole ones; where there are
few, one thread does a source as long as its levels are not large (`ordered`), else all workers share it. Other
policies run level by level on the engine's operators (`levels`). Weighted paths always go by whole sources. The choice
depends on the graph and the number of sources, never on the number of threads, and neither do the sums. Where there is
little work in all, one plain kernel does it (`small_graphs`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nearly.algorithms.betweenness.forward import UNSEEN, WHOLE, Arcs, Desk
from nearly.algorithms.betweenness.kernels import Batch, over_sources, source_pass
from nearly.algorithms.betweenness.levels import level_rounds
from nearly.algorithms.betweenness.ordered import NOTES, make_places, ordered_pass
from nearly.algorithms.betweenness.queues import Buckets, make_trips
from nearly.algorithms.betweenness.recount import Tally
from nearly.algorithms.betweenness.small_graphs import GRAPH, WORK, SmallPasses
from nearly.algorithms.shared.work_memory import give_back, take_memory
from nearly.base.memory import require
from nearly.base.random import stream_key
from nearly.base.threads import kernel_threads
from nearly.engine.row_pieces import cursor, row_cuts
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

MANY = 8  # with at least this many sources, workers take whole ones
_STREAM = 0x6272  # which random numbers choose parts of rows
_SUMS = 1 << 24  # numbers kept in all slots together, about
_WORK = 1 << 27  # arcs and vertices a call may visit: some tenths of a second


def dependencies(graph: Graph, sources: Any, *, weights: bool = False, threads: int | None = None) -> np.ndarray:
    """For each vertex the sum over `sources` of the dependency on it; no endpoints, not scaled."""
    sources = np.asarray(sources)
    with kernel_threads(threads) as count:
        made = Dependencies(Run(graph, threads=count), sources.size, weights=weights)
        made.add(sources)
    return made.sums


class Dependencies:
    """Sums of dependencies, added to by batches.

    Parameters
    ----------
    run : the graph, policy, threads and stop flag.
    expected : how many sources there will be in all, about.
    weights : whether paths are measured by weights, which must be above 0, rather than in hops.
    endpoints : whether a path counts for its ends too.
    edges : whether arcs get sums too.
    """

    def __init__(
        self, run: Run, expected: int, *, weights: bool = False, endpoints: bool = False, edges: bool = False
    ) -> None:
        self.run, self.weighted = run, weights and run.graph.weighted
        graph, arcs = run.graph, run.graph.m if edges else 0
        direct = run.policy == "auto" and run.device == "cpu" and (run.mapped is None or run.mapped.copies is None)
        self._seen = 0
        self._levels = self._small = None
        self._workers, self._taken = 1, dict[str, Any]()
        if direct and not self.weighted and _is_small(run, expected):
            self.apart, self._tally = False, Tally(np.zeros((1, graph.n)), np.zeros((1, arcs)), float(endpoints))
            self._small = SmallPasses(run, Tally(self._tally.sums[0], self._tally.arc_sums[0], self._tally.one))
            return
        self.apart = self.weighted or (direct and expected >= MANY)
        slots = _slots(graph.n + arcs, 2 if edges else MANY) if self.apart else 1
        self._workers = run.threads if self.apart else 1
        require(8 * slots * (graph.n + arcs), "betweenness")
        self._tally = Tally(np.zeros((slots, graph.n)), np.zeros((slots, arcs)), float(endpoints))
        self._first = Tally(self._tally.sums[0], self._tally.arc_sums[0], self._tally.one)
        if direct or self.weighted:
            self._trips: Any = make_trips(graph, self._workers) if self.weighted else None
            self._ordered = not (self.weighted or edges or (run.techniques and run.visits() is not None))
        else:
            self._levels = level_rounds(run, self._first.sums, self._first.arc_sums, endpoints)

    @property
    def sums(self) -> np.ndarray:
        """float64[n]: what the sources so far depend on each vertex."""
        if self._levels is not None:
            self._levels.fetch()
        return _added(self._tally.sums)

    @property
    def arc_sums(self) -> np.ndarray:
        """float64[m]: the same for arcs."""
        if self._levels is not None:
            self._levels.fetch()
        return _added(self._tally.arc_sums)

    @property
    def batch(self) -> int:
        """How many sources `add` may get so that control comes back soon."""
        each = self.run.graph.n + self.run.graph.m
        if self._small is not None:
            return max(WORK // max(each, 1), 1)
        return max(len(self._tally.sums) * 4, _WORK // max(each, 1)) if self.apart else 1

    def add(self, sources: np.ndarray) -> list[Did]:
        """Add these sources' dependencies; says what each of them took."""
        if self._small is not None:
            return self._small.add(np.asarray(sources, np.uint64))
        if self.apart:
            return self._add_apart(np.asarray(sources, np.uint64))
        did = [self._add_one(int(s)) for s in sources]
        self._seen += len(did)
        return did

    def keep(self) -> dict[str, Any]:
        """The sums so far and all that decides how the next sources are added; see `nearly.engine.checkpoint`."""
        told = {"seen": self._seen, "ordered": bool(getattr(self, "_ordered", False))}
        return {"sums": self._tally.sums, "arc_sums": self._tally.arc_sums, **told}

    def take(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self._tally.sums[:], self._tally.arc_sums[:] = state["sums"], state["arc_sums"]
        self._seen, self._ordered = int(state["seen"]), bool(state["ordered"])

    def close(self) -> None:
        """No sources follow: leave the memory for the next call."""
        for name, memory in self._taken.items():
            give_back(self.run.graph, (name, self._workers), memory)

    def _memory(self, name: str, make: Callable[[Graph, int], Any]) -> Any:
        """What workers need: all of it where they work apart, else that of one."""
        if name not in self._taken:
            graph, workers = self.run.graph, self._workers
            self._taken[name] = take_memory(graph, (name, workers), lambda: make(graph, workers))
        memory = self._taken[name]
        return memory if self.apart else type(memory)(*(rows[0] for rows in memory))

    def _way(self, ordered: bool) -> tuple[Any, Any]:
        """The graph and the memory for a pass."""
        if self.weighted:
            return self.run.graph.arrays, self._trips
        if ordered:
            return self.run.graph.rows, self._memory("betweenness places", make_places)
        return _both_ways(self.run), self._memory("betweenness desks", _desks)

    def _add_apart(self, sources: np.ndarray) -> list[Did]:
        did, left = np.zeros((sources.size, 2), np.uint64), np.arange(sources.size)
        for ordered, huge in ((True, False), (False, False), (False, True)):  # each leaves what it cannot do
            if left.size and (self._ordered or not ordered):
                did[left] = self._pass_over(sources[left], ordered, huge)
                left = np.flatnonzero(did[:, 0] == 0)
                self._ordered = self._ordered and not (ordered and 2 * left.size > sources.size)
        self._seen += sources.size
        return [Did(int(reached), int(visited), float(reached + visited)) for reached, visited in did]

    def _pass_over(self, sources: np.ndarray, ordered: bool, huge: bool) -> np.ndarray:
        run, work = self.run, sources.size * (self.run.graph.n + self.run.graph.m)
        batch = Batch(sources, np.uint64(self._seen), np.zeros((sources.size, 2), np.uint64))
        kernel = over_sources(self.weighted, isinstance(self._trips, Buckets), huge, ordered)
        run.launch(kernel, *self._way(ordered), batch, self._tally, cursor(), run.threads, run.stop, work=work)
        return batch.did

    def _add_one(self, source: int) -> Did:
        if self._levels is not None:
            return self._levels.add(source)
        run, start, reached, visited = self.run, np.uint64(source), 0, 0
        if self._ordered:
            reached, visited = run.launch(ordered_pass, *self._way(True), start, self._first, run.stop)
            self._ordered = reached > 0
        for huge in (False, True):  # more paths than a float64 can count
            if not reached:
                arguments = *self._way(False), start, self._first, run.threads, run.stop
                reached, visited = run.launch(source_pass(True, huge=huge), *arguments)
        return Did(int(reached), int(visited))


def _is_small(run: Run, expected: int) -> bool:
    """Whether there is so little work that one plain kernel does it."""
    size = run.graph.n + run.graph.m
    return size <= GRAPH and size * expected <= WORK and not (run.techniques and run.visits() is not None)


def _added(slots: np.ndarray) -> np.ndarray:
    total = slots[0]
    for row in slots[1:]:
        total = total + row
    return total


def _both_ways(run: Run) -> Arcs:
    graph, back = run.graph, run.graph.reverse
    key = stream_key(np.uint64(run.seed), np.uint64(_STREAM))
    visits = run.visits()
    part = np.array([key, int((1.0 if visits is None else visits.share) * float(WHOLE))], np.uint64)
    return Arcs(*graph.rows, *back.arrays[:2], row_cuts(back), part)


def _desks(graph: Graph, count: int) -> Desk:
    """Desks for so many workers."""
    n, vertex, shape = graph.n, graph.arrays.targets.dtype, (count, graph.n)
    require((56 + 2 * vertex.itemsize) * n * count, "betweenness")
    return Desk(
        np.full(shape, UNSEEN, np.uint32), np.empty(shape, vertex), np.empty((count, 3, n + 2), np.uint64),
        np.empty(shape, vertex), np.zeros(shape), np.zeros(shape), np.zeros(shape),
    )  # fmt: skip


def _slots(numbers: int, least: int = MANY) -> int:
    """How many sums of so many numbers are kept side by side."""
    return min(64, max(_SUMS // max(numbers, 1), least))


def memory_of_sums(graph: Graph, threads: int, arguments: dict[str, Any]) -> float:
    """Bytes of the sums, and of the arcs that workers note on the way."""
    return 8.0 * _slots(graph.n) * graph.n + 4.0 * threads * min(graph.m, NOTES * graph.n)
