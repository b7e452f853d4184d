"""Edge lists of names, and tables whose columns are not source, target, weight: the general reader of text.

The words of all lines are numbered by the compiled parser (`name_scan.py`). Where all of them turn out to be whole
numbers, as in a table of numbers with more columns than an edge list has, they are taken for numbers after all.
"""

from __future__ import annotations

import os

import numpy as np

from nearly.base.errors import GraphFormatError
from nearly.graph.csr import Graph, vertex_dtype
from nearly.graph.io.assemble import Gathered, no_edges
from nearly.graph.io.content import Content
from nearly.graph.io.header import LARGEST_ID
from nearly.graph.io.ids import Vertices
from nearly.graph.io.line_rules import Rules, is_number
from nearly.graph.io.name_scan import Layout, NameCollector, read_name_tables
from nearly.graph.io.read_options import Options
from nearly.graph.io.text_layout import Head, read_head
from nearly.graph.names import Names

_LONGEST_NUMBER = 19


def takes_names(head: Head, options: Options) -> bool:
    """Whether the edges are to be read as words."""
    if options.names is not None and head.header.ids not in ("none", "listed"):
        return options.names
    if head.header.ours:
        return head.header.ids == "text"
    return bool(options.names) or not head.numbered


def named_graph(content: Content, head: Head, options: Options, hold: int | None = None, table: bool = False) -> Graph:
    """The graph of the edges behind `head`."""
    header, path = head.header, content.path
    if head.first is None and not header.ours:
        raise no_edges(path)
    if head.first is not None and head.columns not in (2, 3) and head.names is None:
        why = f"expected 2 or 3 columns, found {head.columns}; write an edge as: source target [weight]"
        raise GraphFormatError(path, head.line, b" ".join(head.first), why)
    if head.first is not None and head.columns < 2:
        why = "an edge needs two columns, its source and its target"
        raise GraphFormatError(path, head.line, b" ".join(head.first), why)
    layout = Layout(head.separator, head.columns or 2, head.source, head.target, head.weight, b"" if table else b"#%")
    rules = Rules(layout.columns, options.weights and head.weight >= 0, negative=options.negative, nan=options.nan)
    collector = NameCollector()
    gathered = Gathered(lambda: read_name_tables(content, head.start, head.line, layout, rules, collector), hold)
    gathered.scan(options.progress, content.size)
    if header.listed:
        collector.add([str(one).encode() for one in header.listed])
    names, ranks = collector.finish(path)
    if not head.sure and head.names is not None and _recurs(head, names):
        return named_graph(content, read_head(content, options._replace(header=False), table), options, hold, table)
    vertices = _vertices(head, options, names, ranks, path)
    return gathered.graph(vertices, rules.weights, options, header, path)


def _recurs(head: Head, names: Names) -> bool:
    """Whether the words taken for names of columns are ends of edges too, so that their line is an edge."""
    assert head.names is not None
    if max(head.source, head.target) >= len(head.names):
        return False  # the line has fewer words than an edge
    ends = [head.names[which].decode("utf-8", "replace") for which in (head.source, head.target)]
    return bool((names.find(ends) >= 0).any())


def _vertices(head: Head, options: Options, names: Names, ranks: np.ndarray, path: str | os.PathLike[str]) -> Vertices:
    header = head.header
    if header.ours and names.size != header.vertices:
        raise GraphFormatError(path, 1, None, f"the header says {header.vertices} vertices, the file has {names.size}")
    if header.ids == "text" or options.names or not head.numbered:
        return Vertices(names.size, names, table=ranks)
    words = names.array.tolist()
    if all(word.isascii() and word.isdigit() and (word[0] != "0" or word == "0") for word in words):
        return _numbered(words, ranks, path)
    if all(is_number(word.encode()) for word in words):
        odd = next(word for word in words if not word.isdigit() or word[0] == "0")
        why = "vertex ids must be whole numbers, written without zeros before them; or pass names=True"
        if odd[0] == "-":
            why = "vertex ids must not be negative; renumber them from 0, or pass names=True"
        raise GraphFormatError(path, None, odd, why)
    return Vertices(names.size, names, table=ranks)


def _numbered(words: list[str], ranks: np.ndarray, path: str | os.PathLike[str]) -> Vertices:
    """The vertices where all names are whole numbers, in the order of the numbers."""
    if max(map(len, words), default=0) > _LONGEST_NUMBER or max(map(int, words), default=0) > LARGEST_ID:
        raise GraphFormatError(path, None, None, "vertex ids must be below 2**63; renumber them, or pass names=True")
    ids = np.array([int(word) for word in words], np.int64)
    order = np.argsort(ids)
    place = np.empty(ids.size + 1, vertex_dtype(ids.size))
    place[order], place[ids.size] = np.arange(ids.size, dtype=place.dtype), ids.size
    ids = ids[order]
    plain = ids.size == 0 or int(ids[-1]) == ids.size - 1
    return Vertices(ids.size, None if plain else ids, table=place[ranks])
