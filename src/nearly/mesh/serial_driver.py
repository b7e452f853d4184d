"""Drives the serial scheme: compiled steps of some thousand plans; progress and Ctrl-C have their turn between."""

from __future__ import annotations

import time

import numpy as np

from nearly.engine.run import Did
from nearly.mesh import serial_kernels as s
from nearly.mesh.cavity import GONE, LARGE, one_row
from nearly.mesh.job import Refinement

_TRIES = 1 << 15  # plans a step
_ROOM = 256  # triangles of a cavity at first


def run(job: Refinement, scheme: str, balance: str) -> None:
    """Refine until nothing is bad or the cap is reached."""
    refine_from(job, np.arange(job.work.count, dtype=np.uint32))


def refine_from(job: Refinement, first: np.ndarray) -> None:
    """Refine until nothing is bad or the cap is reached; what is bad, or has segments to split, is among these."""
    work, alone = job.work, Worker()
    queue = queue_for(first)
    tally, kind = queue.tally, -1
    tally[s.POINTS], tally[s.COUNT] = work.points, work.count
    while kind != GONE:
        since, before = time.perf_counter(), tally.copy()
        tries = min(_TRIES, max(1024, min(work.count // 4, 2 * first.size)))
        work.make_room(tries)
        kind, queue = alone.refine(job, queue, job.most, tries)
        work.points, work.count = int(tally[s.POINTS]), int(tally[s.COUNT])
        job.note(did(tally - before), (time.perf_counter() - since) * 1000)
        if kind not in (GONE, LARGE) and work.points >= job.most:
            job.capped = True
            return


class Worker:
    """Room for the cavity that one thread works on."""

    def __init__(self) -> None:
        self.room, self.row = _ROOM, one_row(_ROOM)

    def refine(self, job: Refinement, queue: s.Queue, most: int, tries: int) -> tuple[int, s.Queue]:
        """Go on with a queue; returns how it ended, and the queue, which has grown with the room if that was LARGE."""
        kind = s.refine_some(job.work.arrays, job.rules, queue, *self.row, most, tries)
        if kind == LARGE:
            self.room *= 4
            self.row = one_row(self.room)
            more = np.empty(queue.walls.size + 12 * self.room + 64, np.uint32)
            queue = queue._replace(walls=np.concatenate([queue.walls, more]))
        return kind, queue


def queue_for(first: np.ndarray) -> s.Queue:
    """A queue that begins with these triangles; the numbers of points and triangles are not in its tally yet."""
    heads, tails = np.full(s.RANKS, 0xFFFFFFFF, np.uint32), np.empty(s.RANKS, np.uint32)
    walls = np.empty(3 * first.size + (1 << 12), np.uint32)
    return s.Queue(heads, tails, walls, np.zeros(7, np.int64), first)


def did(tally: np.ndarray) -> Did:
    """A tally, or what one grew by, as an entry of the trace."""
    return Did(int(tally[s.TRIED]), int(tally[s.JUDGED]), extra={"inserted": float(tally[s.POINTS])})
