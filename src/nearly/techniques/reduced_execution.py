"""Reduced execution (GP1): stop the outer loop before it has converged.

Three rules, the first that holds ends the run: few vertices change, the values change little, the rounds are
used up. The first looks at the way down only: a search begins with a single vertex, so the share of
changed vertices counts from when it has once been above the limit. It never is on a graph whose frontiers stay
small all the time (a road network), where stopping early would leave half of it unreached.
What is left undone: sssp and bfs keep the upper bounds they have; connected_components and scc leave parts unjoined;
pagerank is certified by its residual; mst is completed, which makes it exact; betweenness has used fewer sources: a
fair sample of them where their number alone ends the run, but not where a change that looks small does.
"""

from __future__ import annotations

import math

from nearly.engine.knob import Knob
from nearly.engine.run import Run
from nearly.engine.technique import Technique, technique
from nearly.engine.traits import STOPS_BY_VALUES, STOPS_EARLY, Effect


@technique("reduced-execution", reference="GP1: Graprox, reduced execution")
class ReducedExecution(Technique):
    """Stop the outer loop early: when few vertices change, when values change little, or after so many rounds."""

    changed = Knob(
        0.01, "stop once a round changes at most this share of the vertices", exact=0.0, low=0, high=1, below=True
    )
    residual = Knob(0.01, "stop once a round changes the values by at most this share of their sum", exact=0.0, low=0)
    rounds = Knob(
        None, "rounds to run at most (betweenness: sources)", exact=None, low=1, whole=True, words=(None,),
        mild=math.inf,
    )  # fmt: skip

    @property
    def effects(self) -> tuple[Effect, ...]:
        return (STOPS_BY_VALUES,) if self.residual > 0 or self.changed > 0 else (STOPS_EARLY,)

    @property
    def most_rounds(self) -> int | None:
        return self.rounds

    @property
    def watches_change(self) -> bool:
        return self.residual > 0

    def stop(self, run: Run) -> bool:
        last, few = run.trace[-1].extra, self.changed * run.graph.n
        if last.get("change", float("inf")) <= self.residual:
            return True
        if last.get("changed", few + 1) > few:
            return False
        return any(before.extra.get("changed", 0) > few for before in run.trace)
