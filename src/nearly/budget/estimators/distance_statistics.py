"""The average distance within a relative error, from some sources drawn at random.

The mean distance m(s) of a source s lies between bounds that are known before: from above by a search from the
vertex L of the most arcs, because d(s, t) is at most d(s, L) + d(L, t); from below because d(s, t) is at least
d(L, t) - d(s, L), and because no more vertices are at distance 1 than s has arcs, no more at distance 2 than ways of
two arcs begin at s, and all others beyond. Pairs of one source are not independent: the sample is the source.
How sources are drawn, and why the bound holds at every moment, stands in `steered_means`: distances from L
and the numbers of arcs tell m(s) nearly, so that one batch of sources is often enough.
The hop plot and the effective diameter are estimated from the same sources; the error is not about them.
Pairs of an undirected graph are counted by its parts; of a directed one they are not known.
"""

from __future__ import annotations

import numpy as np

from nearly.algorithms.distance_statistics import DistanceStatisticsResult, effective_diameter
from nearly.algorithms.eccentricity.bounds import levels, sizes_of_parts
from nearly.algorithms.shared.hop_batch_kernels import BATCH
from nearly.algorithms.shared.hop_batches import HopBatches
from nearly.algorithms.shared.level_search import UNREACHED
from nearly.budget import rates, stopping
from nearly.budget.estimator import PAYS, Estimator, Prediction, estimator
from nearly.budget.mean_distance_kernels import two_hop_arcs
from nearly.budget.steered_means import SteeredMean
from nearly.engine.interruptible import OutOfTime
from nearly.engine.row_pieces import row_cuts
from nearly.engine.run import Did, Run

_STREAM = 0x6473  # which random numbers choose sources
_BATCH = int(BATCH)  # sources between two looks
_LEVELS = 1 << 12  # of the hop plot


@estimator("distance_statistics", "sources")
class Sources(Estimator):
    """See the top of the file."""

    kind, scope = "relative", "aggregate"

    def refuses(self) -> str | None:
        graph = self.question.graph
        if self.question.options.approx is not None:
            return "a technique is asked for"
        if graph.directed:
            return "how many pairs of a directed graph there are is not known"
        return "there are no distances" if graph.m == 0 else None

    def predict(self, run: Run) -> Prediction:
        graph = run.graph
        each = rates.seconds("distance_statistics", graph.n + graph.m, graph.m) - rates.LEAST
        if self.budget.max_error is None:
            fit = max(self.budget.seconds_left / max(each, 1e-12), 1.0)
            return Prediction(fit * each, min(1.0, 0.3 / fit**0.5), f"about {fit:.0f} sources fit")
        wanted = _BATCH * max(1, round((3.0 / self.budget.max_error + 0.002 / self.budget.max_error**2) / _BATCH))
        return Prediction(each * wanted, self.budget.max_error, f"about {wanted} sources")

    def answer(self, run: Run) -> DistanceStatisticsResult | None:
        try:
            design = Design(run, 1 - self.budget.confidence, self.budget.max_error)
        except OutOfTime:
            return None
        mean = design.mean
        if mean.mean_width <= 0:
            return None
        found, random = None, np.random.default_rng([run.seed, _STREAM])
        sums = HopBatches(run, run.graph, at_vertices=False, at_sources=True, profile=design.levels)
        plot, weight = np.zeros(design.levels), 0.0
        while found is None or found.error > (self.budget.max_error or 0.0):
            if mean.places.size + _BATCH > run.graph.n / PAYS:  # all vertices would take less
                if found is None or self.budget.max_seconds is None:
                    return None
                break
            drawn = mean.draw(random, _BATCH)
            try:
                each = sums.add(design.members[drawn])
            except OutOfTime:
                break
            run.trace.add_step([Did(drawn.size, run.graph.m)], 0.0)
            mean.add(drawn, each.total / each.reached)
            pairs = 1 / mean.width[drawn]  # over the chance to be drawn
            plot, weight = plot + (pairs / each.reached) @ each.profile, weight + pairs.sum()
            found = stopping.Relative.between(*mean.interval())
        if found is None:
            return None
        plot = np.cumsum(plot[: 1 + int(np.flatnonzero(plot)[-1])]) * design.pairs / weight
        result = DistanceStatisticsResult(
            found.value, guarantee="statistical", sources=mean.places.size, pairs=float(plot[-1]), hop_plot=plot,
            effective_diameter=effective_diameter(plot),
        )  # fmt: skip
        result.error, result.error_kind, result.error_scope = found.error, self.kind, self.scope
        result.confidence, result.interval = self.budget.confidence, (found.low, found.high)
        return result


class Design:
    """What is known of the mean distances of sources before any is drawn."""

    def __init__(self, run: Run, doubt: float, aim: float | None) -> None:
        graph = run.graph
        sizes = sizes_of_parts(graph)
        self.members = np.flatnonzero(sizes > 1)  # the sources of pairs
        others = sizes[self.members] - 1.0
        self.pairs, arcs = float(others.sum()), graph.out_degrees[self.members].astype(np.float64)
        features = np.empty((7, others.size))
        constant, log_arcs, log_ways, low, far, here, high = features
        constant[:], far[:] = 1.0, 0.0
        ways = self._two_hops(run)
        np.log(arcs, out=log_arcs)
        np.log(ways, out=log_ways)
        low[:] = _least_means(arcs, ways, others)
        high[:] = (others + 1) / 2  # of a part, the end of a path is farthest from all
        level = levels(run, graph, int(graph.out_degrees.argmax()))[self.members]
        found = level != UNREACHED
        here[:] = found
        np.copyto(far, level, where=found)
        mean = (far.sum() - far) / others  # from the hub to the others than s
        np.minimum(high, far + mean, out=high, where=found)
        np.maximum(low, mean - far, out=low, where=found)
        np.maximum(high, low, out=high)
        deepest = max(2 * far.max(), np.where(found, 0, others).max())
        self.levels = int(min(deepest + 2, _LEVELS))
        self.mean = SteeredMean(low, high, others / self.pairs, features, doubt, aim)

    def _two_hops(self, run: Run) -> np.ndarray:
        graph, ways = run.graph, np.zeros(run.graph.n, np.uint64)
        degrees = graph.out_degrees.astype(np.uint32)
        run.launch(two_hop_arcs, *graph.rows[:2], degrees, row_cuts(graph), ways)
        return ways[self.members].astype(np.float64)


def _least_means(arcs: np.ndarray, ways: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Bounds below of mean distances: as many as there can be at distance 1, then at 2, and the rest at 3."""
    one = np.minimum(arcs / others, 1.0)
    return 3 - 2 * one - np.minimum(ways / others, 1 - one)
