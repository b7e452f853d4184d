"""Estimators: ways to answer a question within a budget, one module of `estimators` for each algorithm that has any.

An estimator is made for a question. `refuses` says why it cannot answer it (an argument it does not know), `predict`
what an answer would cost, if need be after a pilot that takes at most `PILOT` of exact's predicted time, and `answer`
gives the answer, or None where it has become clear that exact is faster. What `answer` decides depends on the graph,
the seed and counts of work, never on the clock, unless the budget has a time limit: same seed, same answer.

The result of `answer` has `.error`, `.error_kind`, `.error_scope`, `.confidence` and `.interval` set, and its guarantee
is the estimator's level.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from nearly.base.registry import Registry
from nearly.budget.question import Question
from nearly.engine.result import Result
from nearly.engine.run import Run

PILOT = 0.02  # of exact's predicted time, the most that a pilot may take
SURE = 0.7  # of the time left: what a run may be predicted to take, to be begun against the clock
PAYS = 1.5  # an estimator is chosen only if so many times its predicted time is below exact's


@dataclass(frozen=True)
class Prediction:
    """What an answer is predicted to cost.

    seconds : the time; infinite where the error cannot be reached.
    error : the error it will have.
    why : what the prediction rests on, a few words for the plan.
    """

    seconds: float
    error: float
    why: str = ""


class Estimator:
    """One way to answer a question; see the top of the file."""

    name: str = ""  # as the plan calls it
    algorithm: ClassVar[str] = ""
    level: str = "statistical"  # of its answers' guarantee
    kind: ClassVar[str] = "absolute"  # of their error
    scope: ClassVar[str] = "all"
    is_exact_run: ClassVar[bool] = False  # whether it is the exact run itself, which has an answer whenever it is ended
    gave_up: str = ""  # why `answer` gave None, where it is not that exact is faster

    def __init__(self, question: Question) -> None:
        self.question, self.budget, self.arguments = question, question.budget, question.arguments

    def refuses(self) -> str | None:
        """Why it cannot answer this question; None where it can. Raises where the budget makes no sense for it."""
        return None

    def predict(self, run: Run) -> Prediction:
        """What an answer would cost."""
        raise NotImplementedError

    def answer(self, run: Run) -> Result | None:
        """The answer; None where exact is faster after all."""
        raise NotImplementedError


ESTIMATORS: Registry[type[Estimator]] = Registry("estimator", "nearly.budget.estimators")
_BY_ALGORITHM: dict[str, dict[str, type[Estimator]]] = {}


def estimator(algorithm: str, name: str) -> Callable[[type[Estimator]], type[Estimator]]:
    """Register an estimator for an algorithm, under the name it has in plans."""

    def register(cls: type[Estimator]) -> type[Estimator]:
        cls.algorithm, cls.name = algorithm, name
        ESTIMATORS.add(f"{algorithm}/{name}", cls, cls.__module__)
        _BY_ALGORITHM.setdefault(algorithm, {})[name] = cls
        return cls

    return register


def estimators_of(algorithm: str) -> list[type[Estimator]]:
    """Those of an algorithm, by name."""
    ESTIMATORS.load()
    found = _BY_ALGORITHM.get(algorithm)
    return [found[name] for name in sorted(found)] if found else []
