"""Matrix Market: entry (i, j) of a square sparse matrix is the arc from i to j, its value the weight.

`coordinate` matrices that are `pattern`, `integer` or `real`, `general` (directed) or `symmetric`
(undirected). Read by the parser of the edge lists rather than by SciPy's, because the size line is only
a claim here: every index is checked against it line by line and the number of entries at the end.
"""

from __future__ import annotations

import os
import re
from typing import BinaryIO

import numpy as np

from nearly.base.errors import GraphFormatError
from nearly.base.progress import Progress
from nearly.graph.csr import Graph
from nearly.graph.io.assemble import Claim, claimed_graph
from nearly.graph.io.content import Content
from nearly.graph.io.format_edges import edge_chunks, edge_count, edge_lines
from nearly.graph.io.header import Header, describe
from nearly.graph.io.line_rules import Rules
from nearly.graph.io.read_options import Options

_BANNER = re.compile(rb"%%MatrixMarket\s+(\w+)\s+(\w+)\s+(\w+)\s+([\w-]+)\s*", re.IGNORECASE)
_SIZE = re.compile(rb"(\d{1,18})\s+(\d{1,18})\s+(\d{1,18})")


def read_matrix_market(path: str | os.PathLike[str], options: Options, *, hold: int | None = None) -> Graph:
    """A graph from a Matrix Market file."""
    content = Content(path)
    claim, pattern, header = _read_head(content)
    columns = 2 if pattern else 3
    weighted = options.weights and not pattern
    rules = Rules(columns, weighted, b"%", low=1, high=claim.n, negative=options.negative, nan=options.nan)
    return claimed_graph(content, claim, rules, options, header, hold)


def _read_head(content: Content) -> tuple[Claim, bool, Header]:
    """The banner, the comments and the size line: what is claimed, whether there are no weights, what comments say."""
    path, header, banner = content.path, Header(), None
    number = 0
    for number, _, end, line in content.lines():
        if banner is None:
            banner = _read_banner(line, path)
        elif line.startswith(b"%"):
            header.read_at(line[1:], path, number)
        elif line:
            pattern, symmetric = banner
            header.directed = not symmetric
            return Claim(*_read_counts(line, number, path), end, number + 1), pattern, header
    raise GraphFormatError(path, number or None, None, "the size line (rows, columns, entries) is missing")


def _read_banner(line: bytes, path: os.PathLike[str]) -> tuple[bool, bool]:
    """Whether the matrix is a pattern, and whether it is symmetric."""
    found = _BANNER.fullmatch(line)
    if not found:
        why = "a Matrix Market file begins with: %%MatrixMarket matrix coordinate real general"
        raise GraphFormatError(path, 1, line, why)
    kind, layout, field, symmetry = (word.decode().lower() for word in found.groups())
    for word, allowed in (
        (kind, ("matrix",)),
        (layout, ("coordinate",)),
        (field, ("pattern", "integer", "real")),
        (symmetry, ("general", "symmetric")),
    ):
        if word not in allowed:
            raise GraphFormatError(path, 1, line, f"a graph needs {' or '.join(allowed)} here, not {word}")
    return field == "pattern", symmetry == "symmetric"


def _read_counts(line: bytes, number: int, path: os.PathLike[str]) -> tuple[int, int]:
    found = _SIZE.fullmatch(line)
    if not found:
        raise GraphFormatError(
            path, number, line, "the size line must hold three whole numbers: rows, columns, entries"
        )
    rows, columns, entries = map(int, found.groups())
    if rows != columns:
        raise GraphFormatError(path, number, line, "a graph needs a square matrix: as many columns as rows")
    return rows, entries


def write_matrix_market(graph: Graph, file: BinaryIO, progress: Progress) -> None:
    """A Matrix Market file: `symmetric` (the lower triangle) where the graph is undirected."""
    field = "pattern" if not graph.weighted else "integer" if graph.arrays.weights.dtype == np.uint32 else "real"
    file.write(f"%%MatrixMarket matrix coordinate {field} {'general' if graph.directed else 'symmetric'}\n".encode())
    file.writelines(f"% {comment}\n".encode() for comment in describe(graph, dense=True)[0])
    file.write(f"{graph.n} {graph.n} {edge_count(graph)}\n".encode())
    one = np.uint64(1)
    for src, dst, weights in edge_chunks(graph, progress):
        # edges come with the smaller end first, the lower triangle wants it second
        row, column = (src, dst) if graph.directed else (dst, src)
        file.write(edge_lines(row.astype(np.uint64) + one, column.astype(np.uint64) + one, weights, b" "))
