"""Graphs whose files list vertices and edges with attributes: what the readers and writers of such formats share.

A reader hands over vertices and edges as they come (`Described`). Vertices keep the order of the file. Ids that are
whole numbers without exception are taken for numbers, as in tables; what is called weight is the weight, 1 where an
edge lacks one; every other attribute becomes a column. Memory is estimated as it grows.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from nearly.base.errors import GraphFormatError, InvalidArgumentError, InvalidGraphError
from nearly.base.memory import require
from nearly.base.progress import Progress
from nearly.graph.attributes import EdgeColumns, checked_column
from nearly.graph.build import from_edges
from nearly.graph.csr import Graph
from nearly.graph.edge_rows import edge_rows
from nearly.graph.edge_source import ArcSource
from nearly.graph.io.format_edges import weight_texts
from nearly.graph.io.header import LARGEST_ID, Header, first_line
from nearly.graph.io.read_options import Options
from nearly.graph.names import Names

WEIGHT = "weight"
_AT_ONCE = 1 << 14
_VERTEX_BYTES, _EDGE_BYTES, _VALUE_BYTES = 400, 32, 160
_MOST_COLUMNS = 10_000


class Described:
    """The vertices and edges of a file while it is read."""

    def __init__(self, path: str | os.PathLike[str], options: Options) -> None:
        self.path, self.options, self.header, self.directed = path, options, Header(), True
        self.place: dict[Any, int] = {}
        self.src, self.dst = array("q"), array("q")
        self._columns: tuple[dict[str, dict[int, Any]], dict[str, dict[int, Any]]] = ({}, {})
        self._values = self._counted = 0

    def bad(self, line: int | None, why: str, content: str | None = None) -> GraphFormatError:
        """The error for this file."""
        return GraphFormatError(self.path, line, content, why)

    def note(self, comment: str, line: int | None = None) -> None:
        """Take in a comment, which may be a header of ours."""
        if why := self.header.read(comment):
            raise self.bad(line, why, comment)

    def vertex(self, label: Any, values: dict[str, Any] | None = None) -> int:
        """A vertex, with what the file says of it; one that was seen before gets more said of it."""
        v = self.place.setdefault(label, len(self.place))
        if values:
            self._say(0, v, values)
        self._count()
        return v

    def edge(self, u: int, v: int, values: dict[str, Any] | None = None) -> None:
        """An edge between vertices."""
        if values:
            self._say(1, len(self.src), values)
        self.src.append(u)
        self.dst.append(v)
        self._count()

    def _say(self, what: int, row: int, values: dict[str, Any]) -> None:
        columns = self._columns[what]
        for name, value in values.items():
            columns.setdefault(name, {})[row] = value
        self._values += len(values)
        if len(columns) > _MOST_COLUMNS:
            raise self.bad(None, f"there are more than {_MOST_COLUMNS:,} attributes; leave some out")

    def _count(self) -> None:
        self._counted += 1
        if self._counted % _AT_ONCE == 0:
            need = _VERTEX_BYTES * len(self.place) + _EDGE_BYTES * len(self.src) + _VALUE_BYTES * self._values
            require(need, f"the vertices and edges of {os.fspath(self.path)}")
            self.options.progress("reading", self._counted, None)

    def graph(self) -> Graph:
        """The graph of all that was handed over."""
        try:
            return self._graph()
        except InvalidGraphError as error:
            raise self.bad(None, str(error)) from None

    def _graph(self) -> Graph:
        options, header, n = self.options, self.header, len(self.place)
        columns, edge_columns = self._columns
        src, dst = np.frombuffer(self.src, np.int64), np.frombuffer(self.dst, np.int64)
        weights = self._weights(edge_columns.pop(WEIGHT, None) if _numbers(edge_columns.get(WEIGHT)) else None)
        kept = np.ones(src.size, bool)
        if weights is not None and options.nan == "drop":
            kept = np.isfinite(weights)
        ends = (src[kept], dst[kept])
        directed = self.directed if options.directed is None else options.directed
        duplicates, one_way = options.duplicates or header.duplicates, directed and self.directed
        stated = header.weights if header.weights != "none" else None
        made = from_edges(
            *ends, None if weights is None else weights[kept], n, one_way, duplicates, options.self_loops,
            negative=options.negative, nan=options.nan, dtype=options.weight_dtype or stated,
        )  # fmt: skip
        graph = Graph._trusted(made.arrays, directed, self._ids())
        if columns:
            graph.vertex_columns = {name: _column(name, known, n) for name, known in columns.items()}
        if edge_columns:
            found = {name: _column(name, known, src.size)[kept] for name, known in edge_columns.items()}
            rows = edge_rows(*ends, n, one_way, duplicates, options.self_loops)
            graph.edge_columns = EdgeColumns(found, rows)
        return graph

    def _weights(self, known: dict[int, Any] | None) -> np.ndarray | None:
        if not self.options.weights or (known is None and self.header.weights in (None, "none")):
            return None
        known = known or {}
        return np.array([known.get(row, 1) for row in range(len(self.src))], None if known else np.float64)

    def _ids(self) -> Any:
        """Numbers where all labels are; None where these are 0..n-1 in order."""
        labels = list(self.place)
        if self.header.ids == "text" or self.options.names or not all(map(_whole, labels)):
            return _names(labels) if labels else None
        ids = [int(label) for label in labels]
        plain = ids == list(range(len(ids)))
        return None if plain and self.header.ids != "original" else np.array(ids, np.int64)


def _names(labels: list[Any]) -> Names:
    try:
        return Names.of([str(label) for label in labels])
    except UnicodeEncodeError:
        raise InvalidGraphError("a name holds half a character; write it again in UTF-8") from None


def _whole(label: Any) -> bool:
    if type(label) is int:
        return -LARGEST_ID <= label <= LARGEST_ID
    digits = label.removeprefix("-") if isinstance(label, str) else ""
    plain = digits.isascii() and digits.isdigit() and (digits[0] != "0" or label == "0")
    return plain and len(digits) < 20 and int(digits) <= LARGEST_ID


def _numbers(known: dict[int, Any] | None) -> bool:
    return known is not None and all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in known.values())


def _column(name: str, known: dict[int, Any], size: int) -> np.ndarray:
    try:
        return checked_column(name, [known.get(row) for row in range(size)], size)
    except InvalidArgumentError as error:
        raise InvalidGraphError(str(error)) from None


class OneEdge(NamedTuple):
    """An edge as it is written."""

    source: int
    target: int
    weight: str | None
    values: dict[str, Any]


def described(graph: Graph) -> str:
    """The line that lets a file be read back equal."""
    kind = "none" if graph.labels is None else "text" if graph.named else "original"
    if kind == "original" and graph.labels.dtype.kind not in "iu":  # type: ignore[union-attr]
        raise InvalidArgumentError("vertex ids of this kind cannot be written to a file; use whole numbers or strings")
    return first_line(graph, kind)


def labels_of(graph: Graph) -> list[Any]:
    """The id or name of every vertex."""
    return list(range(graph.n)) if graph.ids is None else graph.ids.tolist()


def vertices_of(graph: Graph) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Each vertex's label and attributes, missing ones left out."""
    columns = {name: column.tolist() for name, column in (graph.vertex_columns or {}).items()}
    for v, label in enumerate(labels_of(graph)):
        yield label, {name: values[v] for name, values in columns.items() if not _missing(values[v])}


