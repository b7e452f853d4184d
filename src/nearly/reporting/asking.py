"""Questions to a graph within a common budget of time; what there is no time for comes back as a reason.

The clock does not count the compiling of kernels, which happens once on a machine: a first report would else consist
of what ran out of time.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from nearly.base.errors import NearlyError, TimeBudgetError
from nearly.base.jit import compile_seconds
from nearly.base.progress import Progress
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.result import Result
from nearly.graph.csr import Graph

_LEAST = 0.01  # seconds below which nothing is asked
_DISTURBED = 0.2  # the share of a question's time that compiling may take before it is asked again
_TRIES = 6  # so often at most; each compiles more of what is needed before its time is over


class Clock:
    """The time of a report, without compiling."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self._since, self._compiled = seconds, time.perf_counter(), compile_seconds()

    @property
    def used(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self._since - (compile_seconds() - self._compiled)

    @property
    def left(self) -> float:
        """Seconds until the budget is spent."""
        return self.seconds - self.used

    @property
    def compiling(self) -> float:
        """Seconds that compiling took meanwhile."""
        return compile_seconds() - self._compiled


@dataclass(frozen=True)
class NoAnswer:
    """Why a question has no answer."""

    why: str


class Asker:
    """A graph, and the time to ask it."""

    def __init__(self, graph: Graph, clock: Clock, told: Progress, **common: Any) -> None:
        self.graph, self.clock, self.told, self.common = graph, clock, told, common
        self.asked = 0

    def ask(self, name: str, share: float, view: bool = False, **own: Any) -> Any:
        """The result of an algorithm within a share of the time that is left, or a `NoAnswer`.

        With `view`, it is asked of the graph with directions ignored.
        """
        graph = self.graph.symmetrized() if view else self.graph
        self.told(name.replace("_", " "), self.asked, None)
        self.asked += 1
        seconds = self.clock.left * share
        if seconds < _LEAST:
            return NoAnswer("the report's time was over")
        made: Any = None
        for _ in range(_TRIES):
            compiled = compile_seconds()
            made = self._once(name, graph, seconds, own)
            if compile_seconds() - compiled < _DISTURBED * seconds:
                break
        return made

    def _once(self, name: str, graph: Graph, seconds: float, own: dict[str, Any]) -> Result | NoAnswer:
        try:
            return ALGORITHMS.get(name).function(graph, max_seconds=seconds, **own, **self.common)
        except TimeBudgetError as error:
            return NoAnswer(f"it ran out of time: {error}")
        except NearlyError as error:
            return NoAnswer(str(error))
