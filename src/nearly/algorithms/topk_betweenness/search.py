"""What both ways of searching for the top k share: the leaders after each batch, messages of progress, and the end.

The sums that an interrupted batch leaves are of no use. So each finished batch leaves a state that is all a result
needs, and a search that Ctrl-C interrupts after its first batch ends with the last such state.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Any

import numpy as np

from nearly.accuracy.ranks import leading
from nearly.algorithms.betweenness import Scaling
from nearly.engine.checkpoint import Kept
from nearly.engine.result import Result, field
from nearly.engine.run import Did, Run


class TopkResult(Result):
    """The vertices of greatest betweenness, and how far to believe it."""

    values: np.ndarray = field("the score of every vertex, float64", column="score")
    vertices: np.ndarray = field("the k vertices of greatest score, greatest first")
    scores: np.ndarray = field(
        "their scores: their values, or within a relative error the numbers that are off by least"
    )
    method: str = field('how they were found: "brandes" or "sampling"')
    history: np.ndarray = field("the k vertices that led after each batch, a row a batch")
    stability: float = field("the share of the k vertices that led when half as many sources or samples were used")
    stopped: str = field("what ended the search")
    interrupted: bool = field("whether it was ended by hand")
    scaling: Scaling = field("which sources were used and how their sums were scaled, as the certificate needs it")
    sources: np.ndarray = field("the sources used, in order (brandes)")
    used: int = field("how many sources were used (brandes)")
    renumber_seconds: float = field("time to renumber the vertices (brandes)")
    samples: int = field("how many paths were sampled (sampling)")
    bound: float = field("how far any value may be off (sampling)")
    separated: bool = field("whether the k vertices surely are the greatest (sampling)")
    lower: np.ndarray = field("a lower bound of every value (sampling)")
    upper: np.ndarray = field("an upper bound of every value (sampling)")
    certain: np.ndarray = field("which of the k vertices surely belong (sampling)")


class Leaders:
    """The k vertices of greatest value after each batch."""

    def __init__(self, k: int) -> None:
        self.k = k
        self.history: list[np.ndarray] = []
        self._at: list[int] = []

    def note(self, done: int, values: np.ndarray) -> float:
        """Remember the leaders after `done` sources or samples; the share of them that led after half as many.

        A vertex whose value is still 0 does not count as a leader.
        """
        top = first_of(values, self.k)
        self.history.append(top)
        self._at.append(done)
        half = bisect_right(self._at, done / 2) - 1
        return 0.0 if half < 0 else np.intersect1d(self.history[half], top[values[top] > 0]).size / self.k


def first_of(values: np.ndarray, k: int) -> np.ndarray:
    """`leading`; where at least k vertices have values above 0, only among these, which are few."""
    above = np.flatnonzero(values > 0)
    return above[leading(values[above], k)] if above.size >= k > 0 else leading(values, k)


def ranked(values: np.ndarray, k: int) -> np.ndarray:
    """The k vertices of greatest value, greatest first, the smaller number first among equals."""
    return greatest_first(values, first_of(values, k)) if k else np.empty(0, np.int64)


def greatest_first(values: np.ndarray, top: np.ndarray) -> np.ndarray:
    """These vertices, which ascend, by falling value."""
    return top[(-values[top]).argsort(kind="stable")]


class Search:
    """Batches until there is a reason to stop; the function that does one keeps `.total` and `.reason` up to date."""

    def __init__(self, run: Run, k: int) -> None:
        self.run, self.leaders = run, Leaders(k)
        self.done = self.total = 0
        self.stable = 0.0
        self.reason = ""
        self.state: Any = None
        self._noted: tuple[Any, Any] = None, None  # the values after the last batch, and the vertices that lead by them

    def keep(self) -> dict[str, Any]:
        """What leads to the next batch; see `nearly.engine.checkpoint`."""
        at = np.array(self.leaders._at, np.int64)
        return {"history": np.array(self.leaders.history), "at": at, "batches": self.done, "stable": self.stable}

    def take(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.leaders.history, self.leaders._at = list(state["history"]), state["at"].tolist()
        self.done, self.stable = int(state["batches"]), float(state["stable"])

    def finish_batch(self, state: Any, done: int, values: np.ndarray) -> None:
        """A batch is complete: `state` is all that a result needs."""
        self.stable, self.done = self.leaders.note(done, values), done
        self.state, self._noted = state, (values, self.leaders.history[-1])

    def go_on(self, batch: Callable[[], Did], kept: Kept | None = None) -> None:
        """Do batches until one leaves a reason to stop, rounds run out, or Ctrl-C comes after the first."""
        told, run = self.run.progress, self.run
        words = f"top {self.leaders.k}"
        if told is not None:
            run.progress = lambda stage, *_: told(f"{stage}: {words} {self.stable:.0%} stable", self.done, self.total)
        try:
            if not run.enact(lambda: None if self.reason else [batch()], kept):
                self.reason = f"max_rounds={run.max_rounds}"
        except KeyboardInterrupt:
            if self.state is None:
                raise
            self.reason = "interrupted"
        finally:
            run.progress = told

    def fields(self, values: np.ndarray) -> dict[str, Any]:
        """What results of both methods carry."""
        noted, first = self._noted
        top = greatest_first(values, first) if values is noted else ranked(values, self.leaders.k)
        return {
            "vertices": top,
            "scores": values[top],
            "history": np.array(self.leaders.history),
            "stability": self.stable,
            "stopped": self.reason,
            "interrupted": self.reason == "interrupted",
        }
