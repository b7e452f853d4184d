"""The rounds of one level of a layout: where they begin, how far vertices may move, when they end."""

from __future__ import annotations

import numpy as np

from nearly.base.random import draw, stream_key, uniform, wrapping
from nearly.engine.interruptible import launch, stop_flag
from nearly.layouts.coarsen import Level
from nearly.layouts.forces import Settings, move_all
from nearly.layouts.quadtree import Points, build, cells_for, curve_places, gather_points

GRAVITY = 0.1
NEARNESS = 0.5  # of the last rounds of a level; the first have plain springs
_SCALE = 0.999 * 2**20
_WORK = 64  # the edges' worth of a vertex's pushes
_STREAM = np.uint64(0x504C)


@wrapping
def scatter(key, places):
    """Random positions from -0.5 to 0.5, two numbers a vertex."""
    for v in range(np.uint64(places.shape[1])):
        places[0, v] = uniform(draw(key, np.uint64(2) * v)) - 0.5
        places[1, v] = uniform(draw(key, np.uint64(2) * v + np.uint64(1))) - 0.5


class Placing:
    """A level, its positions, and the work memory of its rounds."""

    def __init__(self, level: Level, seed: int, depth: int, workers: int) -> None:
        n = level.n
        self.level, self.workers, self.done = level, workers, 0
        self.rounds = self.rounds_of(level)
        self.places = np.empty((2, 2, n))  # before and after a round
        self.at = self.places[0]
        self.codes, self.cells = np.empty(n, np.uint64), cells_for(n)
        self.points = Points(np.empty(n, np.int64), np.empty(n), np.empty(n), np.empty(n), np.empty((3, n + 1)))
        self.begins, self.stack = np.empty(n + 1, np.uint64), np.empty((128, 3), np.uint64)
        self.push = 1.0 / float(level.mass.sum())
        self.key = np.uint64(stream_key(np.uint64(seed), _STREAM + np.uint64(depth)))
        self.farthest = 1.0

    @staticmethod
    def rounds_of(level: Level) -> int:
        """How many rounds a level gets: many where they are cheap."""
        return int(min(max(2_000_000 // level.n, 40), 150))

    def begin(self, coarse: np.ndarray | None, group: np.ndarray | None, spacing: float) -> tuple[np.ndarray, float]:
        """Begin at random, or where the groups of a coarser level are."""
        scatter(self.key, self.at)
        if coarse is not None:
            self.at *= spacing
            self.at += coarse.T[:, group]
        self.farthest = 1.0 if coarse is None else spacing
        return self.at.T, self.farthest

    def spacing(self) -> float:
        """About how far apart vertices are."""
        spread = self.at.std(axis=1)
        return float(2 * np.sqrt(max(spread[0] * spread[1], 1e-300) / self.level.n)) + 1e-9

    def positions(self) -> np.ndarray:
        """A row for each vertex."""
        return self.at.T

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
            gravity=GRAVITY,
            nearness=NEARNESS,
            small=1e-6 * extent * extent / self.level.n,
            farthest=self.farthest * 0.02**share,
        )
        stop, cursor = stop_flag(), np.zeros(1, np.uint64)
        arguments = (self.level, self.places, self.points, self.cells, settings, cursor, self.workers, stop)
        launch(move_all, *arguments, stop=stop, work=_WORK * self.level.n + self.level.targets.size)
        self.at[:] = self.places[1]
        self.done += 1
