"""Which rounds PageRank makes where they are not the plain ones: frozen, extrapolated, or component by component."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from nearly.algorithms.pagerank.components import Components
from nearly.base.errors import InvalidArgumentError
from nearly.engine.run import Run
from nearly.techniques.extrapolate_rounds import Ahead
from nearly.techniques.freeze_edges.rounds import FrozenEdges, FrozenVertices


def other_rounds(run: Run, said: dict[str, Any], method: str) -> Callable[..., Any]:
    """What to make the rounds of; called as `Sweeps` is."""
    asked = [name for name in ("freeze", "ahead") if name in said] + (["components"] if method == "components" else [])
    if len(asked) > 1:
        raise InvalidArgumentError("FreezeEdges, Extrapolate and method='components' are different rounds; use one")
    if run.device != "cpu":
        raise InvalidArgumentError("FreezeEdges, Extrapolate and method='components' need device='cpu'")
    if run.map.copies is not None or run.map.clusters is not None:
        raise InvalidArgumentError("FreezeEdges, Extrapolate and method='components' know no copies and no clusters")
    if asked == ["components"]:
        return Components
    if asked == ["ahead"]:
        return partial(Ahead, rate=said["ahead"])
    freezing = said["freeze"]
    return partial(FrozenEdges if freezing.by == "edges" else FrozenVertices, freezing=freezing)
