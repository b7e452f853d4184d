"""Top-k closeness: the k vertices of greatest closeness, without the closeness of all others.

Returns `.vertices` and `.scores`, greatest first and of equal ones the smaller vertex first; the scores are those of
`nearly.closeness`. Method: searches from one vertex after the other, those with many arcs first; a search ends when its
vertex cannot come to the k-th best any more (`kernels`). Most end after a level or two. Vertices are searched in rounds
whose sizes and limits do not depend on threads. Stopped early by `max_rounds`, the best so far are `heuristic`.
"""

from __future__ import annotations

import numpy as np

from nearly.accuracy.judges import LEADERS
from nearly.algorithms.closeness import closeness_of
from nearly.algorithms.eccentricity.bounds import sizes_of_parts
from nearly.algorithms.shared.distance_sums import DistanceSums, distances_to
from nearly.algorithms.topk_closeness.kernels import Desk, Race, all_vertices
from nearly.base.arguments import flag, whole_number
from nearly.base.memory import require
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.result import Certificate, Result, field
from nearly.engine.row_pieces import cursor
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

_FIRST, _MOST = 32, 1 << 14  # vertices of the first and of the largest round
_CHECKED = 64  # vertices that the certificate searches from


class TopkClosenessResult(Result):
    """The closest vertices."""

    per = "rank"

    values: np.ndarray = field("the scores, as `scores`", column="score")
    vertices: np.ndarray = field("the k vertices of greatest closeness, greatest first")
    scores: np.ndarray = field("their closeness, float64")
    wf_improved: bool = field("whether the share of the vertices that reach a vertex counts")
    finished: int = field("how many searches went on to their end")


def certificate(graph: Graph, result: TopkClosenessResult) -> Certificate:
    """Each score is found again by a search, they descend, and none of some other vertices has a greater one."""
    scores, ok = np.asarray(result.values), bool((np.diff(result.values) <= 0).all())
    others = np.argsort(-graph.in_degrees.astype(np.int64), kind="stable")[:_CHECKED]
    for v in (*result.vertices[:_CHECKED].tolist(), *others.tolist()):
        far = distances_to(graph, v, False)
        near = far[np.isfinite(far)]
        sums = DistanceSums(np.array([near.size - 1.0]), np.array([near.sum()]), np.zeros(1), 0)
        right = closeness_of(sums, graph.n, result.wf_improved)[0]
        place = np.flatnonzero(result.vertices == v)
        if place.size:
            ok = ok and bool(np.isclose(scores[place[0]], right, rtol=1e-9))
        elif result.guarantee == "exact":
            ok = ok and bool(right <= scores[-1] * (1 + 1e-9))
    claim = "searches give the scores again, and no greater one of vertices with many arcs"
    return Certificate(ok and scores.size == result.vertices.size, claim, 0.0 if result.guarantee == "exact" else None)


@algorithm(
    policies=ONE_POLICY, certificate=certificate, judge=LEADERS, direct=True,
    work=lambda graph, arguments: 200.0 * (graph.n + graph.m),
)  # fmt: skip
def topk_closeness(run: Run, k: int = 10, *, wf_improved: bool = True) -> TopkClosenessResult:
    """The k vertices of greatest closeness, in hops.

    Parameters
    ----------
    k : int
        How many vertices.
    wf_improved : bool
        Whether to multiply by the share of the vertices that reach a vertex, as Wasserman and Faust propose.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 3, 4], directed=False)
    >>> r = nearly.topk_closeness(g, k=2)
    >>> r.vertices.tolist(), r.scores.round(3).tolist()
    ([2, 1], [0.8, 0.667])
    """
    graph, improved = run.graph, flag("wf_improved", wf_improved)
    k = min(whole_number("k", k), graph.n)
    back = graph.reverse if graph.directed else graph
    order = np.argsort(-back.out_degrees.astype(np.int64), kind="stable").astype(np.uint32)
    best = _Best(k)
    require(8 * run.threads * graph.n, "searches from many vertices")
    shape = (run.threads, graph.n)
    desks, most = Desk(np.zeros(shape, np.uint32), np.empty(shape, np.uint32)), sizes_of_parts(graph)
    done, share = 0, _FIRST

    def step() -> list[Did] | None:
        nonlocal done, share
        chosen = order[done : done + share]
        if not chosen.size:
            return None
        race = Race(chosen, most, not graph.directed, improved, best.threshold, np.empty(chosen.size))
        work = (graph.n + graph.m) * chosen.size
        run.launch(all_vertices, *back.rows[:2], desks, race, cursor(), run.stop, work=work)
        best.add(chosen, race.values)
        done, share = done + chosen.size, min(2 * share, _MOST)
        return [Did(chosen.size, graph.m)]

    run.enact(step)
    return TopkClosenessResult(
        best.scores, guarantee="exact" if done == graph.n else "heuristic", vertices=best.vertices, scores=best.scores,
        wf_improved=improved, finished=best.finished,
    )  # fmt: skip


class _Best:
    """The k best so far."""

    def __init__(self, k: int) -> None:
        self.k, self.finished = k, 0
        self.vertices, self.scores = np.empty(0, np.int64), np.empty(0)

    @property
    def threshold(self) -> float:
        """Below this a vertex is out; a little less than the k-th score, whose rounding must not decide."""
        return float(self.scores[-1]) * (1 - 1e-12) if self.scores.size == self.k > 0 else -1.0

    def add(self, vertices: np.ndarray, scores: np.ndarray) -> None:
        """Take in those that are good enough."""
        kept = scores >= 0
        self.finished += int(kept.sum())
        every, all_scores = np.r_[self.vertices, vertices[kept].astype(np.int64)], np.r_[self.scores, scores[kept]]
        order = np.lexsort((every, -all_scores))[: self.k]
        self.vertices, self.scores = every[order], all_scores[order]
