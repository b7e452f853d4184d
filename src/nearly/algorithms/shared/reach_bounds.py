"""How many vertices reach each vertex: exactly for most, and never more than a bound for the others, by two searches.

Let L be a vertex of many arcs, and B the vertices that reach it. Where L and v reach each other, v is reached by B
exactly. Where L only leads to v, v is reached by B, and by others that do not reach L; where it does not, by such
others alone. Ways of those avoid the strong component of L, so that there are no more of them than the part of v has
vertices in the rest of the graph. In an undirected graph a vertex is reached by its part.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.algorithms.eccentricity.bounds import levels, sizes_of_parts
from nearly.algorithms.shared.level_search import UNREACHED
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class Reach(NamedTuple):
    """What two searches tell; numbers of vertices do not count the vertex itself."""

    least: np.ndarray  # int64[n]: so many vertices reach it for sure
    most: np.ndarray  # int64[n]: and no more than so many
    sure: np.ndarray  # bool[n]: whether it is known how many
    before: np.ndarray  # bool[n]: B
    aside: np.ndarray  # int64[n]: vertices of its part of the rest, itself counted; of an undirected graph, of its part
    to_hub: np.ndarray  # uint32[n]: distances to L
    from_hub: np.ndarray  # uint32[n]: and from it


def reach_of(run: Run, graph: Graph) -> Reach:
    """See the top of the file."""
    if not graph.n:
        none, never = np.zeros(0, np.int64), np.zeros(0, bool)
        return Reach(none, none, never, never, none, np.zeros(0, np.uint32), np.zeros(0, np.uint32))
    hub = int(np.argmax(graph.out_degrees.astype(np.int64) + graph.in_degrees))
    from_hub = levels(run, graph, hub)
    if not graph.directed:
        parts = sizes_of_parts(graph).astype(np.int64)
        sure = np.ones(graph.n, bool)
        return Reach(parts - 1, parts - 1, sure, from_hub != UNREACHED, parts, from_hub, from_hub)
    to_hub = levels(run, graph.reverse, hub)
    before, after = to_hub != UNREACHED, from_hub != UNREACHED
    sure = before & after
    aside = sizes_of_parts(_without(graph, sure)).astype(np.int64)
    least = np.where(after, before.sum() - before, 0)
    return Reach(least, np.where(sure, least, least + aside - 1), sure, before, aside, to_hub, from_hub)


def _without(graph: Graph, left_out: np.ndarray) -> Graph:
    """The graph without the arcs of some vertices."""
    src, dst = graph.arc_rows(), graph.arrays.targets
    kept = ~(left_out[src] | left_out[dst])
    return Graph.from_edges(src[kept], dst[kept], n=graph.n)
