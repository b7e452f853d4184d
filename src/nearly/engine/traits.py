"""Traits and effects: what is known of an algorithm, what a technique does, and the guarantee that follows from both.

An algorithm states once, in its decorator, what changes of the graph or of the rounds do to its values (`Traits`). A
technique states what it does, in the same terms (its effects). The guarantee is the meeting of the two, and that of
several techniques the meeting of all (`combined`). No technique knows an algorithm by name, so one of a user's own is
open to every technique that its traits allow.

What a change does is one of OUTCOMES:

- "same": nothing, the answer is exact;
- "up": values only rise, so each is an upper bound of the exact one; "down": they only fall, a lower bound;
- "estimated": values move, but are right on average;
- "any": values move, and nothing is known but what the algorithm can compute of the error ("certified") or nothing.

None says that the algorithm has not been made for such a change: techniques that make it do not apply.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

OUTCOMES = ("same", "up", "down", "estimated", "any")
GUARANTEES = ("exact", "upper bound", "lower bound", "certified", "statistical", "estimated", "heuristic")
_WORDS = {"same": "exact", "up": "upper bound", "down": "lower bound", "estimated": "estimated"}
MEASURES = ("hops", "lengths", "amounts")
COPIES = ("followed", "joined", "planted")


@dataclass(frozen=True)
class Traits:
    """What is known of an algorithm.

    What changes do to its values (one of OUTCOMES, or None):

    fewer_arcs : arcs are left out.
    heavier : weights are raised.
    reweighted : weights are changed, some up and some down.
    two_hop : arcs are added that stand for a path of two arcs, and weigh as much as it.
    short_cuts : arcs are added along paths of two arcs, of any weight; by default as `two_hop`.
    across : arcs are added between two neighbours of a vertex whatever the directions of the arcs between them.
    merged : several vertices become one.
    renumbered : vertices get other numbers.
    cut_short : the rounds end before they have converged.

    How it works:

    measures : what an arc counts: one hop, its weight as a length, or its weight as an amount.
    combines : how values meet at a vertex, "min" or "sum"; None where it is neither.
    improves : whether every round only improves values, so that a round may visit any share of the arcs.
    redraws : whether, if asked to, it visits a share of the arcs drawn anew for each round, though rounds do more than
        improve values.
    one_way : whether values go along arcs, so that an arc of an undirected graph may be left out without the one back.
    copies : what is done where a vertex has copies that hold part of its arcs: they are "followed" (have its value in
        every round), "joined" (by an arc each way) or "planted" (in its tree from the start).
    averages : whether values of a vertex and its copies may be merged by their mean, whatever is right.
    copies_by_weights : whether that also works where paths go by weights.
    completed : whether answers are completed on the given graph: then an upper bound holds whatever arcs were added.
    certified : whether a bound on the error of any answer can be computed on the given graph.
    goal : the class that says what rounds of this algorithm are to reach, where a technique may make them instead.
    listens : the classes of advice it takes from techniques.
    """

    fewer_arcs: str | None = None
    heavier: str | None = None
    reweighted: str | None = None
    two_hop: str | None = None
    short_cuts: str | None = None
    across: str | None = None
    merged: str | None = None
    renumbered: str | None = None
    cut_short: str | None = None
    measures: str = "hops"
    combines: str | None = None
    improves: bool = False
    redraws: bool = False
    one_way: bool = False
    copies: str | None = None
    averages: bool = False
    copies_by_weights: bool = True
    completed: bool = False
    certified: bool = False
    goal: type | None = None
    listens: tuple[type, ...] = ()

    def __post_init__(self) -> None:
        for name in CHANGES:
            if getattr(self, name) not in (None, *OUTCOMES):
                raise ValueError(f"{name} must be None or one of {', '.join(OUTCOMES)}, not {getattr(self, name)!r}")
        for name, allowed in (("measures", MEASURES), ("copies", (None, *COPIES)), ("combines", (None, "min", "sum"))):
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} must be one of {', '.join(map(str, allowed))}, not {getattr(self, name)!r}")

    def word(self, outcome: str | None) -> str | None:
        """The guarantee of an answer of which this outcome is known; None where it may not be."""
        if outcome == "any":
            return "certified" if self.certified else "heuristic"
        return None if outcome is None else _WORDS[outcome]


CHANGES = tuple(f.name for f in fields(Traits))[:9]
TRAIT_NAMES = tuple(f.name for f in fields(Traits))


class Effect:
    """What a technique does to the graph or to the rounds; `outcome` says what that means to an algorithm."""

    def outcome(self, traits: Traits) -> str | None:
        """One of OUTCOMES; None where the technique does not apply."""
        raise NotImplementedError


@dataclass(frozen=True)
class Change(Effect):
    """A change that algorithms state the outcome of, by the name of the field of `Traits`."""

    name: str

    def outcome(self, traits: Traits) -> str | None:
        said = getattr(traits, self.name)
        return traits.two_hop if said is None and self.name == "short_cuts" else said


REMOVES_ARCS = Change("fewer_arcs")
RAISES_WEIGHTS = Change("heavier")
CHANGES_WEIGHTS = Change("reweighted")
ADDS_TWO_HOP_ARCS = Change("two_hop")
ADDS_SHORT_CUTS = Change("short_cuts")
ADDS_ARCS_ACROSS = Change("across")
MERGES_VERTICES = Change("merged")
RENUMBERS = Change("renumbered")
STOPS_EARLY = Change("cut_short")


class StopsByValues(Effect):
    """The rounds end early, and when depends on the values: what would be right on average then is not.

    A mean of random draws that ends when it looks settled is biased towards what looks settled early.
    """

    def outcome(self, traits: Traits) -> str | None:
        return "any" if traits.cut_short == "estimated" else traits.cut_short


STOPS_BY_VALUES = StopsByValues()


@dataclass(frozen=True)
class CopiesVertices(Effect):
    """Vertices get copies that hold part of their arcs; `merge` is the rule by which values are merged."""

    merge: Any = "auto"

    def outcome(self, traits: Traits) -> str | None:
        if traits.copies is None:
            return None
        if self.merge == "mean" and traits.averages:
            return "up" if traits.completed else "any"
        if self.merge == "auto" or traits.copies != "followed":
            return "same"
        if traits.combines == "min":
            return "same" if self.merge == "min" else "any"
        return None


@dataclass(frozen=True)
class OtherRounds(Effect):
    """The rounds are the technique's own, for algorithms with a goal of this class."""

    goal: type

    def outcome(self, traits: Traits) -> str | None:
        return "any" if traits.goal is self.goal else None


@dataclass(frozen=True)
class Advises(Effect):
    """Algorithms that listen to advice of this class go by it."""

    advice: type

    def outcome(self, traits: Traits) -> str | None:
        return "any" if self.advice in traits.listens else None


def guarantee_of(effects: Iterable[Effect], traits: Traits) -> str | None:
    """The word for an algorithm with these traits after these effects; None where one of them does not apply."""
    words = [traits.word(effect.outcome(traits)) for effect in effects]
    return None if None in words else combined(word for word in words if word is not None)


def combined(words: Iterable[str]) -> str:
    """The guarantee of several changes together: exact ones change nothing, different ones promise nothing."""
    left = {word for word in words if word != "exact"}
    if not left:
        return "exact"
    if "certified" in left:  # the bound is computed from the answer itself
        return "certified"
    return left.pop() if len(left) == 1 else "heuristic"
