"""Statistics of all distances, in hops: their average, the effective diameter, and how many pairs are how far apart.

All ordered pairs (u, v) of different vertices count of which u reaches v. `.values` is their average distance, a plain
number (0 where there are no such pairs); for a connected graph it is NetworkX's `average_shortest_path_length`.
`.hop_plot[h]` is the number of pairs at most h hops apart; `.effective_diameter` the number of hops within which 90% of
the pairs are, with a fraction between two whole numbers (Palmer, Gibbons, Faloutsos 2002).
Method: batches of searches from all vertices (`shared.hop_batches`); all counts are whole numbers. Stopped early by
`max_rounds` only some vertices have been searched from: the figures are `heuristic`.
"""

from __future__ import annotations

import numpy as np

from nearly.accuracy.judges import NUMBER
from nearly.algorithms.shared.clustered_order import clustered
from nearly.algorithms.shared.distance_sums import checked_vertices, distances_to
from nearly.algorithms.shared.hop_batches import HopBatches, batch_sources
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

EFFECTIVE = 0.9


class DistanceStatisticsResult(Result):
    """Statistics of distances."""

    shows = "hops"

    values: float = field("the average distance of the pairs of which one reaches the other", column="average_distance")
    effective_diameter: float = field("the hops within which 90% of the pairs are")
    hop_plot: np.ndarray = field("how many pairs are at most so many hops apart, from 0 on, float64")
    pairs: float = field("how many ordered pairs there are of which the first reaches the second")
    sources: int = field("how many vertices were searched from")


def statistics(hops: np.ndarray, factor: float = 1.0) -> dict[str, object]:
    """The fields by the number of pairs at each distance, multiplied by a factor."""
    last = int(np.flatnonzero(hops)[-1]) if hops.any() else 0
    plot = np.cumsum(hops[: last + 1].astype(np.float64)) * factor
    pairs = float(plot[-1]) if plot.size else 0.0
    return {"hop_plot": plot, "pairs": pairs, "effective_diameter": effective_diameter(plot)}


def effective_diameter(plot: np.ndarray) -> float:
    """Where the plot, as a line from point to point, comes to 90% of its last value."""
    if not plot.size or plot[-1] <= 0:
        return 0.0
    goal = EFFECTIVE * plot[-1]
    h = int(np.searchsorted(plot, goal))
    return h - 1 + float((goal - plot[h - 1]) / (plot[h] - plot[h - 1]))


def certificate(graph: Graph, result: DistanceStatisticsResult) -> Certificate:
    """The figures agree with one another, and on a small graph with searches from all vertices."""
    plot, ok = np.asarray(result.hop_plot), result.values >= 0
    counts = np.diff(plot, prepend=0.0)
    ok = ok and bool((counts >= 0).all()) and bool(np.isclose(plot[-1] if plot.size else 0.0, result.pairs))
    if result.guarantee != "exact":
        return Certificate(ok, "the figures agree with one another; they rest on some of the vertices", result.error)
    mean = float((counts * np.arange(plot.size)).sum()) / max(result.pairs, 1.0)
    ok = ok and bool(np.isclose(mean, result.values, rtol=1e-9))
    checked = checked_vertices(graph, graph.out_degrees)
    found = [distances_to(graph, int(v), False) for v in checked]
    far = np.array([near[np.isfinite(near)].max() for near in found])
    ok = ok and bool((far < max(plot.size, 1)).all())
    if checked.size == graph.n:
        total = sum(float(near[np.isfinite(near)].sum()) for near in found)
        ok = ok and bool(np.isclose(total, result.values * result.pairs, rtol=1e-9))
    claim = f"the figures agree with one another and with searches from {checked.size:,} of the vertices"
    return Certificate(bool(ok), claim, 0.0)


@algorithm(
    memory=Needs(vertex=96, thread=148, reverse=True),
    policies=ONE_POLICY, certificate=certificate, judge=NUMBER, direct=True, all_sources=True,
    work=lambda graph, arguments: float(graph.n) * (graph.n + graph.m),
)  # fmt: skip
def distance_statistics(run: Run) -> DistanceStatisticsResult:
    """The average distance in hops; `.effective_diameter` and `.hop_plot` tell how distances are spread.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2], [1, 2, 3], directed=False)
    >>> r = nearly.distance_statistics(g)
    >>> round(r.values, 3), r.hop_plot.tolist(), round(r.effective_diameter, 3)
    (1.667, [0.0, 6.0, 10.0, 12.0], 2.4)
    """
    graph, done = run.graph, 0
    sums = HopBatches(run, graph, at_vertices=False, at_sources=True)
    order, share = clustered(graph), batch_sources(graph)
    totals = np.zeros(2, np.uint64)

    def step() -> list[Did] | None:
        nonlocal done
        batch = order[done : done + share]
        if not batch.size:
            return None
        each = sums.add(batch)
        totals[:] += np.array([each.total.sum(), each.reached.sum()], np.uint64)
        done += batch.size
        return [Did(batch.size, graph.m)]

    run.enact(step)
    mean = float(totals[0]) / float(totals[1]) if totals[1] else 0.0
    factor = graph.n / done if done else 1.0
    return DistanceStatisticsResult(
        mean, guarantee="exact" if done == graph.n else "heuristic", sources=done, **statistics(sums.hops, factor)
    )
