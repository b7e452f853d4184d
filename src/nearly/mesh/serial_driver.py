"""Drives the serial scheme: compiled steps of some thousand plans; progress and Ctrl-C have their turn between."""

from __future__ import annotations

import time

import numpy as np

from nearly.engine.run import Did
from nearly.mesh import serial_kernels as s
from nearly.mesh.buffers import buffers
from nearly.mesh.cavity import GONE, LARGE
from nearly.mesh.job import Refinement

_TRIES = 1 << 15  # plans a step


def run(job: Refinement, scheme: str, balance: str) -> None:
    """Refine until nothing is bad or the cap is reached."""
    work = job.work
    heads, tails = np.full(s.RANKS, 0xFFFFFFFF, np.uint32), np.empty(s.RANKS, np.uint32)
    tally = np.zeros(6, np.int64)
    tally[s.POINTS], tally[s.COUNT] = work.points, work.count
    walls = np.empty(2 * len(work.ends) + (1 << 14), np.uint32)
    room, space = 256, buffers(256)
    s.judge_all(work.records, work.xy, work.on, work.ends, job.rules, heads, tails, walls, tally)
    kind = -1
    while kind != GONE:
        since, before = time.perf_counter(), tally.copy()
        tries = min(_TRIES, max(1024, work.count // 4))
        work.make_room(tries)
        kind = s.refine_some(
            work.records, work.xy, work.owner, work.on, work.ends, job.sharp, job.rules, heads, tails, walls, tally,
            space[0], np.uint64(room), *space[1:], job.most, tries,
        )  # fmt: skip
        work.points, work.count = int(tally[s.POINTS]), int(tally[s.COUNT])
        milliseconds = (time.perf_counter() - since) * 1000
        did = tally - before
        job.note(Did(int(did[s.TRIED]), int(did[s.JUDGED]), extra={"inserted": float(did[s.POINTS])}), milliseconds)
        if kind == LARGE:
            room, walls = room * 4, np.concatenate([walls, np.empty(walls.size + 12 * room + 64, np.uint32)])
            space = buffers(room)
        elif kind != GONE and work.points >= job.most:
            job.capped = True
            return
