"""Techniques: objects that make a run cheaper, and say what that does to the answer.

A technique is one class whose knobs are its constructor's arguments and nothing else. It states its effects in the
terms of `nearly.engine.traits`; which algorithms it applies to, and with which guarantee, follows from that and from
their traits. It overrides what it needs of these hooks, all of which do nothing by default:

- `transform(graph, task)`: another graph to work on, with the way back (`GraphMap`);
- `make_rounds(run, goal)`: other rounds than the algorithm's own;
- `visits(round)`: which share of the arcs operators visit in a round;
- `advice()`: objects of classes that an algorithm listens to;
- `stop(run)`: whether the loop should end after the rounds so far; `most_rounds`, how many there may be;
- `restore(values)`: a last touch to the values, once they are back in the given graph's order.

Techniques compose in order.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, ClassVar

from nearly.base.errors import InvalidArgumentError
from nearly.base.registry import Registry
from nearly.engine.knob import NEVER, Knob
from nearly.engine.traits import STOPS_BY_VALUES, STOPS_EARLY, Effect, Traits, guarantee_of
from nearly.engine.transform.graph_map import GraphMap
from nearly.graph.csr import Graph

if TYPE_CHECKING:
    import numpy as np

    from nearly.engine.algorithm import Algorithm
    from nearly.engine.run import Run

ALGORITHMS: Registry[Algorithm] = Registry("algorithm", "nearly.algorithms")


@dataclass(frozen=True)
class Task:
    """What a transformed graph will be used for: an algorithm, a seed, and whether it goes by weights, if any."""

    algorithm: str
    seed: int = 1
    weighted: bool = True
    traits: Traits = field(default=None, repr=False, compare=False)  # type: ignore[assignment]
    undirected: bool = field(default=False, repr=False, compare=False)  # whether it reads graphs as undirected
    closed: Any = field(default=None, repr=False, compare=False)  # copies, to which no arc may be added

    def __post_init__(self) -> None:
        if self.traits is None:  # asked for by name
            entry = ALGORITHMS.get(self.algorithm)
            object.__setattr__(self, "traits", entry.traits)
            object.__setattr__(self, "undirected", entry.undirected)


@dataclass(frozen=True)
class Visits:
    """Which arcs operators visit in a round: a random share of them."""

    share: float


class Guarantees:
    """The guarantee for every algorithm a technique applies to, with its default knobs; read from the class."""

    def __get__(self, technique: Any, cls: type[Technique]) -> dict[str, str]:
        default = cls()
        words = {entry.name: default.guarantee(entry.name) for entry in ALGORITHMS}
        return {name: word for name, word in words.items() if word is not None}


class Technique:
    """The base of all techniques; see the top of the file."""

    name: ClassVar[str] = ""
    reference: ClassVar[str] = ""  # the paper and the capability it is from
    summary: ClassVar[str] = ""
    dials: ClassVar[dict[str, Knob]] = {}
    guarantees = Guarantees()

    def __init_subclass__(cls) -> None:
        known = [item for base in reversed(cls.__mro__) for item in vars(base).items()]
        cls.dials = {name: value for name, value in known if isinstance(value, Knob)}
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        own = [inspect.Parameter(k.name, kind, default=k.default) for k in cls.dials.values()]
        cls.__signature__ = inspect.Signature(own)  # type: ignore[attr-defined]
        cls.summary = (cls.__doc__ or "").strip().splitlines()[0] if cls.__doc__ else ""
        cls.__doc__ = _with_knobs(cls)

    def __init__(self, *args: Any, **knobs: Any) -> None:
        signature: inspect.Signature = type(self).__signature__  # type: ignore[attr-defined]
        for name in knobs.keys() - self.dials.keys():
            raise InvalidArgumentError(no_such_knob(type(self).__name__, name, self.dials))
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
    def effects(self) -> tuple[Effect, ...]:
        """What it does with these knobs."""
        raise NotImplementedError(f"{type(self).__name__} must say what it does: effects = (REMOVES_ARCS,)")

    @property
    def settings(self) -> dict[str, Any]:
        """The knobs' values."""
        return {name: self.__dict__[name] for name in self.dials}

    @property
    def is_exact(self) -> bool:
        """Whether the knobs are set so that nothing changes."""
        decisive = [knob for knob in self.dials.values() if knob.exact is not NEVER]
        return bool(decisive) and all(self.__dict__[knob.name] == knob.exact for knob in decisive)

    @property
    def idle(self) -> bool:
        """Whether it may be left out; an exact technique that reorders the graph is not idle."""
        return self.is_exact

    @property
    def only_stops(self) -> bool:
        """Whether it only ends runs early, which the algorithm itself takes note of."""
        return self.effects in ((STOPS_EARLY,), (STOPS_BY_VALUES,))

    def guarantee(self, algorithm: str) -> str | None:
        """How far an answer may be trusted with these knobs; None where they do not apply to the algorithm."""
        return guarantee_of(self.effects, ALGORITHMS.get(algorithm).traits)

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

    @property
    def most_rounds(self) -> int | None:
        """How many rounds there may be; None for no limit."""
        return None

    @property
    def watches_change(self) -> bool:
        """Whether `stop` goes by how much rounds change the values, so that the algorithm has to measure it."""
        return False

    def transform(self, graph: Graph, task: Task) -> GraphMap | None:
        """Another graph to work on; None to leave it."""
        return None

    def make_rounds(self, run: Run, goal: Any) -> Any:
        """An object with `step` and `values` that makes the rounds towards a goal; None to leave them as they are."""
        return None

    def visits(self, round: int) -> Visits | None:
        """Which arcs operators visit in this round; None for all."""
        return None

    def advice(self) -> Iterable[Any]:
        """What it says to algorithms that listen."""
        return ()

    def restore(self, values: np.ndarray) -> np.ndarray:
        """A last touch to the values, once they are back in the given graph's order."""
        return values

    def stop(self, run: Run) -> bool:
        """Whether the loop should end now."""
        return False

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *self.__dict__.values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.settings.items())})"


