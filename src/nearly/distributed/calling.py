"""What all algorithms on a cluster do with their arguments: checks, a share of the arcs, and the run."""

from __future__ import annotations

import os
from functools import cache
from typing import Any, NamedTuple

from nearly.base.arguments import flag, whole_number
from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress
from nearly.distributed.graph import DistributedGraph
from nearly.distributed.result import DistributedResult
from nearly.distributed.running import run, run_after
from nearly.distributed.thinning import thinning_of
from nearly.engine.applied import as_techniques
from nearly.engine.traits import combined

Path = str | os.PathLike[str]


class Common(NamedTuple):
    """What all algorithms take."""

    checkpoint: Path | None
    every: int
    progress: Progress | None


def checked(dg: Any) -> DistributedGraph:
    """The graph, or an error that says how to get one."""
    if not isinstance(dg, DistributedGraph):
        raise InvalidArgumentError(
            f"dg must be a DistributedGraph, not {type(dg).__name__}; see nd.from_graph and nd.read"
        )
    return dg


def uses_weights(dg: Any, weights: Any) -> bool:
    """Whether the graph's weights count."""
    return flag("weights", weights) and checked(dg).weighted


def answered(dg: Any, name: str, arguments: dict[str, Any], common: Common) -> DistributedResult:
    """Run an algorithm on all arcs."""
    path, every, progress = common
    return run(checked(dg), name, arguments, checkpoint=path, checkpoint_every=every, progress=progress)


def thinly(
    dg: Any, name: str, arguments: dict[str, Any], common: Common, approx: Any, seed: int = 1
) -> DistributedResult:
    """Run an algorithm, on a share of the arcs where `approx` says so."""
    weighted = bool(arguments.get("weighted"))
    thinned = thinning_of(approx, name, whole_number("seed", seed, 0), weighted)
    result = answered(dg, name, {**arguments, "thinned": thinned}, common)
    if thinned is not None:
        result.techniques = as_techniques(approx)
        result.guarantee = combined([result.guarantee, thinned.word])
    return result


def searched(
    dg: Any, name: str, arguments: dict[str, Any], common: Common, approx: Any, seed: int
) -> DistributedResult:
    """A search from a source, whose tree is found when it is asked for."""
    result = thinly(dg, name, arguments, common, approx, seed)
    result.source = arguments["source"]
    values = result.values

    def parents() -> Any:
        found, _ = run_after(values, "parents", arguments)
        found.column = "parent"
        return found

    result.parents = parents  # type: ignore[assignment]
    return result


def ranked(dg: Any, arguments: dict[str, Any], common: Common, approx: Any, seed: int) -> DistributedResult:
    """Ranks; those of some of the arcs are judged by all of them, when that is asked for."""
    if approx is not None and arguments["max_error"] is not None:
        raise InvalidArgumentError("max_error is about the graph as it is: leave out approx, or max_error")
    result = thinly(dg, "pagerank", arguments, common, approx, seed)
    if result.techniques:
        values = result.values
        facts = cache(lambda: run_after(values, "rank_residual", arguments)[1])
        result.residual = lambda: facts()["residual"]  # type: ignore[assignment]
        result.bound = lambda: facts()["bound"]  # type: ignore[assignment]
    return result
