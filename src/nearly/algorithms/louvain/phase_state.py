"""What a phase of Louvain's method works on, made anew: its memory, its communities, and the account of its rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nearly.algorithms.louvain.kernels import State, Tables
from nearly.algorithms.louvain.level import Level, ask_for, weigh_communities
from nearly.algorithms.louvain.rounds import GAINED, LOOKED, MOVED, VISITED
from nearly.engine.run import Did
from nearly.graph.csr import vertex_dtype


class Rounds(Sequence[Did]):
    """What rounds of a phase did, spelled out when it is read.

    `reached` is the modularity after the last one where that is computed, `found` that after the phase if it is over.
    """

    def __init__(self, did: np.ndarray, place: dict[str, float], reached: float | None, found: float | None) -> None:
        self.did, self.place, self.reached, self.found = did, place, reached, found

    def __len__(self) -> int:
        return len(self.did)

    def __getitem__(self, i: Any) -> Any:
        row = self.did[i]
        extra = {**self.place, "gain": row[GAINED], "changed": row[MOVED]}
        if i == len(self.did) - 1:
            last = {"reached": self.reached, "modularity": self.found}
            extra |= {name: value for name, value in last.items() if value is not None}
        return Did(int(row[LOOKED]), int(row[VISITED]), row[VISITED] + 1.0, extra)


def tables_of(n: int, number: np.dtype[Any], workers: int, hashed: bool) -> Tables:
    """The memory of rounds; a hash map has at least twice as many slots as there are communities."""
    places, slots = n, 0
    if hashed:
        places = slots = 1 << (2 * max(n, 1) - 1).bit_length()
    needed = workers * (8 * places + 4 * (n + slots)) + 66 * n
    ask_for(needed, "communities of a graph")
    used = np.empty((workers, n + 1), vertex_dtype(slots) if hashed else number)
    keys = np.empty((workers if hashed else 0, slots), number)
    line, movers, counters = np.empty(n, number), np.empty(n, number), np.zeros(4, np.uint64)
    return Tables(np.zeros((workers, places)), used, keys, line, movers, counters, np.zeros((n, 2)))


def state_of(level: Level, label: np.ndarray) -> State:
    """Communities as they are labelled, all vertices awake."""
    n, strength = level.n, level.rows.strength
    if label is level.ids:
        weight, size = strength.copy(), np.ones(n, np.int64)
    else:
        weight, size = np.zeros(n, np.int64), np.zeros(n, np.int64)
        weigh_communities(label, strength, weight, size)
    return State(
        label.copy(),
        np.empty_like(label),
        weight,
        size,
        np.ones(n, np.bool_),
        np.zeros(n, np.int64),
        np.zeros(n, np.uint8),
    )
