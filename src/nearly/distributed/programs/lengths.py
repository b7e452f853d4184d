"""Lengths of shortest paths from a source, on parts (sssp).

The search goes limit by limit (`distances`). Where arcs count 1 these are hops, searched for level by level (`levels`).
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from nearly.algorithms.shared.weights import forbid_extremes, forbid_negative
from nearly.distributed.messages import Got, Send
from nearly.distributed.part import Part
from nearly.distributed.programs.distances import LimitedSearch
from nearly.distributed.programs.levels import Hops


class Lengths:
    """The program of sssp; where arcs count 1, hops are searched for level by level."""

    view = "in"

    def __init__(self, part: Part, arguments: dict[str, Any], kept: dict[str, Any] | None) -> None:
        self.part, self.kept = part, kept
        self.facts: dict[str, Any] = {}
        self.source = arguments["source"]
        self.hops: Hops | None = None
        if not (arguments["weighted"] and part.graph.weighted):
            self.hops = Hops(part, arguments, kept)
            return
        forbid_negative(part.graph, "sssp", "count hops")
        forbid_extremes(part.graph, 0.0, float(np.finfo(np.float64).max))
        self.search = LimitedSearch(part, part.push.arrays)

    def keep(self) -> dict[str, Any]:
        """What the search keeps."""
        return self.search.keep() if self.hops is None else self.hops.keep()

    def rounds(self) -> Generator[Send, Got, None]:
        if self.hops is not None:
            yield from self.hops.rounds()
            self.values = np.where(self.hops.values < 0, np.inf, self.hops.values)
            return
        if self.kept is not None:
            self.search.take(self.kept)
        else:
            self.search.begin(self.source)
        yield from self.search.rounds()
        self.values = self.search.search.distance[self.part.own].copy()
