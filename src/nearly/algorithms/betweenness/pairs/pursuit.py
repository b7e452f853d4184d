"""From a pilot to an answer: pairs are sampled until every vertex's mean is known as well as it has to be.

The pilot begins with few pairs, then has as many as tell shares of the size of the least target, then a sixteenth of
those that it says are needed. Its own pairs are not used again. After half of the pairs that are needed comes the first
look, and each look says how many more it will take. Should the pilot have been far off, all pairs so far become a new
pilot: each attempt has a tenth of the risk of the attempt before. What is decided depends on counts alone, but for a
deadline: then a batch takes at most a part of the time that is left.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from nearly.algorithms.betweenness.pairs.bounds import Look, Watch
from nearly.algorithms.betweenness.pairs.sampler import PairSampler

FIRST, SIZED, SIXTEENTH = 64, 3, 16  # pairs of the pilot: at first, times the least target, of all that are needed
LATER = 0.1  # of an attempt's risk, for all attempts after it
FAR_OFF = 3  # times the planned number of pairs
_GROWTH, _ON, _MARGIN = 2.0, 1.25, 1.02
_PART = 0.4  # of the time left that a batch may take
Targets = Callable[[np.ndarray, int], Any]  # from a pilot's means and size


class Pursuit:
    """The samples of one question.

    Parameters
    ----------
    sampler : where pairs come from.
    targets : how well each vertex's mean has to be known, told by a pilot's means and number of pairs.
    risk : how probable it may be that any bound fails.
    deadline : when the time is over, as `time.perf_counter` counts.
    """

    def __init__(self, sampler: PairSampler, targets: Targets, risk: float, deadline: float | None = None) -> None:
        self.sampler, self.targets, self.risk, self.deadline = sampler, targets, risk, deadline
        self.attempt, self.spent, self.pace = 0, 0, math.inf  # spent: visits of pilots; pace: seconds a pair
        self.pairs = self.visited = 0  # of all attempts
        self.watch: Watch | None = None
        self.seen: tuple[np.ndarray, int] = np.empty(0), 0  # means and pairs of the pilot that planned

    def pilot(self, most: float = math.inf) -> float:
        """Sample the pilot, with at most so many visits of arcs, and plan; returns the arcs visited for a pair."""
        sampler = self.sampler.begin(0)
        self._take(FIRST)
        each = max(sampler.visited / sampler.samples, 1.0)
        wanted = FIRST
        for _ in range(3):
            allowed = int(min(wanted, max(most / each, FIRST)))
            if allowed > sampler.samples:
                self._take(allowed)
            self._plan()
            assert self.watch is not None
            least = float(np.min(self.watch.targets))
            wanted = max(math.ceil(SIZED / least), self.watch.planned // SIXTEENTH)
            if sampler.samples >= wanted or self.late:
                break
        self.spent += sampler.visited
        self._next()
        return each

    def go_on(self, look: Look | None, most: float = math.inf) -> Look:
        """Sample on, up to `most` pairs, and look: half of what is needed at first, then all."""
        assert self.watch is not None
        if look is not None and look.needed > FAR_OFF * self.watch.planned and not self.late:
            self._plan()
            self.spent += self.sampler.visited
            self._next()
            look = None
        if look is None:
            upto = self.watch.planned / 2
        elif math.isinf(look.needed) or look.needed <= look.samples:  # no margin is too large, but more is asked for
            upto = look.samples * (_GROWTH if look.needed > 0 else _ON)
        else:
            upto = min(look.needed * _MARGIN, look.samples * _GROWTH)
        before, done = self.sampler.samples, self.sampler.visited
        self._take(max(math.ceil(min(upto, most)), before + 1))
        self.pairs, self.visited = (
            self.pairs + self.sampler.samples - before,
            self.visited + self.sampler.visited - done,
        )
        return self.sampler.look(self.watch)

    def expected(self, look: Look) -> int:
        """About how many pairs it will take."""
        planned = 0 if self.watch is None else self.watch.planned
        return planned if math.isinf(look.needed) else max(math.ceil(look.needed), look.samples)

    @property
    def late(self) -> bool:
        """Whether the time is over, or nearly."""
        return self.deadline is not None and time.perf_counter() >= self.deadline

    def _next(self) -> None:
        self.attempt += 1
        self.sampler.begin(self.attempt)

    def _plan(self) -> None:
        means, squares = self.sampler.averages()
        samples = self.sampler.samples
        known = self.sampler.known
        self.seen = means + known, samples
        risk = self.risk * LATER**self.attempt * (1 - LATER)
        self.watch = Watch(means, squares, samples, self.targets, risk, known)

    def _take(self, upto: int) -> None:
        """Sample until there are so many, or fewer where the time is short."""
        sampler = self.sampler
        if self.deadline is None:
            sampler.take_until(upto)
            return
        if math.isinf(self.pace):
            upto = min(upto, sampler.samples + 8)
        begin, before = time.perf_counter(), sampler.samples
        fits = _PART * max(self.deadline - begin, 0.0) / self.pace
        sampler.take_until(min(upto, before + max(int(min(fits, 1e12)), 1)))
        self.pace = max(time.perf_counter() - begin, 1e-7) / (sampler.samples - before)
