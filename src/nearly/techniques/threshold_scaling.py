"""Threshold scaling (CD4): be content with less on large graphs, and strict once they have become small.

Louvain's phases end when a round gains at most `high` in modularity, until a whole phase gains no more than that;
from then on, on graphs of communities that are much smaller, at `low`. Thresholds are absolute. None stands for
the algorithm's own `tol`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nearly.algorithms.louvain.advice import Thresholds
from nearly.base.errors import InvalidArgumentError
from nearly.engine.knob import Knob
from nearly.engine.technique import Task, Technique, technique
from nearly.engine.traits import Advises


@technique("threshold-scaling", reference="CD4: Panyala et al., threshold scaling")
class ThresholdScaling(Technique):
    """End early phases at a small gain, and only the last ones at a tiny one."""

    high = Knob(
        1e-2, "the gain that is too little in early phases; None: tol", exact=None, low=0, words=(None,), mild=0
    )
    low = Knob(
        1e-6, "the gain that is too little in the last ones; None: tol", exact=None, low=0, words=(None,), mild=0
    )
    effects = (Advises(Thresholds),)

    def check(self) -> None:
        if self.high is not None and self.low is not None and self.high < self.low:
            raise InvalidArgumentError(f"ThresholdScaling: high must be at least low, not {self.high} below {self.low}")

    def in_rounds(self, task: Task) -> bool:
        return True

    def advice(self) -> Iterable[Any]:
        return [Thresholds(self.high, self.low)]
