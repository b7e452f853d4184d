"""The last step that all text readers share: tables of edges become a graph.

Tables are held in memory while they fit a share of the budget; beyond it they are thrown away, and the
text is parsed again for each of the builder's two passes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from nearly.base.errors import GraphFormatError
from nearly.base.memory import memory_budget, require
from nearly.base.progress import Progress
from nearly.graph.build import from_source
from nearly.graph.csr import Graph
from nearly.graph.edge_source import Chunk
from nearly.graph.edge_weights import checked_weights
from nearly.graph.io.content import Content
from nearly.graph.io.header import Header
from nearly.graph.io.ids import Vertices
from nearly.graph.io.line_rules import Rules
from nearly.graph.io.read_options import Options
from nearly.graph.io.scan import Table, read_tables

_HELD_SHARE = 3  # tables may take one part in so many of the budget


class Claim(NamedTuple):
    """What the line before the edges says of them."""

    n: int
    edges: int
    start: int  # the byte where they begin
    line: int  # and the line


def claimed_graph(
    content: Content, claim: Claim, rules: Rules, options: Options, header: Header, hold: int | None
) -> Graph:
    """The graph of a file that says beforehand how many vertices and edges it has."""
    gathered = Gathered(lambda: read_tables(content, claim.start, claim.line, rules), hold)
    gathered.scan(options.progress, content.size)
    found = gathered.edges + gathered.dropped
    if found != claim.edges:
        why = (
            f"this line says that {claim.edges} entries follow, but there are {found}; correct it or complete the file"
        )
        raise GraphFormatError(content.path, claim.line - 1, None, why)
    vertices = Vertices(claim.n, listed_ids(header, claim.n, content.path))
    return gathered.graph(vertices, rules.weights, options, header, content.path)


def listed_ids(header: Header, n: int, path: str | os.PathLike[str]) -> np.ndarray | None:
    """The ids of all vertices, where the header lists them."""
    if header.ids != "listed":
        return None
    if len(header.listed) != n:
        raise GraphFormatError(
            path, None, None, f"the file has {n} vertices, but its comments list {len(header.listed)} ids"
        )
    return header.listed_ids()


def no_edges(path: os.PathLike[str]) -> GraphFormatError:
    """The error for a file without edges that does not say either how many vertices there are."""
    return GraphFormatError(path, None, None, "the file has no edges; give it lines of two ids or names each")


class Gathered:
    """All tables of a text: held, or to be parsed again when they grow beyond the share of the budget.

    Parameters
    ----------
    tables : callable
        Gives the tables from the start, at each call.
    hold : int, optional
        The most bytes to hold.
    """

    def __init__(self, tables: Callable[[], Iterator[Table]], hold: int | None = None) -> None:
        self._tables = tables
        self._hold = memory_budget() // _HELD_SHARE if hold is None else hold
        self._held: list[Table] | None = []
        self.edges = self.dropped = self.kind = 0
        self.total_weight = 0.0

    def scan(self, progress: Progress, total: int | None, look: Callable[[Table], None] | None = None) -> None:
        """Read all tables once, showing each to `look`; `total` is the size of the text where it is known."""
        held = done = 0
        for table in self._tables():
            if look and table.src.size:
                look(table)
            done += table.size
            progress("reading", done, total)
            self.edges += table.src.size
            self.dropped += table.dropped
            self.kind |= table.kind
            if table.weights is not None:
                with np.errstate(over="ignore"):  # beyond all floats is beyond uint32 too
                    self.total_weight += float(table.weights.sum())
            held += table.src.nbytes + table.dst.nbytes + (0 if table.weights is None else table.weights.nbytes)
            if held > self._hold:
                self._held = None
            if self._held is not None:
                self._held.append(table)

    def graph(
        self, vertices: Vertices, weighted: bool, options: Options, header: Header, path: str | os.PathLike[str]
    ) -> Graph:
        """The graph of all tables.

        A file that says it is undirected has its edges go both ways even where the caller asks for a directed graph.
        """
        require(8 * (vertices.n + 1), f"a graph of {vertices.n:,} vertices")
        directed = header.directed is not False if options.directed is None else options.directed
        one_way = directed and header.directed is not False
        dtype = self._weight_type(options, header) if weighted else None
        source = self._source(_converter(vertices, dtype, path), dtype)
        duplicates = options.duplicates or header.duplicates
        graph = from_source(source, vertices.n, one_way, duplicates, options.self_loops, vertices.ids, options.progress)
        return graph if graph.directed == directed else Graph._trusted(graph.arrays, directed, graph.labels)

    def _source(self, convert: Callable[[Table], Chunk], weight_dtype: np.dtype | None) -> _TableSource:
        if self._held is None:
            return _TableSource(self.edges, weight_dtype, lambda: map(convert, self._tables()))
        chunks = []
        self._held.reverse()
        while self._held:  # each table is freed as its chunk is made
            chunks.append(convert(self._held.pop()))
        return _TableSource(self.edges, weight_dtype, lambda: iter(chunks))

    def _weight_type(self, options: Options, header: Header) -> np.dtype:
        """The caller's, else the file's, else uint32 for whole numbers that fit."""
        from nearly.graph.io.word_kernels import BEYOND_FLOAT32, BEYOND_UINT32, FRACTION

        wanted = options.weight_dtype or (header.weights if header.weights != "none" else None)
        if wanted is None:
            if self.kind & FRACTION:
                wanted = "float32"
            elif self.kind & BEYOND_UINT32:
                wanted = "float64" if self.kind & BEYOND_FLOAT32 else "float32"
            else:
                wanted = "uint32"
        if np.dtype(wanted) == np.uint32 and options.duplicates == "sum" and self.total_weight >= 2**32:
            wanted = "float64"
        return np.dtype(wanted)


class _TableSource:
    """Edges in chunks that are made on demand."""

    def __init__(self, edges: int, weight_dtype: np.dtype | None, chunks: Callable[[], Iterator[Chunk]]) -> None:
        self.edges, self.weight_dtype, self.chunks = edges, weight_dtype, chunks


def _converter(
    vertices: Vertices, weight_dtype: np.dtype | None, file: str | os.PathLike[str]
) -> Callable[[Table], Chunk]:
    """What turns a table of ids and doubles into a chunk of vertices and kernel weights."""

    def convert(table: Table) -> Chunk:
        src, dst = vertices.ranks(table.src, file), vertices.ranks(table.dst, file)
        if table.weights is None or weight_dtype is None:
            return Chunk(src, dst, None)
        return Chunk(src, dst, checked_weights(table.weights, "keep", "reject", weight_dtype)[0])

    return convert
