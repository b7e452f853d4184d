"""Programs without a cluster: all parts in this process, round after round, and what goes between them by hand."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nearly import Graph
from nearly.distributed.messages import Got, Send
from nearly.distributed.part import Part, parts_of
from nearly.distributed.programs import INNER, PREPARATIONS, PROGRAMS, needs
from nearly.distributed.thinning import Thinning, thinned_part
from nearly.distributed.views import undirected_part


def exchanged(sends: list[Send]) -> list[Got]:
    """What each part gets when all have sent."""
    rows = np.stack([np.array(tuple(send.numbers), np.float64) for send in sends])
    return [
        Got({q: send.values[p] for q, send in enumerate(sends) if p in send.values}, rows) for p in range(len(sends))
    ]


def together(generators: list[Any], seen: list[int] | None = None) -> list[Any]:
    """Run generators of all parts to their ends; what they return. The bytes of each round are added to `seen`."""
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
        if seen is not None:
            seen.append(sum(one.nbytes for send in sends for arrays in send.values.values() for one in arrays))
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
    views: dict[Any, list[Part]] = {"in": met(list(parts_of(graph, count)))}
    for name_of in needs(name, arguments):
        what, on = name_of if isinstance(name_of, tuple) else (name_of, "in")
        if isinstance(what, Thinning):
            views[what] = together([thinned_part(part, what) for part in views[what.view]])
        elif what in PREPARATIONS:
            together([PREPARATIONS[what](part) for part in views[on]])
        elif what == "undirected":
            views[what] = (
                met(together([undirected_part(part) for part in views["in"]])) if graph.directed else views["in"]
            )
    return views[arguments.get("thinned") or (PROGRAMS | INNER)[name].view]


def answer(graph: Graph, count: int, name: str, arguments: dict[str, Any]) -> tuple[np.ndarray, dict[str, Any]]:
    """The values of all vertices, and the facts."""
    run = told(graph, count, name, arguments)
    return run.values, run.facts


class Told(NamedTuple):
    """What a run on parts says."""

    values: np.ndarray
    facts: dict[str, Any]
    bytes: list[int]  # of each round
    boundary: int
    parts: list[Part]


def told(graph: Graph, count: int, name: str, arguments: dict[str, Any], given: np.ndarray | None = None) -> Told:
    """A run on parts; `given` are the values of a run before, for programs that work on such."""
    kind, seen = (PROGRAMS | INNER)[name], []
    parts = prepared(graph, count, name, arguments)
    programs = []
    for part in parts:
        more = {} if given is None else {"values": given[part.first : part.first + part.size]}
        programs.append(kind(part, {**arguments, **more}, None))
    together([program.rounds() for program in programs], seen)
    assert all(program.facts == programs[0].facts for program in programs)
    values = np.concatenate([program.values for program in programs])
    return Told(values, programs[0].facts, seen, sum(part.boundary for part in parts), parts)
