"""Confluence (GX1 d, LB3): a pass after a round gives copies of a vertex its value.

Rounds with a pass between them, over all vertices that have copies: the values of each and its copies are merged by a
rule, all of them get the result, and those it changed join the next frontier. When a frontier is empty a last pass
decides whether that is the end; by the minimum, it then is the fixed point, however seldom copies were merged
before. Other rules raise values as well as lower them and could go on for ever: after `MOST` passes the minimum takes
over. (`sharing` does without passes.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.engine.operators.advance import Advance
from nearly.engine.trace import Did
from nearly.engine.transform.clusters import Iterated
from nearly.engine.transform.replicas import Copies

if TYPE_CHECKING:
    from nearly.engine.run import Run

MOST = 1000  # passes by a rule that is not monotone
MEAN, MIN, MAX, SUM = range(4)
RULES = {"auto": MIN, "mean": MEAN, "min": MIN, "max": MAX, "sum": SUM}


def advance_with_copies(run: Run, visit: Callable[..., bool], state: Any, start: Any, wants: Any) -> bool:
    """`advance` on a graph with copies of vertices, or with clusters; whether the fixed point was reached.

    Copies get their values as they ask to; clusters are iterated where every round visits all vertices.
    """
    copies = run.map.copies
    shared = copies if copies is not None and copies.at_once else None
    rounds = Advance(run, run.graph, visit, state, wants=wants, partly=True, copies=shared).start(start)
    if copies is None and rounds.policy == "topology":
        clusters = Iterated(run, visit, state)
        return run.enact(lambda: clusters.after(rounds.step()))
    if copies is None or shared is not None:
        return run.enact(rounds.step)
    return run.enact(Confluence(copies, rounds).step)


class Confluence:
    """Rounds of an `Advance` and passes over the copies of its graph."""

    def __init__(self, copies: Copies, advance: Advance, most: int = MOST) -> None:
        self.copies, self.advance, self.most = copies, advance, most
        self.now, self.before = advance.values, advance.before
        self.nowhere = not_reached(self.now.dtype)
        self.rounds, self.passes = 0, 0

    def step(self) -> Sequence[Did] | None:
        """One round, and a pass if one is due; None when neither changes anything."""
        if self.advance.size == 0 and not self._merge():
            return None
        did = self.advance.one_round()
        self.rounds += 1
        if self.copies.every and self.rounds % self.copies.every == 0:
            self._merge()
        return [did._replace(changed=self.advance.size)]

    def _merge(self) -> bool:
        """One pass; whether anything is left to do."""
        copies, advance = self.copies, self.advance
        merged = np.empty(copies.heads.size)
        rule = copies.merge if self.passes < self.most else "min"
        self.passes += 1
        if isinstance(rule, str):
            merge_groups(copies.groups, self.now, self.nowhere, RULES[rule], merged)
        else:
            self._by_function(rule, merged)
        np.clip(merged, 0, largest(self.nowhere), out=merged)  # sums may have outgrown the type
        merged = np.floor(merged) if self.now.dtype.kind == "u" else merged.astype(self.now.dtype).astype(np.float64)
        tail = (advance.here, np.uint64(advance.size), advance.stamp, np.uint32(advance.now))
        size = hand_on(copies.groups, merged, self.now, *tail)
        for members in (copies.heads, copies.slot):  # also of those that were in the frontier before the pass
            self.before[members] = self.now[members]
        advance.size = int(size)
        return advance.size > 0

    def _by_function(self, rule: Callable[[np.ndarray], float], merged: np.ndarray) -> None:
        for i, head in enumerate(self.copies.heads):
            values = self.now[self.copies.group(int(head))]
            values = values[values != self.nowhere]
            merged[i] = rule(values) if values.size else np.nan
            if values.size and not merged[i] >= 0:
                raise InvalidArgumentError(f"confluence gave {merged[i]} for {values}; it must give numbers from 0 on")


def not_reached(dtype: np.dtype) -> Any:
    """The value of a vertex not reached yet, which does not count: the largest whole number, or infinity."""
    return dtype.type(np.iinfo(dtype).max if dtype.kind == "u" else np.inf)


def largest(nowhere: Any) -> float:
    """The largest value of a vertex that was reached."""
    return float(nowhere) - 1 if np.isfinite(nowhere) else float(np.finfo(nowhere.dtype).max)


@kernel
def merge_groups(groups, values, nowhere, rule, merged):
    """The values of every vertex with copies, and of these, as one; not a number where none was reached."""
    heads, first, slot = groups
    for i in range(np.uint64(heads.size)):
        merged[i] = merge_group(np.uint64(heads[i]), first, slot, values, nowhere, rule)


@kernel(_nrt=False)
def merge_group(h, first, slot, values, nowhere, rule):
    """The values of h and its copies as one; not a number where none was reached."""
    total, least, most, count = 0.0, np.inf, 0.0, U0
    for j in range(first[h], first[h + U1] + U1):
        value = values[slot[j]] if j < first[h + U1] else values[h]
        if value != nowhere:
            number = np.float64(value)
            total, least, most, count = total + number, min(least, number), max(most, number), count + U1
    if count == U0:
        return np.nan
    if rule == MEAN:
        return total / np.float64(count)
    if rule == MIN:
        return least
    return most if rule == MAX else total


@kernel
def hand_on(groups, merged, values, here, size, stamp, now):
    """Give every group its merged value; a vertex that changes by it goes to `here`, whose size is returned."""
    heads, first, slot = groups
    for i in range(np.uint64(heads.size)):
        h = np.uint64(heads[i])
        if not np.isnan(merged[i]):
            for j in range(first[h], first[h + U1] + U1):
                v = np.uint64(slot[j]) if j < first[h + U1] else h
                if np.float64(values[v]) != merged[i]:
                    values[v] = merged[i]
                    if stamp[v] != now:
                        stamp[v] = now
                        here[size] = v
                        size += U1
    return size
