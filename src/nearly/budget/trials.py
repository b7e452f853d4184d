"""Trials: techniques on pilots, beside exact runs there: how far off they are, and how many arcs they visit.

The judge of the algorithm says how far off an answer is, or its own bound where it computes one. Exact answers on the
pilots are kept, so that many settings and many techniques share them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from nearly.accuracy.judges import inaccuracy
from nearly.base.arguments import vertex
from nearly.budget.pilots import Pilot, arguments_for, pilots
from nearly.budget.question import Question
from nearly.engine.applied import Applied, note_techniques
from nearly.engine.result import Result
from nearly.engine.run import Run
from nearly.engine.technique import Technique
from nearly.graph.csr import Graph

SAFETY = 2.0  # times the error on a pilot is what is told
_RARE = 3.0  # vertices: what a pilot of n of them shows no sign of may still befall about 3 / n of all
_STEERED = 1.5  # what a visit costs in rounds that a technique steers, of one in a specialised kernel

Setting = tuple[Technique, ...]


@dataclass(frozen=True)
class Trial:
    """What a setting did on the pilots.

    error : the largest error on any of them, with the margin that pilots need.
    work : its visits of arcs as a share of those of an exact run, the dearer ones counted as such.
    """

    error: float
    work: float


class Trials:
    """The pilots of a question, and what was tried on them."""

    def __init__(self, question: Question, run: Run, count: int) -> None:
        self.question, self.run, self.count = question, run, count
        self._told: dict[Setting, Trial] = {}

    @cached_property
    def drawn(self) -> list[tuple[Pilot, Result]]:
        """The pilots, each with its exact answer."""
        question, source = self.question, self.question.arguments.get("source")
        if "source" in question.arguments:
            source = vertex("source", source, question.graph.n)
        drawn = pilots(question.graph, self.count, question.options.seed, source)
        return [(pilot, ran(question, self.run, pilot.graph, arguments_for(question, pilot))) for pilot in drawn]

    @property
    def whole(self) -> bool:
        """Whether the pilot is the graph itself, so that nothing has to be guessed."""
        return self.drawn[0][0].whole

    def of(self, setting: Setting) -> Trial:
        """What a setting does on the pilots."""
        if setting not in self._told:
            told = [self._on(pilot, exact, setting) for pilot, exact in self.drawn]
            self._told[setting] = Trial(max(t.error for t in told), max(t.work for t in told))
        return self._told[setting]

    def _on(self, pilot: Pilot, exact: Result, setting: Setting) -> Trial:
        question, entry = self.question, self.question.entry
        arguments = arguments_for(question, pilot)
        applied = entry.apply(setting, pilot.graph, weights=arguments.get("weights"), seed=question.options.seed)
        result = ran(question, self.run, pilot.graph, arguments, applied)
        error = bound_of(result)
        if error is None:
            error = inaccuracy(exact, result, pilot.graph)
            error = error if pilot.whole else SAFETY * error + _RARE / max(pilot.graph.n, 1)
        work = applied.map.graph.m / max(applied.map.given.m, 1)
        if result.trace.edges and exact.trace.edges:
            work = result.trace.edges / exact.trace.edges
        steered = entry.direct and any(t.in_rounds(applied.task) for t in setting if not t.is_exact)
        return Trial(float(error), work * (_STEERED if steered else 1.0))


def ran(
    question: Question, run: Run, graph: Graph, arguments: dict[str, Any], applied: Applied | None = None
) -> Result:
    """One run of the algorithm on a graph, exact or with techniques, on the threads of `run` and until its deadline."""
    made = question.entry.begin(graph, applied)
    question.options.tell(made)
    made.threads, made.deadline = run.threads, run.deadline
    result: Result = question.entry.body(made, **arguments)
    result.algorithm, result.trace = made.name, made.trace
    if applied is not None:
        note_techniques(result, made, applied)
    return result


def bound_of(result: Result) -> float | None:
    """The error of an answer by what the algorithm computes from it; None where it computes nothing."""
    if result.guarantee == "exact":
        return 0.0
    if result.guarantee == "certified" and "bound" in result.fields:
        return float(result.bound)  # type: ignore[attr-defined]
    if result.guarantee == "certified" and "factors" in result.fields:
        least, most = result.factors  # type: ignore[attr-defined]
        return max(1 - least, most - 1) if math.isfinite(most) else None
    return None
