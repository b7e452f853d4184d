"""Hops from a source, on parts (bfs): a level a round, pushed or pulled by each part as suits it.

The frontier of a part are the vertices of the last level among its own and its ghosts. Few of them are pushed: their
arcs are followed to owned vertices that have no level. Many are pulled: owned vertices without a level look along their
rows, which a part has anyway, for one that is in a bitmap of the frontier, and stop at the first (Beamer, Asanovic and
Patterson, SC 2012; the kernels are those of `nearly.algorithms.shared.level_kernels`). Both find the same vertices,
so each part chooses for itself. Of what it found it tells others a bit for each vertex that they read, or a list
where that is shorter.

Graphs of small diameter have few levels. On long ones an exchange takes longer than a level: after some levels of which
the last had few vertices, the search goes on as one for lengths, which settles many levels between two exchanges
(`distances`); an arc then counts 1.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from nearly.algorithms.shared.level_kernels import UNREACHED, Search, arcs_of, pull_some, push_alone, to_bits, to_queue
from nearly.base.unsigned import U0
from nearly.distributed.messages import Got, Send, marked, places_of
from nearly.distributed.part import Part
from nearly.distributed.programs.distances import LimitedSearch

_PULL_WHEN = 15  # times the arcs of the frontier make up those not followed yet: Beamer's alpha
_PUSHED = 1 << 12  # arcs of a frontier that is never pulled
_LEVELS, _FEW = 12, 1 << 12  # levels after which few vertices a part, in the last one, end the search by levels


class Hops:
    """The program of bfs; see the top of the file."""

    view = "in"

    def __init__(self, part: Part, arguments: dict[str, Any], kept: dict[str, Any] | None) -> None:
        self.part, self.kept = part, kept
        self.source = arguments["source"]
        self.facts: dict[str, Any] = {}
        rows, self.back = part.push.rows, part.graph.rows[:2]
        self.room: tuple[np.ndarray, ...] = part.__dict__.pop("room of levels", None) or self._new_room()
        self.bits: np.ndarray = self.room[2]
        level, queue = self.room[:2]
        level[:] = UNREACHED
        nothing = np.empty((0, 0), queue.dtype), np.empty(0, np.uint64)
        self.search = Search(*rows[:2], level, queue, *nothing)
        self.half, self.size, self.depth = U0, 0, 0
        self.left, self.fresh = part.graph.m, True
        self.limited: Any = None

    def _new_room(self) -> tuple[np.ndarray, ...]:
        """Levels, frontiers and bitmaps; kept with the part, because workers of Dask fetch new memory each time."""
        n, kind = self.part.graph.n, self.part.graph.arrays.targets.dtype
        return np.empty(n, np.uint32), np.empty((2, max(n, 1)), kind), np.zeros((3, (n + 63) // 64), np.uint64)

    def keep(self) -> dict[str, Any]:
        """The levels, or what the search for lengths keeps."""
        return {"level": self.search.level, "depth": self.depth} if self.limited is None else self.limited.keep()

    def rounds(self) -> Generator[Send, Got, None]:
        part, level = self.part, self.search.level
        if self.kept is None or "level" in self.kept:
            self._begin()
            yield from self._levels()
        else:
            self._lengths().take(self.kept)
        if self.limited is None:
            self.values = level[part.own].view(np.int32).copy()
            part.__dict__["room of levels"] = self.room
            return
        yield from self.limited.rounds()
        far = self.limited.search.distance[part.own]
        self.values = np.where(np.isfinite(far), far, -1).astype(np.int32)

    def _lengths(self) -> Any:
        self.limited = LimitedSearch(self.part, self.part.push.rows)
        return self.limited

    def _begin(self) -> None:
        """The first frontier: the source, or the owned vertices of the last level kept."""
        level, own, queue = self.search.level, self.part.own, self.search.queue
        if self.kept is not None:
            level[:], self.depth = self.kept["level"], int(self.kept["depth"])
            last = np.flatnonzero(level[own] == self.depth) + own.start
        else:
            at = self.part.local(self.source)
            last = np.array([] if at is None else [at], np.int64)
            level[last] = 0
        self.size = last.size
        queue[self.half, : last.size] = last

    def _levels(self) -> Generator[Send, Got, None]:
        edges = 0
        while True:
            message = self._told()
            got = yield Send(message, (self.size,), edges, self.size, True)
            if got.total(0) == 0:
                return
            self._hear(got)
            if self.depth >= _LEVELS and got.total(0) < _FEW * self.part.parts:
                frontier = self.search.queue[self.half, : self.size].astype(np.int64)
                self._lengths().begin_at(self.search.level, self.depth, frontier)
                return
            edges = self._next()

    def _told(self) -> dict[int, tuple[np.ndarray, ...]]:
        """Which vertices of the last level others read."""
        part = self.part
        if not self.size:
            return {}
        found = self.search.level[part.own] == self.depth
        told = {q: marked(found[wanted]) for q, wanted in part.needed.items()}
        return {q: arrays for q, arrays in told.items() if arrays}

    def _hear(self, got: Got) -> None:
        """Ghosts of the last level enter the frontier."""
        level, queue = self.search.level, self.search.queue
        for q in sorted(got.values):
            there = self.part.ghost_slices[q]
            new = places_of(got.values[q], there.stop - there.start) + there.start
            level[new] = self.depth
            queue[self.half, self.size : self.size + new.size] = new
            self.size += new.size

    def _next(self) -> int:
        """The next level of the owned vertices; arcs looked at."""
        search, size = self.search, np.uint64(self.size)
        self.depth += 1
        depth, after = np.uint32(self.depth), 1 - int(self.half)
        arcs = int(arcs_of(search, self.half, size))
        pull = arcs > _PUSHED and arcs * _PULL_WHEN > self.left
        self.left -= arcs
        if pull:
            to_bits(search.queue, self.half, size, self.bits[0])
            words = np.uint64(self.bits.shape[1])
            _, looked = pull_some(self.back, search.level, self.bits, U0, self.fresh, depth, U0, words)
            self.size, arcs = int(to_queue(self.bits[1], search.queue, np.uint64(after))), int(looked)
        else:
            self.size = int(push_alone(search, self.half, size, depth)[0])
        self.half, self.fresh = np.uint64(after), not pull
        return arcs
