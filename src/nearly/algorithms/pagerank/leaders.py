"""The first k of PageRank: rounds end as soon as it is certain which vertices they are, and in which order.

Ranks x with ||x - x*||_1 <= b put two vertices in the right order if their ranks differ by more than b, because the
errors of both together are at most b. So the set is certain when the k-th rank exceeds the next one by more than b, and
the order when every two neighbours among the first k + 1 are that far apart. Between checks the bound falls by STEP;
ranks that are equal are never told apart, and rounds end at the tolerance.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nearly.accuracy.ranks import leading
from nearly.algorithms.pagerank.problem import RankGoal
from nearly.engine.run import Run

FIRST, STEP = 1e-3, 64.0  # the first tolerance, and by how much the next one is smaller: each costs a combination


class Leaders(NamedTuple):
    """The first k, greatest first, and what is certain of them."""

    vertices: np.ndarray
    set_certain: bool
    order_certain: bool


def leaders(values: np.ndarray, k: int, bound: float) -> Leaders:
    """The k vertices of greatest value, where the sum of all errors is at most `bound`."""
    k = min(k, values.size)
    if not k:
        return Leaders(np.empty(0, np.int64), True, True)
    first = leading(values, min(k + 1, values.size))
    first = first[np.argsort(-values[first], kind="stable")]
    gaps = values[first[:-1]] - values[first[1:]]
    apart = gaps > bound
    return Leaders(first[:k], k == values.size or bool(apart[k - 1]), bool(apart.all()))


def until_settled(run: Run, rounds: Any, goal: RankGoal, k: int, most: float | None) -> bool:
    """Rounds until set and order are certain and the error is at most `most`; whether they converged to the goal."""
    damping, tol = goal.problem.damping, FIRST
    if most is not None:
        tol = min(tol, most * (1 - damping))
    while tol > goal.tol:
        rounds.aim(tol)
        if not run.enact(rounds.step):
            return False
        found = leaders(goal.problem.normalise(rounds.values()), k, tol / (1 - damping))
        if found.set_certain and found.order_certain:
            return False
        tol /= STEP
    rounds.aim(goal.tol)
    return run.enact(rounds.step)
