"""Timing for experiments: contestants in one process, warmed up, interleaved, the median of several runs.

A contestant is a call that takes `progress=`. Its first run compiles, and builds what is built only once; seconds of
compiling are kept apart. Algorithms report between rounds, so a first run that takes too long is stopped there
(`TooLong`). If a single long round exceeds the limit all the same, the contestant does not run again: its first run
counts.

Medians of few runs on a machine that does other things can be far off. So contestants that were asked for several runs
take more turns until the medians are settled, up to a number of turns and a time.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from nearly.base.jit import compile_seconds
from nearly.base.progress import Progress

SETTLED = 0.05  # the standard error of a median, relative to it, that is small enough
MOST_TURNS, MOST_SECONDS = 5, 20.0  # times the number of runs asked for, and seconds of further turns
FEW = 3  # runs of fewer tell nothing about how far they vary


class TooLong(Exception):
    """A run was stopped because it took longer than allowed."""


class Stopwatch:
    """Seconds since it was made; those of compiling are counted apart."""

    def __init__(self) -> None:
        self._since, self._compiled = time.perf_counter(), compile_seconds()

    def read(self) -> tuple[float, float]:
        """Seconds of work, and of compiling."""
        compiled = compile_seconds() - self._compiled
        return max(time.perf_counter() - self._since - compiled, 0.0), compiled


@dataclass
class Contestant:
    """A call, its first result, and the seconds of its runs."""

    call: Callable[..., Any]
    result: Any = None
    first: float = 0.0
    compile_seconds: float = 0.0
    once: bool = False  # it took too long to be run again
    runs: list[float] = field(default_factory=list)

    def warm_up(self, limit: float) -> Contestant:
        """The first run, stopped with `TooLong` at the end of the round in which `limit` seconds are over."""
        watch = Stopwatch()
        self.result = self.call(progress=_alarm(watch, limit))
        self.first, self.compile_seconds = watch.read()
        self.once = self.first > limit
        return self

    def again(self) -> None:
        since = time.perf_counter()
        self.call(progress=None)
        self.runs.append(time.perf_counter() - since)

    @property
    def seconds(self) -> float:
        return statistics.median(self.runs) if self.runs else self.first

    @property
    def spread(self) -> float | None:
        """How far the middle half of the runs is apart, relative to the median; None of too few runs."""
        if len(self.runs) < FEW:
            return None
        low, _, high = statistics.quantiles(self.runs, n=4, method="inclusive")
        return (high - low) / self.seconds if self.seconds > 0 else 0.0

    @property
    def settled(self) -> bool:
        """Whether more runs would hardly move the median; of too few runs nothing is known, and no more are made."""
        spread = self.spread  # the standard error of a median is about 0.93 of that over the root of the number of runs
        return spread is None or 0.93 * spread / math.sqrt(len(self.runs)) <= SETTLED


def _alarm(watch: Stopwatch, limit: float) -> Progress:
    def alarm(stage: str, done: int, total: int | None) -> None:
        if watch.read()[0] > limit:
            raise TooLong(f"stopped after {limit:g} s, in round {done + 1}")

    return alarm


def take_turns(contestants: Iterable[Contestant], repeat: int, tick: Callable[[], None] = lambda: None) -> None:
    """Run all that are not too slow one after the other, `repeat` times over, and on until the medians are settled.

    `tick` is called after each of the first runs.
    """
    able = [c for c in contestants if not c.once]
    for _ in range(repeat):
        for contestant in able:
            contestant.again()
            tick()
    since = time.perf_counter()
    for _ in range((MOST_TURNS - 1) * repeat):
        if time.perf_counter() - since > MOST_SECONDS or all(c.settled for c in able):
            return
        for contestant in able:
            contestant.again()


def interleaved(contestants: dict[str, Callable[..., Any]], repeat: int = 5, limit: float = 30.0) -> dict[str, float]:
    """Median seconds of each. One that takes more than `limit` seconds runs once; infinity if that run is stopped."""
    made: dict[str, Contestant] = {}
    for name, call in contestants.items():
        try:
            made[name] = Contestant(call).warm_up(limit)
        except TooLong:
            continue
    take_turns(made.values(), repeat)
    return {name: made[name].seconds if name in made else float("inf") for name in contestants}