def edges_of(graph: Graph, progress: Progress) -> Iterator[OneEdge]:
    """Each edge, an undirected one once."""
    low, known = 0, graph.edge_columns
    columns = {} if known is None else known.columns
    for chunk in ArcSource(graph).chunks():
        arcs = np.arange(low, low + chunk.src.size)
        if not graph.directed:
            once = chunk.src <= chunk.dst
            arcs = arcs[once]
        src, dst = chunk.src[arcs - low].tolist(), chunk.dst[arcs - low].tolist()
        texts = [None] * arcs.size if chunk.weights is None else _texts(chunk.weights[arcs - low])
        rows = None if known is None else known.rows[arcs]
        told = {name: column[rows].tolist() for name, column in columns.items()}
        for i, (u, v, w) in enumerate(zip(src, dst, texts)):
            yield OneEdge(u, v, w, {name: values[i] for name, values in told.items() if not _missing(values[i])})
        low += chunk.src.size
        progress("writing", low, graph.m)


def _texts(weights: np.ndarray) -> list[Any]:
    return weight_texts(weights).astype(str).tolist()


def _missing(value: Any) -> bool:
    return value is None or value != value


def kind_of(column: np.ndarray) -> str:
    """What a column holds, in the words of GraphML."""
    return {"b": "boolean", "i": "long", "u": "long", "f": "double"}.get(column.dtype.kind, "string")
