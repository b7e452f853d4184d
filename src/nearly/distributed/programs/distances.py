"""Distances from a source on parts: hops (bfs) and lengths (sssp).

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

from nearly.algorithms.shared.weights import forbid_extremes, forbid_negative
from nearly.distributed.messages import Got, Send, changed_values, receive
from nearly.distributed.part import Part
from nearly.distributed.programs.kernels import FAR, Search, settle

_FEW, _MANY = 1 << 12, 1 << 18  # vertices of a part whose arcs a round follows


class Hops:
    """Hops from a source; see the top of the file."""

    view = "in"

    def __init__(self, part: Part, arguments: dict[str, Any], kept: dict[str, Any] | None) -> None:
        self.part, self.asked = part, arguments
        self.rows = self._rows()
        n = part.graph.n
        self.whole = self.rows.weights.dtype.kind == "u"
        kind = np.float64 if self.whole else self.rows.weights.dtype
        index = part.graph.arrays.targets.dtype
        state, changed = np.zeros(n, np.uint8), np.zeros(n, np.uint8)
        self.search = Search(np.full(n, np.inf, kind), state, np.empty(max(n, 1), index), np.empty(n, index), changed)
        self.limit, self.margin, self.behind = 0.0, 0.0, 0
        self.news = np.empty(0, np.int64)
        self.facts: dict[str, Any] = {}
        self.kept = kept

    def _rows(self) -> Any:
        return self.part.push.rows

    def keep(self) -> dict[str, Any]:
        """The distances, and which arcs are still to be followed."""
        numbers = [self.limit, self.margin]
        return {"distance": self.search.distance, "far": self.search.far[: self.behind], "numbers": numbers}

    def _begin(self) -> None:
        search, kept = self.search, self.kept
        if kept is not None:
            search.distance[:] = kept["distance"]
            self.behind = kept["far"].size
            search.far[: self.behind] = kept["far"]
            search.state[kept["far"]] = FAR
            self.limit, self.margin = kept["numbers"].tolist()
            search.changed[np.isfinite(search.distance)] = 1  # others may not have heard of these
            return
        source = self.part.local(self.asked["source"])
        if source is not None:
            search.distance[source], search.changed[source] = 0, 1
            self.news = np.array([source])

    def rounds(self) -> Generator[Send, Got, None]:
        part, search = self.part, self.search
        self._begin()
        told = np.zeros(part.size, bool)  # whether any part reads the vertex
        for wanted in part.needed.values():
            told[wanted] = True
        weight, arcs = float(self.rows.weights.sum(dtype=np.float64)), part.graph.m
        margin_known = self.kept is not None
        while True:
            news = self.news.astype(search.queue.dtype)
            behind, handled, edges, least = settle(self.rows, search, news, np.uint64(self.behind), float(self.limit))
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
            if not margin_known:  # the mean weight over the mean degree
                self.margin, margin_known = got.total(2) * part.n / max(got.total(3), 1.0) ** 2, True
            self._adapt(count / part.parts, got.total(2) / max(got.total(3), 1.0))
            self.limit = max(self.limit, base + self.margin)
            self.news = receive(part, got, search.distance)
        self.values = self._spelled(search.distance[part.own])

    def _adapt(self, count: float, mean: float) -> None:
        """A wider margin where rounds follow few vertices' arcs, a narrower one where many."""
        if count < _FEW:
            self.margin = max(2 * self.margin, mean or 1.0)
        elif count > _MANY:
            self.margin /= 2

    def _spelled(self, distance: np.ndarray) -> np.ndarray:
        """Hops as whole numbers, -1 where there is no way."""
        return np.where(np.isfinite(distance), distance, -1).astype(np.int32)


class Lengths(Hops):
    """Lengths of shortest paths from a source."""

    def _rows(self) -> Any:
        if not (self.asked["weighted"] and self.part.graph.weighted):
            return self.part.push.rows
        forbid_negative(self.part.graph, "sssp", "count hops")
        forbid_extremes(self.part.graph, 0.0, float(np.finfo(np.float64).max))
        return self.part.push.arrays

    def _spelled(self, distance: np.ndarray) -> np.ndarray:
        """As on one machine: infinity where there is no way."""
        return distance.copy()
