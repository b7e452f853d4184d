"""Searches from both ends of a path, in NetworkX's order, which decides which of several shortest paths is shown.

The sides take turns: by hops the one with the smaller front advances by a level, by lengths each settles one vertex
after the other. The memory of searches by hops is kept with the graph, so that a short path in a large graph is cheap.
"""

from __future__ import annotations

import numpy as np

from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.both_ends_kernels import NONE, meet_by_hops, meet_by_lengths
from nearly.adapters.networkx.ordered_search import backward_rows, forward_rows


def hops_both_ends(graph: BackendGraph, begin: int, end: int) -> list[int] | None:
    """The places along a path of fewest hops; None if there is none."""
    if begin == end:
        return [begin]
    n, into = len(graph), graph.into
    key = "both ends"
    if key not in graph._known:
        graph._known[key] = np.full((2, n), NONE, np.uint32), np.empty((2, n), np.uint32)
    towards, order = graph._known[key]
    forth, back = (graph.offsets, graph.targets), (into.offsets, into.sources)
    meet, ahead, behind = meet_by_hops(forth, back, np.uint32(begin), np.uint32(end), towards, order)
    way = None if meet == NONE else _joined(towards, int(meet), begin, end)
    for side, count in enumerate((ahead, behind)):
        towards[side, order[side, : int(count)]] = NONE
    return way


def lengths_both_ends(
    graph: BackendGraph, begin: int, end: int, attribute: str | None
) -> tuple[float, list[int]] | None:
    """The length of a shortest path by an edge attribute, and its places; None if there is none."""
    towards = np.full((2, len(graph)), NONE, np.uint32)
    forth, back = forward_rows(graph, attribute), backward_rows(graph, attribute)
    meet, length = meet_by_lengths(forth, back, np.uint32(begin), np.uint32(end), towards)
    return None if meet == NONE else (float(length), _joined(towards, int(meet), begin, end))


def _joined(towards: np.ndarray, meet: int, begin: int, end: int) -> list[int]:
    """The way from the beginning to where the sides met, and on to the end."""
    way = [meet]
    while way[-1] != begin:
        way.append(int(towards[0, way[-1]]))
    way.reverse()
    while way[-1] != end:
        way.append(int(towards[1, way[-1]]))
    return way
