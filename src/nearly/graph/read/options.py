"""What a caller asked of `read`, checked once, and the last step all text readers share: tables to graph.

Tables are held in memory while they fit a share of the budget; beyond it they are thrown away and the
text is parsed again for each of the builder's two passes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.base.memory import memory_budget, require
from nearly.base.progress import Progress, silent
from nearly.graph.build import checked_weights, from_source
from nearly.graph.csr import Graph
from nearly.graph.read.ids import Vertices
from nearly.graph.read.scan import Table
from nearly.graph.source import Chunk

_DUPLICATES = (None, "keep", "first", "min", "sum")
_SELF_LOOPS = ("keep", "drop")
_HELD_SHARE = 3  # tables may take one part in so many of the budget


class Options(NamedTuple):
    """The keywords of `nearly.read`."""

    directed: bool | None = None
    duplicates: str | None = None
    self_loops: str = "keep"
    negative: str = "reject"
    nan: str = "reject"
    weight_dtype: Any = None
    weights: bool = True
    mmap: bool = True
    progress: Progress = silent

    def check(self) -> None:
        """Refuse unknown values before any work is done."""
        for name, value, allowed in (
            ("duplicates", self.duplicates, _DUPLICATES),
            ("self_loops", self.self_loops, _SELF_LOOPS),
            ("directed", self.directed, (None, True, False)),
        ):
            if value not in allowed:
                raise InvalidArgumentError(f"{name} must be one of {', '.join(map(str, allowed))}, not {value!r}")
        checked_weights(np.empty(0), self.negative, self.nan, self.weight_dtype)


def built(source: Any, vertices: Vertices, options: Options, undirected: bool | None, duplicates: str | None) -> Graph:
    """The graph of a source's edges.

    `undirected` is what the file says, or None; an undirected file's edges go both ways even where the caller
    asks for a directed graph. `duplicates` is the file's own wish where the caller has none.
    """
    directed = options.directed if options.directed is not None else not undirected
    require(8 * (vertices.n + 1), f"a graph of {vertices.n:,} vertices")
    graph = from_source(
        source, vertices.n, directed and not undirected, options.duplicates or duplicates, options.self_loops,
        vertices.ids, options.progress,
    )  # fmt: skip
    return graph if graph.directed == directed else Graph._trusted(graph.arrays, directed, graph.ids)


class Gathered:
    """All tables of a text: held, or to be parsed again when they grow beyond the share of the budget.

    Parameters
    ----------
    tables : gives the tables from the start, at each call.
    hold : the most bytes to hold.
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
                self.total_weight += float(table.weights.sum())
            held += table.src.nbytes + table.dst.nbytes + (0 if table.weights is None else table.weights.nbytes)
            if held > self._hold:
                self._held = None
            if self._held is not None:
                self._held.append(table)

    def source(self, convert: Callable[[Table], Chunk], weight_dtype: np.dtype | None) -> TableSource:
        """An edge source of the converted tables."""
        if self._held is None:
            return TableSource(self.edges, weight_dtype, lambda: map(convert, self._tables()))
        chunks = []
        while self._held:  # each table is freed as its chunk is made
            chunks.append(convert(self._held.pop(0)))
        return TableSource(self.edges, weight_dtype, lambda: iter(chunks))


class TableSource:
    """Edges in chunks that are made on demand."""

    def __init__(self, edges: int, weight_dtype: np.dtype | None, chunks: Callable[[], Iterator[Chunk]]) -> None:
        self.edges, self.weight_dtype, self.chunks = edges, weight_dtype, chunks


def weight_type(gathered: Gathered, options: Options, stated: str | None) -> np.dtype:
    """The kernel type for the weights seen: the caller's, the file's, else uint32 for whole numbers that fit."""
    from nearly.graph.read.text_kernels import BEYOND_FLOAT32, BEYOND_UINT32, FRACTION

    wanted = options.weight_dtype or stated
    if wanted is None:
        if gathered.kind & FRACTION:
            wanted = "float32"
        elif gathered.kind & BEYOND_UINT32:
            wanted = "float64" if gathered.kind & BEYOND_FLOAT32 else "float32"
        else:
            wanted = "uint32"
    if np.dtype(wanted) == np.uint32 and options.duplicates == "sum" and gathered.total_weight >= 2**32:
        wanted = "float64"
    return np.dtype(wanted)


def converter(
    vertices: Vertices, weight_dtype: np.dtype | None, file: str | os.PathLike[str]
) -> Callable[[Table], Chunk]:
    """What turns a table of ids and doubles into a chunk of vertices and kernel weights."""

    def convert(table: Table) -> Chunk:
        src, dst = vertices.ranks(table.src, file), vertices.ranks(table.dst, file)
        if table.weights is None or weight_dtype is None:
            return Chunk(src, dst, None)
        return Chunk(src, dst, checked_weights(table.weights, "keep", "reject", weight_dtype)[0])

    return convert
