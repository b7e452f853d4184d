"""All that an author of an algorithm or of a technique imports; `examples/` has one of each.

What stands here is public: names, arguments and meanings stay as they are from one minor version to the next, and a
change is announced in the changelog. Kernels, and modules that are not exported here or by `nearly`, may change at any
time.

For an algorithm: `algorithm` (the decorator), `Run` (what the body gets), `Result` and `field` (what it returns),
`Certificate`, `Judge` (how its error is measured), the policies, and what functors call inside kernels: `atomic_min`,
`atomic_max`, `fetch_add`, `fetch_or`, `exchange`, `compare_exchange`.

For a technique: `technique`, `Technique`, `Knob`, `Task`, `Visits`, the effects (`REMOVES_ARCS`, ...), `GraphMap` with
`NO_ARC` (the way from another graph back to the given one), and `graph_of_arcs`, which makes that graph.

For both: `operators` (the same operators as functions of a graph), `Advance` and `Did` for rounds of one's own.
"""

from __future__ import annotations

from nearly.accuracy.judges import Judge
from nearly.base.atomics import atomic_max, atomic_min, compare_exchange, exchange, fetch_add, fetch_or
from nearly.engine import operators
from nearly.engine.algorithm import ONE_POLICY, POLICIES, algorithm
from nearly.engine.knob import Knob
from nearly.engine.operators.advance import Advance
from nearly.engine.operators.reduce import add, least, most
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.engine.technique import Task, Technique, Visits, technique
from nearly.engine.trace import Did
from nearly.engine.traits import (
    ADDS_ARCS_ACROSS,
    ADDS_SHORT_CUTS,
    ADDS_TWO_HOP_ARCS,
    CHANGES_WEIGHTS,
    MERGES_VERTICES,
    RAISES_WEIGHTS,
    REMOVES_ARCS,
    RENUMBERS,
    STOPS_BY_VALUES,
    STOPS_EARLY,
    Advises,
    CopiesVertices,
    Effect,
    OtherRounds,
    Traits,
)
from nearly.engine.transform.graph_map import NO_ARC, GraphMap, graph_of_arcs

__all__ = [
    "ADDS_ARCS_ACROSS",
    "ADDS_SHORT_CUTS",
    "ADDS_TWO_HOP_ARCS",
    "CHANGES_WEIGHTS",
    "MERGES_VERTICES",
    "NO_ARC",
    "ONE_POLICY",
    "POLICIES",
    "RAISES_WEIGHTS",
    "REMOVES_ARCS",
    "RENUMBERS",
    "STOPS_BY_VALUES",
    "STOPS_EARLY",
    "Advance",
    "Advises",
    "Certificate",
    "CopiesVertices",
    "Did",
    "Effect",
    "GraphMap",
    "Judge",
    "Knob",
    "OtherRounds",
    "Result",
    "Run",
    "Task",
    "Technique",
    "Traits",
    "Visits",
    "add",
    "algorithm",
    "atomic_max",
    "atomic_min",
    "compare_exchange",
    "exchange",
    "fetch_add",
    "fetch_or",
    "field",
    "graph_of_arcs",
    "least",
    "most",
    "operators",
    "technique",
]
