"""Distances from a source on parts, limit by limit: what sssp, and bfs on long graphs, search with.

Each part follows arcs from its own vertices and its ghosts to its own vertices, as far as a common limit: all
distances up to it are settled locally before others are told, so that rounds are few and full. Then each part sends the
distances of its boundary that fell. The next limit is the least distance whose arcs are still to be followed anywhere,
plus a margin: it doubles while a round follows the arcs of few vertices, and halves when they are many, which would
follow arcs of distances that fall again. (Meyer and Sanders, "Delta-stepping", 2003, with the parts as processors.)

A distance only ever falls to the length of some path, in the end none can fall, and rounding is monotone: so the
answer is that of one machine, bit for bit, whatever the parts and limits.
Encoding: hops and whole weights are summed in float64, which is exact below 2**53, and go over the wire in four
bytes; float32 and float64 weights are summed in their own type, as on one machine.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from nearly.distributed.messages import Got, Send, changed_values, receive
from nearly.distributed.part import Part
from nearly.distributed.programs.search_kernels import FAR, Search, settle

_FEW, _MANY = 1 << 12, 1 << 17  # vertices of a part whose arcs a round follows


class LimitedSearch:
    """Distances on a part, limit by limit; see the top of the file."""

    def __init__(self, part: Part, rows: Any) -> None:
        self.part, self.rows, n = part, rows, part.graph.n
        self.whole = rows.weights.dtype.kind == "u"
        kind, index = np.float64 if self.whole else rows.weights.dtype, part.graph.arrays.targets.dtype
        state, changed = np.zeros(n, np.uint8), np.zeros(n, np.uint8)
        self.search = Search(np.full(n, np.inf, kind), state, np.empty(max(n, 1), index), np.empty(n, index), changed)
        self.limit, self.margin, self.behind = 0.0, 0.0, 0
        self.news = np.empty(0, np.int64)

    def keep(self) -> dict[str, Any]:
        """The distances, and which arcs are still to be followed."""
        numbers = [self.limit, self.margin]
        return {"distance": self.search.distance, "far": self.search.far[: self.behind], "numbers": numbers}

    def take(self, kept: dict[str, Any]) -> None:
        """Go on from what was kept."""
        search = self.search
        search.distance[:] = kept["distance"]
        self.behind = kept["far"].size
        search.far[: self.behind] = kept["far"]
        search.state[kept["far"]] = FAR
        self.limit, self.margin = kept["numbers"].tolist()
        search.changed[np.isfinite(search.distance)] = 1  # others may not have heard of these

    def begin(self, source: int) -> None:
        """Only the source has a distance."""
        at = self.part.local(source)
        if at is not None:
            self.search.distance[at], self.search.changed[at] = 0, 1
            self.news = np.array([at])

    def begin_at(self, level: np.ndarray, depth: int, frontier: np.ndarray) -> None:
        """Hops are known up to `depth`; the arcs of the frontier, which has just that many, are to be followed."""
        self.search.distance[:] = np.where(level.view(np.int32) < 0, np.inf, level)
        self.news, self.limit, self.margin = frontier, float(depth), 1.0

    def rounds(self) -> Generator[Send, Got, None]:
        part, search = self.part, self.search
        told = np.zeros(part.size, bool)  # whether any part reads the vertex
        for wanted in part.needed.values():
            told[wanted] = True
        weight, arcs = float(self.rows.weights.sum(dtype=np.float64)), part.graph.m
        while True:
            news = self.news.astype(search.queue.dtype)
            behind, handled, edges, least = settle(self.rows, search, news, np.uint64(self.behind), self.limit)
            self.behind = int(behind)
            fell = (search.changed[part.own] > 0) & told
            distance = search.distance[part.own]
            least = min(float(least), float(distance[fell].min(initial=np.inf)))
            message = changed_values(part, distance, fell, self.whole)
            search.changed[:] = 0
            numbers = (least, float(handled), weight, arcs)
            got = yield Send(message, numbers, int(edges), int(handled), True, {"limit": self.limit / part.parts})
            base, count = float(got.numbers[:, 0].min()), got.total(1)
            if base == np.inf:
                break
            if not self.margin:  # the mean weight over the mean degree
                self.margin = got.total(2) * part.n / max(got.total(3), 1.0) ** 2
            self._adapt(count / part.parts, got.total(2) / max(got.total(3), 1.0))
            self.limit = base + self.margin
            self.news = receive(part, got, search.distance)

    def _adapt(self, count: float, mean: float) -> None:
        """A wider margin where rounds follow few vertices' arcs, a narrower one where many."""
        if count < _FEW:
            self.margin = max(2 * self.margin, mean or 1.0)
        elif count > _MANY:
            self.margin /= 2
