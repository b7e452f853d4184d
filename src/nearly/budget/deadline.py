"""Exact runs with a time limit: they end when the time is over, with what cut rounds are worth, or with a clear error.

Where ending early leaves bounds (bfs, sssp: too high and attained), the rounds go on until the time is over. Where it
leaves nothing, a run that is predicted to take longer is not begun, and one that overtakes its prediction is stopped.
All this is up to what runs: a kernel polls, a round ends, a batch is cut to the time left. Whatever does none of it, an
algorithm of a user or a step that takes longer than it should, is waited for no longer than `SLACK` (`in_time`):
the call ends then, and what it has left behind ends by itself, as after Ctrl-C. Compiling does not count there.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from nearly.base.aside import Overdue, aside
from nearly.base.compiling import compiling
from nearly.base.errors import TimeBudgetError
from nearly.base.jit import compile_seconds
from nearly.budget.estimator import SURE
from nearly.budget.question import Question
from nearly.engine.interruptible import OutOfTime
from nearly.engine.result import Result
from nearly.engine.run import Run
from nearly.engine.technique import Technique
from nearly.engine.traits import STOPS_BY_VALUES, Effect, combined

SLACK = 0.25  # of the time, for work to come to its end when the time is over
_LEAST, _MOST = 0.05, 1.0  # seconds of it


def in_time(question: Question, work: Callable[[], Result]) -> Result:
    """What the work returns, or an error soon after the time of the question is over; see the top of the file."""
    budget, compiled = question.budget, compile_seconds()
    if budget.max_seconds is None:
        return work()
    slack = min(max(SLACK * budget.max_seconds, _LEAST), _MOST)

    def left() -> float:
        return budget.seconds_left + slack + compile_seconds() - compiled + compiling.going

    try:
        return aside(work, compiling.look, left)
    except (Overdue, OutOfTime):
        compiled = compile_seconds() - compiled
        first = f" (compiling, which happens once, took {compiled:.2g} s)" if compiled > SLACK * _LEAST else ""
        raise _nothing(question, f"it took longer{first}") from None


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
        return question.exact(run)
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
    told, least = question.told_seconds, question.budget.max_seconds or 0.0
    takes = f"more than {least:.2g} s" if told is None else f"{told:.2g} s"
    return TimeBudgetError(
        f"nothing useful can be had of {question.entry.name} within max_seconds={question.budget.max_seconds:g}: an "
        f"exact run on this graph is predicted to take {takes}, and {why}; give it more time"
    )
