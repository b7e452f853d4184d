"""Edge lists: a line an edge, two ids or names and perhaps a weight, between blanks, tabs or commas.

Comments begin with `#` or `%`. The first line of data says how many columns there are (`text_layout.py`), and whether
ids are whole numbers, which are read here, or names (`named_list.py`). Ids are compacted in ascending order unless
the file's header (see `header.py`) says how many vertices there are. What is written begins with such a header, so
that it is read back equal.
"""

from __future__ import annotations

import os
from typing import BinaryIO

import numpy as np

from nearly.base.errors import GraphFormatError
from nearly.base.progress import Progress
from nearly.graph.csr import Graph
from nearly.graph.io.assemble import Gathered, listed_ids, no_edges
from nearly.graph.io.content import Content
from nearly.graph.io.format_edges import edge_chunks, edge_lines, named_lines
from nearly.graph.io.header import LARGEST_ID, Header, describe
from nearly.graph.io.ids import IdCollector, Vertices
from nearly.graph.io.line_rules import Rules
from nearly.graph.io.named_list import named_graph, takes_names
from nearly.graph.io.read_options import Options
from nearly.graph.io.scan import read_tables
from nearly.graph.io.text_layout import Head, read_head
from nearly.graph.names import Names


def read_edge_list(path: str | os.PathLike[str], options: Options, *, hold: int | None = None) -> Graph:
    """A graph from an edge list; `hold` bounds the bytes of edges kept in memory before streaming begins."""
    content = Content(path)
    head = read_head(content, options)
    if head.quotes or (head.names is not None and not head.in_order) or takes_names(head, options):
        return named_graph(content, head, options, hold)
    return graph_from(content, head, options, hold)


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


def _rules(head: Head, options: Options, path: os.PathLike[str]) -> Rules:
    header = head.header
    columns = head.columns or (2 if header.weights in (None, "none") else 3)
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


def write_edge_list(
    graph: Graph, file: BinaryIO, progress: Progress, separator: bytes = b"\t", names: bool = False
) -> None:
    """An edge list; `names` puts the columns' names before the edges."""
    comments, ids = describe(graph, strings=True)
    file.writelines(f"# {comment}\n".encode() for comment in comments)
    if names:
        file.write(separator.join((b"source", b"target", b"weight")[: 3 if graph.weighted else 2]) + b"\n")
    for src, dst, weights in edge_chunks(graph, progress):
        if isinstance(ids, Names):
            file.write(named_lines(ids, src, dst, weights, separator))
            continue
        if ids is not None:
            src, dst = ids[src.astype(np.int64)], ids[dst.astype(np.int64)]
        file.write(edge_lines(src, dst, weights, separator))
