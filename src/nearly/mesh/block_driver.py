"""Drives the scheme `blocks`: blocks of the mesh are refined apart, each by the serial scheme; what is left at seams later.

1. The triangles, which are numbered along a curve, are cut into blocks of about `BLOCK`. A block is refined as the
   serial scheme would, but nothing is changed at its seams (`nearly.mesh.block_kernels`): a cavity that meets one is
   left for later. So threads can refine different blocks at the same time, and what becomes of a block does not
   depend on when it is its turn.
2. What is left lies along the seams. The mesh is cut into strips that cross them, and these are refined in the same way.
3. What is left then, where both kinds of seams meet, the serial scheme does.

The mesh's size alone decides how many blocks and strips there are, so that the result is the same for any number of
threads. A block fits into a core's cache, which the whole mesh does not: that helps one thread too.
"""

from __future__ import annotations

import math
import time

import numpy as np

from nearly.mesh import block_kernels as b
from nearly.mesh import serial_kernels as s
from nearly.mesh.cavity import GONE, POINT
from nearly.mesh.crew import in_shares, in_turns
from nearly.mesh.job import Refinement
from nearly.mesh.serial_driver import Worker, did, queue_for, refine_from

BLOCK = 12_000  # triangles
STRIP = 1 << 6  # triangles across
FEW = 1 << 12  # triangles that the serial scheme is done with before others are awake
_TRIES = 1 << 14  # plans a call
_SLOPE = (math.cos(0.6), math.sin(0.6))  # strips are crossed in this direction, which no side of a block has


def run(job: Refinement, scheme: str, balance: str) -> None:
    """Refine until nothing is bad or the cap is reached."""
    count = job.work.count
    blocks = max(count // BLOCK, 1)
    left = np.arange(count, dtype=np.uint32)
    if blocks > 1:
        of = (np.arange(count, dtype=np.uint64) * np.uint64(blocks) // np.uint64(count)).astype(np.uint32)
        left = _refine_apart(job, of, left)
    if left.size > FEW:
        left = _refine_apart(job, _strips(job), left)
    refine_from(job, left)


def _strips(job: Refinement) -> np.ndarray:
    """The strip each triangle is in: as many points in each, and a number that grows with the mesh's width."""
    work = job.work
    count = max(int(math.sqrt(work.count)) // STRIP, 2)
    along = work.xy[: 2 * work.points].reshape(-1, 2)[:: max(work.points // (256 * count), 1)] @ np.array(_SLOPE)
    along.sort()
    limits = along[along.size * np.arange(1, count) // count]
    of = np.empty(work.count, np.uint32)
    in_shares(job.workers, work.count, lambda *share: b.strips(work.records, work.xy, _SLOPE, limits, of, *share))
    return of


def _refine_apart(job: Refinement, of: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Refine blocks, `of` being the block of each triangle, from these triangles on; returns those that are left."""
    work, workers = job.work, job.workers
    in_shares(workers, work.count, lambda *share: b.raise_seams(work.records, work.owner, of, *share))
    ends = np.cumsum(np.bincount(of[first]))
    first = first[np.argsort(of[first], kind="stable")]
    blocks = Blocks(job, [_Block(part) for part in np.split(first, ends[:-1])])
    while blocks.give_places():
        blocks.refine()
    moved = blocks.move_together()
    parts = np.empty(work.count, np.uint32)

    def tidy(low: int, high: int) -> np.ndarray:
        return parts[low : low + b.tidy(work.records, work.owner, moved, parts[low:high], low, high)]

    return np.concatenate(in_shares(workers, work.count, tidy))


class _Block:
    """A block: its queue, and where its next points go."""

    def __init__(self, first: np.ndarray) -> None:
        self.queue = queue_for(first)
        self.share = first.size // 4 + 64  # points that it gets places for at a time
        self.last = 0  # the end of the places for points
        self.done = False


class Blocks:
    """The blocks of a mesh, and the places their new points and triangles are given."""

    def __init__(self, job: Refinement, blocks: list[_Block]) -> None:
        self.job, self.blocks, self.workers = job, blocks, [Worker() for _ in range(job.workers)]
        self.first = job.work.points, job.work.count
        self.given: list[list[int]] = []  # points: the first place, the first that is free; and the same for triangles

    def give_places(self) -> bool:
        """Give each block that is not done places for its next points; returns whether there is such a block.

        Where not all can have some, because there are nearly as many points as there may be, none of them goes on.
        """
        work, going = self.job.work, [block for block in self.blocks if not block.done]
        share = sum(block.share for block in going)
        if not going or work.points + share > self.job.most:
            return False
        work.make_room(share)
        for block in going:
            block.queue.tally[s.POINTS], block.queue.tally[s.COUNT] = work.points, work.count
            work.points, work.count = work.points + block.share, work.count + 2 * block.share
            block.last = work.points
        return True

    def refine(self) -> None:
        """Refine the blocks that are not done until they are, or have no place left."""
        job, since = self.job, time.perf_counter()
        going = [block for block in self.blocks if not block.done]
        before = [block.queue.tally.copy() for block in going]

        def refine(k: int, worker: int) -> None:
            block, kind = going[k], POINT
            while kind != GONE and block.queue.tally[s.POINTS] < block.last:
                kind, block.queue = self.workers[worker].refine(job, block.queue, block.last, _TRIES)
            block.done = kind == GONE

        in_turns(job.workers, len(going), refine)
        grown = [block.queue.tally - tally for block, tally in zip(going, before)]
        self.given += [
            [int(x) for x in (old[s.POINTS], block.queue.tally[s.POINTS], old[s.COUNT], block.queue.tally[s.COUNT])]
            for block, old in zip(going, before)
        ]
        job.note(did(np.sum(grown, axis=0)), (time.perf_counter() - since) * 1000)

    def move_together(self) -> b.Moved:
        """Leave no gaps between new points and new triangles; returns where they are, for those that refer to them."""
        work = self.job.work
        records, xy, owner, on = work.records, work.xy, work.owner, work.arrays.on
        points, triangles = (np.empty(end - first, np.uint32) for first, end in zip(self.first, (work.points, work.count)))
        (p, t), made = self.first, work.count
        for low, high, first, last in self.given:
            new_p, new_t = p + high - low, t + last - first
            points[low - self.first[0] : high - self.first[0]] = np.arange(p, new_p)
            triangles[first - self.first[1] : last - self.first[1]] = np.arange(t, new_t)
            xy[2 * p : 2 * new_p], on[p:new_p] = xy[2 * low : 2 * high], on[low:high]
            records[8 * t : 8 * new_t], owner[4 * t : 4 * new_t] = records[8 * first : 8 * last], owner[4 * first : 4 * last]
            p, t = new_p, new_t
        records[8 * t : 8 * made] = 0  # as new places are
        work.points, work.count = p, t
        return b.Moved(points, triangles, *(np.uint64(first) for first in self.first))
