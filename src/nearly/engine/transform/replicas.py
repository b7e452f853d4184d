"""Copies: vertices of a transformed graph that hold some of the out-arcs of another one (replicas, split nodes).

A copy has no in-arcs: what arrives, arrives at the vertex it copies. Its value must follow that vertex's, or the arcs
it holds would lead nowhere. `Copies` says which vertices are copies, of which, and how values are merged:

- `at_once`: what lowers a vertex lowers its copies at the same time, and they join the next frontier with it;
- else by a pass after every round, after each `every` rounds, or (`every` 0) whenever rounds have come to their end.

`merge` is "auto" (what is right for the algorithm: the minimum in a search), or a rule for the values of a vertex
and its copies as they are before the pass: "mean", "min", "max", "sum", or a function of a 1-D array that returns a
number. How that is done is in `confluence`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from nearly.base.errors import InvalidArgumentError

RULES = ("auto", "mean", "min", "max", "sum")


class Groups(NamedTuple):
    """The vertices that have copies, and these."""

    heads: np.ndarray  # the vertices, ascending
    first: np.ndarray  # uint64[n + 1]: where each vertex's copies start in `slot`
    slot: np.ndarray  # the copies


@dataclass(frozen=True)
class Copies:
    """Which vertices of a graph of `n` are copies, and of which; sorted by the latter."""

    n: int
    slot: np.ndarray  # the copies
    of: np.ndarray  # the vertex each of them copies
    merge: str | Callable[[np.ndarray], float] = "auto"
    every: int = 1
    at_once: bool = True

    @classmethod
    def made(cls, n: int, slot: np.ndarray, of: np.ndarray, **how: Any) -> Copies:
        """Copies in any order."""
        order = np.lexsort((slot, of))
        return cls(n, slot[order], of[order], **how)

    @cached_property
    def first(self) -> np.ndarray:
        """uint64[n + 1]: where each vertex's copies start in `slot`."""
        first = np.zeros(self.n + 1, np.uint64)
        np.cumsum(np.bincount(self.of, minlength=self.n), out=first[1:])
        return first

    @cached_property
    def heads(self) -> np.ndarray:
        """The vertices that have copies, ascending."""
        return np.unique(self.of)

    @property
    def groups(self) -> Groups:
        """What kernels need to know."""
        return Groups(self.heads, self.first, self.slot)

    @cached_property
    def originals(self) -> np.ndarray:
        """For every vertex the one it is a copy of, or itself."""
        originals = np.arange(self.n, dtype=self.of.dtype)
        originals[self.slot] = self.of
        return originals

    def group(self, v: int) -> np.ndarray:
        """A vertex and its copies."""
        own = self.slot[int(self.first[v]) : int(self.first[v + 1])]
        return np.concatenate([np.array([v], own.dtype), own])

    def with_copies(self, vertices: np.ndarray) -> np.ndarray:
        """These vertices and all their copies."""
        wanted = np.zeros(self.n, np.bool_)
        wanted[vertices] = True
        return np.concatenate([vertices, self.slot[wanted[self.of]].astype(vertices.dtype)])

    def summed(self, values: np.ndarray) -> np.ndarray:
        """What vertices have together with their copies; all of a group get that."""
        total = values.copy()
        np.add.at(total, self.of, values[self.slot])
        total[self.slot] = total[self.of]
        return total

    def then(self, step: Copies | None, place: np.ndarray | None, n: int) -> Copies:
        """These copies once a later transform has renumbered vertices and may have made copies of its own."""
        now = replace(self, n=n)
        if place is not None:
            if np.bincount(place, minlength=n)[place[self.slot]].max(initial=0) > 1:
                raise InvalidArgumentError("vertices that have copies cannot be merged; put MergeSimilar first")
            now = Copies.made(n, place[self.slot], place[self.of], **now.how)
        if step is None:
            return now
        if step.how != now.how:
            raise InvalidArgumentError("two techniques that make copies must merge them by one rule; change a knob")
        slot, of = np.concatenate([now.slot, step.slot]), np.concatenate([now.of, now.originals[step.of]])  # of copies
        return Copies.made(n, slot, of, **now.how)

    @property
    def how(self) -> dict[str, Any]:
        """How values are merged."""
        return {"merge": self.merge, "every": self.every, "at_once": self.at_once}
