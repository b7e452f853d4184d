"""Matrix Market: entry (i, j) of a square sparse matrix is the arc from i to j, its value the weight.

`coordinate` matrices that are `pattern`, `integer` or `real`, `general` (directed) or `symmetric`
(undirected). Read by the parser of the edge lists rather than by SciPy's, because the size line is only
a claim here: every index is checked against it line by line and the number of entries at the end.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from nearly.base.errors import GraphFormatError
from nearly.graph.csr import Graph
from nearly.graph.read.content import Content, LineTooLong
from nearly.graph.read.header import Header
from nearly.graph.read.ids import Vertices
from nearly.graph.read.options import Gathered, Options, built, converter, weight_type
from nearly.graph.read.scan import Rules, read_tables

_BANNER = re.compile(rb"%%MatrixMarket\s+(\w+)\s+(\w+)\s+(\w+)\s+([\w-]+)\s*", re.IGNORECASE)
_SIZE = re.compile(rb"(\d{1,18})\s+(\d{1,18})\s+(\d{1,18})")


class _Size(NamedTuple):
    n: int
    entries: int
    pattern: bool
    symmetric: bool
    start: int
    line: int
    header: Header


def read_mtx(path: str | os.PathLike[str], options: Options, *, hold: int | None = None) -> Graph:
    """A graph from a Matrix Market file."""
    content = Content(path)
    size = _read_size(content)
    weighted = options.weights and not size.pattern
    columns = 2 if size.pattern else 3
    rules = Rules(columns, weighted, b"%", low=1, high=size.n, negative=options.negative, nan=options.nan)
    gathered = Gathered(lambda: read_tables(content, size.start, size.line, rules), hold)
    gathered.scan(options.progress, content.size)
    found = gathered.edges + gathered.dropped
    if found != size.entries:
        why = f"the size line says {size.entries} entries, the file has {found}; correct it or complete the file"
        raise GraphFormatError(path, size.line - 1, None, why)
    vertices = Vertices(size.n, _listed(size, path))
    stated = size.header.weights if size.header.weights != "none" else None
    dtype = weight_type(gathered, options, stated) if weighted else None
    source = gathered.source(converter(vertices, dtype, path), dtype)
    return built(source, vertices, options, size.symmetric, size.header.duplicates)


def _read_size(content: Content) -> _Size:
    """The banner, the comments and the size line."""
    path, header, banner = content.path, Header(), None
    number = 0
    try:
        for number, (end, text) in enumerate(content.lines(), 1):
            line = text.strip()
            if banner is None:
                banner = _read_banner(line, path)
            elif line.startswith(b"%"):
                if why := header.read(line[1:].decode("utf-8", "replace")):
                    raise GraphFormatError(path, number, line, why)
            elif line:
                n, entries = _read_counts(line, number, path)
                return _Size(n, entries, banner[0], banner[1], end, number + 1, header)
    except LineTooLong:
        raise GraphFormatError(path, number + 1, None, "the line is too long for a Matrix Market file's head") from None
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
        raise GraphFormatError(path, number, line, "the size line must hold three whole numbers: rows, columns, entries")
    rows, columns, entries = map(int, found.groups())
    if rows != columns:
        raise GraphFormatError(path, number, line, "a graph needs a square matrix: as many columns as rows")
    return rows, entries


def _listed(size: _Size, path: os.PathLike[str]):
    if size.header.ids != "listed":
        return None
    if len(size.header.listed) != size.n:
        why = f"the size line says {size.n} vertices, but the comments list {len(size.header.listed)} ids"
        raise GraphFormatError(path, size.line - 1, None, why)
    return size.header.listed_ids()
