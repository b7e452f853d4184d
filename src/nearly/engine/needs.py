"""How much memory a run takes beyond its graph: stated by each algorithm, checked in one place before it begins.

An algorithm's decorator says `memory=Needs(vertex=24, arc=8)`: bytes at the peak of an exact run for each vertex and
each arc of the graph it reads, and for each weight where it has some. What a directed graph needs besides (the
undirected view of an algorithm that reads one, the reverse of one that also looks at arcs backwards) is added here. The
figures are bounds of what `benchmarks/part_memory.py` measures; docs/long-runs.md has the table. A run that would take
more than the budget ends with `MemoryBudgetError` before it allocates anything. Parts of an algorithm whose size is
known only on the way (a graph of communities, copies of vertices) are checked there, as before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from nearly.graph.csr import Graph

SMALL = 1 << 16  # arcs and vertices: what is smaller takes some megabytes, and is not asked about
_BUILDING = 6  # bytes an arc while a view or a reverse is made
_FIXED = 2 << 20  # bytes whatever the graph: buffers of threads, code that is loaded


class Needs(NamedTuple):
    """Bytes beyond the graph.

    vertex, arc : for each vertex and each arc of the graph that is read.
    thread : for each vertex and each thread.
    weight : for each arc besides, where arcs have weights.
    spare : whether a run does without what it would have for each arc, more slowly, where the budget is smaller.
    reverse : whether a directed graph is needed turned round too.
    more : `more(graph, threads, arguments)`, what is no multiple of these.
    """

    vertex: float
    arc: float = 0.0
    thread: float = 0.0
    weight: float = 0.0
    spare: bool = False
    reverse: bool = False
    more: Callable[[Graph, int, dict[str, Any]], float] | None = None

    def bytes(self, graph: Graph, viewed: bool, threads: int, arguments: dict[str, Any] | None = None) -> int:
        """At the peak of a run with these arguments on the graph, or on its undirected view."""
        _, targets, weights = graph.arrays
        arcs = 2 * graph.m if viewed else graph.m
        each = self.arc + (self.weight if graph.weighted else 0.0)
        own = self.vertex * graph.n + each * arcs + self.thread * threads * graph.n
        if viewed or (self.reverse and graph.directed):
            own += arcs * (targets.itemsize + (weights.itemsize if graph.weighted else 0) + _BUILDING) + 8 * graph.n
        if self.more is not None:
            own += self.more(graph, threads, arguments or {})
        return int(own) + _FIXED

    @property
    def least(self) -> Needs:
        """What a run cannot do without."""
        return self._replace(arc=0.0, weight=0.0) if self.spare else self


def count_of_pairs(graph: Graph, pairs: Any) -> int:
    """How many pairs are asked about: the ends of every arc where none are given; 0 where these are no pairs at all."""
    if pairs is None:
        return graph.m
    try:
        return len(pairs)
    except TypeError:  # such as an array of no dimension, which has a length by its type only
        return 0


def memory_of_pairs(graph: Graph, threads: int, arguments: dict[str, Any]) -> float:
    """Bytes of what is computed for each of `pairs`."""
    return 48.0 * count_of_pairs(graph, arguments.get("pairs"))
