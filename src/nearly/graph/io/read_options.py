"""What a caller asked of `read`, checked once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nearly.base.arguments import choice
from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress, silent
from nearly.graph.attributes import carry
from nearly.graph.build import from_source
from nearly.graph.csr import Graph
from nearly.graph.edge_source import ArcSource
from nearly.graph.edge_weights import checked_weights


class Options(NamedTuple):
    """The keywords of `nearly.read`."""

    directed: bool | None = None
    duplicates: str | None = None
    self_loops: str = "keep"
    negative: str = "reject"
    nan: str = "reject"
    weight_dtype: Any = None
    weights: bool = True
    mmap: bool = True
    progress: Progress = silent
    names: bool | None = None
    header: bool | None = None
    attributes: bool = False

    def check(self) -> None:
        """Refuse unknown values before any work is done."""
        choice("duplicates", self.duplicates, (None, "keep", "first", "min", "sum"))
        choice("self_loops", self.self_loops, ("keep", "drop"))
        if self.directed not in (None, True, False):
            raise InvalidArgumentError(f"directed must be one of None, True, False; not {self.directed!r}")
        for name in ("names", "header"):
            if getattr(self, name) not in (None, True, False):
                raise InvalidArgumentError(f"{name} must be one of None, True, False; not {getattr(self, name)!r}")
        checked_weights(np.empty(0), self.negative, self.nan, self.weight_dtype)


def adjusted(graph: Graph, options: Options) -> Graph:
    """A graph that was stored as one, under the caller's policies; itself where they ask for nothing."""
    made = _adjusted(graph, options)
    return made if made is graph else carry(graph, made, arcs=np.arange(graph.m) if _same_arcs(graph, made) else None)


def _same_arcs(one: Graph, other: Graph) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one.rows[:2], other.rows[:2]))


def _adjusted(graph: Graph, options: Options) -> Graph:
    directed = graph.directed if options.directed is None else options.directed
    if graph.weighted and options.weight_dtype is not None and graph.arrays.weights.dtype != options.weight_dtype:
        weights = checked_weights(graph.arrays.weights, "keep", "reject", options.weight_dtype)[0]
        graph = Graph._trusted(graph.arrays._replace(weights=weights), graph.directed, graph.labels)
    if graph.directed and not directed:
        return from_source(ArcSource(graph), graph.n, False, options.duplicates, options.self_loops, graph.labels)
    if options.duplicates not in (None, "keep") or options.self_loops == "drop":
        kept = options.duplicates or "keep"
        arrays = from_source(
            ArcSource(graph), graph.n, True, kept, options.self_loops, graph.labels, ascending=True
        ).arrays
        return Graph._trusted(arrays, directed, graph.labels)
    return graph if graph.directed == directed else Graph._trusted(graph.arrays, directed, graph.labels)
