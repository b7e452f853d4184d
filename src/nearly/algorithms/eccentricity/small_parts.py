"""Eccentricities of all vertices that matter in small parts of a graph, by batches of searches.

A batch of searches costs in proportion to what is reached, not to the graph (`shared.hop_batches`), and vertices of one
part lie together in it (`shared.clustered_order`). So many small parts are settled in the time of few searches of the
whole graph; at worst, where every part is a path, an arc is looked at once for each vertex of its part.
"""

from __future__ import annotations

import numpy as np

from nearly.algorithms.shared.clustered_order import clustered
from nearly.algorithms.shared.hop_batches import HopBatches
from nearly.engine.run import Did, Run

_SMALL = 1024  # vertices of a part, at most
_SHARE = 4  # and it is at most this part of the graph: others may well need few searches
_AT_ONCE = 1 << 14  # sources, so that control comes back soon


class SmallParts:
    """The small parts of a graph, whose vertices have parts of these sizes; `left` until all are settled."""

    def __init__(self, run: Run, sizes: np.ndarray) -> None:
        self.run, self._sizes = run, sizes
        self._order: np.ndarray | None = None
        self._batches: HopBatches | None = None
        self.left = bool(sizes.size and sizes.min() <= min(_SMALL, sizes.size // _SHARE))

    def settle(self, low: np.ndarray, high: np.ndarray, is_open: np.ndarray) -> list[Did]:
        """Search from the next vertices of small parts that are open, and set their bounds."""
        graph = self.run.graph
        if self._order is None or self._batches is None:
            order = clustered(graph)
            self._order = order[self._sizes[order] <= min(_SMALL, graph.n // _SHARE)]
            self._batches = HopBatches(self.run, graph, at_vertices=False, at_sources=True, local=True)
        self._order = self._order[is_open[self._order]]
        now, self._order = np.split(self._order, [_AT_ONCE])
        if now.size:
            low[now] = high[now] = self._batches.add(now).farthest
        self.left = self._order.size > 0
        if not self.left:
            self._batches = None
        return [Did(now.size, int(graph.out_degrees[now].sum()))]
