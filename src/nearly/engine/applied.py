"""Techniques applied to a graph for a task: what a user may pass as `approx`, and the work that is done once for it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from nearly.base.arguments import shown
from nearly.base.errors import InvalidArgumentError
from nearly.base.jit import compile_seconds
from nearly.engine.result import Result
from nearly.engine.run import Run
from nearly.engine.technique import ALGORITHMS, Task, Technique, from_spec
from nearly.engine.traits import combined
from nearly.engine.transform import store
from nearly.engine.transform.graph_map import GraphMap
from nearly.graph.csr import Graph


@dataclass(frozen=True)
class Applied:
    """Techniques applied to a graph for a task; `approx=` takes one, so that the work need not be done twice."""

    techniques: tuple[Technique, ...]
    source: Graph  # what the caller has; `map.given` may be its undirected view
    map: GraphMap
    task: Task
    seconds: float = 0.0  # this time
    built: float = 0.0  # when it was made, which may have been earlier

    @property
    def transforms(self) -> bool:
        """Whether there is another graph to work on."""
        return self.map.given is not self.map.graph


def as_techniques(approx: Any) -> tuple[Technique, ...]:
    """What a user may pass as `approx`: a technique, its specification, or a list of these."""
    if approx is None:
        return ()
    if isinstance(approx, Applied):
        return approx.techniques
    if isinstance(approx, (Technique, str)):
        approx = [approx]
    if not isinstance(approx, (list, tuple)):
        raise InvalidArgumentError(
            f"approx must be a technique such as nearly.PartialEdges(), or a list; not {shown(approx)}"
        )
    made = tuple(from_spec(item) if isinstance(item, str) else item for item in approx)
    for item in made:
        if not isinstance(item, Technique):
            raise InvalidArgumentError(
                f"approx holds {shown(item)}, which is no technique; make one: nearly.PartialEdges()"
            )
    return made


def check_supported(techniques: Iterable[Technique], algorithm: str) -> None:
    """Raise if a technique makes no sense for the algorithm, naming those for which it does."""
    for item in techniques:
        if item.guarantee(algorithm) is None:
            others = ", ".join(name for name in ALGORITHMS.names() if item.guarantee(name))
            named = type(item).__name__ if algorithm not in item.guarantees else repr(item)
            raise InvalidArgumentError(f"{named} does not apply to {algorithm}; it applies to {others}")


def apply(techniques: Iterable[Technique], source: Graph, graph: Graph, task: Task) -> Applied:
    """Transform the graph (`source` or its undirected view) by each technique that changes anything, in turn.

    What was kept of an earlier time (see `store`) is taken as it is; `built` says how long it took then.
    """
    chosen, since = tuple(techniques), time.perf_counter()
    key = store.key_of(chosen, task, viewed=graph is not source)
    found = store.find(source, graph, key, chosen)
    if found is None:
        begin, compiled = time.perf_counter(), compile_seconds()
        made = _transformed(chosen, graph, task)
        found = store.Found(made, max(time.perf_counter() - begin - (compile_seconds() - compiled), 0.0))
        if made.graph is not graph:
            store.keep(source, key, chosen, found)
    return Applied(chosen, source, found.map, task, time.perf_counter() - since, found.seconds)


def _transformed(techniques: Iterable[Technique], graph: Graph, task: Task) -> GraphMap:
    made = GraphMap(graph, graph)
    for item in techniques:
        if not item.idle:
            fresh = made.graph is graph  # a transformed graph has just the weights that count
            closed = None if made.copies is None else made.copies.slot
            now = task if fresh else replace(task, weighted=made.graph.weighted, closed=closed)
            step = item.transform(made.graph, now)
            made = made if step is None else made.then(step)
    return made


def note_techniques(result: Result, run: Run, applied: Applied) -> None:
    """What techniques did to the answer: the guarantee, and a last touch to the values."""
    result.techniques, result.preprocess_seconds = applied.techniques, applied.seconds
    changing = [t for t in run.applied if not t.only_stops]
    result.guarantee = combined([result.guarantee, *(t.guarantee(run.name) or "heuristic" for t in changing)])
    if result.guarantee == "upper bound" and run.map.adds and not applied.task.traits.completed:
        result.guarantee = (
            "heuristic"  # an added arc may attain a value that no path of the given arcs is seen to attain
        )
    for technique in reversed(changing):
        result.values = technique.restore(result.values)
