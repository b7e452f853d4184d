"""Connected components on parts: components of what a part sees, whose labels then fall to what other parts say.

First each part joins its vertices and ghosts along its arcs, without rounds and by the steps of one machine (Afforest:
Sutton, Ben-Nun and Barak 2018): most vertices join the largest tree by one or two arcs, and of the others few arcs are
looked at. A local component has one label, at first its smallest global number. In a round, labels of boundary vertices
that fell go both ways: to the parts that read the vertex, and from these to the part that owns it, since a ghost can
join components that its owner sees apart. Each label that comes lowers that of the whole local component. When no label
falls, two vertices joined by an arc have the same label wherever they are owned, and every label is the number of a
vertex of the component, that of its smallest among them: the smallest member's, as on one machine. Rounds are as many
as there are changes of part on the way to the smallest member, not as many as arcs.

Most labels that fall in a round fall to the same one, that of the largest component: it goes once, with a bit for each
vertex, and the others as values and places.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from nearly.algorithms.connected_components.kernels import commonest, compress_some, hook_first, link_last, link_piece
from nearly.algorithms.shared.labels import as_labels
from nearly.base.unsigned import U0
from nearly.distributed.messages import Arrays, Got, Send, marked, places_of
from nearly.distributed.part import Part
from nearly.distributed.programs.kernels import labels_fallen, lower_labels
from nearly.graph.csr import vertex_dtype


class Components:
    """The components of a part's vertices; see the top of the file."""

    view = "in"

    def __init__(self, part: Part, arguments: dict[str, Any], kept: dict[str, Any] | None) -> None:
        self.part = part
        self.facts: dict[str, Any] = {}
        self.root = local_roots(part)
        self.label = part.globals().astype(vertex_dtype(part.n))  # of roots: the smallest of their local component
        self.shared = {q: self._shared(q) for q in part.needed.keys() | part.ghost_slices.keys()}
        self.told = {q: self.label[places] for q, places in self.shared.items()}
        if kept is not None:
            self.label[:] = kept["label"]

    def keep(self) -> dict[str, Any]:
        """The labels of local components."""
        return {"label": self.label}

    def rounds(self) -> Generator[Send, Got, None]:
        part, edges = self.part, self.part.graph.m
        own = np.arange(part.first, part.first + part.size)
        while True:
            message, sent, mine = {}, 0, 0
            for q in self.shared:
                fell, message[q] = self._fallen(q)
                sent += fell
            if not sent:  # if no part has any, these are the last
                labels = self.label[self.root[part.own]]
                mine = int(np.count_nonzero(labels == own))
            got = yield Send({q: told for q, told in message.items() if told}, (sent, mine), edges, sent, True)
            edges = 0  # arcs were looked at once, before the first round
            if got.total(0) == 0:
                break
            for q in got.values:
                self._hear(q, got.values[q])
        self.facts = {"count": int(got.total(1))}
        self.values = as_labels(labels) if part.n <= 2**31 else labels.astype(np.int64)

    def _fallen(self, q: int) -> tuple[int, Arrays]:
        """How many labels fell that part q knows, and how it is told."""
        places, told = self.shared[q], self.told[q]
        at, now = np.empty(places.size, np.uint32), np.empty(places.size, told.dtype)
        count = int(labels_fallen(self.label, self.root, places, told, at, now))
        if not count:
            return 0, ()
        at, now = at[:count], now[:count]
        top = now[np.arange(0, count, max(count // 64, 1))]
        usual = np.unique(top)[np.unique(top, return_counts=True)[1].argmax()]
        chosen = np.zeros(places.size, bool)
        chosen[at[now == usual]] = True
        rest = now != usual
        return count, (np.array([usual]), *marked(chosen), now[rest], at[rest])

    def _hear(self, q: int, message: Arrays) -> None:
        """Labels that part q sent."""
        usual, chosen, labels, at = message
        places, told = self.shared[q], self.told[q]
        first = self._here(q, places_of((chosen,), places.size))
        lower_labels(self.label, self.root, places, told, first, usual)
        lower_labels(self.label, self.root, places, told, self._here(q, at), labels)

    def _shared(self, q: int) -> np.ndarray:
        """The vertices that this part and q both know: owned ones that q reads, then those of q that are read here."""
        there = self.part.ghost_slices.get(q, slice(0, 0))
        read = self.part.needed.get(q, np.empty(0, np.int64)) + self.part.below
        return np.concatenate([read, np.arange(there.start, there.stop)]).astype(self.root.dtype)

    def _here(self, q: int, places: np.ndarray) -> np.ndarray:
        """Where in the list shared with q the places lie that q names: it lists its owned vertices first."""
        read = self.part.needed[q].size if q in self.part.needed else 0
        there = self.part.ghost_slices.get(q, slice(0, 0))
        ghosts = there.stop - there.start
        places = places.astype(np.int64)
        return np.where(places < ghosts, places + read, places - ghosts).astype(np.uint32)


def local_roots(part: Part) -> np.ndarray:
    """The smallest local vertex that each one is joined to by the arcs of the part."""
    offsets, targets = part.graph.rows[:2]
    n = np.uint64(part.graph.n)
    root, last = np.empty(part.graph.n, targets.dtype), np.empty(part.graph.n, targets.dtype)
    hook_first(offsets, targets, root, last, U0, n)
    compress_some(root, U0, n)
    link_last(last, root, U0, n)
    compress_some(root, U0, n)
    turned = "push" in part.__dict__  # the arcs are known both ways
    back = part.push.rows[:2] if turned else (offsets[:0], targets[:0])
    if part.graph.n:
        link_piece((offsets, targets), back, np.uint64(commonest(root)), not turned, root, U0, n)
    compress_some(root, U0, n)
    return root
