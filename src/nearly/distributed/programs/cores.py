"""Core numbers on parts, from above: a vertex's estimate is the h-index of its neighbours' estimates.

An estimate starts as the degree. A vertex of core number k has k neighbours of core number at least k, so no estimate
falls below the core number; and estimates none of which can fall are core numbers, since the vertices of estimate k or
more then have k neighbours among themselves. (Montresor, De Pellegrini and Miorandi, "Distributed k-core
decomposition", 2013.) Each part lowers its estimates until none can fall by what it knows, then sends those of its
boundary that fell.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from nearly.algorithms.kcore.kernels import loopless_degrees
from nearly.distributed.messages import Got, Send, all_values, changed_values, receive
from nearly.distributed.part import Part
from nearly.distributed.programs.kernels import lower, wake_readers


class Cores:
    """The core numbers of a part's vertices; see the top of the file."""

    view = "undirected"

    def __init__(self, part: Part, arguments: dict[str, Any], kept: dict[str, Any] | None) -> None:
        self.part = part
        self.facts: dict[str, Any] = {}
        self.estimate = np.zeros(part.graph.n, np.int32)
        if kept is not None:
            self.estimate[:] = kept["estimate"]
        else:
            loopless_degrees(*part.graph.arrays[:2], self.estimate)

    def keep(self) -> dict[str, Any]:
        """The estimates."""
        return {"estimate": self.estimate}

    def rounds(self) -> Generator[Send, Got, None]:
        part, estimate = self.part, self.estimate
        rows, push = part.graph.rows, part.push.rows
        got = yield Send(all_values(part, estimate[part.own]))
        receive(part, got, estimate)
        waits, changed = np.zeros(estimate.size, np.uint8), np.zeros(estimate.size, np.uint8)
        counts = np.zeros(int(estimate[part.own].max(initial=0)) + 2, np.uint64)
        queue = np.arange(part.own.start, max(estimate.size, 1) + part.own.start, dtype=rows.targets.dtype)
        fill = part.size
        waits[part.own] = 1
        while True:
            looked, edges = lower(rows, push, estimate, queue, np.uint64(fill), waits, changed, counts)
            message = changed_values(part, estimate[part.own], changed[part.own])
            changed[:] = 0
            told = sum(arrays[0].size for arrays in message.values())
            got = yield Send(message, (told, estimate[part.own].max(initial=0)), int(edges), int(looked), True)
            if got.total(0) == 0:
                break
            news = receive(part, got, estimate).astype(queue.dtype)
            fill = int(wake_readers(push, news, estimate, queue, waits))
        self.facts = {"degeneracy": int(got.numbers[:, 1].max())}
        self.values = estimate[part.own].copy()
