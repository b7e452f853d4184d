"""A budget: how far off an answer may be and how long it may take. The planner that spends it is in `nearly.budget`.

`max_error` is about what the algorithm's page says (a sum of differences, all scores at once, one total), `confidence`
is the probability with which a bound that rests on random draws must hold, and `max_seconds` counts from the call. An
answer within a budget may be exact, certified or statistical; weaker ones have to be allowed.
The engine stands below the planner and does not import it: `planner` finds it by its name when a budget is given.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from nearly.base.arguments import choice, number

CONFIDENCE = 0.99
LEVELS = ("certified", "statistical", "estimated", "heuristic")  # what may be allowed, the strongest first
ALLOWED = "statistical"  # the weakest level that need not be asked for
_PLANNER = "nearly.budget"


@dataclass(frozen=True)
class Budget:
    """What an answer may cost.

    max_error : how far off it may be; None for as little as the time allows (exact without `max_seconds`).
    max_seconds : how long it may take; None for as long as it takes.
    confidence : with which probability a statistical bound must hold.
    allow : the weakest level of guarantee that will do, one of LEVELS.
    begin : when the call began, as `time.perf_counter` counts.
    """

    max_error: float | None = None
    max_seconds: float | None = None
    confidence: float = CONFIDENCE
    allow: str = ALLOWED
    begin: float = 0.0

    @property
    def deadline(self) -> float | None:
        """When the time is over, as `time.perf_counter` counts; None for never."""
        return None if self.max_seconds is None else self.begin + self.max_seconds

    @property
    def seconds_left(self) -> float:
        """The seconds until then."""
        return math.inf if self.max_seconds is None else self.begin + self.max_seconds - time.perf_counter()

    def allows(self, level: str) -> bool:
        """Whether an answer of this level will do."""
        return level == "exact" or LEVELS.index(level) <= LEVELS.index(self.allow)


def checked_budget(max_error: Any, max_seconds: Any, confidence: Any, allow: Any) -> Budget | None:
    """The budget a caller gave, None for none; or an error that says what makes sense."""
    if confidence is not CONFIDENCE:
        number("confidence", confidence, 0, 1, above=True, below=True)
    if allow is not ALLOWED:
        choice("allow", allow, LEVELS)
    if max_error is None and max_seconds is None:
        return None
    if max_error is not None:
        max_error = number("max_error", max_error, 0, above=True)
    if max_seconds is not None:
        max_seconds = number("max_seconds", max_seconds, 0, above=True)
    return Budget(max_error, max_seconds, float(confidence), allow, time.perf_counter())


@cache
def planner() -> Any:
    """The module that answers within budgets."""
    return import_module(_PLANNER)
