"""Early termination (CD2): vertices that have settled are not looked at again in this phase.

A vertex of Louvain's that has not moved for `k` rounds is out until the phase ends, with `probability`, drawn again
each round. Communities still form around it, and in the next phase all vertices begin anew. Our exact Louvain looks
only at vertices that a neighbour has given reason to, so that less is left to save than where all are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nearly.algorithms.louvain.advice import Patience
from nearly.engine.knob import Knob
from nearly.engine.technique import Task, Technique, technique
from nearly.engine.traits import Advises


@technique("early-termination", reference="CD2: Panyala et al., early termination")
class EarlyTermination(Technique):
    """Leave out vertices that have not moved for some rounds, until the phase ends."""

    k = Knob(2, "rounds without a move after which a vertex may be left out", low=1, high=200, whole=True)
    probability = Knob(1.0, "the chance, each round, that it then is", exact=0.0, low=0, high=1)
    effects = (Advises(Patience),)

    def in_rounds(self, task: Task) -> bool:
        return True

    def advice(self) -> Iterable[Any]:
        return [Patience(self.k, self.probability)]
