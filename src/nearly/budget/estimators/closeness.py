"""Closeness of all vertices at once, from some sources drawn at random.

With r the share of all n vertices that reach v, i the share that have an arc to v, and y the mean over all sources s of
d(s, v) - 2 where that is above 0 (0 where s does not reach v), the distances to v add up to n (2 r - i + y), because
all vertices that reach v without an arc are 2 away and what y adds. So

    closeness = n / (n - 1) * r^2 / (2 r - i + y),

which grows with r (r >= i) and falls with y: bounds of r and y bound it. What is known exactly is not drawn for:
- i is counted;
- r is that of its part in an undirected graph. In a directed one `shared.reach_bounds` tells it for the vertices that
  reach a vertex L of many arcs and are reached by it, so that the largest strong component has no error in r; vertices
  that L only leads to are reached by what reaches L, and by others, whose share is estimated.
- y is a mean of samples from 0 to H - 2, H a bound on the distances to v: d(s, v) <= d(s, L) + d(L, v) where both ways
  exist. Other ways avoid the strong component of L, and have no more arcs than their part of the rest of the graph has
  vertices; besides, no distance to v is more than 1 above the largest to a vertex with an arc to v.
The bound of each mean is that of `sampled_sources`. The error is half the width of the widest interval.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nearly.algorithms.closeness import ClosenessResult
from nearly.algorithms.eccentricity.kernels import pass_on
from nearly.algorithms.shared.hop_batches import HopBatches
from nearly.algorithms.shared.level_search import UNREACHED
from nearly.algorithms.shared.reach_bounds import Reach, reach_of
from nearly.budget.estimator import estimator
from nearly.budget.sampled_sources import SampledSources, distinct_in_degrees, neighbours_of, variance_of
from nearly.budget.stopping import staked_error
from nearly.engine.run import Run
from nearly.graph.csr import Graph

_SWEEPS = 8  # over the arcs, to lower the bounds on distances


class Known(NamedTuple):
    """What is known of each vertex before anything is drawn."""

    near: np.ndarray  # i
    most: np.ndarray  # H
    reach: Reach


@estimator("closeness", "sources")
class Sources(SampledSources):
    """See the top of the file."""

    second, guess = True, (0.006, 0.5)

    def refuses(self) -> str | None:
        graph = self.question.graph
        if self.question.options.approx is not None:
            return "a technique is asked for"
        if self.arguments["weights"] and graph.weighted:
            return "lengths have no bound"
        if self.arguments["wf_improved"] is not True and graph.directed:
            return "without the share of the vertices that reach a vertex, nothing bounds its value"
        return "there is nothing to sample" if graph.n < 3 else None

    @property
    def sides(self) -> int:  # type: ignore[override]
        return 4 if self.question.graph.directed else 2

    def begin(self, run: Run, random: np.random.Generator) -> None:
        self.known = known_before(run)

    def look(self, sums: HopBatches, sources: np.ndarray, doubt: float) -> tuple[float, Any]:
        graph, known, count = self.question.graph, self.known, sources.size
        near = neighbours_of(graph, sources)
        reached, total, second = (a.astype(np.float64) for a in (sums.reached, sums.total, sums.second))
        mean, variance = variance_of(total - 2 * reached + near, second - 4 * total + 4 * reached - near, count)
        off = staked_error(count, variance, doubt, np.maximum(known.most - 2, 0.0))
        low_reach, high_reach = reach_bounds(known.reach, known.near, reached, sources, doubt)
        low = self._score(low_reach, mean + off)
        high = self._score(high_reach, np.maximum(mean - off, 0.0))
        return float((high - low).max() / 2), (low, high)

    def _score(self, reach: np.ndarray, beyond: np.ndarray) -> np.ndarray:
        """The closeness by r and y."""
        n, below = self.question.graph.n, 2 * reach - self.known.near + beyond
        improved = self.arguments["wf_improved"] is True
        over = reach * reach * (n / (n - 1)) if improved else reach
        return np.divide(over, below, out=np.zeros(reach.size), where=below > 0)

    def result(self, found: Any) -> ClosenessResult:
        low, high = found
        improved = self.arguments["wf_improved"] is True
        result = ClosenessResult((low + high) / 2, guarantee="statistical", wf_improved=improved, weighted=False)
        result.interval = low, high
        return result


def reach_bounds(
    known: Reach, near: np.ndarray, reached: np.ndarray, sources: np.ndarray, doubt: float
) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of r: what is known for sure, and the share of other sources that came to the vertex."""
    count, n = sources.size, reached.size
    certain = np.where(known.least > 0, known.before[sources].sum(), 0)  # a vertex that is not sure is not in B
    others = np.where(known.sure, 0.0, reached - certain)
    mean, variance = variance_of(others, others, count)
    off = np.where(known.sure, 0.0, staked_error(count, variance, doubt, 1.0))
    low = np.maximum(known.least / n + np.maximum(mean - off, 0.0), near)
    return low, np.minimum(known.least / n + mean + off, known.most / n)


def known_before(run: Run) -> Known:
    """See the top of the file."""
    graph, reach = run.graph, reach_of(run, run.graph)
    near = distinct_in_degrees(graph) / graph.n
    after = reach.from_hub != UNREACHED
    through = np.where(after, reach.from_hub.astype(np.float64) + reach.to_hub[reach.before].max(), 0.0)
    aside = reach.aside - 1.0  # no way inside it is longer
    if not graph.directed:
        return Known(near, np.where(after, np.minimum(through, aside), aside), reach)
    return Known(near, _passed_on(graph, np.where(reach.sure, through, np.maximum(through, aside))), reach)


def _passed_on(graph: Graph, most: np.ndarray) -> np.ndarray:
    """Lower bounds on the largest distance to each vertex, by those of the vertices with an arc to it."""
    low, high = np.zeros(graph.n, np.uint32), most.astype(np.uint32)
    for _ in range(_SWEEPS):
        before = int(high.sum(dtype=np.int64))
        pass_on(*graph.reverse.rows[:2], low, high)
        if int(high.sum(dtype=np.int64)) == before:
            break
    return high.astype(np.float64)
