"""Confluence (GX1 d, LB3): a pass after a round gives copies of a vertex its value.

Rounds with a pass between them, over all vertices that have copies: the values of each and its copies are merged by a
rule, all of them get the result, and those it changed join the next frontier. When a frontier is empty a last pass
decides whether that is the end; by the minimum, it then is the fixed point, however seldom copies were merged
before. Other rules raise values as well as lower them and could go on for ever: after `MOST` passes the minimum takes
over. (`sharing` does without passes.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.engine.operators.advance import Advance
from nearly.engine.run import Did
from nearly.engine.transform.replicas import Copies

MOST = 1000  # passes by a rule that is not monotone
MEAN, MIN, MAX, SUM = range(4)
RULES = {"auto": MIN, "mean": MEAN, "min": MIN, "max": MAX, "sum": SUM}


class Confluence:
    """Rounds of `advance` and passes over the copies of its graph; `now` and `before` as in `Advance.one_round`.

    `nowhere` is the value of a vertex not reached yet, which does not count.
    """

    def __init__(self, copies: Copies, advance: Advance, now: np.ndarray, before: np.ndarray, nowhere: Any) -> None:
        self.copies, self.advance, self.now, self.before, self.nowhere = copies, advance, now, before, nowhere
        self.rounds, self.passes = 0, 0

    def step(self) -> Sequence[Did] | None:
        """One round, and a pass if one is due; None when neither changes anything."""
        if self.advance.size == 0 and not self._merge():
            return None
        did = self.advance.one_round(self.now, self.before)
        self.rounds += 1
        if self.copies.every and self.rounds % self.copies.every == 0:
            self._merge()
        return [did._replace(changed=self.advance.size)]

    def _merge(self) -> bool:
        """One pass; whether anything is left to do."""
        copies, advance = self.copies, self.advance
        arrays = (copies.heads, copies.first, copies.slot)
        merged = np.empty(copies.heads.size)
        rule = copies.merge if self.passes < MOST else "min"
        self.passes += 1
        if isinstance(rule, str):
            merge_groups(*arrays, self.now, self.nowhere, RULES[rule], merged)
        else:
            self._by_function(rule, merged)
        np.clip(merged, 0, largest(self.nowhere), out=merged)  # sums may have outgrown the type
        merged = np.floor(merged) if self.now.dtype.kind == "u" else merged.astype(self.now.dtype).astype(np.float64)
        tail = (advance.here, np.uint64(advance.size), advance.stamp, np.uint32(advance.now))
        size = hand_on(*arrays, merged, self.now, *tail)
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


def largest(nowhere: Any) -> float:
    """The largest value of a vertex that was reached."""
    return float(nowhere) - 1 if np.isfinite(nowhere) else float(np.finfo(nowhere.dtype).max)


@kernel
def merge_groups(heads, first, slot, values, nowhere, rule, merged):
    """The values of every vertex with copies, and of these, as one; not a number where none was reached."""
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
def hand_on(heads, first, slot, merged, values, here, size, stamp, now):
    """Give every group its merged value; whoever that changes goes to `here`, whose size is returned."""
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
