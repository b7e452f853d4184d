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
    work = job.work
    queue, tally = _queue(job)
    room, (rows, stack, ring) = _ROOM, one_row(_ROOM)
    kind = -1
    while kind != GONE:
        since, before = time.perf_counter(), tally.copy()
        tries = min(_TRIES, max(1024, work.count // 4))
        work.make_room(tries)
        kind = s.refine_some(work.arrays, job.rules, queue, rows, stack, ring, job.most, tries)
        work.points, work.count = int(tally[s.POINTS]), int(tally[s.COUNT])
        milliseconds = (time.perf_counter() - since) * 1000
        did = tally - before
        job.note(Did(int(did[s.TRIED]), int(did[s.JUDGED]), extra={"inserted": float(did[s.POINTS])}), milliseconds)
        if kind == LARGE:
            room *= 4
            rows, stack, ring = one_row(room)
            more = np.empty(queue.walls.size + 12 * room + 64, np.uint32)
            queue = queue._replace(walls=np.concatenate([queue.walls, more]))
        elif kind != GONE and work.points >= job.most:
            job.capped = True
            return


def _queue(job: Refinement) -> tuple[s.Queue, np.ndarray]:
    """An empty queue, and its tally."""
    heads, tails = np.full(s.RANKS, 0xFFFFFFFF, np.uint32), np.empty(s.RANKS, np.uint32)
    walls, tally = np.empty(2 * len(job.work.markers) + (1 << 14), np.uint32), np.zeros(7, np.int64)
    tally[s.POINTS], tally[s.COUNT] = job.work.points, job.work.count
    return s.Queue(heads, tails, walls, tally), tally
