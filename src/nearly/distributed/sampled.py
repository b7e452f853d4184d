"""Algorithms that draw samples, on a cluster whose workers each have the whole graph.

Each worker gets a replica of the graph on the first such call, worker to worker, and does its share of the samples
(`programs.sampling`). The answer for a seed is the same for any number of workers. A worker whose memory the graph does
not fit is an error before anything is sent. A lost worker means that the run begins anew.
"""

from __future__ import annotations

from typing import Any

from nearly.base.arguments import flag, number, whole_number
from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress
from nearly.distributed.calling import checked
from nearly.distributed.graph import DistributedGraph
from nearly.distributed.result import DistributedResult
from nearly.distributed.running import run


def betweenness(
    dg: DistributedGraph,
    *,
    max_error: float,
    confidence: float = 0.99,
    weights: bool = False,
    seed: int = 1,
    progress: Progress | None = None,
) -> DistributedResult:
    """How often shortest paths pass each vertex, normalised, from sampled pairs; see `nearly.betweenness`.

    Parameters
    ----------
    dg : DistributedGraph
        The graph, which must fit into the memory of each worker.
    max_error : float
        How far off any score may be.
    confidence : float, default 0.99
        The probability with which that must hold.
    weights : bool, default False
        Whether paths are measured by the graph's weights.
    seed : int, default 1
        Which pairs are drawn.
    progress : callable, optional
        Called as `progress(stage, done, total)`; rounds are exchanges.

    Returns
    -------
    DistributedResult
        With `error`, `confidence` and `samples`; "statistical".
    """
    own = {"weights": flag("weights", weights)}
    return sampled(dg, "betweenness", own, (max_error, confidence, seed), progress)


def closeness(
    dg: DistributedGraph,
    *,
    max_error: float | None = None,
    confidence: float = 0.99,
    wf_improved: bool = True,
    seed: int = 1,
    progress: Progress | None = None,
) -> DistributedResult:
    """How near each vertex is, in hops, to those that reach it; see `nearly.closeness`.

    Parameters
    ----------
    dg : DistributedGraph
        The graph, which must fit into the memory of each worker.
    max_error : float, optional
        How far off any score may be; left out, all vertices are searched from, and the answer is exact.
    confidence, seed, progress
        As in `betweenness`.
    wf_improved : bool, default True
        As in `nearly.closeness`.

    Returns
    -------
    DistributedResult
        "statistical" with `error` and `confidence`, or "exact".
    """
    own = {"wf_improved": flag("wf_improved", wf_improved), "weights": False}
    return sampled(dg, "closeness", own, (max_error, confidence, seed), progress)


def harmonic(
    dg: DistributedGraph,
    *,
    max_error: float | None = None,
    confidence: float = 0.99,
    normalized: bool = False,
    seed: int = 1,
    progress: Progress | None = None,
) -> DistributedResult:
    """The mean inverse distance, in hops, from all vertices to each; see `nearly.harmonic`.

    Parameters
    ----------
    dg : DistributedGraph
        The graph, which must fit into the memory of each worker.
    max_error, confidence, seed, progress
        As in `closeness`.
    normalized : bool, default False
        As in `nearly.harmonic`.

    Returns
    -------
    DistributedResult
        "statistical" with `error` and `confidence`, or "exact".
    """
    own = {"normalized": flag("normalized", normalized), "weights": False}
    return sampled(dg, "harmonic", own, (max_error, confidence, seed), progress)


def sampled(
    dg: Any, name: str, own: dict[str, Any], budget: tuple[Any, Any, Any], progress: Progress | None
) -> DistributedResult:
    """Run an algorithm by samples; the budget is the error, the confidence and the seed."""
    error, confidence, seed = budget
    if error is None and name == "betweenness":
        raise InvalidArgumentError("betweenness on a cluster goes by samples: pass max_error, such as 0.01")
    arguments = {
        "algorithm": name, "own": own, "seed": whole_number("seed", seed, 0),
        "max_error": None if error is None else number("max_error", error, 0, above=True),
        "confidence": number("confidence", confidence, 0, 1, above=True, below=True),
    }  # fmt: skip
    inner = "sampled_triangles" if name == "triangle_count" else name
    result = run(checked(dg), inner, arguments, progress=progress)
    result.algorithm = name
    if name == "triangle_count":
        result.values = None  # type: ignore[assignment]
    return result
