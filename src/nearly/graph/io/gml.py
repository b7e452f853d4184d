"""GML, as NetworkX, igraph and Newman's collections write it: keys and values, lists between brackets.

Vertices are called by their labels where each has one of its own, else by their ids; lists within a vertex or an edge
(`graphics [ ... ]`) are passed over. Letters beyond ASCII are written as in HTML (`&#252;`), and read so or as UTF-8.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from html.entities import html5
from typing import Any, BinaryIO

from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress
from nearly.graph.csr import Graph
from nearly.graph.io.content import LONGEST_LINE, Content
from nearly.graph.io.described import Described, described, edges_of, vertices_of
from nearly.graph.io.read_options import Options

_TOKEN = re.compile(r'\s*(?:("[^"]*")|(\[)|(\])|([^\s\[\]"]+)|(".*))', re.DOTALL)
_KEY = re.compile(r"[A-Za-z_][0-9A-Za-z_]*")
_LETTER = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);")
_WHOLE = re.compile(r"[+-]?\d{1,40}")
_DEEPEST = 200


class _Bad(Exception):
    """What is wrong, in words."""


def read_gml(path: str | os.PathLike[str], options: Options) -> Graph:
    """A graph from a GML file."""
    made = Described(path, options)
    made.directed = False
    reader = _Reader(made)
    line = 0
    try:
        for number, token in _tokens(path, made):
            line = number
            reader.take(token)
        reader.close()
    except _Bad as bad:
        raise made.bad(line, str(bad)) from None
    return made.graph()


def _tokens(path: str | os.PathLike[str], made: Described) -> Iterator[tuple[int, str]]:
    held, number = "", 0
    for number, _, _, raw in Content(path).lines():
        text = raw.decode("utf-8", "replace")
        if not held and text.startswith("#"):
            made.note(text[1:], number)
            continue
        text, at = held + text, 0
        held = ""
        while found := _TOKEN.match(text, at):
            at = found.end()
            if found[5] is not None:  # a string that goes on in the next line
                held = found[5] + "\n"
                if len(held) > LONGEST_LINE:
                    raise _Bad("a string has no end")
                break
            yield number, found[0].strip()
    if held:
        raise _Bad("a string has no end")


class _Reader:
    """Takes tokens: a key, then a value or a list of more."""

    def __init__(self, made: Described) -> None:
        self.made, self.graphs = made, 0
        self.key: str | None = None
        self.stack: list[tuple[str, dict[str, Any]]] = [("", {})]
        self.nodes: dict[int, dict[str, Any]] = {}

    def take(self, token: str) -> None:
        if token == "]":
            if self.key is not None or len(self.stack) < 2:
                raise _Bad("a ] has no [ before it, or a key no value")
            self._closed(*self.stack.pop())
        elif self.key is None:
            if not _KEY.fullmatch(token):
                raise _Bad(f"expected a key, a word of letters and digits, not {token[:40]!r}")
            self.key = token
        elif token == "[":
            if len(self.stack) > _DEEPEST:
                raise _Bad(f"lists are nested more than {_DEEPEST} deep")
            self.graphs += self.key == "graph" and len(self.stack) == 1
            self.stack.append((self.key, {}))
            self.key = None
        else:
            self.stack[-1][1][self.key] = value = _value(token)
            if self.key == "directed" and len(self.stack) == 2:
                self.made.directed = value == 1
            self.key = None

    def _closed(self, name: str, values: dict[str, Any]) -> None:
        if len(self.stack) != 2 or self.stack[1][0] != "graph":
            return
        if name == "node":
            if type(values.get("id")) is not int or values["id"] in self.nodes:
                raise _Bad("a node needs an id of its own, a whole number")
            self.nodes[values.pop("id")] = values
            self.made._count()
        elif name == "edge":
            ends = values.pop("source", None), values.pop("target", None)
            if not all(type(end) is int for end in ends):
                raise _Bad("an edge needs a source and a target, whole numbers")
            self.made.edge(*ends, values)  # type: ignore[arg-type]

    def close(self) -> None:
        """All is read: ids of the file become vertices."""
        made = self.made
        if self.key is not None or len(self.stack) > 1 or self.graphs != 1:
            raise _Bad("there must be one list called graph, with as many ] as [")
        labels = {values.get("label") for values in self.nodes.values()}
        labelled = None not in labels and len(labels) == len(self.nodes)
        place = {}
        for k, values in self.nodes.items():
            label = str(values.pop("label")) if labelled else k
            place[k] = made.vertex(label, values)
        for ends in (made.src, made.dst):
            for i, k in enumerate(ends):
                if k not in place:
                    raise _Bad(f"an edge leads to the node {k}, which is not there")
                ends[i] = place[k]


def _letter(found: re.Match[str]) -> str:
    """The letter that is meant. (Python's `unescape` does as browsers do, and drops or changes control characters.)"""
    word = found[1]
    if word[0] != "#":
        return html5.get(f"{word};", found[0])
    code = int(word[2:], 16) if word[1] in "xX" else int(word[1:])
    return chr(code) if code < 0xD800 or 0xE000 <= code < 0x110000 else found[0]


def _value(token: str) -> Any:
    if token[0] == '"':
        return _LETTER.sub(_letter, token[1:-1])
    if _WHOLE.fullmatch(token):
        value = int(token)
        if abs(value) >= 2**63:
            raise _Bad(f"{token} is beyond 2**63")
        return value
    try:
        return float(token)
    except ValueError:
        raise _Bad(f"expected a number, a string in quotes or a list, not {token[:40]!r}") from None


def write_gml(graph: Graph, file: BinaryIO, progress: Progress) -> None:
    """A GML file."""
    file.write(f"# {described(graph)}\ngraph [\n  directed {int(graph.directed)}\n".encode())
    for v, (label, values) in enumerate(vertices_of(graph)):
        file.write(f"  node [ id {v} label {_text(str(label))}{_pairs(values)} ]\n".encode())
    for edge in edges_of(graph, progress):
        weight = "" if edge.weight is None else f" weight {edge.weight}"
        ends = f"source {edge.source} target {edge.target}"
        file.write(f"  edge [ {ends}{weight}{_pairs(edge.values)} ]\n".encode())
    file.write(b"]\n")


def _pairs(values: dict[str, Any]) -> str:
    for name in values:
        if not _KEY.fullmatch(name) or name in ("id", "label", "source", "target", "weight"):
            raise InvalidArgumentError(f"GML has no room for a column called {name!r}; rename it, or write .graphml")
    return "".join(f" {name} {_written(value)}" for name, value in values.items())


def _written(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    return str(int(value)) if isinstance(value, (bool, int)) else repr(float(value))


def _text(value: str) -> str:
    plain = value.replace("&", "&amp;").replace('"', "&quot;")
    return '"' + "".join(c if " " <= c <= "~" else f"&#{ord(c)};" for c in plain) + '"'
