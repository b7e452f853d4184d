"""Drives the schemes that work on many cavities at a time.

- `three-phase`: a round finds the cavities of all that is bad, marks them without atomic operations, lets the winners
  retriangulate; the others are forgotten and found anew in the next round.
- `atomic`: a round goes on in stages with those that did not win: undamaged cavities are used again, damaged ones found
  anew, those whose triangle is gone dropped. Marks are set by atomic minimum.
- `two-stage`: the same, but the first and largest stage of a round marks without atomic operations.

Segments come before triangles. Cavities that are too large for a row are worked on one at a time at the round's end.
"""

from __future__ import annotations

import time

import numpy as np

from nearly.base.threads import kernel_threads
from nearly.engine.enact import Did
from nearly.mesh import rounds as k
from nearly.mesh import waiting as q
from nearly.mesh.plan import MEND, SPLIT
from nearly.mesh.refinement import Refinement

ROOM = 27  # triangles of a cavity in a row of 64 words; larger ones get a row of their own
BATCH = 1 << 16  # candidates of a round
FEW = 512  # candidates that one thread is done with before others are awake
SHARE = 16  # a round takes this part of the triangles that wait, those with the shortest edges
_PLAIN, _AGAIN, _ATOMIC = 0, 1, 2


def run(job: Refinement, scheme: str, balance: str) -> None:
    """Refine until nothing is bad or the cap is reached."""
    driver = _Rounds(job, scheme, balance)
    driver.judge_all()
    while driver.waiting and not job.capped:
        driver.round()


