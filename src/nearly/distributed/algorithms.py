"""The algorithms on a cluster; each is the one of the same name on one machine (see there for what it computes).

All take `checkpoint=`, `checkpoint_every=` and `progress=`, and return a `DistributedResult`: `values` stay on the
workers, `guarantee` and `error` are as on one machine, `trace` has a row a round, `restarts` the workers lost.
"""

from __future__ import annotations

from typing import Any

from nearly.base.arguments import choice, number, whole_number
from nearly.base.progress import Progress
from nearly.distributed.calling import Common, Path, answered, checked, ranked, searched, thinly, uses_weights
from nearly.distributed.graph import DistributedGraph
from nearly.distributed.result import DistributedResult
from nearly.distributed.sampled import sampled


def pagerank(  # noqa: PLR0913
    dg: DistributedGraph,
    *,
    damping: float = 0.85,
    tol: float = 1e-8,
    dangling: str = "redistribute",
    weights: bool = True,
    max_error: float | None = None,
    max_rounds: int = 1000,
    approx: Any = None,
    seed: int = 1,
    checkpoint: Path | None = None,
    checkpoint_every: int = 10,
    progress: Progress | None = None,
) -> DistributedResult:
    """The share of time a random surfer spends at each vertex; see `nearly.pagerank`.

    Parameters
    ----------
    dg : DistributedGraph
        The graph.
    damping, tol, dangling, weights
        As in `nearly.pagerank`.
    max_error : float, optional
        Stop as soon as the sum of the ranks' errors is certainly at most this (guarantee "certified").
    max_rounds : int, default 1000
        Stop after so many rounds, with the bound that holds then.
    approx : PartialEdges, optional
        A share of the arcs, chosen as on one machine for the same seed; `bound` is then about all arcs.
    seed : int, default 1
        Which arcs are chosen.
    checkpoint : str or os.PathLike, optional
        A folder that all workers reach, where the run is kept: after a loss, or when called again, it goes on.
    checkpoint_every : int, default 10
        How many rounds lie between two checkpoints.
    progress : callable, optional
        Called as `progress(stage, done, total)`.

    Returns
    -------
    DistributedResult
        With `residual` and `bound`; `error` is the bound.
    """
    leak = choice("dangling", dangling, ("redistribute", "leak")) == "leak"
    arguments = {
        "damping": number("damping", damping, 0, 1, below=True), "tol": number("tol", tol, 0, above=True), "leak": leak,
        "weighted": uses_weights(dg, weights), "arcs": dg.m, "max_rounds": whole_number("max_rounds", max_rounds),
        "max_error": None if max_error is None else number("max_error", max_error, 0, above=True),
    }  # fmt: skip
    return ranked(dg, arguments, Common(checkpoint, checkpoint_every, progress), approx, seed)


def bfs(
    dg: DistributedGraph,
    source: int | str,
    *,
    approx: Any = None,
    seed: int = 1,
    checkpoint: Path | None = None,
    checkpoint_every: int = 10,
    progress: Progress | None = None,
) -> DistributedResult:
    """Hops from a source to every vertex (-1 where there is no way); see `nearly.bfs`.

    Parameters
    ----------
    dg : DistributedGraph
        The graph.
    source : int or str
        The vertex to start from, by index or by name.
    approx, seed
        As in `pagerank`; the arcs have to be chosen once: `PartialEdges(redraw=False)`.
    checkpoint, checkpoint_every, progress
        As in `pagerank`.

    Returns
    -------
    DistributedResult
        With `source` and `parents`.
    """
    arguments = {"source": checked(dg).vertex("source", source), "weighted": False}
    return searched(dg, "bfs", arguments, Common(checkpoint, checkpoint_every, progress), approx, seed)


def sssp(
    dg: DistributedGraph,
    source: int | str,
    *,
    weights: bool = True,
    approx: Any = None,
    seed: int = 1,
    checkpoint: Path | None = None,
    checkpoint_every: int = 10,
    progress: Progress | None = None,
) -> DistributedResult:
    """Lengths of the shortest paths from a source to every vertex (inf where there is none); see `nearly.sssp`.

    Parameters
    ----------
    dg : DistributedGraph
        The graph.
    source : int or str
        The vertex to start from, by index or by name.
    weights : bool, default True
        False counts 1 for every arc.
    approx, seed
        As in `pagerank`; the arcs have to be chosen once: `PartialEdges(redraw=False)`.
    checkpoint, checkpoint_every, progress
        As in `pagerank`.

    Returns
    -------
    DistributedResult
        With `source` and `parents`.
    """
    arguments = {"source": checked(dg).vertex("source", source), "weighted": uses_weights(dg, weights)}
    return searched(dg, "sssp", arguments, Common(checkpoint, checkpoint_every, progress), approx, seed)


