"""Edge lists: a line an edge, two whole numbers and perhaps a weight, between blanks or commas.

Comments begin with `#` or `%`. The first line of data says how many columns there are. Ids are
compacted in ascending order unless the file's header (see `header.py`) says how many vertices there
are. A .csv whose columns are named like an edge list's is one too. What is written begins with such a header, so
that it is read back equal.
"""

from __future__ import annotations

import os
import re
from typing import BinaryIO, NamedTuple

import numpy as np

from nearly.base.errors import GraphFormatError
from nearly.base.progress import Progress
from nearly.graph.csr import Graph
from nearly.graph.io.assemble import Gathered, listed_ids
from nearly.graph.io.content import Content
from nearly.graph.io.format_edges import edge_chunks, edge_lines
from nearly.graph.io.header import LARGEST_ID, Header, describe
from nearly.graph.io.ids import IdCollector, Vertices
from nearly.graph.io.line_rules import Rules, split_line
from nearly.graph.io.read_options import Options
from nearly.graph.io.scan import read_tables

_COMMENTS = (b"#", b"%")
_HEADER_WITHIN = 1000  # a header of ours or of SNAP's begins within so many lines
_NAMES = (
    re.compile(rb'"?(source|src|from)"?', re.IGNORECASE),
    re.compile(rb'"?(target|dst|to)"?', re.IGNORECASE),
    re.compile(rb'"?(weight|w)"?', re.IGNORECASE),
)
_WHOLE = re.compile(rb"\d+")


class Head(NamedTuple):
    """What comes before the data."""

    start: int  # the byte where they begin
    line: int  # and the line
    header: Header  # what the comments say
    names: list[bytes] | None  # of the columns
    names_line: int  # the line they stand on
    first: list[bytes] | None  # the columns of the first line of data


def read_edge_list(path: str | os.PathLike[str], options: Options, *, hold: int | None = None) -> Graph:
    """A graph from an edge list; `hold` bounds the bytes of edges kept in memory before streaming begins."""
    content = Content(path)
    return graph_from(content, read_head(content), options, hold)


def graph_from(content: Content, head: Head, options: Options, hold: int | None = None) -> Graph:
    """The graph of the edges behind `head`."""
    header, path = head.header, content.path
    if head.first is None and not header.ours:
        raise no_edges(path)
    rules = _rules(head, options, path)
    numbered = rules.high < LARGEST_ID
    collector = None if numbered else IdCollector(content.hint)
    gathered = Gathered(lambda: read_tables(content, head.start, head.line, rules), hold)
    gathered.scan(options.progress, content.size, None if collector is None else collector.take)
    vertices = _vertices(header, collector, path)
    return gathered.graph(vertices, rules.weights, options, header, path)


def no_edges(path: os.PathLike[str]) -> GraphFormatError:
    """The error for a file without edges that does not say either how many vertices there are."""
    return GraphFormatError(path, None, None, "the file has no edges; give it lines of two numbers each")


def _rules(head: Head, options: Options, path: os.PathLike[str]) -> Rules:
    header = head.header
    columns = len(head.first) if head.first else 2 if header.weights in (None, "none") else 3
    if columns not in (2, 3):
        why = f"expected 2 or 3 columns of numbers, found {columns}; write an edge as: source target [weight]"
        raise GraphFormatError(path, head.line, b" ".join(head.first or []), why)
    numbered = header.ours and header.ids in ("none", "listed")
    high = (header.vertices or 0) - 1 if numbered else LARGEST_ID
    return Rules(columns, options.weights and columns == 3, high=high, negative=options.negative, nan=options.nan)


def _vertices(header: Header, collector: IdCollector | None, path: os.PathLike[str]) -> Vertices:
    if collector is None:
        n = header.vertices or 0
        return Vertices(n, listed_ids(header, n, path))
    if header.ours and header.listed:
        _add_isolated(header, collector, path)
    vertices = collector.finish()
    if header.ours and vertices.n != header.vertices:
        raise GraphFormatError(path, 1, None, f"the header says {header.vertices} vertices, the file has {vertices.n}")
    return vertices


def _add_isolated(header: Header, collector: IdCollector, path: os.PathLike[str]) -> None:
    ids = header.listed_ids()
    if ids.dtype.kind != "i" or ids.min() < 0:
        raise GraphFormatError(
            path, 1, None, "vertices listed beside numbered edges must have whole numbers from 0 as ids"
        )
    collector.add(ids.astype("u8"), top=int(ids.max()))


def read_head(content: Content, named: bool = False) -> Head:
    """Everything before the first line of data; `named` lets that be a line of column names."""
    header, start, number, names, names_line = Header(), 0, 0, None, 0
    for number, begin, end, line in content.lines():
        if line.startswith(_COMMENTS):
            if number <= _HEADER_WITHIN or header.ours:
                header.read_at(line[1:], content.path, number)
        elif line:
            fields = split_line(line)
            if named and names is None and not _plain(fields):
                names, names_line = fields, number
            else:
                return Head(begin, number, header, names, names_line, fields)
        start = end
    return Head(start, number + 1, header, names, names_line, None)


def _plain(fields: list[bytes]) -> bool:
    return len(fields) > 1 and all(_WHOLE.fullmatch(field) for field in fields[:2])


def is_edge_list(head: Head) -> bool:
    """Whether a .csv can be read as an edge list: plain numbers under no names, or under those of an edge list."""
    if head.first is not None and not _plain(head.first):
        return False
    if head.names is None:
        return True
    return 2 <= len(head.names) <= 3 and all(p.fullmatch(name) for p, name in zip(_NAMES, head.names))


def write_edge_list(
    graph: Graph, file: BinaryIO, progress: Progress, separator: bytes = b"\t", names: bool = False
) -> None:
    """An edge list; `names` puts the columns' names before the edges."""
    comments, ids = describe(graph)
    file.writelines(f"# {comment}\n".encode() for comment in comments)
    if names:
        file.write(separator.join((b"source", b"target", b"weight")[: 3 if graph.weighted else 2]) + b"\n")
    for src, dst, weights in edge_chunks(graph, progress):
        if ids is not None:
            src, dst = ids[src.astype(np.int64)], ids[dst.astype(np.int64)]
        file.write(edge_lines(src, dst, weights, separator))
