"""One call of an algorithm: what it carries along, the operators it works with, and the one loop over its rounds.

`Run` holds the graph to work on, the policy, seeds and limits, the trace, and the techniques that take part. Its
operators are the vocabulary of all algorithms that are made of rounds:

- `run.advance(visit, state, start=...)`: a functor on the edges of a frontier, round after round, to its fixed point;
- `run.near_far(...)`: the same in order of priority, roughly;
- `run.reduce(gather, apply, state)`: one value from the neighbourhood of each vertex;
- `run.filter(keep, state, items)`, `run.each(do, state, items)`: items that stay, and a functor on every item;
- `run.intersect(found, state)`: the common neighbours of the ends of arcs;
- `run.enact(step)`: rounds of the algorithm's own, until nothing is left to do, the budget is spent, or a technique
  says stop. A step does one round, or many small ones in one compiled call, and says what it did (`Did`). Control comes
  back to Python between steps, for progress, interruption and the techniques' stopping rules.

A technique may have put another graph in the place of the caller's; `run.at` and `run.back` lead there and back.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from nearly.base.aside import look
from nearly.base.errors import InvalidArgumentError
from nearly.base.jit import spent
from nearly.base.progress import Progress
from nearly.engine.budget import CONFIDENCE
from nearly.engine.interruptible import SHORT, launch
from nearly.engine.operators.advance import advance
from nearly.engine.operators.filter import filter_items, for_each
from nearly.engine.operators.intersect import Intersected, intersect
from nearly.engine.operators.near_far import NearFar
from nearly.engine.operators.reduce import Reduced, Reduction, add, reduce
from nearly.engine.trace import Did, Trace
from nearly.engine.transform.graph_map import GraphMap
from nearly.graph.csr import Graph

if TYPE_CHECKING:
    from nearly.engine.checkpoint import Checkpoint, Kept
    from nearly.engine.technique import Technique, Visits

__all__ = ["Did", "Run"]

Step = Callable[[], Sequence[Did] | None]
A = TypeVar("A")
_ENDLESS, _ZERO = 1 << 62, np.float64(0)


class _Counted(NamedTuple):
    """What has a state, and the rounds that led to it."""

    kept: Kept
    rounds: int

    def keep(self) -> dict[str, Any] | None:
        state = self.kept.keep()
        return None if state is None else {**state, "rounds_before": self.rounds}

    def take(self, state: dict[str, Any]) -> None:
        self.kept.take(state)


@dataclass
class Run:
    """One call of an algorithm; see the top of the file.

    graph : the graph to work on.
    mapped : the way from it to the given graph, None where it is the given one.
    source : the caller's graph, of which the given one may be the undirected view.
    techniques : those that act between the rounds; `applied` are all that change anything.
    """

    graph: Graph
    policy: str = "auto"
    threads: int = 1
    seed: int = 1
    max_rounds: int | None = None
    threshold: int | None = None
    progress: Progress | None = None
    techniques: tuple[Technique, ...] = ()
    applied: tuple[Technique, ...] = ()
    name: str = ""
    mapped: GraphMap | None = None
    source: Graph | None = None
    device: str = "cpu"
    confidence: float = CONFIDENCE
    max_error: float | None = None  # of the budget, where the algorithm itself has to keep it
    checkpoint: Checkpoint | None = None  # where the state is written between steps
    deadline: float | None = None  # when the time is over, as time.perf_counter counts
    shared: Any = None  # divides samples among processes that all do this run (`nearly.distributed`)
    trace: Trace = field(default_factory=Trace)
    stop: np.ndarray = field(
        default_factory=partial(np.zeros, 1, np.uint32)
    )  # what kernels poll: 0 while they may go on

    # the graph and the way back

    @property
    def map(self) -> GraphMap:
        """The way from the graph worked on to the given one, the identity where nothing was transformed."""
        if self.mapped is None:
            self.mapped = GraphMap(self.graph, self.graph)
        return self.mapped

    @property
    def given(self) -> Graph:
        """The graph before techniques transformed it: the one answers are about."""
        return self.graph if self.mapped is None else self.mapped.given

    def at(self, vertex: int) -> Any:
        """Where a given vertex is in the graph worked on: its place, and those of its copies."""
        return [vertex] if self.mapped is None else self.mapped.group(self.mapped.vertex(vertex))

    def back(self, values: np.ndarray) -> np.ndarray:
        """Values of the graph worked on as values of the given vertices."""
        return values if self.mapped is None else self.mapped.values(values)

    def back_labels(self, labels: np.ndarray) -> np.ndarray:
        """Labels of parts as the smallest given member of each part."""
        return labels if self.mapped is None else self.mapped.labels(labels)

    # limits, and what techniques say

    @property
    def direct(self) -> bool:
        """Whether a specialised kernel may answer: policy "auto" on the CPU, with nothing to do between rounds."""
        return self.policy == "auto" and self.device == "cpu" and self.max_rounds is None and not self.techniques

    @property
    def cut_short(self) -> bool:
        """Whether the run may end before it has converged, by a limit or a technique."""
        return self.max_rounds is not None or bool(self.techniques)

    @property
    def partial(self) -> bool:
        """Whether arcs or rounds may have been left out, so that what can be reached may not have been."""
        return self.cut_short or (self.mapped is not None and self.mapped.drops)

    @property
    def rounds_left(self) -> int:
        """How many rounds may follow."""
        if not self.techniques:
            return _ENDLESS if self.max_rounds is None else self.max_rounds - self.trace.count
        limits = [self.max_rounds, *(technique.most_rounds for technique in self.techniques)]
        return min((limit for limit in limits if limit is not None), default=_ENDLESS) - self.trace.count

    @property
    def limited(self) -> bool:
        """Whether rounds are counted, so that the run may end after any of them."""
        return self.rounds_left < _ENDLESS - self.trace.count

    def visits(self) -> Visits | None:
        """Which share of the arcs operators visit in the next round; None for all."""
        said = [technique.visits(self.trace.count) for technique in self.techniques]
        return next((one for one in said if one is not None), None)

    def advice(self, kind: type[A]) -> A | None:
        """What techniques say to an algorithm that listens to advice of this kind; the last one counts."""
        said = [one for technique in self.techniques for one in technique.advice() if isinstance(one, kind)]
        return said[-1] if said else None

    def rounds(self, goal: Any, default: Callable[[Run, Any], Any]) -> Any:
        """What makes the rounds towards a goal: a technique's own, if one has any, else `default(run, goal)`."""
        made = [(technique, technique.make_rounds(self, goal)) for technique in dict.fromkeys(self.applied)]
        chosen = [(technique, rounds) for technique, rounds in made if rounds is not None]
        if len(chosen) > 1:
            names = " and ".join(type(technique).__name__ for technique, _ in chosen)
            raise InvalidArgumentError(f"{names} make different rounds; use one of them")
        return chosen[0][1] if chosen else default(self, goal)

    # operators

    def launch(self, kernel: Callable[..., Any], *arguments: Any, work: int | None = None) -> Any:
        """Run a kernel so that Ctrl-C is honoured; `work` is its size in edges, the graph's by default."""
        if work is None:
            offsets, targets, _ = self.graph._arrays
            work = offsets.size + targets.size
        if self.deadline is not None:
            return launch(kernel, *arguments, stop=self.stop, work=work, deadline=self.deadline)
        return kernel(*arguments) if work < SHORT else launch(kernel, *arguments, stop=self.stop, work=work)

    def enact(self, step: Step, kept: Kept | None = None) -> bool:
        """Call `step` until it returns nothing (converged: True), or rounds run out or a technique stops it (False).

        A step that knows that none follows may say so: what it returns is then `last`.
        With a checkpoint, what has a state (`kept`) begins with the one that was written, and it is written on the way.
        """
        if kept is not None and self.checkpoint is not None:
            return self._enact_kept(step, kept, self.checkpoint)
        endless = self.max_rounds is None and not self.techniques
        while endless or self.rounds_left > 0:
            since = time.perf_counter() - spent.compiling - spent.loading
            did = step()
            milliseconds = max(time.perf_counter() - spent.compiling - spent.loading - since, 0.0) * 1000
            if not did:
                return True
            self.trace.steps.append((did, milliseconds))
            self.trace.count += len(did)
            if self.progress is not None:
                self.progress(self.name, self.trace.count, self.max_rounds)
            if self.techniques and any(technique.stop(self) for technique in self.techniques):
                return False
            if getattr(did, "last", False):
                return True
            look()
        return False

    def _enact_kept(self, step: Step, kept: Kept, checkpoint: Checkpoint) -> bool:
        state = checkpoint.found()
        if state is not None:
            self.trace.count = int(state.pop("rounds_before"))
            kept.take(state)

        def then() -> Sequence[Did] | None:
            did = step()
            if did:
                checkpoint.note(_Counted(kept, self.trace.count + len(did)))
            return did

        converged = self.enact(then)
        checkpoint.remove()
        return converged

    def advance(
        self,
        visit: Callable[..., bool],
        state: Any,
        start: Any,
        *,
        pull: Any = None,
        graph: Graph | None = None,
        idempotent: bool = False,
    ) -> bool:
        """`visit(state, u, v, e)` on the out-edges of a frontier, round after round; whether nothing changes any more.

        Begins with the vertices `start` of the graph worked on; vertices that changed are the next frontier. With
        `pull(state, v)`, whether v still looks for a value, large frontiers are turned round. With `idempotent` the
        functor may accept a vertex many times a round, and frontiers hold duplicates that a heuristic did not cull.
        """
        return advance(self, visit, state, start, pull, graph, idempotent)

    def near_far(
        self, visit: Callable[..., bool], priority: Callable[..., float], state: Any, start: Any, delta: float
    ) -> bool:
        """As `advance`, nearest first: vertices wait whose priority is more than about `delta` beyond the nearest."""
        copies = None if self.mapped is None else self.mapped.copies
        queue = NearFar(self, self.graph, visit, priority, state, delta, copies)
        return self.enact(queue.start(start).step)

    def reduce(
        self,
        gather: Callable[..., Any],
        apply: Callable[..., Any],
        state: Any,
        items: np.ndarray | None = None,
        *,
        graph: Graph | None = None,
        start: Any = _ZERO,
        combine: Callable[..., Any] = add,
    ) -> Reduced:
        """Combine `gather(state, u, v, e)` over the row of each of `items` (default: of all), then `apply` the result.

        Returns the arcs visited (`.edges`) and, if `apply.emits`, the items that changed (`.changed`). `graph` is the
        one worked on by default; hand in its reverse for in-neighbours.
        """
        return reduce(self, graph or self.graph, Reduction(gather, apply, start, combine), state, items)

    def filter(self, keep: Callable[..., bool], state: Any, items: np.ndarray) -> np.ndarray:
        """The items for which `keep(state, item)` holds, in order."""
        return filter_items(keep, state, items)

    def each(self, do: Callable[..., Any], state: Any, items: np.ndarray | None = None) -> None:
        """`do(state, item)` for every item; for all vertices where none are given."""
        if items is None:
            for_each(do, state, self.graph.arrays.targets[:0], self.graph.n)
        elif items.size:
            for_each(do, state, items, items.size)

    def intersect(
        self,
        found: Callable[..., Any],
        state: Any,
        items: np.ndarray | None = None,
        graph: Graph | None = None,
        pairs: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> Intersected:
        """`found(state, u, v, w)` for every common out-neighbour w of the ends of arcs u -> v of `items`, or of all.

        With `pairs`, of two frontiers of the same length, u and v are the vertices at the same place in them instead.
        Returns how many there are (`.total`) and, if `found.emits`, those it accepted (`.accepted`).
        """
        return intersect(self, graph or self.graph, found, state, items, pairs)
