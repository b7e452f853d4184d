"""Top-k closeness: the k vertices of greatest closeness, without the closeness of all others.

Returns `.vertices` and `.scores`, greatest first and of equal ones the smaller vertex first; the scores are those of
`nearly.closeness`. Method: two levels bound the closeness of all vertices (`two_levels`), and those with the greatest
bounds are searched from at once. Long graphs, such as roads and meshes, begin with waves of searches whose levels bound
all other vertices (`level_bounds`), some from vertices with the greatest bounds and most from any that may be among the
best, until none is left, or many are left of which a wave leaves out few. In other graphs, where few are left that may
be better, batches go on; where many, they are searched from one by one, and a search ends when its vertex cannot come
to the k-th best any more (`kernels`). Vertices are searched in rounds whose sizes and limits do not depend on threads.
Stopped early by `max_rounds`, the best so far are `heuristic`.
"""

from __future__ import annotations

import numpy as np

from nearly.accuracy.judges import LEADERS
from nearly.algorithms.closeness import closeness_of
from nearly.algorithms.shared.distance_sums import DistanceSums, distances_to
from nearly.algorithms.shared.hop_batch_kernels import BATCH
from nearly.algorithms.shared.hop_batches import HopBatches
from nearly.algorithms.shared.level_search import UNREACHED
from nearly.algorithms.shared.reach_bounds import reach_of
from nearly.algorithms.topk_closeness.kernels import Desk, Race, all_vertices
from nearly.algorithms.topk_closeness.level_bounds import LevelBounds
from nearly.algorithms.topk_closeness.two_levels import closeness_bounds
from nearly.base.arguments import flag, whole_number
from nearly.base.memory import require
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.row_pieces import cursor
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

_FIRST, _MOST = 256, 1 << 14  # vertices of the first and of the largest round
_AT_ONCE, _ONE_OF = (
    2048,
    64,
)  # so many vertices, or one of so many, are searched from at once rather than each with an end
_LONG = 48  # levels from a hub of what is taken for a long graph
_WAVE, _PAYS = 32, 4  # searches of a wave at least, and how many vertices each of them must leave out
_FEW = 512  # so many that are left are searched from by waves whether these pay or not
_STREAM = 0x746B  # which random numbers choose where waves begin
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
    memory=Needs(vertex=200, thread=40, reverse=True),
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
    race = _Race(run, k, improved)
    finished = run.enact(race.step) if graph.n else True
    return TopkClosenessResult(
        race.best.scores, guarantee="exact" if finished else "heuristic", vertices=race.best.vertices,
        scores=race.best.scores, wf_improved=improved, finished=race.best.finished,
    )  # fmt: skip


class _Race:
    """Vertices in the order of their bounds, round after round, until no other can be among the best."""

    def __init__(self, run: Run, k: int, improved: bool) -> None:
        self.run, self.improved, graph = run, improved, run.graph
        self.back = graph.reverse if graph.directed else graph
        reach = reach_of(run, graph)
        self.most, depth = reach.most + 1, reach.to_hub[reach.to_hub != UNREACHED]
        self.bounds = closeness_bounds(run, self.back, self.most, improved)
        self.best = _Best(k)
        self.levels = LevelBounds(run, self.back, reach.sure) if depth.max(initial=0) >= _LONG else None
        self.random = np.random.default_rng(_STREAM)
        self.waiting: np.ndarray | None = None
        self.batches = HopBatches(run, self.back, at_vertices=False, at_sources=True)
        self.desks: Desk | None = None
        self.done, self.share = 0, _FIRST

    def step(self) -> list[Did] | None:
        """One round; None where no vertex is left that may be among the best."""
        if self.levels is not None:
            return self._wave(self.levels)
        if self.waiting is None:
            first = 0
            if self.best.threshold < 0:  # those that seem best, for a limit
                first = min(max(int(BATCH), self.best.k), self.bounds.size)
                chosen = np.argpartition(-self.bounds, first - 1)[:first]
                chosen = chosen[self.bounds[chosen] >= 0]
                self._search_at_once(np.sort(chosen))
                self.bounds[chosen] = -1.0
            left = np.flatnonzero(self.bounds >= max(self.best.threshold, 0.0))
            degrees = self.back.out_degrees[left].astype(np.int64)
            self.waiting = left[np.lexsort((-degrees, -self.bounds[left]))]
            if first:
                return [Did(first, self.run.graph.m)]
        chosen = self.waiting[self.done : self.done + self.share]
        chosen = chosen[self.bounds[chosen] >= self.best.threshold]
        if not chosen.size:
            return None
        if self.waiting.size <= max(_AT_ONCE, self.run.graph.n // _ONE_OF):
            self._search_at_once(np.sort(chosen))
        else:
            self._search_each(chosen)
        self.done, self.share = self.done + self.share, min(2 * self.share, _MOST)
        return [Did(chosen.size, self.run.graph.m)]

    def _wave(self, levels: LevelBounds) -> list[Did]:
        """Search from some of the vertices that may be among the best, and bound all others; the last one ends it."""
        n, left = self.run.graph.n, np.flatnonzero(levels.alike & (self.bounds >= max(self.best.threshold, 0.0)))
        size = min(max(_WAVE, self.best.k // 4), left.size)
        seeming = left[np.argpartition(-self.bounds[left], size // 4)[: size // 4]] if size < left.size else left
        chosen = np.unique(np.r_[seeming, self.random.choice(left, size - size // 4, replace=False)])
        others = self.most - 1.0
        sums = DistanceSums(others[chosen], levels.search(chosen).astype(np.float64), np.empty(0), 0)
        self.best.add(chosen, closeness_of(sums, n, self.improved))
        least = DistanceSums(others, levels.least.astype(np.float64), np.empty(0), 0)
        np.minimum(self.bounds, closeness_of(least, n, self.improved), out=self.bounds, where=least.total > 0)
        self.bounds[chosen] = -1.0
        now = int((levels.alike & (self.bounds >= max(self.best.threshold, 0.0))).sum())
        pays = self.best.threshold < 0 or left.size - now >= _PAYS * chosen.size
        if not now or (now > _FEW and not pays):
            self.levels = None
        return [Did(chosen.size, self.run.graph.m)]

    def _search_at_once(self, chosen: np.ndarray) -> None:
        each = self.batches.add(chosen)
        sums = DistanceSums(each.reached.astype(np.float64), each.total.astype(np.float64), np.empty(0), 0)
        self.best.add(chosen, closeness_of(sums, self.run.graph.n, self.improved))

    def _search_each(self, chosen: np.ndarray) -> None:
        run, graph = self.run, self.run.graph
        if self.desks is None:
            require(8 * run.threads * graph.n, "searches from many vertices")
            shape = (run.threads, graph.n)
            self.desks = Desk(np.zeros(shape, np.uint32), np.empty(shape, np.uint32))
        some, most = chosen.astype(np.uint32), self.most.astype(np.uint32)
        race = Race(some, most, not graph.directed, self.improved, self.best.threshold, np.empty(chosen.size))
        work = (graph.n + graph.m) * chosen.size
        run.launch(all_vertices, *self.back.rows[:2], self.desks, race, cursor(), run.stop, work=work)
        self.best.add(chosen, race.values)


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
