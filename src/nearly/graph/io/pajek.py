"""Pajek's .net: `*Vertices n`, a line a vertex with its name in quotes, then `*Arcs` and `*Edges` with weights.

Vertices are numbered from 1. Where a file has arcs and edges, edges are arcs both ways. Coordinates, colours and times
are passed over; `*Arcslist` and `*Edgeslist` name a vertex and those it leads to.
"""

from __future__ import annotations

import os
from typing import BinaryIO

from nearly.base.errors import InvalidArgumentError
from nearly.base.memory import require
from nearly.base.progress import Progress
from nearly.graph.csr import Graph
from nearly.graph.io.content import Content
from nearly.graph.io.described import WEIGHT, Described, described, edges_of, labels_of
from nearly.graph.io.line_rules import BadLine, is_number
from nearly.graph.io.read_options import Options
from nearly.graph.io.split_fields import SPACE, split_fields

_SECTIONS = ("*vertices", "*arcs", "*edges", "*arcslist", "*edgeslist")


def read_pajek(path: str | os.PathLike[str], options: Options) -> Graph:
    """A graph from a Pajek file."""
    content, reader, number = Content(path), _Reader(path, options), 0
    for number, _, _, line in content.lines():
        if line.startswith(b"%"):
            reader.made.note(line[1:].decode("utf-8", "replace"), number)
        elif line:
            try:
                reader.take(line)
            except BadLine as bad:
                raise reader.made.bad(number, str(bad), line.decode("utf-8", "replace")) from None
    return reader.finish()


class _Reader:
    """The state between lines."""

    def __init__(self, path: str | os.PathLike[str], options: Options) -> None:
        self.made, self.section, self.count = Described(path, options), "", -1
        self.names: dict[int, str] = {}
        self.both: list[tuple[int, int, dict]] = []
        self.arcs = self.edges = 0

    def take(self, line: bytes) -> None:
        if line.startswith(b"*"):
            words = line.split()
            self.section = words[0].decode("ascii", "replace").lower()
            if self.section == "*vertices":
                self._begin(words)
            elif self.section == "*network":
                return
            elif self.section not in _SECTIONS:
                raise BadLine(f"a section must be one of {', '.join(_SECTIONS)}")
            elif self.count < 0:
                raise BadLine("*Vertices and their number must come first")
            return
        fields = [field.text for field in split_fields(line, SPACE)]
        if self.section == "*vertices":
            v = self._vertex(fields[0])
            if len(fields) > 1:
                self.names[v] = fields[1].decode("utf-8", "replace")
        elif self.section in ("*arcslist", "*edgeslist"):
            ends = [self._vertex(field) for field in fields]
            for v in ends[1:]:
                self._edge(ends[0], v, {})
        elif self.section:
            if len(fields) < 2:
                raise BadLine("an edge needs two vertices")
            weighed = len(fields) > 2 and is_number(fields[2])
            u, v = (self._vertex(field) for field in fields[:2])
            self._edge(u, v, {WEIGHT: _number(fields[2])} if weighed else {})
        else:
            raise BadLine("the file must begin with *Vertices and their number")

    def _begin(self, words: list[bytes]) -> None:
        if self.count >= 0 or len(words) < 2 or not words[1].isdigit() or len(words[1]) > 15:
            raise BadLine("*Vertices must come once, with the number of vertices")
        self.count = int(words[1])
        require(400 * self.count, f"the {self.count:,} vertices of {os.fspath(self.made.path)}")

    def _vertex(self, field: bytes) -> int:
        v = int(field) if field.isdigit() and len(field) < 16 else 0
        if not 1 <= v <= self.count:
            raise BadLine(f"expected a vertex from 1 to {self.count}, not {field[:40].decode('utf-8', 'replace')!r}")
        return v - 1

    def _edge(self, u: int, v: int, values: dict) -> None:
        undirected = self.section.startswith("*edges")
        self.arcs, self.edges = self.arcs + (not undirected), self.edges + undirected
        if undirected:
            self.both.append((u, v, values))
            self.made._count()
        else:
            self.made.edge(u, v, values)

    def finish(self) -> Graph:
        made = self.made
        if self.count < 0:
            raise made.bad(None, "there is no *Vertices in the file; is it Pajek's?")
        labels: list = [self.names.get(v, str(v + 1)) for v in range(self.count)]
        if len(set(labels)) < len(labels):
            labels = [str(v + 1) for v in range(self.count)]
        if made.header.ids == "none" and made.header.ours:
            labels = list(range(self.count))
        for label in labels:
            made.vertex(label)
        made.directed = self.arcs > 0 or (self.edges == 0 and made.header.directed is not False)
        for u, v, values in self.both:
            made.edge(u, v, values)
            if made.directed and u != v:
                made.edge(v, u, values)
        return made.graph()


def _number(field: bytes) -> float | int:
    return int(field) if field.isdigit() and len(field) < 16 else float(field)


def write_pajek(graph: Graph, file: BinaryIO, progress: Progress) -> None:
    """A Pajek file; columns of attributes have no place in it."""
    labels = labels_of(graph)
    if any('"' in str(label) or "\n" in str(label) or "\r" in str(label) for label in labels):
        raise InvalidArgumentError("Pajek's files have no room for quotes or line ends in names; write .graphml")
    file.write(f"% {described(graph)}\n*Vertices {graph.n}\n".encode())
    file.writelines(f'{v + 1} "{label}"\n'.encode() for v, label in enumerate(labels))
    file.write(b"*Arcs\n" if graph.directed else b"*Edges\n")
    for edge in edges_of(graph, progress):
        weight = "" if edge.weight is None else f" {edge.weight}"
        file.write(f"{edge.source + 1} {edge.target + 1}{weight}\n".encode())
