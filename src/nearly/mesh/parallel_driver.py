"""Drives the schemes that work on many cavities at a time.

- `three-phase`: a round finds the cavities of all that is bad, marks them without atomic operations, lets the winners
  retriangulate; the others are forgotten and found anew in the next round.
- `atomic`: a round goes on in stages with those that did not win: undamaged cavities are used again, damaged ones found
  anew, those whose triangle is gone dropped. Marks are set by atomic minimum.
- `two-stage`: the same, but the first and largest stage of a round marks without atomic operations.

Segments come before triangles. Cavities that are too large for a row are worked on one at a time at the round's end.
Arrays are where the run is, in memory or on a GPU; here they are only made and handed on.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from nearly.base.threads import kernel_threads
from nearly.engine.run import Did
from nearly.mesh import device_calls as s
from nearly.mesh.arrays import bring_back, counting, empty, longer, send, zeros
from nearly.mesh.candidate import AGAIN, ATOMIC, PLAIN, row_size
from nearly.mesh.job import Refinement
from nearly.mesh.plan import MEND, SPLIT

ROOM = 27  # triangles of a cavity in a row of 64 words; larger ones get a row of their own
BATCH = 1 << 16  # candidates of a round
FEW = 512  # candidates that one thread is done with before others are awake
_ALL_ONES = (1 << 64) - 1


def run(job: Refinement, scheme: str, balance: str) -> None:
    """Refine until nothing is bad or the cap is reached."""
    send(job)
    driver = Rounds(job, scheme, balance)
    driver.judge_all()
    while driver.waiting and not job.capped:
        driver.round()
    bring_back(job)


class Rounds:
    """Triangles and segments that wait, and the rows of the candidates at hand."""

    def __init__(self, job: Refinement, scheme: str, balance: str) -> None:
        self.job, self.scheme, self.balance, self.device = job, scheme, balance, job.device
        self.bad, self.n_bad = empty(self, 0, np.uint64), 0
        self.walls, self.n_walls = empty(self, 0, np.uint32), 0
        self.stage, self.workers = 0, job.workers
        self.marks = empty(self, 0, np.uint64)
        self.room, self.rows, self.spot = np.uint64(ROOM), empty(self, 0, np.uint32), empty(self, 0, np.float64)

    @property
    def waiting(self) -> int:
        return self.n_bad + self.n_walls

    def judge_all(self) -> None:
        """Judge all triangles of the mesh."""
        made, verdicts = counting(self, self.job.work.count), empty(self, self.job.work.count, np.uint16)
        s.judge(self, made, verdicts)
        self._collect(made, verdicts)

    def _collect(self, made: Any, verdicts: Any) -> None:
        self.bad = self._with_room(self.bad, self.n_bad, made.size)
        self.walls = self._with_room(self.walls, self.n_walls, 3 * made.size)
        s.collect(self, made, verdicts)

    def round(self) -> None:
        """Take what waits, segments first, and work on it in one stage or in as many as it takes."""
        what, roots = self._take()
        active, state = counting(self, roots.size), zeros(self, roots.size, np.uint8)
        self._make_rows(roots.size, ROOM)
        first = True
        while active.size and not self.job.capped:
            plain = self.scheme == "three-phase" or (self.scheme == "two-stage" and first)
            with kernel_threads(1 if active.size < FEW else self.job.workers) as self.workers:
                active, large = self._stage(what, roots, active, state, plain)
            if self.scheme == "three-phase" or large == active.size:
                break
            first = False
        self._leave(what, roots, active)

    def _take(self) -> tuple[np.uint64, Any]:
        if self.n_walls:
            taken = min(self.n_walls, BATCH)
            roots = longer(self, self.walls, taken, taken)
            self.n_walls -= taken
            self.walls = self.walls[taken:]
            return SPLIT, roots
        roots = empty(self, min(self.n_bad, BATCH), np.uint32)
        return MEND, roots[: s.take(self, roots)]

    def _make_rows(self, candidates: int, room: int) -> None:
        words = int(row_size(np.uint64(room)))
        if self.rows.size < candidates * words:
            self.rows = zeros(self, candidates * words, np.uint32)
            self.spot = empty(self, 2 * candidates, np.float64)
        self.room = np.uint64(room)
        s.forget(self, candidates)

    def _stage(self, what: np.uint64, roots: Any, active: Any, state: Any, plain: bool) -> tuple[Any, int]:
        """Find, mark, check, retriangulate, judge; returns the candidates that go on and how many of them are large."""
        job, work, since = self.job, self.job.work, time.perf_counter()
        self.stage += 2
        work.make_room(active.size)
        triangles = work.records.size // 8
        if self.marks.size < triangles:
            self.marks = longer(self, self.marks, self.marks.size, triangles, _ALL_ONES)
        found = s.find(self, what, roots, active, state)
        self._mark(active, state, plain)
        s.check(self, active, state)
        won, judged = self._retriangulate(active, state)
        again = empty(self, active.size, np.uint32)
        self.bad = self._with_room(self.bad, self.n_bad, active.size)
        on, large = s.sort_out(self, what, active, state, again)
        job.capped = work.points >= job.most and on > 0
        facts = {"inserted": float(won), "found": float(found), "points": float(work.points)}
        job.note(Did(active.size, judged, extra=facts), (time.perf_counter() - since) * 1000)
        return again[:on], large

    def _mark(self, active: Any, state: Any, plain: bool) -> None:
        s.mark(self, active, state, PLAIN if plain else ATOMIC)
        while plain and s.mark(self, active, state, AGAIN):
            pass

    def _retriangulate(self, active: Any, state: Any) -> tuple[int, int]:
        work = self.job.work
        winners, places = empty(self, active.size, np.uint32), empty(self, 2 * active.size + 2, np.uint32)
        won, count, judged = s.grant(self, active, state, winners, places)
        made, verdicts = empty(self, judged, np.uint32), empty(self, judged, np.uint16)
        s.retriangulate(self, winners[:won], places, made, verdicts, self.balance == "own")
        if self.balance == "shared":
            s.judge(self, made, verdicts)
        elif self.balance == "dynamic":
            s.judge_apart(self, made, verdicts, places, won)
        self._collect(made, verdicts)
        work.points, work.count = work.points + won, count
        return won, judged

    def _leave(self, what: np.uint64, roots: Any, active: Any) -> None:
        """What is left of a round waits again, or is worked on by one thread where its cavities are large."""
        rest, alone = empty(self, active.size, np.uint32), empty(self, active.size, np.uint32)
        n_rest, n_alone = s.part(self, roots, active, rest, alone)
        if what == MEND:
            self.bad = self._with_room(self.bad, self.n_bad, n_rest)
            s.enqueue_all(self, rest[:n_rest])
        elif n_rest:
            self.walls = self._with_room(self.walls, self.n_walls, n_rest)
            self.walls[self.n_walls : self.n_walls + n_rest] = rest[:n_rest]
            self.n_walls += n_rest
        for i in range(n_alone):
            self._work_alone(what, alone[i : i + 1])

    def _work_alone(self, what: np.uint64, root: Any) -> None:
        """One candidate with as much room as it needs; one without end goes round an island and is left as it is."""
        room, large = ROOM, 1
        while large and room <= self.job.work.count and not self.job.capped:
            room *= 8
            self._make_rows(1, room)
            with kernel_threads(1) as self.workers:
                _, large = self._stage(what, root, counting(self, 1), zeros(self, 1, np.uint8), plain=False)

    def _with_room(self, array: Any, used: int, more: int) -> Any:
        """An array with the first `used` items of this one and place for `more`."""
        size = used + more
        return array if array.size >= size else longer(self, array, used, size + size // 2)
