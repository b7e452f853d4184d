"""Pilots: small graphs drawn from a given one, on which the error of a technique is measured before it is used.

A pilot is the graph among the vertices that a breadth-first search finds first, so that paths, degrees and clustering
inside are those of the given graph, but for the rim. The first pilot is grown around the source where the algorithm has
one, else around the end of a random arc, which is in the densest part more often than not; the second from many random
vertices at once, and the third from one. These take only a few neighbours of a hub, so that vertices of low degree
are among them as in the given graph. Where a search ends early it goes on at another random vertex. Everything depends
on the seed alone. A small graph is its own pilot.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from nearly.budget.pilot_kernels import OUTSIDE, arcs_inside, grow_ball
from nearly.budget.question import Question
from nearly.graph.csr import NO_WEIGHTS, OFFSET, Arrays, Graph

SHARE = 0.01  # of the arcs
SMALL_SHARE = 0.004  # where many techniques are weighed, each with some seven runs
LEAST = 32768  # arcs
_MANY = 32  # vertices from which the second pilot is grown
_FAN = 8  # neighbours of a hub that all but the first take


class Pilot(NamedTuple):
    """A small graph, the vertices of the given one that it has, ascending, and the one it was grown from."""

    graph: Graph
    vertices: np.ndarray
    centre: int  # by its number in the pilot
    whole: bool  # whether it is the given graph itself


def pilot_arcs(graph: Graph, share: float = SHARE) -> int:
    """About how many arcs a pilot has."""
    return graph.m if graph.m <= 2 * LEAST else max(LEAST, int(share * graph.m))


def pilots(graph: Graph, count: int, seed: int, source: int | None) -> list[Pilot]:
    """So many pilots, the first around the source; only one where it is the graph itself. One alone is smaller."""
    if not graph.n or pilot_arcs(graph) == graph.m:
        return [Pilot(graph, np.arange(graph.n), source or 0, True)]
    arcs = pilot_arcs(graph, SMALL_SHARE if count == 1 else SHARE)
    return [_grown(graph, arcs, seed, i, source) for i in range(count)]


def _grown(graph: Graph, arcs: int, seed: int, i: int, source: int | None) -> Pilot:
    offsets, targets, weights = graph.arrays
    random = np.random.default_rng([seed, i])
    size = min(max(arcs * graph.n // graph.m, 2), graph.n)
    starts = random.integers(0, graph.n, size).astype(targets.dtype)
    if i == 0:
        end = np.searchsorted(offsets, random.integers(0, graph.m, dtype=np.uint64), side="right") - 1
        starts[0] = end if source is None else source
    order, place = np.empty(size, targets.dtype), np.full(graph.n, OUTSIDE)
    many, fan = np.uint64(_MANY if i % 3 == 1 else 1), np.uint64(graph.m if i % 3 == 0 else _FAN)
    found = int(grow_ball(offsets, targets, starts, many, fan, order, place))
    first = int(starts[0])
    vertices = np.sort(order[:found])
    place[vertices] = np.arange(found, dtype=place.dtype)
    most = int((offsets[vertices + 1] - offsets[vertices]).sum())
    rows, ends, picked = np.empty(found + 1, OFFSET), np.empty(most, targets.dtype), np.empty(most, np.uint64)
    count = int(arcs_inside(offsets, targets, vertices, place, rows, ends, picked))
    kept = weights[picked[:count].astype(np.int64)] if weights.size else NO_WEIGHTS
    made = Graph._trusted(Arrays(rows, ends[:count].copy(), kept), graph.directed)
    return Pilot(made, vertices, int(place[first]), False)


def arguments_for(question: Question, pilot: Pilot) -> dict[str, Any]:
    """The question's arguments on a pilot: vertices by their numbers there, numbers of vertices for those it has."""
    if pilot.whole:
        return dict(question.arguments)
    made = {name: _mapped(name, value, question.graph.n, pilot) for name, value in question.arguments.items()}
    if "source" in made:
        made["source"] = pilot.centre
    return made


def _mapped(name: str, value: Any, n: int, pilot: Pilot) -> Any:
    if name == "vertices":
        return None
    if name == "sources" and value is not None:  # as many, drawn among those there are
        return min(value if isinstance(value, int) else len(np.atleast_1d(value)), pilot.graph.n)
    if isinstance(value, Mapping):
        inside = {int(v): i for i, v in enumerate(pilot.vertices)}
        kept = {inside[v]: x for v, x in value.items() if v in inside}
        return kept if any(kept.values()) else {pilot.centre: 1.0}
    if isinstance(value, (list, tuple, np.ndarray)) and len(value) == n:
        kept_values = np.asarray(value)[pilot.vertices]
        return kept_values if kept_values.any() else None
    return value