def connected_components(
    dg: DistributedGraph,
    *,
    approx: Any = None,
    seed: int = 1,
    checkpoint: Path | None = None,
    checkpoint_every: int = 10,
    progress: Progress | None = None,
) -> DistributedResult:
    """Components of the graph read as undirected; a label is the smallest member; see `nearly.connected_components`.

    Parameters
    ----------
    dg : DistributedGraph
        The graph.
    approx, seed
        As in `pagerank`; the arcs have to be chosen once: `PartialEdges(redraw=False)`.
    checkpoint, checkpoint_every, progress
        As in `pagerank`.

    Returns
    -------
    DistributedResult
        With `count`.
    """
    return thinly(dg, "connected_components", {}, Common(checkpoint, checkpoint_every, progress), approx, seed)


def label_propagation(  # noqa: PLR0913
    dg: DistributedGraph,
    *,
    weights: bool = True,
    explore: int = 8,
    seed: int = 1,
    max_rounds: int = 100,
    approx: Any = None,
    checkpoint: Path | None = None,
    checkpoint_every: int = 10,
    progress: Progress | None = None,
) -> DistributedResult:
    """Communities in which each vertex has the label that weighs most around it; see `nearly.label_propagation`.

    Parameters
    ----------
    dg : DistributedGraph
        The graph.
    weights, explore, seed
        As in `nearly.label_propagation`.
    max_rounds : int, default 100
        Stop after so many rounds of four turns (guarantee "heuristic").
    approx : PartialEdges, optional
        As in `pagerank`.
    checkpoint, checkpoint_every, progress
        As in `pagerank`; a turn counts as a round.

    Returns
    -------
    DistributedResult
        With `count`.
    """
    arguments = {
        "weighted": uses_weights(dg, weights), "explore": whole_number("explore", explore, 0),
        "seed": whole_number("seed", seed, 0), "max_rounds": whole_number("max_rounds", max_rounds),
    }  # fmt: skip
    return thinly(dg, "label_propagation", arguments, Common(checkpoint, checkpoint_every, progress), approx, seed)


def kcore(
    dg: DistributedGraph,
    *,
    checkpoint: Path | None = None,
    checkpoint_every: int = 10,
    progress: Progress | None = None,
) -> DistributedResult:
    """Core numbers of the graph read as undirected; see `nearly.kcore`.

    Parameters
    ----------
    dg : DistributedGraph
        The graph.
    checkpoint, checkpoint_every, progress
        As in `pagerank`.

    Returns
    -------
    DistributedResult
        With `degeneracy`.
    """
    return answered(dg, "kcore", {}, Common(checkpoint, checkpoint_every, progress))


def triangle_count(
    dg: DistributedGraph,
    *,
    max_error: float | None = None,
    confidence: float = 0.99,
    seed: int = 1,
    approx: Any = None,
    checkpoint: Path | None = None,
    checkpoint_every: int = 10,
    progress: Progress | None = None,
) -> DistributedResult:
    """Triangles at each vertex of the graph read as undirected; see `nearly.triangle_count`.

    Parameters
    ----------
    dg : DistributedGraph
        The graph.
    max_error : float, optional
        The total alone, within this relative error, from wedges drawn by workers that each have the whole graph. Where
        triangles are so few that rounding counts, they are counted after all.
    confidence, seed
        As in `nearly.triangle_count`.
    approx : PartialEdges, optional
        As in `pagerank`.
    checkpoint, checkpoint_every, progress
        As in `pagerank`.

    Returns
    -------
    DistributedResult
        With `total`; of an estimate, `values` are None.
    """
    if max_error is not None:
        found = sampled(dg, "triangle_count", {"vertices": None}, (max_error, confidence, seed), progress)
        if found.guarantee != "none":
            return found
    return thinly(dg, "triangle_count", {}, Common(checkpoint, checkpoint_every, progress), approx, seed)
