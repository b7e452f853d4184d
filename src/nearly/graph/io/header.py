"""What a file says about itself in comments: is it directed, how many vertices, which ids.

Our own writer begins a text (and, in another wrapping, an .mtx, a .csv, a Parquet file's metadata) with

    # nearly graph: vertices=5 directed=1 weights=float32 ids=original duplicates=keep
    # vertex 17

`ids=none`: edges carry the numbers 0..n-1. `ids=original` (or `ids=text`, where they are strings): edges carry
the original ids, which ascend, and vertices without any edge are listed. `ids=listed`: edges carry 0..n-1 and
every vertex's id is listed in order. An id is written as JSON, a whole number or a string.
`duplicates=keep` marks parallel edges, so that they are not merged.
Of files from elsewhere, SNAP's `# Directed graph` and `# Undirected graph` are understood.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from nearly.base.errors import GraphFormatError, InvalidArgumentError
from nearly.base.memory import require
from nearly.graph.csr import Graph
from nearly.graph.names import Names

_OURS = re.compile(r"nearly graph:((?: \w+=\w+)*)\s*$")
_SNAP = re.compile(r"(un)?directed graph\b", re.IGNORECASE)
_FIELDS = {
    "vertices": r"\d{1,19}",
    "directed": r"[01]",
    "weights": r"none|uint32|float32|float64",
    "ids": r"none|original|text|listed",
    "duplicates": r"keep",
}
LARGEST_ID = 2**63 - 1
_AT_ONCE = 1 << 12
_LINE_ENDS = np.frombuffer(b"\r\n", np.uint8)
_LISTED_BYTES = 100  # about what an id takes as a Python object in a list


@dataclass
class Header:
    """What the comments said so far; None where they said nothing."""

    vertices: int | None = None
    directed: bool | None = None
    weights: str | None = None
    ids: str = "none"
    duplicates: str | None = None
    listed: list[int | str] = field(default_factory=list)

    @property
    def ours(self) -> bool:
        """Whether our own writer made the file."""
        return self.vertices is not None

    def read(self, comment: str) -> str | None:
        """Take in one comment without its mark; returns what is wrong with it where it is ours and bad, else None."""
        text = comment.strip()
        if found := _OURS.match(text):
            return self._read_fields(dict(part.split("=") for part in found[1].split()))
        if self.ours and text.startswith("vertex "):
            return self._read_vertex(text.removeprefix("vertex "))
        if self.directed is None and (found := _SNAP.match(text)):
            self.directed = not found[1]
        return None

    def read_at(self, comment: bytes, path: str | os.PathLike[str], line: int) -> None:
        """Take in the comment on line `line` of a file."""
        if why := self.read(comment.decode("utf-8", "replace")):
            raise GraphFormatError(path, line, comment, why)

    def _read_fields(self, fields: dict[str, str]) -> str | None:
        for name, value in fields.items():
            if name not in _FIELDS or not re.fullmatch(_FIELDS[name], value):
                return f"the header's {name}={value} is not known; remove the comment to read the file as a plain one"
        if "vertices" not in fields:
            return "the header lacks vertices=; remove the comment to read the file as a plain one"
        self.vertices = int(fields["vertices"])
        self.directed = fields.get("directed") != "0"
        self.weights, self.ids = fields.get("weights"), fields.get("ids", "none")
        self.duplicates = fields.get("duplicates")
        return None

    def _read_vertex(self, text: str) -> str | None:
        if len(self.listed) >= (self.vertices or 0):
            return f"the header says {self.vertices} vertices, but more ids are listed"
        if len(self.listed) % _AT_ONCE == 0:
            require(_LISTED_BYTES * (len(self.listed) + _AT_ONCE), "the list of vertex ids in the header")
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        same_type = not self.listed or type(value) is type(self.listed[0])
        if type(value) not in (int, str) or not same_type or (isinstance(value, int) and abs(value) > LARGEST_ID):
            return "a vertex's id must be a whole number below 2**63 or a quoted string, one kind in a file"
        self.listed.append(value)
        return None

    def listed_ids(self) -> np.ndarray:
        """The listed ids as an array."""
        return np.array(self.listed, str if self.listed and isinstance(self.listed[0], str) else np.int64)


def describe(
    graph: Graph, dense: bool = False, strings: bool = False, lines: bool = True
) -> tuple[Iterator[str], np.ndarray | Names | None]:
    """The comments (without marks) that let a file be read back equal, and the ids its edges shall carry, if any.

    `dense`: edges must carry 0..n-1. `strings`: ids that are strings may be carried by edges; `lines`: an edge is a
    line, so that names which go over several cannot.
    """
    ids, kind = graph.labels, "none"
    if ids is not None:
        kind = _carried_as(ids, strings, lines)
        kind = "listed" if dense else kind
    first = first_line(graph, kind)
    if ids is None:
        return iter([first]), None
    alone = (
        np.arange(graph.n) if kind == "listed" else np.flatnonzero((graph.out_degrees == 0) & (graph.in_degrees == 0))
    )
    return _comments(first, graph.ids_of(alone)), None if kind == "listed" else ids


def first_line(graph: Graph, kind: str) -> str:
    """The comment that says what a graph is; `kind` is how its ids are carried."""
    fields = {
        "vertices": graph.n,
        "directed": int(graph.directed),
        "weights": graph.arrays.weights.dtype if graph.weighted else "none",
        "ids": kind,
    }
    if _has_parallel_arcs(graph):
        fields["duplicates"] = "keep"
    return "nearly graph: " + " ".join(f"{name}={value}" for name, value in fields.items())


def _comments(first: str, named: np.ndarray) -> Iterator[str]:
    yield first
    for low in range(0, named.size, _AT_ONCE):
        for value in named[low : low + _AT_ONCE].tolist():
            yield f"vertex {json.dumps(value)}"


def _carried_as(ids: np.ndarray | Names, strings: bool, lines: bool) -> str:
    """How a file whose reader sorts ids can keep these: carried by the edges only where they ascend."""
    if isinstance(ids, Names):
        fits = strings and ids.ascending and np.count_nonzero(ids.data == 0) == ids.size
        return "text" if fits and not (lines and np.isin(ids.data, _LINE_ENDS).any()) else "listed"
    if ids.dtype.kind not in "iu":
        raise InvalidArgumentError(
            f"vertex ids of type {ids.dtype} cannot be written to a file; use whole numbers or strings"
        )
    ascending = bool((ids[1:] > ids[:-1]).all())
    if ids.size and (int(ids.max()) > LARGEST_ID or int(ids.min()) < -LARGEST_ID):
        raise InvalidArgumentError(
            "vertex ids of 2**63 and above cannot be written to a file; use smaller ones or strings"
        )
    # ids 0..n-1 would be taken for plain numbers
    return "original" if ascending and ids.size and ids[0] >= 0 and ids[-1] != ids.size - 1 else "listed"


def _has_parallel_arcs(graph: Graph) -> bool:
    offsets, targets, _ = graph.arrays
    same = targets[1:] == targets[:-1]
    starts = offsets[1:-1]
    same[starts[(starts > 0) & (starts < targets.size)].astype(np.int64) - 1] = False
    return bool(same.any())
