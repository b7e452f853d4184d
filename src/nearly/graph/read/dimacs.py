"""DIMACS shortest path: `p sp n m`, then m arcs `a from to weight`, vertices from 1; `c` begins a comment."""

from __future__ import annotations

import os
import re

from nearly.base.errors import GraphFormatError
from nearly.graph.csr import Graph
from nearly.graph.read.content import Content, LineTooLong
from nearly.graph.read.ids import Vertices
from nearly.graph.read.options import Gathered, Options, built, converter, weight_type
from nearly.graph.read.scan import Rules, read_tables

_PROBLEM = re.compile(rb"p\s+sp\s+(\d{1,18})\s+(\d{1,18})")


def read_dimacs(path: str | os.PathLike[str], options: Options, *, hold: int | None = None) -> Graph:
    """A graph from a DIMACS shortest-path file; directed unless the caller says otherwise."""
    content = Content(path)
    n, arcs, start, line = _read_problem(content)
    rules = Rules(3, options.weights, b"c", ord("a"), 1, n, options.negative, options.nan)
    gathered = Gathered(lambda: read_tables(content, start, line, rules), hold)
    gathered.scan(options.progress, content.size)
    found = gathered.edges + gathered.dropped
    if found != arcs:
        why = f"the problem line says {arcs} arcs, the file has {found}; correct it or complete the file"
        raise GraphFormatError(path, line - 1, None, why)
    dtype = weight_type(gathered, options, None) if options.weights else None
    vertices = Vertices(n)
    return built(gathered.source(converter(vertices, dtype, path), dtype), vertices, options, None, None)


def _read_problem(content: Content) -> tuple[int, int, int, int]:
    """Vertices and arcs by the problem line, and the byte and line where the arcs begin."""
    number = 0
    try:
        for number, (end, text) in enumerate(content.lines(), 1):
            line = text.strip()
            if line and not line.startswith(b"c"):
                found = _PROBLEM.fullmatch(line)
                if not found:
                    raise GraphFormatError(content.path, number, line, "before the arcs comes the line: p sp <vertices> <arcs>")
                return int(found[1]), int(found[2]), end, number + 1
    except LineTooLong:
        raise GraphFormatError(content.path, number + 1, None, "the line is too long for a DIMACS file's head") from None
    raise GraphFormatError(content.path, number or None, None, "the problem line is missing: p sp <vertices> <arcs>")
