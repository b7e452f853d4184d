"""Label propagation on parts: the same turns, draws and ties as on one machine, so the same labels.

A round has four turns (`nearly.algorithms.label_propagation`). In each, the owned vertices that are awake and have
their turn choose from the labels as they were before it; draws go by global numbers, and rows have the order of global
numbers, so that each choice is that of one machine. Then labels that changed go to the parts that read them, and wake
their neighbours there. At the end a label is named by its smallest member: each part sends the smallest it has of each
label to the part that owns the vertex of that number, and is told the smallest of all.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from nearly.algorithms.label_propagation import tables_for
from nearly.algorithms.label_propagation.kernels import LOTS, TIES, Turn
from nearly.algorithms.shared.labels import as_labels
from nearly.algorithms.shared.weights import forbid_extremes, forbid_negative
from nearly.base.random import stream_key
from nearly.distributed.messages import Got, Send, changed_values, receive
from nearly.distributed.part import Part
from nearly.distributed.programs.kernels import Choice, choose, wake
from nearly.graph.csr import vertex_dtype

_TURNS = 4


class Communities:
    """The labels of a part's vertices; see the top of the file."""

    view = "undirected"

    def __init__(self, part: Part, arguments: dict[str, Any], kept: dict[str, Any] | None) -> None:
        self.part, self.asked = part, arguments
        graph = part.graph
        self.weighted = arguments["weighted"] and graph.weighted
        if self.weighted:
            forbid_negative(graph, "label_propagation", "count neighbours")
            forbid_extremes(graph)
        label = part.globals().astype(vertex_dtype(part.n))
        self.choice = Choice(label, label.copy(), np.zeros(graph.n, np.uint8), np.zeros(graph.n, np.uint8))
        self.choice.awake[part.own] = 1
        self.number, self.explore = 0, arguments["explore"]
        if kept is not None:
            label[:], self.choice.awake[:] = kept["label"], kept["awake"]
            self.number, self.explore = kept["marks"].tolist()
        self.tables = tables_for(graph, 1)
        self.facts: dict[str, Any] = {}
        self.begin: dict[str, Any] = {}

    def keep(self) -> dict[str, Any]:
        """The labels, which vertices are awake, and the round, as it began."""
        return self.begin

    def rounds(self) -> Generator[Send, Got, None]:
        finished = False
        while self.number < self.asked["max_rounds"]:
            free, seed = self.number < self.explore, np.uint64(self.asked["seed"])
            lot = np.uint64(stream_key(seed, LOTS + np.uint64(self.number)))
            key = lot if free else np.uint64(stream_key(seed, TIES))
            label, awake = self.choice.label.copy(), self.choice.awake.copy()
            self.begin = {"label": label, "awake": awake, "marks": np.array([self.number, self.explore])}
            looked = moved = 0.0
            for number in range(_TURNS):
                got = yield self._turn(Turn(np.uint64(number), lot, key, free), number == 0)
                self._learn(got)
                looked, moved = looked + got.total(0), moved + got.total(1)
            if looked == 0:
                finished = True
                break
            self.number += 1
            if moved == 0:
                self.explore = 0
        labels = yield from self._named_by_smallest()
        own = np.arange(self.part.first, self.part.first + self.part.size)
        got = yield Send({}, (np.count_nonzero(labels == own),))
        self.facts = {"converged": finished, "count": int(got.total(0)), "rounds": self.number}
        self.values = as_labels(labels) if self.part.n <= 2**31 else labels.astype(np.int64)

    def _turn(self, turn: Turn, whole: bool) -> Send:
        """Choose, and take on what was chosen; what is sent are the labels that changed."""
        part, (label, wish, awake, changed) = self.part, self.choice
        rows = part.graph.arrays if self.weighted else part.graph.rows
        bounds = np.array([part.own.start, part.own.stop, part.first - part.below], np.uint64)
        looked, edges, moved = choose(rows, self.choice, turn, bounds, self.tables)
        self.moved = np.flatnonzero(changed).astype(label.dtype)
        label[self.moved] = wish[self.moved]
        message = changed_values(part, label[part.own], changed[part.own])
        changed[:] = 0
        wake(part.push.rows, self.moved, awake)
        return Send(message, (float(looked), float(moved)), int(edges), int(looked), whole)

    def _learn(self, got: Got) -> None:
        news = receive(self.part, got, self.choice.label).astype(self.choice.label.dtype)
        wake(self.part.push.rows, news, self.choice.awake)

    def _named_by_smallest(self) -> Generator[Send, Got, np.ndarray]:
        """The smallest member of each owned vertex's label, wherever it is."""
        part = self.part
        labels, first_at, place = np.unique(self.choice.label[part.own], return_index=True, return_inverse=True)
        smallest = (first_at + part.first).astype(labels.dtype)  # of equal labels the first is the smallest vertex
        cuts = np.searchsorted(labels, part.bounds)
        spans = {q: slice(cuts[q], cuts[q + 1]) for q in range(part.parts) if cuts[q] < cuts[q + 1]}
        others = {q: (labels[span], smallest[span]) for q, span in spans.items() if q != part.index}
        got = yield Send(others)
        best = np.full(part.size, np.iinfo(labels.dtype).max, labels.dtype)
        asked = dict(got.values)
        if part.index in spans:
            asked[part.index] = (labels[spans[part.index]], smallest[spans[part.index]])
        for names, members in asked.values():
            np.minimum.at(best, names.astype(np.int64) - part.first, members)
        replies = {q: (best[names.astype(np.int64) - part.first],) for q, (names, _) in asked.items()}
        mine = replies.pop(part.index, (labels[:0],))
        got = yield Send(replies)
        found = {**got.values, part.index: mine}
        for q, span in spans.items():
            smallest[span] = found[q][0]
        return smallest[place.reshape(-1)]
