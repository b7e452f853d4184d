"""Connected components on parts: components of what a part sees, whose labels then fall to what other parts say.

First each part joins its vertices and ghosts along its arcs (no rounds: union-find). A local component has one label,
at first its smallest global number. In a round, labels of boundary vertices that fell go both ways: to the parts that
read the vertex, and from these to the part that owns it, since a ghost can join components that its owner sees apart.
Each label that comes lowers that of the whole local component. When no label falls, two vertices joined by an arc have
the same label wherever they are owned, and every label is the number of a vertex of the component, that of its smallest
among them: the smallest member's, as on one machine. Rounds are as many as there are changes of part on the way to the
smallest member, not as many as arcs.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from nearly.algorithms.connected_components.kernels import find_all, unite_arcs
from nearly.algorithms.shared.labels import as_labels
from nearly.distributed.messages import Arrays, Got, Send, encoded
from nearly.distributed.part import Part
from nearly.graph.csr import vertex_dtype


class Components:
    """The components of a part's vertices; see the top of the file."""

    view = "in"

    def __init__(self, part: Part, arguments: dict[str, Any], kept: dict[str, Any] | None) -> None:
        self.part = part
        self.facts: dict[str, Any] = {}
        graph = part.graph
        self.root = np.arange(graph.n, dtype=graph.arrays.targets.dtype)
        unite_arcs(*graph.arrays[:2], self.root)
        find_all(self.root)
        self.known = part.globals().astype(vertex_dtype(part.n))  # the label others know a boundary vertex by
        self.label = self.known.copy()  # of roots: these are the smallest of their local component
        if kept is not None:
            self.label[:] = kept["label"]

    def keep(self) -> dict[str, Any]:
        """The labels of local components."""
        return {"label": self.label}

    def rounds(self) -> Generator[Send, Got, None]:
        part, edges = self.part, self.part.graph.m
        shared = {q: self._shared(q) for q in part.needed.keys() | part.ghost_slices.keys()}
        told = {q: self.known[places] for q, places in shared.items()}
        while True:
            message: dict[int, Arrays] = {}
            sent = 0
            for q, places in shared.items():
                now = self.label[self.root[places]]
                fell = np.flatnonzero(now < told[q])
                told[q] = now
                if fell.size:
                    message[q] = encoded(now, fell)
                    sent += fell.size
            got = yield Send(message, (sent,), edges, sent, True)
            edges = 0  # arcs were followed once, before the first round
            if got.total(0) == 0:
                break
            for q, (labels, *named) in got.values.items():
                here = self._here(q, named[0] if named else np.arange(labels.size))
                np.minimum.at(self.label, self.root[shared[q][here]], labels)
                told[q][here] = np.minimum(told[q][here], labels)
        labels = self.label[self.root[part.own]]
        own = np.arange(part.first, part.first + part.size)
        got = yield Send({}, (np.count_nonzero(labels == own),))
        self.facts = {"count": int(got.total(0))}
        self.values = as_labels(labels) if part.n <= 2**31 else labels.astype(np.int64)

    def _shared(self, q: int) -> np.ndarray:
        """The vertices that this part and q both know: owned ones that q reads, then those of q that are read here."""
        there = self.part.ghost_slices.get(q, slice(0, 0))
        read = self.part.needed.get(q, np.empty(0, np.int64)) + self.part.below
        return np.concatenate([read, np.arange(there.start, there.stop)])

    def _here(self, q: int, places: np.ndarray) -> np.ndarray:
        """Where in the list shared with q the places lie that q names: it lists its owned vertices first."""
        read = self.part.needed[q].size if q in self.part.needed else 0
        there = self.part.ghost_slices.get(q, slice(0, 0))
        ghosts = there.stop - there.start
        places = places.astype(np.int64)
        return np.where(places < ghosts, places + read, places - ghosts)
