"""The rounds of one level of a layout: where they begin, how far vertices may move, how many there are."""

from __future__ import annotations

import numpy as np

from nearly.base.random import draw, uniform, wrapping
from nearly.engine.interruptible import launch, stop_flag
from nearly.layouts.coarsen import Level
from nearly.layouts.forces import Settings, move_all
from nearly.layouts.quadtree import Points, build, cells_for, curve_places, gather_points

_AWAY = 3.0  # how far apart components begin
_FIRST, _LAST = 4.0, 0.02  # how far vertices may move in the first and in the last round, in spacings
GOLDEN = np.pi * (3 - np.sqrt(5))  # radians between two places of a spiral that fills a disc evenly
_SCALE = 0.999 * 2**20
_WORK = 64  # the edges' worth of a vertex's pushes


@wrapping
def scatter(key, places):
    """Random positions from -0.5 to 0.5, two numbers a vertex."""
    for v in range(np.uint64(places.shape[1])):
        places[0, v] = uniform(draw(key, np.uint64(2) * v)) - 0.5
        places[1, v] = uniform(draw(key, np.uint64(2) * v + np.uint64(1))) - 0.5


def spiral(numbers: np.ndarray) -> np.ndarray:
    """Places on a spiral that fills the plane evenly: x in the first row, y in the second."""
    far, angle = np.sqrt(numbers), numbers * GOLDEN
    return np.stack([far * np.cos(angle), far * np.sin(angle)])


class Placing:
    """A level, its positions, and the work memory of its rounds."""

    def __init__(self, level: Level, key: np.uint64, workers: int, pull: tuple[float, float]) -> None:
        n = level.n
        self.level, self.key, self.workers, self.pull, self.done = level, key, workers, pull, 0
        self.rounds = self.rounds_of(level)
        self.places = np.empty((2, 2, n))  # before and after a round
        self.at = self.places[0]
        self.codes, self.cells = np.empty(n, np.uint64), cells_for(n)
        self.points = Points(np.empty(n, np.int64), np.empty(n), np.empty(n), np.empty(n), np.empty((3, n + 1)))
        self.begins, self.stack = np.empty(n + 1, np.uint64), np.empty((128, 3), np.uint64)
        self.push = 1.0 / float(level.mass.sum())
        self.farthest = 1.0

    @staticmethod
    def rounds_of(level: Level) -> int:
        """How many rounds a level gets: many where they are cheap."""
        return int(min(max(2_000_000 // level.n, 40), 150))

    def begin(self, coarse: Placing | None = None, group: np.ndarray | None = None) -> None:
        """Begin at random, or where the groups of a coarser level are."""
        scatter(self.key, self.at)
        if coarse is None:
            self.at += _AWAY * spiral(self.level.part)
        else:
            space = coarse.spacing()
            self.farthest = _FIRST * space
            self.at *= space
            self.at += coarse.at[:, group]

    def spacing(self) -> float:
        """About how far apart vertices of the largest component are."""
        largest = self.at[:, self.level.part == 0]
        spread = largest.std(axis=1)
        return float(2 * np.sqrt(max(spread[0] * spread[1], 1e-300) / largest.shape[1])) + 1e-9

    def round(self) -> None:
        """Move all vertices once; less and less far."""
        low, high = self.at.min(axis=1), self.at.max(axis=1)
        extent = float((high - low).max()) or 1.0
        curve_places(self.at, low[0], low[1], _SCALE / extent, self.codes)
        self.points.order[:] = np.argsort(self.codes, kind="stable")
        gather_points(self.at, self.level.mass, self.points)
        codes = self.codes[self.points.order]
        count = build(codes, self.points, extent, self.cells, self.begins, self.stack)
        share = self.done / self.rounds
        settings = Settings(
            cells=np.uint64(count),
            push=self.push,
            spring=self.pull[0],
            rope=self.pull[1],
            small=1e-6 * extent * extent / self.level.n,
            farthest=self.farthest * (_LAST / _FIRST) ** share,
        )
        stop, cursor = stop_flag(), np.zeros(1, np.uint64)
        arguments = (self.level, self.places, self.points, self.cells, settings, cursor, self.workers, stop)
        launch(move_all, *arguments, stop=stop, work=_WORK * self.level.n + self.level.targets.size)
        self.at[:] = self.places[1]
        self.done += 1
