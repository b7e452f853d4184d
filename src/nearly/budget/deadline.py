"""Exact runs with a time limit: they end when the time is over, with what cut rounds are worth, or with a clear error.

Where ending early leaves bounds (bfs, sssp: too high and attained), the rounds go on until the time is over. Where it
leaves nothing, a run that is predicted to take longer is not begun, and one that overtakes its prediction is stopped.
"""

from __future__ import annotations

import math
import time

from nearly.base.errors import TimeBudgetError
from nearly.budget.estimator import SURE
from nearly.budget.question import Question
from nearly.engine.interruptible import OutOfTime
from nearly.engine.result import Result
from nearly.engine.run import Run
from nearly.engine.technique import Technique
from nearly.engine.traits import STOPS_BY_VALUES, Effect, combined


class Deadline(Technique):
    """Ends the rounds of a run at a moment, as `time.perf_counter` counts."""

    until = math.inf

    @property
    def effects(self) -> tuple[Effect, ...]:
        return (STOPS_BY_VALUES,)

    def stop(self, run: Run) -> bool:
        return time.perf_counter() > self.until


def until_deadline(question: Question, run: Run) -> Result:
    """The exact answer, or what there is of it when the time is over."""
    budget, entry = question.budget, question.entry
    if budget.max_seconds is None or question.exact_seconds <= SURE * budget.seconds_left:
        try:
            return question.exact(run)
        except OutOfTime:
            raise _nothing(question, "it took longer than predicted") from None
    limit = Deadline()
    word = limit.guarantee(entry.name)
    if word is None or budget.seconds_left <= 0 or not budget.allows(_level(word)):
        raise _nothing(question, "an answer cut short would be worth nothing")
    limit.until, run.deadline = budget.begin + budget.max_seconds, None  # between rounds, not in the middle of one
    run.techniques = run.applied = (limit,)
    result = question.exact(run)
    if result.guarantee != "exact":
        result.guarantee = combined([result.guarantee, word])
        result.error, result.confidence = math.inf, 1.0
    return result


def _level(word: str) -> str:
    return "certified" if word in ("upper bound", "lower bound", "exact") else word


def _nothing(question: Question, why: str) -> TimeBudgetError:
    return TimeBudgetError(
        f"nothing useful can be had of {question.entry.name} within max_seconds={question.budget.max_seconds:g}: an "
        f"exact run on this graph is predicted to take {question.exact_seconds:.2g} s, and {why}; give it more time"
    )
