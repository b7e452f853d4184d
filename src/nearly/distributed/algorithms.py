"""The algorithms on a cluster; each is the one of the same name on one machine (see there for what it computes).

All take `checkpoint=`, `checkpoint_every=` and `progress=`, and return a `DistributedResult`: `values` stay on the
workers, `guarantee` and `error` are as on one machine, `trace` has a row a round, `restarts` the workers lost.
"""

from __future__ import annotations

import os
from typing import Any

from nearly.base.arguments import choice, flag, number, whole_number
from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress
from nearly.distributed.graph import DistributedGraph
from nearly.distributed.result import DistributedResult
from nearly.distributed.running import run

Path = str | os.PathLike[str]


def pagerank(  # noqa: PLR0913
    dg: DistributedGraph,
    *,
    damping: float = 0.85,
    tol: float = 1e-8,
    dangling: str = "redistribute",
    weights: bool = True,
    max_error: float | None = None,
    max_rounds: int = 1000,
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
        "weighted": _weighted(dg, weights), "arcs": dg.m, "max_rounds": whole_number("max_rounds", max_rounds),
        "max_error": None if max_error is None else number("max_error", max_error, 0, above=True),
    }  # fmt: skip
    return _run(dg, "pagerank", arguments, checkpoint, checkpoint_every, progress)


def bfs(
    dg: DistributedGraph,
    source: int | str,
    *,
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
    checkpoint, checkpoint_every, progress
        As in `pagerank`.

    Returns
    -------
    DistributedResult
        Without parents, which no part could name alone.
    """
    arguments = {"source": _checked(dg).vertex("source", source)}
    result = _run(dg, "bfs", arguments, checkpoint, checkpoint_every, progress)
    result.source = arguments["source"]
    return result


def sssp(
    dg: DistributedGraph,
    source: int | str,
    *,
    weights: bool = True,
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
    checkpoint, checkpoint_every, progress
        As in `pagerank`.

    Returns
    -------
    DistributedResult
        Without parents, which no part could name alone.
    """
    arguments = {"source": _checked(dg).vertex("source", source), "weighted": _weighted(dg, weights)}
    result = _run(dg, "sssp", arguments, checkpoint, checkpoint_every, progress)
    result.source = arguments["source"]
    return result


def connected_components(
    dg: DistributedGraph,
    *,
    checkpoint: Path | None = None,
    checkpoint_every: int = 10,
    progress: Progress | None = None,
) -> DistributedResult:
    """Components of the graph read as undirected; a label is the smallest member; see `nearly.connected_components`.

    Parameters
    ----------
    dg : DistributedGraph
        The graph.
    checkpoint, checkpoint_every, progress
        As in `pagerank`.

    Returns
    -------
    DistributedResult
        With `count`.
    """
    return _run(dg, "connected_components", {}, checkpoint, checkpoint_every, progress)


def label_propagation(
    dg: DistributedGraph,
    *,
    weights: bool = True,
    explore: int = 8,
    seed: int = 1,
    max_rounds: int = 100,
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
    checkpoint, checkpoint_every, progress
        As in `pagerank`; a turn counts as a round.

    Returns
    -------
    DistributedResult
        With `count`.
    """
    arguments = {
        "weighted": _weighted(dg, weights), "explore": whole_number("explore", explore, 0),
        "seed": whole_number("seed", seed, 0), "max_rounds": whole_number("max_rounds", max_rounds),
    }  # fmt: skip
    return _run(dg, "label_propagation", arguments, checkpoint, checkpoint_every, progress)


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
    return _run(dg, "kcore", {}, checkpoint, checkpoint_every, progress)


def triangle_count(
    dg: DistributedGraph,
    *,
    checkpoint: Path | None = None,
    checkpoint_every: int = 10,
    progress: Progress | None = None,
) -> DistributedResult:
    """Triangles at each vertex of the graph read as undirected; see `nearly.triangle_count`.

    Parameters
    ----------
    dg : DistributedGraph
        The graph.
    checkpoint, checkpoint_every, progress
        As in `pagerank`.

    Returns
    -------
    DistributedResult
        With `total`.
    """
    return _run(dg, "triangle_count", {}, checkpoint, checkpoint_every, progress)


def _checked(dg: Any) -> DistributedGraph:
    if not isinstance(dg, DistributedGraph):
        raise InvalidArgumentError(
            f"dg must be a DistributedGraph, not {type(dg).__name__}; see nd.from_graph and nd.read"
        )
    return dg


def _weighted(dg: Any, weights: Any) -> bool:
    return flag("weights", weights) and _checked(dg).weighted


def _run(
    dg: Any, name: str, arguments: dict[str, Any], checkpoint: Path | None, every: int, progress: Progress | None
) -> DistributedResult:
    return run(_checked(dg), name, arguments, checkpoint=checkpoint, checkpoint_every=every, progress=progress)
