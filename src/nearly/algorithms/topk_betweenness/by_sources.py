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


def by_sources(run: Run, k: int, order: str, stop: Stop, weighted: bool, how: Sourcing) -> TopkResult:
    """The top k from sources in this order, until `stop` says so or all are used."""
    graph, search = run.given, Search(run, k)
    n, total = graph.n, max(stop.sources(graph.n), min(2, graph.n))
    since = time.perf_counter()
    place = how.places(graph, total)
    inner = run if place is None else _on(run, graph.relabel(place))
    renumber_seconds = time.perf_counter() - since
    size, used, scores = how.batch or batch_size(graph.n, graph.m), np.empty(n, np.uint64), np.zeros(n)
    together = max(total, MANY) if size >= MANY else size  # sources that are known at the same time
    made, sources = Dependencies(inner, together, weights=weighted), Order(graph, order, run.seed)
    fair = order == "random"
    search.total = total

    def batch() -> Did:
        nonlocal scores
        done = search.done
        chosen = sources.next(done, min(size, total - done), scores)
        did = made.add(chosen if place is None else place[chosen])
        scores = made.sums if place is None else made.sums[place]
        used[done : done + chosen.size] = chosen
        done += chosen.size
        scaling = Scaling(n, graph.directed, used[:done], done == n or not fair, True, False, weighted)
        values = scaling.scaled(scores)
        search.finish_batch((scaling, values), done, values)
        search.reason = "all sources" if done == n else stop.met(State(done / n, search.stable, len(run.trace) + 1))
        if not search.reason and done == total:
            search.reason = f"share={total / n:g}"
        extra = {"sources": float(done), "stability": search.stable}
        return Did(chosen.size, sum(d.edges for d in did), extra=extra)

    class Sums:
        """All that decides the next batches."""

        def keep(self) -> dict[str, Any]:
            return {**made.keep(), **search.keep(), "used": used[: search.done], "unused": sources.unused}

        def take(self, state: dict[str, Any]) -> None:
            nonlocal scores
            made.take(state)
            search.take(state)
            used[: search.done], sources.unused[:] = state["used"], state["unused"]
            scores = made.sums if place is None else made.sums[place]
            scaling = Scaling(
                n, graph.directed, used[: search.done], search.done == n or not fair, True, False, weighted
            )
            search.state = scaling, scaling.scaled(scores)

    if n:
        search.go_on(batch, Sums())
        scaling, values = search.state
    else:
        scaling, values = Scaling(n, graph.directed, used, True, True, False, weighted), scores
    guarantee = "exact" if scaling.sources.size == n else "estimated" if fair else "heuristic"
    return TopkResult(
        values,
        guarantee=guarantee,
        sources=scaling.sources,
        used=scaling.sources.size,
        scaling=scaling,
        renumber_seconds=renumber_seconds,
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
