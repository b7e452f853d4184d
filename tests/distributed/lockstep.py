"""Programs without a cluster: all parts in this process, round after round, and what goes between them by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly import Graph
from nearly.distributed.messages import Got, Send
from nearly.distributed.part import Part, parts_of
from nearly.distributed.programs import PREPARATIONS, PROGRAMS, needs
from nearly.distributed.views import undirected_part


def exchanged(sends: list[Send]) -> list[Got]:
    """What each part gets when all have sent."""
    rows = np.stack([np.array(tuple(send.numbers), np.float64) for send in sends])
    return [
        Got({q: send.values[p] for q, send in enumerate(sends) if p in send.values}, rows) for p in range(len(sends))
    ]


def together(generators: list[Any]) -> list[Any]:
    """Run generators of all parts to their ends; what they return."""
    got: list[Any] = [None] * len(generators)
    while True:
        sends, ends = [], []
        for generator, came in zip(generators, got):
            try:
                sends.append(generator.send(came))
            except StopIteration as end:
                ends.append(end.value)
        assert not (sends and ends), "some parts ended, others go on"
        if ends:
            return ends
        got = exchanged(sends)


def met(parts: list[Part]) -> list[Part]:
    """Let parts know what others read of them."""
    for part in parts:
        part.needed = {
            other.index: other.ghosts_of(part.index).astype(np.int64)
            for other in parts
            if part.index in other.ghost_slices
        }
    return parts


def prepared(graph: Graph, count: int, name: str, arguments: dict[str, Any]) -> list[Part]:
    """The parts that a program works on."""
    parts = met(list(parts_of(graph, count)))
    for what in needs(name, arguments):
        if what in PREPARATIONS:
            together([PREPARATIONS[what](part) for part in parts])
        elif what == "undirected" and graph.directed:
            parts = met(together([undirected_part(part) for part in parts]))
    return parts


def answer(graph: Graph, count: int, name: str, arguments: dict[str, Any]) -> tuple[np.ndarray, dict[str, Any]]:
    """The values of all vertices, and the facts."""
    programs = [PROGRAMS[name](part, arguments, None) for part in prepared(graph, count, name, arguments)]
    together([program.rounds() for program in programs])
    assert all(program.facts == programs[0].facts for program in programs)
    return np.concatenate([program.values for program in programs]), programs[0].facts
