"""The average distance within a relative error, from some sources drawn at random.

The mean distance m(s) of a source s lies between two bounds that one search from a vertex L of many arcs gives, because
d(s, t) is at most d(s, L) + d(L, t), and at least d(L, t) - d(s, L); besides, only the neighbours of s are nearer than
2. So the average of all sources is that of the bounds below, which is known, and that of what is above them. Sources
are drawn in proportion to the width between their bounds: what is above, over the width, is a sample in [0, 1], and
the error counts only for the average width. Pairs of one source are not independent: the sample is the source.
The bound holds at every moment (`stopping.anytime_means`), so that batches go on until it is small enough or the time
is over. The hop plot and the effective diameter are estimated from the same sources; the error is not about them.
Pairs of an undirected graph are counted by its parts; of a directed one they are not known.
"""

from __future__ import annotations

import numpy as np

from nearly.algorithms.distance_statistics import DistanceStatisticsResult, effective_diameter
from nearly.algorithms.eccentricity.bounds import sizes_of_parts
from nearly.algorithms.shared.hop_batches import HopBatches
from nearly.algorithms.shared.level_search import UNREACHED, LevelSearch
from nearly.budget import rates, stopping
from nearly.budget.estimator import PAYS, Estimator, Prediction, estimator
from nearly.engine.interruptible import OutOfTime
from nearly.engine.run import Did, Run

_STREAM = 0x6473  # which random numbers choose sources
_BATCH = 512  # sources between two looks
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
        wanted = _BATCH * max(1, round((4.0 / self.budget.max_error + 0.02 / self.budget.max_error**2) / _BATCH))
        return Prediction(each * wanted, self.budget.max_error, f"about {wanted} sources")

    def answer(self, run: Run) -> DistanceStatisticsResult | None:
        try:
            design = Design(run)
        except OutOfTime:
            return None
        if design.width <= 0:
            return None
        found, random = None, np.random.default_rng([run.seed, _STREAM])
        sums = HopBatches(run, run.graph, at_vertices=False, at_sources=True, profile=design.levels)
        samples, plot, weight, doubt = np.empty(0), np.zeros(design.levels), 0.0, 1 - self.budget.confidence
        while found is None or found.error > (self.budget.max_error or 0.0):
            if samples.size + _BATCH > run.graph.n / PAYS:  # all vertices would take less
                if found is None or self.budget.max_seconds is None:
                    return None
                break
            sources = design.draw(random)
            try:
                each = sums.add(sources)
            except OutOfTime:
                break
            run.trace.add_step([Did(sources.size, run.graph.m)], 0.0)
            samples = np.r_[samples, design.above(sources, each.total / each.reached)]
            parts = design.pairs_over_chance[sources] / each.reached
            plot, weight = plot + parts @ each.profile, weight + design.pairs_over_chance[sources].sum()
            low, high = (design.base + design.width * end[-1] for end in stopping.anytime_means(samples, doubt))
            found = stopping.Relative.between(low, high)
        if found is None:
            return None
        plot = np.cumsum(plot[: 1 + int(np.flatnonzero(plot)[-1])]) * design.pairs / weight
        result = DistanceStatisticsResult(
            found.value, guarantee="statistical", sources=samples.size, pairs=float(plot[-1]), hop_plot=plot,
            effective_diameter=effective_diameter(plot),
        )  # fmt: skip
        result.error, result.error_kind, result.error_scope = found.error, self.kind, self.scope
        result.confidence, result.interval = self.budget.confidence, (found.low, found.high)
        return result


class Design:
    """Which sources are drawn with which chance, and what is known of their mean distances."""

    def __init__(self, run: Run) -> None:
        graph = run.graph
        others = sizes_of_parts(graph).astype(np.float64) - 1
        search = LevelSearch(run, graph, int(np.argmax(graph.out_degrees)))
        while search.step():
            pass
        here = search.level != UNREACHED
        far = np.where(here, search.level, 0).astype(np.float64)
        rest = np.maximum(others, 1)
        mean = (far.sum() - far) / rest  # from L to the others than s, over those that s reaches
        self.high = np.where(here, far + mean, (others + 1) / 2)  # of a part, the end of a path is farthest from all
        self.low = np.maximum(np.where(here, mean - far, 1.0), np.maximum(2.0 - graph.out_degrees / rest, 1.0))
        self.high = np.maximum(self.high, self.low)
        self.pairs = float(others.sum())
        share = others / self.pairs
        self.base, self.width = float(share @ self.low), float(share @ (self.high - self.low))
        chance = share * (self.high - self.low)
        self._upto = np.cumsum(chance)
        self.pairs_over_chance = np.divide(share, chance, out=np.zeros(graph.n), where=chance > 0)
        self.levels = int(min(max(2 * far.max() + 2, np.where(here, 0, others).max() + 2), _LEVELS))

    def draw(self, random: np.random.Generator) -> np.ndarray:
        """The sources of the next batch."""
        places = np.searchsorted(self._upto, random.random(_BATCH) * self._upto[-1], side="right")
        return np.minimum(places, np.flatnonzero(self.pairs_over_chance)[-1])

    def above(self, sources: np.ndarray, means: np.ndarray) -> np.ndarray:
        """How far the mean distances are on the way from the bound below to the one above, from 0 to 1."""
        low, high = self.low[sources], self.high[sources]
        return np.clip((means - low) / (high - low), 0.0, 1.0)
