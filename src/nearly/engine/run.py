"""The one loop: rounds until nothing is left to do, the budget is spent, or somebody says stop.

`Run` is what one call of an algorithm carries with it: the graph, the policy, seeds and limits, the trace, and
the techniques that act between rounds. `enact` calls a step again and again; a step does one round, or many small ones
in one compiled call, and says what it did. Control comes back to Python between steps, for
progress, interruption and the techniques' stopping rules.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from nearly.base.progress import Progress, silent
from nearly.engine.interruptible import launch, stop_flag
from nearly.engine.timing import compile_seconds
from nearly.engine.trace import Trace
from nearly.engine.transform.graph_map import GraphMap
from nearly.graph.csr import Graph


@dataclass
class Run:
    """One call of an algorithm.

    `graph` is the one to work on and `moved` the way back from it to the given one, which is the caller's `source`
    or its undirected view.
    """

    graph: Graph
    policy: str = "auto"
    threads: int = 1
    seed: int = 1
    max_rounds: int | None = None
    threshold: int | None = None
    progress: Progress = silent
    techniques: tuple[Any, ...] = ()
    name: str = ""
    map: GraphMap = None  # type: ignore[assignment]
    source: Graph = None  # type: ignore[assignment]
    device: str = "cpu"
    trace: Trace = field(default_factory=Trace)
    stop: np.ndarray = field(default_factory=stop_flag)

    def __post_init__(self) -> None:
        if self.map is None:
            self.map = GraphMap(self.graph, self.graph)
        if self.source is None:
            self.source = self.map.given

    @property
    def given(self) -> Graph:
        """The graph before techniques transformed it: the one answers are about."""
        return self.map.given

    @property
    def cut_short(self) -> bool:
        """Whether the run may end before it has converged, by a limit or a technique."""
        return self.max_rounds is not None or bool(self.techniques)

    @property
    def limited(self) -> bool:
        """Whether rounds are counted, so that the run may end after any of them."""
        return self.max_rounds is not None or "rounds_left" in self.knobs()

    def knobs(self) -> dict[str, Any]:
        """What techniques say about the round that comes next."""
        said: dict[str, Any] = {}
        for technique in self.techniques:
            said.update(technique.knobs(len(self.trace)))
        return said

    def launch(self, kernel: Callable[..., Any], *arguments: Any, work: int | None = None) -> Any:
        """Run a kernel so that Ctrl-C is honoured; `work` is its size in edges, the graph's by default."""
        return launch(kernel, *arguments, stop=self.stop, work=self.graph.m + self.graph.n if work is None else work)

    @property
    def rounds_left(self) -> int:
        left = (1 << 62) if self.max_rounds is None else self.max_rounds - len(self.trace)
        return min(left, self.knobs().get("rounds_left", left))


class Did(NamedTuple):
    """What one round did.

    `share` is its part of the step's time (any unit). `changed` counts the vertices it changed; None says that the
    run must not end here, because the round is only part of one.
    """

    frontier: int
    edges: int
    share: float = 1.0
    extra: dict[str, float] = {}  # noqa: RUF012  (never written to)
    changed: int | None = None


Step = Callable[[], Sequence[Did] | None]


def enact(run: Run, step: Step) -> bool:
    """Call `step` until it returns nothing (converged: True), or rounds run out or a technique stops it (False)."""
    while run.rounds_left > 0:
        since, compiled = time.perf_counter(), compile_seconds()
        did = step()
        milliseconds = max(time.perf_counter() - since - (compile_seconds() - compiled), 0.0) * 1000
        if not did:
            return True
        run.trace.add_step(did, milliseconds)
        run.progress(run.name, len(run.trace), run.max_rounds)
        if any(technique.stop(run) for technique in run.techniques):
            return False
    return False
