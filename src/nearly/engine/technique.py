"""Techniques: objects that make a run cheaper, and say what that does to the answer.

A technique is one class whose knobs are its constructor's arguments and nothing else. It overrides what it
needs of these hooks, all of which do nothing by default:

- `transform(graph, task)`: another graph to work on, with the way back (`GraphMap`);
- `restore(values)`: a last touch to the values, once they are back in the given graph's order;
- `knobs(round)`: what the engine's operators need to know in this round, such as the share of arcs to visit;
- `stop(run)`: whether the loop should end after the rounds so far.

`guarantees` says in which of GUARANTEES' words an answer may be trusted, per algorithm; an algorithm it
does not name is not supported. Where that depends on the knobs, `guarantee` is overridden. Techniques compose in
order; their words combine to the weaker one.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from nearly.base.errors import InvalidArgumentError
from nearly.base.registry import Registry
from nearly.engine.knob import NEVER, Knob
from nearly.engine.result import GUARANTEES
from nearly.engine.timing import compile_seconds
from nearly.engine.transform import store as kept
from nearly.engine.transform.graph_map import GraphMap
from nearly.graph.csr import Graph

if TYPE_CHECKING:
    import numpy as np

    from nearly.engine.run import Run


@dataclass(frozen=True)
class Task:
    """What a transformed graph will be used for."""

    algorithm: str
    seed: int = 1
    weighted: bool = True  # whether the algorithm goes by weights, if there are any


class Technique:
    """The base of all techniques; see the top of the file."""

    name: ClassVar[str] = ""
    seeds: ClassVar[str] = ""  # the capability of the papers it is
    summary: ClassVar[str] = ""
    guarantees: ClassVar[dict[str, str]] = {}
    dials: ClassVar[dict[str, Knob]] = {}
    only_stops: ClassVar[bool] = False  # it only ends runs early, which the algorithm itself takes note of

    def __init_subclass__(cls) -> None:
        known = [item for base in reversed(cls.__mro__) for item in vars(base).items()]
        cls.dials = {name: value for name, value in known if isinstance(value, Knob)}
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        own = [inspect.Parameter(k.name, kind, default=k.default) for k in cls.dials.values()]
        cls.__signature__ = inspect.Signature(own)  # type: ignore[attr-defined]
        cls.summary = (cls.__doc__ or "").strip().splitlines()[0]

    def __init__(self, *args: Any, **knobs: Any) -> None:
        signature: inspect.Signature = type(self).__signature__  # type: ignore[attr-defined]
        try:
            bound = signature.bind(*args, **knobs)
        except TypeError as error:
            raise InvalidArgumentError(
                f"{type(self).__name__}: {error}; its knobs are {', '.join(self.dials)}"
            ) from None
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            self.__dict__[name] = self.dials[name].checked(value)
        self.check()

    def check(self) -> None:
        """Refuse knobs that make no sense together."""

    @property
    def settings(self) -> dict[str, Any]:
        """The knobs' values."""
        return {name: self.__dict__[name] for name in self.dials}

    @property
    def is_exact(self) -> bool:
        """Whether the knobs are set so that nothing changes."""
        decisive = [knob for knob in self.dials.values() if knob.exact is not NEVER]
        return all(self.__dict__[knob.name] == knob.exact for knob in decisive)

    @property
    def idle(self) -> bool:
        """Whether it may be left out; an exact technique that reorders the graph is not idle."""
        return self.is_exact

    def guarantee(self, algorithm: str) -> str | None:
        """How far an answer may be trusted with these knobs; None where they do not apply to the algorithm."""
        return self.guarantees.get(algorithm)

    @property
    def spec(self) -> str:
        """How the command line names it."""
        changed = [f"{k}={v}" for k, v in self.settings.items() if v != self.dials[k].default]
        return ":".join([self.name, *([",".join(changed)] if changed else [])])

    @property
    def full_spec(self) -> str:
        """As `spec`, with every knob spelled out."""
        return f"{self.name}:{','.join(f'{k}={v}' for k, v in self.settings.items())}"

    def purpose(self, task: Task) -> str:
        """What of the task the transform goes by; tasks of one purpose share a transformed graph that was kept."""
        return f"{task.algorithm} {'by weights' if task.weighted else 'without weights'}, seed {task.seed}"

    def in_rounds(self, task: Task) -> bool:
        """Whether it acts between the rounds of this task, so that the round form must run."""
        return type(self).stop is not Technique.stop

    def transform(self, graph: Graph, task: Task) -> GraphMap | None:
        """Another graph to work on; None to leave it."""
        return None

    def restore(self, values: np.ndarray) -> np.ndarray:
        """A last touch to the values, once they are back in the given graph's order."""
        return values

    def knobs(self, round: int) -> dict[str, Any]:
        """What operators need to know in this round."""
        return {}

    def stop(self, run: Run) -> bool:
        """Whether the loop should end now."""
        return False

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *self.__dict__.values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.settings.items())})"


