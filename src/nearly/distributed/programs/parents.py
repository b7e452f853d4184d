"""Parents of a search from its distances, on parts: the rule of one machine, and so the same tree.

The parent of a vertex is the smallest predecessor on a shortest path that is nearer the source
(`nearly.algorithms.shared.shortest_paths`). A part has the rows of its vertices, in ascending order of predecessors,
and is told the distances of its ghosts: so the first arc of a row that fits is the one, and one exchange is enough.
Vertices that have only arcs of weight 0 to fit get their parents in rounds, from vertices that have one: the parts tell
each other which of their boundary have found one.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from nearly.distributed.messages import Got, Send, all_values, marked, places_of, receive
from nearly.distributed.part import Part
from nearly.distributed.programs.search_kernels import ORPHAN, adopt, first_parents


class Parents:
    """The parents of a part's vertices; see the top of the file."""

    view = "in"

    def __init__(self, part: Part, arguments: dict[str, Any], kept: dict[str, Any] | None) -> None:
        self.part = part
        self.facts: dict[str, Any] = {}
        given = arguments["values"]
        if given.dtype.kind == "i":
            given = np.where(given < 0, np.inf, given)
        self.distance = np.full(part.graph.n, np.inf, given.dtype)
        self.distance[part.own] = given
        at = part.local(arguments["source"])
        self.source = part.graph.n if at is None else at
        weighted = arguments["weighted"] and part.graph.weighted
        lengths = part.graph.arrays.weights if weighted else np.empty(0, np.float64)
        self.rows = part.graph.arrays._replace(weights=lengths)

    def keep(self) -> dict[str, Any]:
        """Nothing: there is no state that is worth it."""
        return {}

    def rounds(self) -> Generator[Send, Got, None]:
        part = self.part
        got = yield Send(all_values(part, self.distance[part.own]), (), part.graph.m, part.size)
        receive(part, got, self.distance)
        n, names = part.graph.n, part.globals()
        parents, state = np.full(n, n, np.int64), np.zeros(n, np.uint8)
        bounds = np.array([part.own.start, part.own.stop, self.source], np.uint64)
        orphans = int(first_parents(self.rows, self.distance, bounds, parents, state))
        got = yield Send({}, (orphans,))
        if got.total(0):
            yield from self._adopted(bounds, parents, state == ORPHAN)
        named = np.concatenate([names, [-1]])
        self.values = named[parents[part.own]].astype(np.int32 if part.n <= 2**31 else np.int64)

    def _adopted(self, bounds: np.ndarray, parents: np.ndarray, orphan: np.ndarray) -> Generator[Send, Got, None]:
        """Parents over arcs that add nothing, round after round."""
        own = self.part.own
        news = np.flatnonzero(~orphan[own]) + own.start
        orphan[: own.start], orphan[own.stop :] = True, True
        while True:
            got = yield Send(self._told(news), (news.size,), 0, news.size)
            if got.total(0) == 0:
                return
            self._hear(got, orphan)
            found = np.empty(self.part.size, np.int64)
            count = int(adopt(self.rows, self.distance, orphan, bounds, parents, found))
            news = found[:count]
            orphan[news] = False

    def _told(self, news: np.ndarray) -> dict[int, tuple[np.ndarray, ...]]:
        """Which of the vertices that others read have just found a parent, or never looked for one."""
        mine = np.zeros(self.part.size, bool)
        mine[news - self.part.below] = True
        told = {q: marked(mine[wanted]) for q, wanted in self.part.needed.items()}
        return {q: arrays for q, arrays in told.items() if arrays}

    def _hear(self, got: Got, orphan: np.ndarray) -> None:
        for q, arrays in got.values.items():
            there = self.part.ghost_slices[q]
            orphan[places_of(arrays, there.stop - there.start) + there.start] = False
