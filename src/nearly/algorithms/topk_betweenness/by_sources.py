"""The top k by Brandes' passes from chosen sources (ParTBC): an order of sources, batches, and a rule to stop.

A batch is as many sources as take some tenths of a second, at most a hundredth of all; orders by score choose all its
sources by the scores before it. That depends on the graph alone, so the same sources are used on any machine. The
caller may ask for another size: with batches of one source, orders by score choose as ParTBC does, and all workers
share each source.
Only sums over random sources are scaled to all sources; what other sources leave out is unknown.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from nearly.algorithms.betweenness import Scaling
from nearly.algorithms.betweenness.sources import MANY, Dependencies
from nearly.algorithms.topk_betweenness.order import Order, by_forest, renumbering
from nearly.algorithms.topk_betweenness.search import Search, TopkResult
from nearly.algorithms.topk_betweenness.stop import State, Stop
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

_WORK = 1 << 28  # arcs and vertices that the sources of a batch may visit, about
_MOST = 128
_WORTH = 64  # sources from which on renumbering can pay


class Sourcing(NamedTuple):
    """How sources are worked on: under which numbers, and how many at a time."""

    renumber: bool | str  # "auto": where it pays
    batch: int | None  # None: as the graph's size says

    def places(self, graph: Graph, total: int) -> np.ndarray | None:
        """The numbers under which `total` sources are searched; None for the given ones."""
        if self.renumber == "auto":
            return renumbering(graph) if total >= _WORTH else None
        return by_forest(graph) if self.renumber and graph.n else None


class Passes:
    """Brandes' passes, batch by batch, and all that decides the next ones."""

    def __init__(self, run: Run, search: Search, sources: Order, stop: Stop, weighted: bool, how: Sourcing) -> None:
        graph = run.given
        self.run, self.search, self.sources, self.stop, self.weighted = run, search, sources, stop, weighted
        self.n, self.directed, self.fair = graph.n, graph.directed, sources.name == "random"
        search.total = max(stop.sources(graph.n), min(2, graph.n))
        since = time.perf_counter()
        self.place = how.places(graph, search.total)
        inner = run if self.place is None else _on(run, graph.relabel(self.place))
        self.renumber_seconds = time.perf_counter() - since
        self.size, self.used = how.batch or batch_size(graph.n, graph.m), np.empty(graph.n, np.uint64)
        together = max(search.total, MANY) if self.size >= MANY else self.size  # sources known at the same time
        self.made = Dependencies(inner, together, weights=weighted)
        self.scores = np.zeros(graph.n)

    def batch(self) -> Did:
        """The next sources."""
        search, done = self.search, self.search.done
        chosen = self.sources.next(done, min(self.size, search.total - done), self.scores)
        did = self.made.add(chosen if self.place is None else self.place[chosen])
        self._read()
        self.used[done : done + chosen.size] = chosen
        done += chosen.size
        scaling = self.scaling(done)
        values = scaling.scaled(self.scores)
        search.finish_batch((scaling, values), done, values)
        rounds = len(self.run.trace) + 1
        search.reason = "all sources" if done == self.n else self.stop.met(State(done / self.n, search.stable, rounds))
        if not search.reason and done == search.total:
            search.reason = f"share={search.total / self.n:g}"
        extra = {"sources": float(done), "stability": search.stable}
        return Did(chosen.size, sum(d.edges for d in did), extra=extra)

    def scaling(self, done: int) -> Scaling:
        """What sums over so many sources are divided by."""
        whole = done == self.n or not self.fair
        return Scaling(self.n, self.directed, self.used[:done], whole, True, False, self.weighted)

    def _read(self) -> None:
        self.scores = self.made.sums if self.place is None else self.made.sums[self.place]

    def keep(self) -> dict[str, Any]:
        """All that decides the next batches; see `nearly.engine.checkpoint`."""
        used = self.used[: self.search.done]
        return {**self.made.keep(), **self.search.keep(), "used": used, "unused": self.sources.unused}

    def take(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        search = self.search
        self.made.take(state)
        search.take(state)
        self.used[: search.done], self.sources.unused[:] = state["used"], state["unused"]
        self._read()
        scaling = self.scaling(search.done)
        search.state = scaling, scaling.scaled(self.scores)


def by_sources(run: Run, k: int, order: str, stop: Stop, weighted: bool, how: Sourcing) -> TopkResult:
    """The top k from sources in this order, until `stop` says so or all are used."""
    n, search = run.given.n, Search(run, k)
    passes = Passes(run, search, Order(run.given, order, run.seed), stop, weighted, how)
    if n:
        search.go_on(passes.batch, passes)
        scaling, values = search.state
    else:
        scaling, values = passes.scaling(0), passes.scores
    guarantee = "exact" if scaling.sources.size == n else "estimated" if passes.fair else "heuristic"
    return TopkResult(
        values,
        guarantee=guarantee,
        sources=scaling.sources,
        used=scaling.sources.size,
        scaling=scaling,
        renumber_seconds=passes.renumber_seconds,
        method="brandes",
        **search.fields(values),
    )


def _on(run: Run, graph: Graph) -> Run:
    """The same run on a graph under other numbers."""
    return replace(run, graph=graph, mapped=None, source=graph)


def batch_size(n: int, m: int) -> int:
    """How many sources a batch has.

    >>> batch_size(1000, 5000), batch_size(131072, 4194304), batch_size(10**7, 10**8)
    (10, 62, 8)
    """
    return max(MANY, min(_MOST, n // 100, _WORK // max(n + m, 1)))
