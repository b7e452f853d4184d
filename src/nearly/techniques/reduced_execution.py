"""Reduced execution (GP1): stop the outer loop before it has converged.

Three rules, the first that holds ends the run: few vertices change, the values change little, the rounds are
used up. The first looks at the way down only: a search begins with a single vertex, so the share of
changed vertices counts from when it has once been above the limit. It never is on a graph whose frontiers stay
small all the time (a road network), where stopping early would leave half of it unreached.
What is left undone: sssp and bfs keep the upper bounds they have; connected_components and scc leave parts unjoined;
pagerank is certified by its residual; mst is completed, which makes it exact; betweenness has used fewer sources.
"""

from __future__ import annotations

from typing import Any

from nearly.engine.knob import Knob
from nearly.engine.run import Run
from nearly.engine.technique import Technique, technique


@technique(
    "reduced-execution",
    seeds="GP1",
    guarantees={
        "bfs": "upper bound",
        "sssp": "upper bound",
        "connected_components": "upper bound",
        "scc": "upper bound",
        "mst": "exact",
        "pagerank": "certified",
        "betweenness": "estimated",
        "label_propagation": "heuristic",
    },
)
class ReducedExecution(Technique):
    """Stop the outer loop early: when few vertices change, when values change little, or after so many rounds."""

    only_stops = True

    changed = Knob(
        0.01, "stop once a round changes at most this share of the vertices", exact=0.0, low=0, high=1, below=True
    )
    residual = Knob(0.01, "stop once a round changes the values by at most this share of their sum", exact=0.0, low=0)
    rounds = Knob(None, "rounds to run at most (betweenness: sources)", exact=None, low=1, whole=True, words=(None,))

    def knobs(self, round: int) -> dict[str, Any]:
        left = {} if self.rounds is None else {"rounds_left": self.rounds - round}
        return {"residual": self.residual, **left}

    def stop(self, run: Run) -> bool:
        last, few = run.trace[-1].extra, self.changed * run.graph.n
        if last.get("change", float("inf")) <= self.residual:
            return True
        if last.get("changed", few + 1) > few:
            return False
        return any(before.extra.get("changed", 0) > few for before in run.trace)
