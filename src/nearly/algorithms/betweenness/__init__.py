"""Betweenness: how often a vertex lies on the shortest paths between others.

Returns float64 values, scaled exactly as NetworkX scales them; with `edges=True` also `.edge_values`, one per stored
arc (both arcs of an undirected edge carry the edge's value). `.sources` are the sources that were used, None for all.
Method: Brandes' two passes per source (2001), in hops or by weights; see `dependencies` for how sources are run. A
round is one source, so `max_rounds` is the largest number of sources.
Guarantee: all sources give the `exact` values, and all sources stopped early by `max_rounds` a `lower bound` of them;
for a technique that may stop the run they come in random order. Sources drawn at random (`sources=k`) give an
`estimated` value, whose error Hoeffding's inequality bounds (Brandes and Pich, 2007); sources of the caller's choice
are scaled in the same way, but as they may be anything the result is `heuristic`. Parallel arcs are paths of their own;
self-loops lie on no shortest path.
With `max_error=` or `max_seconds=` pairs of vertices are drawn (`pairs`): all values are within `.error` of the exact
ones with probability `.confidence`, which is `statistical`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nearly.accuracy.judges import SCORES
from nearly.algorithms.betweenness.certificate import certificate, drawn
from nearly.algorithms.betweenness.sources import Dependencies, memory_of_sums
from nearly.algorithms.shared.reach import reach
from nearly.algorithms.shared.weights import uses_weights, weight_range
from nearly.base.arguments import flag, is_whole, vertices
from nearly.base.errors import DeviceUnavailableError, InvalidArgumentError, InvalidGraphError
from nearly.engine.algorithm import algorithm
from nearly.engine.checkpoint import checkpoint_of
from nearly.engine.devices import DEVICES
from nearly.engine.needs import Needs
from nearly.engine.result import Result, field
from nearly.engine.run import Did, Run
from nearly.engine.technique import Visits
from nearly.graph.csr import Graph
from nearly.graph.opposite_arcs import opposite_arcs

_STREAM = 0x6265  # which random numbers choose sources
_VERTEX = 15.0  # visits of arcs that one of a vertex is like, about
_WEIGHTED = 4.0  # and what a visit over weights is like
_BATCH = 8  # sources after which techniques may stop the run


@dataclass(frozen=True)
class Scaling:
    """Which sources were used, and what becomes of their sums. `complete`: scaled as if from all sources."""

    n: int
    directed: bool
    sources: np.ndarray
    complete: bool
    normalized: bool
    endpoints: bool
    weighted: bool
    stand_in: bool = False  # whether sums are those of a graph that techniques made

    def factor(self, sources: int, pairs_of: int) -> float:
        """What a vertex's sum over `sources` sources is multiplied by, for paths between `pairs_of` vertices."""
        if pairs_of < 2:
            return 1.0  # there are no paths: all sums are 0
        if sources < 1:
            return 0.0  # the only source is between no pair that was looked at
        if self.normalized:
            return 1.0 / (sources * (pairs_of - 1))
        return pairs_of / (sources * (1 if self.directed else 2))

    def scaled(self, sums: np.ndarray) -> np.ndarray:
        """Vertices' sums as NetworkX scales them: a source without endpoints never is between its own pairs."""
        pairs_of = self.n if self.endpoints else self.n - 1
        if self.complete:
            return sums * self.factor(pairs_of, pairs_of)
        values = sums * self.factor(self.sources.size, pairs_of)
        if not self.endpoints:
            values[self.sources] = sums[self.sources] * self.factor(self.sources.size - 1, pairs_of)
        return values


class BetweennessResult(Result):
    """Betweenness of vertices, and of edges where asked for."""

    values: np.ndarray = field("the betweenness of each vertex, float64", column="betweenness")
    edge_values: np.ndarray = field("the betweenness of each stored arc, float64; only with edges=True")
    sources: np.ndarray | None = field("the sources that were used; None for all vertices")
    scaling: Scaling = field("which sources were used and how their sums were scaled, as the certificate needs it")
    samples: int = field("how many pairs of vertices were sampled, within a budget")


def work(graph: Graph, arguments: dict[str, Any]) -> float:
    """About how many visits of arcs an exact run is like, from all sources: from each, what a search finds."""
    sources: Any = arguments.get("sources")
    count = graph.n
    if is_whole(sources):
        count = min(int(sources), graph.n)
    elif sources is not None:
        count = _given(graph.n, sources).size
    found = reach(graph)
    each = _VERTEX * found.vertices + found.arcs
    return float(count) * each * (_WEIGHTED if arguments["weights"] is True and graph.weighted else 1.0)


