"""Vertex ordering by an incomplete colouring (CD3): neighbours decide in turn, as far as a few colours go.

In Louvain's first phase the vertices of one colour have a turn together, and all that got none have another one. The
colouring is Jones and Plassmann's: one colour a round, for the local maxima of a random number, or, with `hashes`,
two colours for each of so many random numbers, maxima and minima, in one round, which costs fewer passes over the
arcs. A complete colouring is not an approximation: `louvain(order="color")`.
"""

from __future__ import annotations

from typing import Any

from nearly.engine.knob import Knob
from nearly.engine.technique import Task, Technique, technique


@technique("incomplete-coloring", seeds="CD3", guarantees={"louvain": "heuristic"})
class IncompleteColoring(Technique):
    """Let vertices decide colour by colour, with a few colours and one more turn for the rest."""

    colors = Knob(8, "how many colours; None orders nothing", exact=None, low=1, high=1024, whole=True, words=(None,))
    hashes = Knob(
        0, "random numbers a round, each gives two colours; 0: one colour a round", low=0, high=64, whole=True
    )

    def in_rounds(self, task: Task) -> bool:
        return True

    def knobs(self, round: int) -> dict[str, Any]:
        return {"colors": self.colors, "hashes": self.hashes}
