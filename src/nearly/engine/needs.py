"""How much memory a run takes beyond its graph: stated by each algorithm, checked in one place before it begins.

An algorithm's decorator says `memory=Needs(vertex=24, arc=8)`: bytes at the peak of an exact run for each vertex and
each arc of the graph it reads, with the widest types. What a directed graph needs besides (the undirected view of an
algorithm that reads one, the reverse of one that also looks at arcs backwards) is added here. The figures are bounds of
what `benchmarks/part_memory.py` measures; docs/long-runs.md has the table. A run that would take more than the budget
ends with `MemoryBudgetError` before it allocates anything. Parts of an algorithm whose size is known only on the way
(a graph of communities, copies of vertices) are checked there, as before.
"""

from __future__ import annotations

from typing import NamedTuple

from nearly.graph.csr import Graph

SMALL = 1 << 16  # arcs and vertices: what is smaller takes some megabytes, and is not asked about
_FIXED = 2 << 20  # bytes whatever the graph: buffers of threads, code that is loaded


class Needs(NamedTuple):
    """Bytes beyond the graph.

    vertex, arc : for each vertex and each arc of the graph that is read.
    thread : for each vertex and each thread.
    reverse : whether a directed graph is needed turned round too.
    """

    vertex: float
    arc: float = 0.0
    thread: float = 0.0
    reverse: bool = False

    def bytes(self, graph: Graph, viewed: bool, threads: int) -> int:
        """At the peak of a run on the graph, or on its undirected view."""
        _, targets, weights = graph.arrays
        arcs = 2 * graph.m if viewed else graph.m
        own = self.vertex * graph.n + self.arc * arcs + self.thread * threads * graph.n
        if viewed or (self.reverse and graph.directed):
            own += arcs * (targets.itemsize + (weights.itemsize if graph.weighted else 0)) + 8 * graph.n
        return int(own) + _FIXED