def no_such_knob(owner: str, name: str, dials: Iterable[str]) -> str:
    """What to say of a knob that there is not, with the one that was probably meant."""
    names = list(dials)
    if not names:
        return f"{owner} has no knob {name!r}; it has none at all"
    near = get_close_matches(name, names, 1, 0.5) or [one for one in names if one.startswith(name[:2])][:1]
    meant = f"did you mean {near[0]!r}? " if near else ""
    return f"{owner} has no knob {name!r}; {meant}its knobs are {', '.join(names)}"


def _with_knobs(cls: type[Technique]) -> str | None:
    """The class's docstring with a section that lists its knobs."""
    if not cls.__doc__ or "Parameters\n" in cls.__doc__ or not cls.dials:
        return cls.__doc__
    lines = [
        f"{knob.name} : {knob.allowed}, default {knob.default!r}\n    {knob.described}" for knob in cls.dials.values()
    ]
    return "\n".join([inspect.cleandoc(cls.__doc__), "", "Parameters", "----------", *lines, ""])


TECHNIQUES: Registry[type[Technique]] = Registry("technique", "nearly.techniques")


def technique(name: str, *, reference: str) -> Callable[[type[Technique]], type[Technique]]:
    """Register a technique under its name on the command line, with the paper it is from."""

    def register(cls: type[Technique]) -> type[Technique]:
        cls.name, cls.reference = name, reference
        TECHNIQUES.add(name, cls, cls.__module__)
        return cls

    return register


def from_spec(text: str) -> Technique:
    """`partial-edges:keep=0.7,select=lightest` as an object."""
    name, _, rest = text.partition(":")
    cls = TECHNIQUES.get(name.strip())
    knobs = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        key = key.strip().replace("-", "_")
        if not equals:
            raise InvalidArgumentError(f"{text!r}: knobs are written name=value; {cls.name} has {', '.join(cls.dials)}")
        if key not in cls.dials:
            raise InvalidArgumentError(no_such_knob(cls.name, key, cls.dials))
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
