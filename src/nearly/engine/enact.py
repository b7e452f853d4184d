"""The one loop: rounds until nothing is left to do, the budget is spent, or somebody says stop.

`Run` is what one call of an algorithm carries with it: the graph, the policy, seeds and limits, the trace,
the techniques' hooks. `enact` calls a step again and again; a step does one round, or many small ones
in one compiled call, and says what it did. Control comes back to Python between steps, for
progress, interruption and the techniques' stopping rules.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from nearly.base.progress import Progress, silent
from nearly.engine.clock import compile_seconds
from nearly.engine.launch import launch, stop_flag
from nearly.engine.trace import Trace
from nearly.graph.csr import Graph


@dataclass
class Run:
    """One call of an algorithm."""

    graph: Graph
    policy: str = "auto"
    threads: int = 1
    seed: int = 1
    max_rounds: int | None = None
    threshold: int | None = None
    progress: Progress = silent
    techniques: tuple[Any, ...] = ()
    name: str = ""
    trace: Trace = field(default_factory=Trace)
    stop: np.ndarray = field(default_factory=stop_flag)

    def launch(self, kernel: Callable[..., Any], *arguments: Any, work: int | None = None) -> Any:
        """Run a kernel so that Ctrl-C is honoured; `work` is its size in edges, the graph's by default."""
        return launch(kernel, *arguments, stop=self.stop, work=self.graph.m + self.graph.n if work is None else work)

    @property
    def rounds_left(self) -> int:
        return (1 << 62) if self.max_rounds is None else self.max_rounds - len(self.trace)


class Did(NamedTuple):
    """What one round did. `share` is its part of the step's time (any unit)."""

    frontier: int
    edges: int
    share: float = 1.0
    extra: dict[str, float] = {}  # noqa: RUF012  (never written to)


Step = Callable[[], Iterable[Did] | None]


def enact(run: Run, step: Step) -> bool:
    """Call `step` until it returns nothing (converged: True), or rounds run out or a technique stops it (False)."""
    while run.rounds_left > 0:
        since, compiled = time.perf_counter(), compile_seconds()
        did = step()
        milliseconds = max(time.perf_counter() - since - (compile_seconds() - compiled), 0.0) * 1000
        rounds = list(did or ())
        if not rounds:
            return True
        shares = sum(r.share for r in rounds) or 1.0
        for r in rounds:
            run.trace.add(r.frontier, r.edges, milliseconds * r.share / shares, **r.extra)
        run.progress(run.name, len(run.trace), run.max_rounds)
        if any(technique.stop(run) for technique in run.techniques):
            return False
    return False