class _Rounds:
    """Triangles and segments that wait, and the rows of the candidates at hand."""

    def __init__(self, job: Refinement, scheme: str, balance: str) -> None:
        self.job, self.scheme, self.balance = job, scheme, balance
        self.bad, self.n_bad = np.empty(0, np.uint64), 0
        self.walls, self.n_walls = np.empty(0, np.uint32), 0
        self.stage, self.workers = 0, job.workers
        self.marks = np.empty(0, np.uint64)
        self.room, self.rows, self.spot = np.uint64(ROOM), np.empty(0, np.uint32), np.empty(0)

    @property
    def waiting(self) -> int:
        return self.n_bad + self.n_walls

    def judge_all(self) -> None:
        """Judge all triangles of the mesh."""
        self._judge(np.arange(self.job.work.count, dtype=np.uint32))

    def _judge(self, made: np.ndarray) -> None:
        work, job, verdicts = self.job.work, self.job, np.empty(made.size, np.uint16)
        k.judge_shared(work.records, work.xy, work.on, work.ends, job.rules, made, verdicts, self.workers)
        self._collect(made, verdicts)

    def _collect(self, made: np.ndarray, verdicts: np.ndarray) -> None:
        self.bad = _with_room(self.bad, self.n_bad, made.size)
        self.walls = _with_room(self.walls, self.n_walls, 3 * made.size)
        self.n_bad, self.n_walls = q.collect(
            self.job.work.records, made, verdicts, self.bad, self.walls, self.n_bad, self.n_walls
        )

    def round(self) -> None:
        """Take what waits, segments first, and work on it in one stage or in as many as it takes."""
        what, roots = self._take()
        active = np.arange(roots.size, dtype=np.uint32)
        state = np.zeros(roots.size, np.uint8)
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

    def _take(self) -> tuple[np.uint64, np.ndarray]:
        if self.n_walls:
            taken = min(self.n_walls, BATCH)
            roots = self.walls[:taken].copy()
            self.n_walls -= taken
            self.walls = self.walls[taken:]
            return SPLIT, roots
        work, job = self.job.work, self.job
        roots = np.empty(min(self.n_bad, BATCH), np.uint32)
        size, self.n_bad = q.take(
            work.records, work.xy, work.on, work.ends, job.rules, self.bad, self.n_bad, SHARE, roots
        )
        return MEND, roots[:size]

    def _make_rows(self, candidates: int, room: int) -> None:
        words = int(k.row_size(np.uint64(room)))
        if self.rows.size < candidates * words:
            self.rows, self.spot = np.zeros(candidates * words, np.uint32), np.empty(2 * candidates)
        self.room = np.uint64(room)
        self.rows[: candidates * words].reshape(-1, words)[:, int(k.FOUND)] = 0

    def _stage(
        self, what: np.uint64, roots: np.ndarray, active: np.ndarray, state: np.ndarray, plain: bool
    ) -> tuple[np.ndarray, int]:
        """Find, mark, check, retriangulate, judge; returns the candidates that go on and how many of them are large."""
        job, work, since = self.job, self.job.work, time.perf_counter()
        self.stage += 2
        stage, workers = np.uint64(self.stage), self.workers
        work.make_room(active.size)
        self.marks = _with_room(self.marks, self.marks.size, work.records.size // 8 - self.marks.size, 1)
        found = k.find(
            work.records, work.xy, work.owner, job.sharp, job.rules, roots, what, self.rows, self.room, self.spot,
            state, active, stage, workers,
        )  # fmt: skip
        self._mark(state, active, stage, plain)
        k.check(work.records, self.rows, self.room, state, active, self.marks, stage, workers)
        won, judged = self._retriangulate(state, active)
        again = np.empty(active.size, np.uint32)
        self.bad = _with_room(self.bad, self.n_bad, active.size)
        on, self.n_bad, large = q.sort_out(
            work.records, self.rows, self.room, state, active, what, again, self.bad, self.n_bad
        )
        facts = {"inserted": float(won), "found": float(found), "points": float(work.points)}
        job.note(Did(active.size, judged, extra=facts), (time.perf_counter() - since) * 1000)
        return again[:on], large

    def _mark(self, state: np.ndarray, active: np.ndarray, stage: np.uint64, plain: bool) -> None:
        arguments = self.rows, self.room, state, active, self.marks, stage
        if not plain:
            k.mark(*arguments, _ATOMIC, self.workers)
            return
        k.mark(*arguments, _PLAIN, self.workers)
        while k.mark(*arguments, _AGAIN, self.workers):
            pass

    def _retriangulate(self, state: np.ndarray, active: np.ndarray) -> tuple[int, int]:
        job, work = self.job, self.job.work
        winners, places = np.empty(active.size, np.uint32), np.empty(2 * active.size + 2, np.uint32)
        granted = k.grant(
            self.rows, self.room, state, active, np.uint64(work.points), np.uint64(work.count), np.uint64(job.most),
            winners, places,
        )  # fmt: skip
        won, count, judged = (int(x) for x in granted)
        made, verdicts = np.empty(judged, np.uint32), np.empty(judged, np.uint16)
        own = self.balance == "own"
        k.retriangulate(
            work.records, work.xy, work.owner, work.on, work.ends, job.rules, self.rows, self.room, self.spot,
            winners[:won], places, np.uint64(work.points), np.uint64(self.stage + 1), made, verdicts, own, self.workers,
        )  # fmt: skip
        arguments = work.records, work.xy, work.on, work.ends, job.rules, made, verdicts
        if self.balance == "shared":
            k.judge_shared(*arguments, self.workers)
        elif self.balance == "dynamic":
            k.judge_by_launches(*arguments, places, won, self.workers)
        self._collect(made, verdicts)
        work.points, work.count = work.points + won, count
        job.capped = work.points >= job.most and bool((state[active] == k.WAITS).any())
        return won, judged

    def _leave(self, what: np.uint64, roots: np.ndarray, active: np.ndarray) -> None:
        """What is left of a round waits again, or is worked on by one thread where its cavities are large."""
        words = int(k.row_size(self.room))
        large = self.rows[active.astype(np.int64) * words + int(k.KIND)] == k.LARGE
        rest, alone = roots[active[~large]], roots[active[large]]
        if what == MEND:
            self.bad = _with_room(self.bad, self.n_bad, rest.size)
            self.n_bad = q.enqueue_all(self.job.work.records, rest, self.bad, self.n_bad)
        else:
            self.walls = _with_room(self.walls, self.n_walls, rest.size)
            self.walls[self.n_walls : self.n_walls + rest.size] = rest
            self.n_walls += rest.size
        for i in range(alone.size):
            self._work_alone(what, alone[i : i + 1])

    def _work_alone(self, what: np.uint64, root: np.ndarray) -> None:
        """One candidate with as much room as it needs; one without end goes round an island and is left as it is."""
        room, large = ROOM, 1
        while large and room <= self.job.work.count and not self.job.capped:
            room *= 8
            self._make_rows(1, room)
            with kernel_threads(1) as self.workers:
                _, large = self._stage(what, root, np.zeros(1, np.uint32), np.zeros(1, np.uint8), plain=False)


def _with_room(array: np.ndarray, used: int, more: int, fill: int = 0) -> np.ndarray:
    """An array with the first `used` items of this one and place for `more`; new places hold all ones if `fill`."""
    if array.size >= used + more:
        return array
    longer = np.empty(used + more + (used + more) // 2, array.dtype)
    longer[:used] = array[:used]
    if fill:
        longer[used:] = np.iinfo(array.dtype).max
    return longer