@algorithm(
    memory=Needs(vertex=16, thread=108, reverse=True, more=memory_of_sums),
    certificate=certificate, judge=SCORES, devices=DEVICES, direct=True, all_sources=True, listens=(Visits,),
    fewer_arcs="any", two_hop="any", across="any", merged="any", renumbered="same", cut_short="estimated",
    one_way=True, copies="followed", averages=True, copies_by_weights=False, work=work,
)  # fmt: skip
def betweenness(
    run: Run,
    *,
    sources: Any = None,
    normalized: bool = True,
    endpoints: bool = False,
    weights: bool = False,
    edges: bool = False,
    checkpoint: str | os.PathLike[str] | None = None,
) -> BetweennessResult:
    """How often a vertex lies on the shortest paths between others.

    Parameters
    ----------
    sources : int or array of vertices, optional
        None for all vertices (exact), a number of sources to draw at random by `seed` (an estimate), or distinct
        vertices.
    normalized : bool
        Whether to divide by the number of pairs of vertices.
    endpoints : bool
        Whether a path counts for its two ends too.
    weights : bool
        Whether paths are measured by the graph's weights, which must be above 0, rather than in hops.
    edges : bool
        Whether to compute `.edge_values` too.
    checkpoint : str or os.PathLike, optional
        A file where the sums so far are kept; a call that finds it goes on from there.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 3, 4], directed=False)
    >>> nearly.betweenness(g).values.round(3).tolist()
    [0.0, 0.5, 0.833, 0.0, 0.0]
    """
    normalized, endpoints, edges = flag("normalized", normalized), flag("endpoints", endpoints), flag("edges", edges)
    graph, mapped = run.given, run.mapped
    chosen, random = _chosen(graph.n, sources, run.seed)
    if sources is None and any(technique.only_stops for technique in run.techniques):
        chosen, random = drawn(graph.n, graph.n, run.seed, _STREAM), True  # wherever it stops, that is a fair sample
    weighted = checked_weights(run, weights)
    asked = {"chosen": chosen, "endpoints": endpoints, "weighted": weighted, "edges": edges}
    run.checkpoint = checkpoint_of(run, checkpoint, **asked)
    places = chosen if mapped is None else mapped.vertices(chosen)
    made = Dependencies(run, places.size, weights=weighted, endpoints=endpoints, edges=edges)
    done = _sum_up(run, made, places)
    made.close()
    done = chosen.size if done == places.size else done
    used, stand_in = chosen[:done], run.graph is not graph or run.visits() is not None
    scaling = Scaling(graph.n, graph.directed, used, done == graph.n, normalized, endpoints, weighted, stand_in)
    fair = random and (done > 1 or endpoints) and not any(technique.watches_change for technique in run.techniques)
    guarantee = "exact" if done == graph.n else "estimated" if fair else "heuristic"
    if chosen.size == graph.n > done and not random:
        scaling, guarantee = replace(scaling, complete=True), "lower bound"
    arc_sums, sums = made.arc_sums, made.sums
    if mapped is not None:
        arc_sums, sums = mapped.arc_values(arc_sums) if edges else arc_sums, mapped.shares(sums)
    fields = {"edge_values": lambda: edge_values(graph, scaling, arc_sums)} if edges else {}
    return BetweennessResult(
        scaling.scaled(sums),
        guarantee=guarantee,
        sources=None if done == graph.n else scaling.sources,
        scaling=scaling,
        **fields,
    )


class _Sums:
    """The sums, and how many sources are in them."""

    def __init__(self, made: Dependencies) -> None:
        self.made, self.done = made, 0

    def keep(self) -> dict[str, Any]:
        """What a checkpoint holds."""
        return {**self.made.keep(), "done": self.done}

    def take(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint."""
        self.done = int(state["done"])
        self.made.take(state)


def _sum_up(run: Run, made: Dependencies, places: np.ndarray) -> int:
    """Add sources until they are used up or the run is over; how many it were.

    Techniques that want to know hear after each small batch by how much, relatively, it changed the mean dependencies.
    """
    sums, before, watched = _Sums(made), None, any(technique.watches_change for technique in run.techniques)
    most = _BATCH if watched else made.batch

    def step() -> list[Did] | None:
        nonlocal before
        did: list[Did] = []
        while len(did) < (_BATCH if watched else 1):
            batch = places[sums.done : sums.done + min(made.batch, run.rounds_left - len(did), most)]
            if not batch.size:
                break
            did += made.add(batch)
            sums.done += batch.size
        if watched and did:
            means = made.sums / sums.done
            change = 1.0 if before is None else float(np.abs(means - before).sum() / max(means.sum(), 1e-300))
            before = means
            did[-1] = did[-1]._replace(extra={**did[-1].extra, "change": change})
        return did

    run.enact(step, sums)
    return sums.done


def edge_values(graph: Graph, scaling: Scaling, arc_sums: np.ndarray) -> np.ndarray:
    """One value per arc; an undirected edge's is the sum over both its arcs."""
    if not graph.directed:
        arc_sums = arc_sums + arc_sums[opposite_arcs(graph)]
        loops = graph.arc_rows() == graph.arrays.targets
        arc_sums[loops] /= 2
    return arc_sums * scaling.factor(graph.n if scaling.complete else scaling.sources.size, graph.n)


def _chosen(n: int, sources: Any, seed: int) -> tuple[np.ndarray, bool]:
    """The sources, and whether they were drawn at random."""
    if sources is None:
        return np.arange(n, dtype=np.uint64), False
    if is_whole(sources):
        if not min(1, n) <= sources <= n:
            raise InvalidArgumentError(
                f"sources must be a number from 1 to {n}, the vertices of this graph; not {sources}"
            )
        if sources == n:
            return np.arange(n, dtype=np.uint64), False
        return drawn(n, int(sources), seed, _STREAM), True
    return _given(n, sources), False


def _given(n: int, sources: Any) -> np.ndarray:
    """The sources that the caller has chosen."""
    return vertices("sources", sources, n, instead="None, a number of them, or ")


def checked_weights(run: Run, weights: Any) -> bool:
    """Whether paths go by weights."""
    if not uses_weights(run.graph, weights):
        return False
    if run.policy != "auto":
        raise InvalidArgumentError(f"betweenness by weights has policy 'auto' only, not {run.policy!r}")
    if run.device != "cpu":
        raise DeviceUnavailableError(f"betweenness by weights has no form for device {run.device!r}; use device='cpu'")
    if run.graph.m and weight_range(run.graph)[0] <= 0:
        raise InvalidGraphError(
            "betweenness by weights needs weights above 0 (with 0 the number of shortest paths is undefined); "
            "raise them a little or use weights=False"
        )
    return True
