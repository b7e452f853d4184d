"""What both ways of searching for the top k share: who leads after each batch, what is said meanwhile, and the end.

A batch that Ctrl-C interrupts leaves sums nobody can use, so each finished batch leaves a `State` that needs nothing
else, and a search that is interrupted after the first of them ends there, with what it has.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Any

import numpy as np

from nearly.accuracy.ranks import leading
from nearly.engine.run import Did, Run, enact


class Leaders:
    """The k vertices of greatest value after each batch."""

    def __init__(self, k: int) -> None:
        self.k = k
        self.history: list[np.ndarray] = []
        self._at: list[int] = []

    def note(self, done: int, values: np.ndarray) -> float:
        """Remember who leads after `done` sources or samples; the share of them that led after half as many.

        A vertex whose value is still 0 leads nobody.
        """
        top = first_of(values, self.k)
        self.history.append(top)
        self._at.append(done)
        half = bisect_right(self._at, done / 2) - 1
        return 0.0 if half < 0 else np.intersect1d(self.history[half], top[values[top] > 0]).size / self.k


def first_of(values: np.ndarray, k: int) -> np.ndarray:
    """`leading`, with most vertices, whose value is 0, left aside where there are k others."""
    above = np.flatnonzero(values > 0)
    return above[leading(values[above], k)] if above.size >= k > 0 else leading(values, k)


def ranked(values: np.ndarray, k: int) -> np.ndarray:
    """The k vertices of greatest value, greatest first, the smaller number first among equals."""
    top = first_of(values, k) if k else np.empty(0, np.int64)
    return top[np.argsort(-values[top], kind="stable")]


class Search:
    """Batches until there is a reason to stop; who does them keeps `.total` and `.reason` up to date."""

    def __init__(self, run: Run, k: int) -> None:
        self.run, self.leaders = run, Leaders(k)
        self.done = self.total = 0
        self.stable = 0.0
        self.reason = ""
        self.state: Any = None

    def finish_batch(self, state: Any, done: int, values: np.ndarray) -> None:
        """A batch is complete: `state` is all that a result needs."""
        self.stable, self.done = self.leaders.note(done, values), done
        self.state = state

    def go_on(self, batch: Callable[[], Did]) -> None:
        """Do batches until one leaves a reason to stop, rounds run out, or somebody interrupts after the first."""
        told, run = self.run.progress, self.run
        words = f"top {self.leaders.k}"
        run.progress = lambda stage, _, __: told(f"{stage}: {words} {self.stable:.0%} stable", self.done, self.total)
        try:
            if not enact(run, lambda: None if self.reason else [batch()]):
                self.reason = f"max_rounds={run.max_rounds}"
        except KeyboardInterrupt:
            if self.state is None:
                raise
            self.reason = "interrupted"
        finally:
            run.progress = told

    def fields(self, values: np.ndarray) -> dict[str, Any]:
        """What results of both methods carry."""
        top = ranked(values, self.leaders.k)
        return {
            "vertices": top,
            "scores": values[top],
            "history": np.array(self.leaders.history),
            "stability": self.stable,
            "stopped": self.reason,
            "interrupted": self.reason == "interrupted",
        }