TECHNIQUES: Registry[type[Technique]] = Registry("technique", "nearly.techniques")


def technique(name: str, *, seeds: str, guarantees: dict[str, str]) -> Callable[[type[Technique]], type[Technique]]:
    """Register a technique under its name on the command line."""

    def register(cls: type[Technique]) -> type[Technique]:
        unknown = set(guarantees.values()) - set(GUARANTEES)
        if unknown:
            raise ValueError(f"{name}: guarantees are {', '.join(GUARANTEES)}; not {', '.join(unknown)}")
        cls.name, cls.seeds, cls.guarantees = name, seeds, guarantees
        TECHNIQUES.add(name, cls, cls.__module__)
        return cls

    return register


def combined(words: Iterable[str]) -> str:
    """The guarantee of techniques together: exact ones change nothing, different ones promise nothing."""
    left = {word for word in words if word != "exact"}
    if not left:
        return "exact"
    if "certified" in left:  # the bound is computed from the answer itself
        return "certified"
    return left.pop() if len(left) == 1 else "heuristic"


@dataclass(frozen=True)
class Applied:
    """Techniques applied to a graph for a task; `approx=` takes one, so that the work need not be done twice."""

    techniques: tuple[Technique, ...]
    source: Graph  # what the caller has; `moved.given` may be its undirected view
    map: GraphMap
    task: Task
    seconds: float = 0.0  # this time
    built: float = 0.0  # when it was made, which may have been earlier

    @property
    def transforms(self) -> bool:
        return self.map.given is not self.map.graph


def as_techniques(approx: Any) -> tuple[Technique, ...]:
    """What a user may pass as `approx`: a technique, its specification, or a list of these."""
    if approx is None:
        return ()
    if isinstance(approx, Applied):
        return approx.techniques
    if isinstance(approx, (Technique, str)):
        approx = [approx]
    if isinstance(approx, type) or not isinstance(approx, Iterable):
        raise InvalidArgumentError(
            f"approx must be a technique such as nearly.PartialEdges(), or a list; not {approx!r}"
        )
    made = tuple(from_spec(item) if isinstance(item, str) else item for item in approx)
    for item in made:
        if not isinstance(item, Technique):
            raise InvalidArgumentError(f"approx holds {item!r}, which is no technique; make one: nearly.PartialEdges()")
    return made


def from_spec(text: str) -> Technique:
    """`partial-edges:keep=0.7,select=lightest` as an object."""
    name, _, rest = text.partition(":")
    cls = TECHNIQUES.get(name.strip())
    knobs = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        key = key.strip().replace("-", "_")
        if not equals or key not in cls.dials:
            raise InvalidArgumentError(f"{text!r}: knobs are written name=value; {cls.name} has {', '.join(cls.dials)}")
        knobs[key] = _value(value.strip())
    return cls(**knobs)


def _value(text: str) -> Any:
    words = {"none": None, "true": True, "false": False}
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def check_supported(techniques: Iterable[Technique], algorithm: str) -> None:
    """Raise if a technique makes no sense for the algorithm, naming those for which it does."""
    for item in techniques:
        if item.guarantee(algorithm) is None:
            others = ", ".join(sorted(name for name in item.guarantees if item.guarantee(name)))
            named = type(item).__name__ if algorithm not in item.guarantees else repr(item)
            raise InvalidArgumentError(f"{named} does not apply to {algorithm}; it applies to {others}")


def apply(techniques: Iterable[Technique], source: Graph, graph: Graph, task: Task) -> Applied:
    """Transform the graph (`source` or its undirected view) by each technique that changes anything, in turn.

    What was kept of an earlier time (see `kept`) is taken as it is; `built` says how long it took then.
    """
    chosen, since = tuple(techniques), time.perf_counter()
    key = kept.key_of(chosen, task, viewed=graph is not source)
    found = kept.find(source, graph, key, chosen)
    if found is None:
        begin, compiled = time.perf_counter(), compile_seconds()
        moved = _transformed(chosen, graph, task)
        found = kept.Found(moved, max(time.perf_counter() - begin - (compile_seconds() - compiled), 0.0))
        if moved.graph is not graph:
            kept.keep(source, key, chosen, found)
    return Applied(chosen, source, found.map, task, time.perf_counter() - since, found.seconds)


def _transformed(techniques: Iterable[Technique], graph: Graph, task: Task) -> GraphMap:
    moved = GraphMap(graph, graph)
    for item in techniques:
        if not item.idle:
            fresh = moved.graph is graph  # a transformed graph has just the weights that count
            step = item.transform(moved.graph, task if fresh else replace(task, weighted=moved.graph.weighted))
            moved = moved if step is None else moved.then(step)
    return moved
