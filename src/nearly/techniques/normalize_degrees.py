"""Degrees made alike within warps (GX3, of Graffix): vertices in order of degree, and arcs added to the lacking ones.

A warp is `warp` vertices that a GPU works on in lockstep, so the largest degree among them sets the pace. Vertices are
renumbered by buckets of degrees between two powers of two, largest first, by number within a bucket; each run
of `warp` numbers is a warp. A vertex lacks degreeSim = 1 - degree / (largest degree of its warp). Where it lacks
something, but less than `similarity`, it gets arcs to 2-hop neighbours until it has ceil(fill * largest) or no
candidates are left. Those that lack more stay as they are: to fill them would take too many arcs.

`similarity="auto"` goes by bucket, as section 5.4 of the paper advises: 0.4, but 0.3, where its curve peaks, in a
bucket whose mean degree is low or nearer to the bucket's largest degree than to its least; and less, as far as need be,
where the bucket's arcs would grow by more than 2%. The report says what was chosen.
`similarity=0` only renumbers, which changes no answer.

In an undirected graph an edge added at one end adds to the degree of the other too, which may then exceed its share.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.engine.knob import Knob
from nearly.engine.technique import Task, Technique, technique
from nearly.engine.traits import Effect
from nearly.engine.transform.graph_map import GraphMap
from nearly.graph.csr import Graph
from nearly.techniques.shared.two_hop import effects_of, purpose, two_hop_arcs, with_arcs

_HIGH, _PEAK = 0.4, 0.3  # what "auto" begins with
_SPACE = 0.02  # arcs it may add to a bucket, as a share of those there are
_LOW = 8  # a mean degree below which single arcs are a large share
_ROUNDING = 1e-9


@technique("normalize-degrees", reference="GX3: Graffix, divergence")
class NormalizeDegrees(Technique):
    """Order vertices by degree and add arcs to 2-hop neighbours where a vertex lacks few."""

    similarity = Knob(
        "auto", "vertices that lack a smaller share of their warp's largest degree are filled; 0 only reorders",
        exact=None, low=0, high=1, words=("auto", None), mild=0,
    )  # fmt: skip
    fill = Knob(0.85, "the share of the warp's largest degree they are filled to", low=0, high=1)
    warp = Knob(32, "vertices that are worked on in lockstep", low=1, whole=True)
    weight = Knob(
        "sum", "what an added arc weighs, from the weights of the two it stands for", words=("sum",), function=True
    )

    @property
    def effects(self) -> tuple[Effect, ...]:
        return effects_of(self.similarity != 0 and self.fill > 0, self.weight)

    def purpose(self, task: Task) -> str:
        return purpose(task)

    def transform(self, graph: Graph, task: Task) -> GraphMap | None:
        degrees = graph.out_degrees.astype(np.int64)
        order = bucket_order(degrees)
        place = np.empty(graph.n, graph.arrays.targets.dtype)
        place[order] = np.arange(graph.n)
        needs = needs_of(degrees, order, self.fill, self.warp)
        if self.similarity == "auto":
            thresholds = automatic_thresholds(degrees, needs, arcs=1 if graph.directed else 2)
            chosen = _named(degrees, thresholds)
        else:
            thresholds = np.full(65, float(self.similarity or 0))
            chosen = {"similarity": float(self.similarity or 0)}
        wanted = np.where(needs.lack < thresholds[buckets_of(degrees)], needs.missing, 0)
        moved = with_arcs(graph, task, two_hop_arcs(graph, wanted, task), place, self.weight)
        got = np.diff(moved.graph.arrays.offsets)[place].astype(np.int64) - degrees
        moved.report.update(
            {
                "vertices filled": int(np.count_nonzero((wanted > 0) & (got >= wanted))),
                "vertices partly filled": int(np.count_nonzero((wanted > 0) & (got < wanted))),
                **chosen,
            }
        )
        return moved


def buckets_of(degrees: np.ndarray) -> np.ndarray:
    """The number of bits of each degree: 0, 1, 2-3, 4-7, and so on."""
    return np.frexp(degrees.astype(np.float64))[1].astype(np.uint8)


def bucket_order(degrees: np.ndarray) -> np.ndarray:
    """The vertices by bucket, that of the largest degrees first, and by number within one.

    Examples
    --------
    >>> bucket_order(np.array([3, 9, 0, 2, 8])).tolist()
    [1, 4, 0, 3, 2]
    """
    return np.argsort(255 - buckets_of(degrees), kind="stable")


class Needs(NamedTuple):
    lack: np.ndarray  # degreeSim of each vertex
    missing: np.ndarray  # arcs between it and its share of the warp's largest degree


def needs_of(degrees: np.ndarray, order: np.ndarray, fill: float, warp: int) -> Needs:
    """What each vertex lacks within its warp; a vertex without arcs has no 2-hop neighbours and needs nothing.

    Examples
    --------
    >>> needs_of(np.array([7, 4, 6]), np.arange(3), 0.85, 32).missing.tolist()
    [0, 2, 0]
    """
    lack, missing = np.zeros(degrees.size), np.zeros(degrees.size, np.int64)
    if degrees.size:
        mine = degrees[order]
        most = np.repeat(np.maximum.reduceat(mine, np.arange(0, mine.size, warp)), warp)[: mine.size]
        goal = np.ceil(fill * most - _ROUNDING).astype(np.int64)
        lack[order] = 1 - mine / np.maximum(most, 1)
        missing[order] = np.where(mine > 0, np.maximum(goal - mine, 0), 0)
    return Needs(lack, missing)


def automatic_thresholds(degrees: np.ndarray, needs: Needs, arcs: int) -> np.ndarray:
    """The threshold of each bucket; every arc that is missing takes `arcs` of them."""
    bucket, chosen = buckets_of(degrees), np.zeros(65)
    counts, sums = np.bincount(bucket, minlength=65), np.bincount(bucket, degrees, minlength=65)
    for b in np.flatnonzero(counts[1:]) + 1:
        mean, least, most = sums[b] / counts[b], 2.0 ** (b - 1), 2.0**b - 1
        chosen[b] = _PEAK if mean < _LOW or most - mean < mean - least else _HIGH
        here = np.flatnonzero((bucket == b) & (needs.missing > 0) & (needs.lack < chosen[b]))
        here = here[np.argsort(needs.lack[here], kind="stable")]
        too_many = np.cumsum(needs.missing[here]) * arcs > _SPACE * sums[b]
        if too_many.any():
            chosen[b] = needs.lack[here[np.argmax(too_many)]]  # vertices that lack less fit
    return chosen


def _named(degrees: np.ndarray, thresholds: np.ndarray) -> dict[str, float]:
    """The thresholds of the buckets there are, for the report."""
    used = np.unique(buckets_of(degrees[degrees > 0])).tolist()
    return {f"similarity, degrees {2 ** (b - 1)} to {2**b - 1}": float(thresholds[b]) for b in used}
