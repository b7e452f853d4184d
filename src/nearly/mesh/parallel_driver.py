"""Drives the schemes that work on many cavities at a time.

- `three-phase`: a round finds the cavities of its candidates and marks them without atomic operations. The winners
  retriangulate; the other cavities are forgotten and found anew in the next round.
- `atomic`: a round goes on in stages with the candidates that did not win. Undamaged cavities are used again, damaged
  ones are found anew, candidates whose triangle is gone are dropped. Marks are set by atomic minimum.
- `two-stage`: the same, but the first and largest stage of a round marks without atomic operations.
- `base`: as three-phase, but cavities are marked once and once again, as the paper's base scheme does, not until
  nothing changes. So a round may have no winner; the next one is then made by one thread.

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
from nearly.mesh.candidate import AGAIN, ATOMIC, PLAIN, Stage, Winners
from nearly.mesh.cavity import Rows, row_size
from nearly.mesh.device_arrays import bring_back, counting, empty, longer, send, zeros
from nearly.mesh.job import Refinement
from nearly.mesh.plan import MEND, SPLIT
from nearly.mesh.rules import Rules
from nearly.mesh.triangle_records import MeshArrays

ROOM = 27  # triangles of a cavity in a row of 64 words; larger ones get a row of their own
BATCH = 1 << 16  # candidates of a round
FEW = 512  # one thread is done with fewer candidates before others are awake
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
        self.number, self.workers = 0, job.workers
        self.marks, self.marked = empty(self, 0, np.uint64), empty(self, 0, np.uint64)
        self.alone = False  # whether one thread makes the next round, because the last one had no winner
        self.rows = Rows(empty(self, 0, np.uint32), np.uint64(ROOM), empty(self, 0, np.float64))

    @property
    def waiting(self) -> int:
        return self.n_bad + self.n_walls

    @property
    def mesh(self) -> MeshArrays:
        """The mesh's arrays as they are now."""
        return self.job.work.arrays

    @property
    def rules(self) -> Rules:
        return self.job.rules

    def limits(self) -> tuple[np.uint64, np.uint64, np.uint64]:
        """How many points and triangles there are, and how many points there may be."""
        return np.uint64(self.job.work.points), np.uint64(self.job.work.count), np.uint64(self.job.most)

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
        stage = self._begin(*self._take(), ROOM)
        one_stage, first = self.scheme in ("three-phase", "base"), True
        while stage.active.size and not self.job.capped:
            plain = one_stage or (self.scheme == "two-stage" and first)
            few, points = self.alone or stage.active.size < FEW, self.job.work.points
            with kernel_threads(1 if few else self.job.workers) as self.workers:
                stage, large = self._stage(stage, plain)
            self.alone = self.scheme == "base" and points == self.job.work.points and stage.active.size > large
            if one_stage or large == stage.active.size:
                break
            first = False
        self._leave(stage)

    def _take(self) -> tuple[np.uint64, Any]:
        if self.n_walls:
            taken = min(self.n_walls, BATCH)
            roots = longer(self, self.walls, taken, taken)
            self.n_walls -= taken
            self.walls = self.walls[taken:]
            return SPLIT, roots
        roots = empty(self, min(self.n_bad, BATCH), np.uint32)
        return MEND, roots[: s.take(self, roots)]

    def _begin(self, what: np.uint64, roots: Any, room: int) -> Stage:
        """Candidates for these roots, with rows for cavities of up to `room` triangles, none found yet."""
        words, spots = int(row_size(np.uint64(room))) * roots.size, 2 * roots.size
        if self.rows.room != room:
            self.rows = self.rows._replace(room=np.uint64(room))
        if self.rows.words.size < words:
            self.rows = self.rows._replace(words=zeros(self, words, np.uint32))
        if self.rows.spots.size < spots:
            self.rows = self.rows._replace(spots=empty(self, spots, np.float64))
        s.forget(self, roots.size)
        state, active = zeros(self, roots.size, np.uint8), counting(self, roots.size)
        return Stage(self._next_number(), what, roots, state, active)

    def _next_number(self) -> np.uint64:
        self.number += 2  # what a stage makes is stamped with the number between
        return np.uint64(self.number)

    def _stage(self, stage: Stage, plain: bool) -> tuple[Stage, int]:
        """Find, mark, check, retriangulate, judge.

        Returns the stage with the candidates that go on, and how many of them are large.
        """
        job, work, size, since = self.job, self.job.work, stage.active.size, time.perf_counter()
        work.make_room(size)
        triangles = work.records.size // 8
        if self.marks.size < triangles:
            self.marks = longer(self, self.marks, self.marks.size, triangles, _ALL_ONES)
            self.marked = empty(self, triangles if self.scheme == "base" else 0, np.uint64)
        found = s.find(self, stage)
        self._mark(stage, plain)
        s.check(self, stage)
        won, judged = self._retriangulate(stage)
        again = empty(self, size, np.uint32)
        self.bad = self._with_room(self.bad, self.n_bad, size)
        on, large = s.sort_out(self, stage, again)
        job.capped = work.points >= job.most and on > 0
        facts = {"inserted": float(won), "found": float(found), "points": float(work.points)}
        if self.scheme == "base":
            facts["alone"] = float(plain and self.alone)
        job.note(Did(size, judged, extra=facts), (time.perf_counter() - since) * 1000)
        return stage._replace(number=self._next_number(), active=again[:on]), large

    def _mark(self, stage: Stage, plain: bool) -> None:
        if plain and self.scheme == "base" and not self.alone:
            s.mark_twice(self, stage)
            return
        s.mark(self, stage, PLAIN if plain else ATOMIC)
        while plain and s.mark(self, stage, AGAIN):
            pass

    def _retriangulate(self, stage: Stage) -> tuple[int, int]:
        """Let the winners retriangulate; returns how many won, and how many triangles were judged."""
        work, size = self.job.work, stage.active.size
        candidates, places = empty(self, size, np.uint32), empty(self, 2 * size + 2, np.uint32)
        won, count, judged = s.grant(self, stage, candidates, places)
        made, verdicts = empty(self, judged, np.uint32), empty(self, judged, np.uint16)
        first, stamp, own = np.uint64(work.points), np.uint64(self.number + 1), self.balance == "own"
        winners = Winners(candidates[:won], places, first, stamp, made, verdicts, own)
        s.retriangulate(self, winners)
        if self.balance == "shared":
            s.judge(self, made, verdicts)
        elif self.balance == "dynamic":
            s.judge_apart(self, winners)
        self._collect(made, verdicts)
        work.points, work.count = work.points + won, count
        return won, judged

    def _leave(self, stage: Stage) -> None:
        """What is left of a round waits again, or is worked on by one thread where its cavities are large."""
        size = stage.active.size
        rest, alone = empty(self, size, np.uint32), empty(self, size, np.uint32)
        n_rest, n_alone = s.part(self, stage, rest, alone)
        if stage.what == MEND:
            self.bad = self._with_room(self.bad, self.n_bad, n_rest)
            s.enqueue_all(self, rest[:n_rest])
        elif n_rest:
            self.walls = self._with_room(self.walls, self.n_walls, n_rest)
            self.walls[self.n_walls : self.n_walls + n_rest] = rest[:n_rest]
            self.n_walls += n_rest
        for i in range(n_alone):
            self._work_alone(stage.what, alone[i : i + 1])

    def _work_alone(self, what: np.uint64, root: Any) -> None:
        """Work on one candidate with as much room as it needs.

        A cavity that needs more than there are triangles goes round an island of segments, and is left as it is.
        """
        room, large = ROOM, 1
        while large and room <= self.job.work.count and not self.job.capped:
            room *= 8
            with kernel_threads(1) as self.workers:
                _, large = self._stage(self._begin(what, root, room), plain=False)

    def _with_room(self, array: Any, used: int, more: int) -> Any:
        """An array with the first `used` items of this one and place for `more`."""
        size = used + more
        return array if array.size >= size else longer(self, array, used, size + size // 2)
