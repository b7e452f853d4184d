"""Drives the scheme `blocks`: parts of the mesh are refined apart, each by the serial scheme, and seams later.

1. The triangles, which are numbered along a curve, are cut into blocks of about `BLOCK`. A block is refined as the
   serial scheme would, but nothing is changed at its seams (`nearly.mesh.block_kernels`): a cavity that meets one is
   left for later. So threads can refine different blocks at the same time, and what becomes of a block does not
   depend on when it is its turn.
2. Most of what is left lies along the seams. If it is much, the mesh is cut into strips that cross them, and these are
   refined in the same way; then into strips that cross the strips, if much is left again.
3. The serial scheme does the rest.

The mesh alone decides how it is cut and which places new points get, so that the result is the same for any number of
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
STRIP = 16  # bad triangles across, if they were spread evenly
FEW, SHARE = 4_096, 128  # the rest is the serial scheme's: so many triangles, or one in so many
_FIRST_ANGLE, _NEXT_ANGLE = 0.6, 2.4  # strips lie across such directions, which no block's side and no strip had before
_CUTS = 8  # how many times the mesh is cut into strips at most
_ROUNDS = 8  # rounds after which most blocks are done; if few are not, they are to be cut anew
_TRIES = 1 << 14  # plans a call


def run(job: Refinement, scheme: str, balance: str) -> None:
    """Refine until nothing is bad or the cap is reached."""
    count = job.work.count
    left, blocks = np.arange(count, dtype=np.uint32), max(count // BLOCK, 1)
    if blocks > 1:
        of = (np.arange(count, dtype=np.uint64) * np.uint64(blocks) // np.uint64(count)).astype(np.uint32)
        left = _refine_apart(job, of, left, 1 / 3)
        for k in range(_CUTS):
            many, points = left.size, job.work.points
            if many <= max(FEW, job.work.count // SHARE):
                break
            left = _refine_apart(job, _strips(job, left, _FIRST_ANGLE + k * _NEXT_ANGLE), left, 1.0)
            if job.work.points - points < many // 4:  # the cap is near, or what is left cannot be mended
                break
    refine_from(job, left)


def _strips(job: Refinement, left: np.ndarray, angle: float) -> np.ndarray:
    """The strip each triangle is in, with as many of those that are left in each."""
    work, direction = job.work, (math.cos(angle), math.sin(angle))
    strips = max(int(math.sqrt(left.size)) // STRIP, 2)
    some = left[:: max(left.size // (256 * strips), 1)]
    corners = work.xy.reshape(-1, 2)[work.records[8 * some.astype(np.int64)]]
    along = np.sort(direction[0] * corners[:, 0] + direction[1] * corners[:, 1])
    limits, of = along[along.size * np.arange(1, strips) // strips], np.empty(work.count, np.uint32)
    in_shares(job.workers, work.count, lambda *share: b.strips(work.records, work.xy, direction, limits, of, *share))
    return of


def _refine_apart(job: Refinement, of: np.ndarray, first: np.ndarray, share: float) -> np.ndarray:
    """Refine blocks, `of` being the block of each triangle, from these triangles on; returns those that are left.

    A block gets places for points as it needs them, `share` times as many at once as it has triangles at first.
    """
    work, workers = job.work, job.workers
    inside = of[first]
    parts = np.split(first[np.argsort(inside, kind="stable")], np.cumsum(np.bincount(inside))[:-1])
    blocks = Blocks(job, [_Block(part, share) for part in parts])
    if not blocks.give_places():
        return first
    in_shares(workers, of.size, lambda *part: b.raise_seams(work.records, work.owner, of, *part))
    blocks.refine()
    while blocks.give_places():
        blocks.refine()
    moved, left = blocks.move_together(), np.empty(work.count, np.uint32)

    def tidy(low: int, high: int) -> np.ndarray:
        return left[low : low + b.tidy(work.arrays, moved, left[low:high], low, high)]

    return np.concatenate(in_shares(workers, work.count, tidy))


class _Block:
    """A block: its queue, and where its next points go."""

    def __init__(self, first: np.ndarray, share: float) -> None:
        self.queue = queue_for(first)
        self.share = int(share * first.size) + 64  # points that it gets places for at a time
        self.last = 0  # the end of the places for points
        self.done = False


class Blocks:
    """The blocks of a mesh, and the places their new points and triangles are given."""

    def __init__(self, job: Refinement, blocks: list[_Block]) -> None:
        self.job, self.going, self.few = job, blocks, len(blocks) // 4
        self.workers = [Worker() for _ in range(job.workers)]
        self.first = job.work.points, job.work.count
        self.rounds: list[list[tuple[int, ...]]] = []  # the places in use: the first point, the end, and of triangles

    def give_places(self) -> bool:
        """Give each block that is not done places for its next points; returns whether to go on.

        If not all can have some, because there are nearly as many points as there may be, none goes on.
        """
        work = self.job.work
        share = sum(block.share for block in self.going)
        late = len(self.rounds) >= _ROUNDS and len(self.going) <= self.few
        if not self.going or late or work.points + share > self.job.most:
            return False
        work.make_room(share)
        for block in self.going:
            block.queue.tally[s.POINTS], block.queue.tally[s.COUNT] = work.points, work.count
            work.points, work.count = work.points + block.share, work.count + 2 * block.share
            block.last = work.points
        return True

    def refine(self) -> None:
        """Refine the blocks that are not done until they are, or have no place left."""
        job, going, since = self.job, self.going, time.perf_counter()
        before = [block.queue.tally.copy() for block in going]

        def refine(k: int, worker: int) -> None:
            block, kind = going[k], int(POINT)
            while kind != GONE and block.queue.tally[s.POINTS] < block.last:
                kind, block.queue = self.workers[worker].refine(job, block.queue, block.last, _TRIES)
            block.done = kind == GONE

        in_turns(job.workers, len(going), refine)
        after = [block.queue.tally for block in going]
        which = [s.POINTS, s.COUNT]
        self.rounds.append([(*map(int, np.stack([x[which], y[which]], 1).ravel()),) for x, y in zip(before, after)])
        self.going = [block for block in going if not block.done]
        job.note(did(np.sum(after, axis=0) - np.sum(before, axis=0)), (time.perf_counter() - since) * 1000)

    def move_together(self) -> b.Moved:
        """Leave no gaps between new points and new triangles; returns where they are, for those that refer to them."""
        work, (first_p, first_t) = self.job.work, self.first
        records, xy, owner, on = work.records, work.xy, work.owner, work.arrays.on
        points, triangles = np.empty(work.points - first_p, np.uint32), np.empty(work.count - first_t, np.uint32)
        p, t, end = first_p, first_t, work.count
        for low, high, start, stop in (places for given in self.rounds for places in given):
            new_p, new_t = p + high - low, t + stop - start
            points[low - first_p : high - first_p] = np.arange(p, new_p)
            triangles[start - first_t : stop - first_t] = np.arange(t, new_t)
            xy[2 * p : 2 * new_p], on[p:new_p] = xy[2 * low : 2 * high], on[low:high]
            records[8 * t : 8 * new_t] = records[8 * start : 8 * stop]
            owner[4 * t : 4 * new_t] = owner[4 * start : 4 * stop]
            p, t = new_p, new_t
        records[8 * t : 8 * end] = 0  # as new places are
        work.points, work.count = p, t
        return b.Moved(points, triangles, np.uint64(first_p), np.uint64(first_t))
