"""METIS: a header `vertices edges [fmt [ncon]]`, then line k holds the neighbours of vertex k, numbered from 1.

`fmt` is up to three digits: vertex sizes, vertex weights (`ncon` a vertex), edge weights. Sizes and weights
of vertices are skipped. Every edge stands in the lines of both its ends, which is checked, as are the
header's two counts. Blank lines are vertices without neighbours; `%` begins a comment.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from nearly.base.errors import GraphFormatError, InvalidGraphError
from nearly.base.threads import kernel_threads
from nearly.graph.csr import Graph, vertex_dtype
from nearly.graph.io.assemble import Gathered
from nearly.graph.io.content import Content
from nearly.graph.io.header import Header
from nearly.graph.io.ids import Vertices
from nearly.graph.io.metis_kernels import measure_rows, parse_rows
from nearly.graph.io.read_options import Options
from nearly.graph.io.scan import LINE, PIECE, Table, closed_up, line_length, line_number
from nearly.graph.io.scan_kernels import EdgeColumns, count_lines, cut_at_lines
from nearly.graph.io.word_kernels import BEYOND_FLOAT32, BEYOND_UINT32
from nearly.graph.validate import check_symmetry

_HEADER = re.compile(rb"(\d{1,18})\s+(\d{1,18})(?:\s+([01]{1,3})(?:\s+(\d{1,9}))?)?")


class _Shape(NamedTuple):
    """What the header says, and where the vertex lines begin."""

    n: int
    edges: int
    leads: int
    weighted: bool
    start: int
    line: int


def read_metis(path: str | os.PathLike[str], options: Options, *, hold: int | None = None) -> Graph:
    """A graph from a METIS file; undirected unless the caller says otherwise."""
    content = Content(path, longest_line=None)
    shape = _read_shape(content)
    weighted = options.weights and shape.weighted
    loops = 0

    def count_loops(table: Table) -> None:
        nonlocal loops
        loops += int(np.count_nonzero(table.src == table.dst))

    gathered = Gathered(lambda: _tables(content, shape), hold)
    gathered.scan(options.progress, content.size, count_loops)
    if 2 * shape.edges not in (gathered.edges, gathered.edges + loops):
        why = (
            f"the header says {shape.edges} edges, so {2 * shape.edges} neighbours in all, "
            f"but the lines list {gathered.edges}; correct the header"
        )
        raise GraphFormatError(path, shape.line - 1, None, why)
    arcs = gathered.graph(Vertices(shape.n), weighted, options._replace(directed=True), Header(), path)
    graph = Graph._trusted(arcs.arrays, False)
    try:
        check_symmetry(graph)
    except InvalidGraphError:
        why = "some edge does not stand in the lines of both its ends, or with another weight; list it in both"
        raise GraphFormatError(path, None, None, why) from None
    return arcs if options.directed else graph


def _read_shape(content: Content) -> _Shape:
    number = 0
    for number, _, end, line in content.lines():
        if not line or line.startswith(b"%"):
            continue
        found = _HEADER.fullmatch(line)
        if not found:
            why = "a METIS file begins with: vertices edges [fmt [ncon]], fmt being up to three digits 0 or 1"
            raise GraphFormatError(content.path, number, line, why)
        sizes, weights, edge_weights = (digit == 49 for digit in (found[3] or b"").rjust(3, b"0"))
        leads = int(sizes) + (int(found[4] or 1) if weights else 0)
        return _Shape(int(found[1]), int(found[2]), leads, edge_weights, end, number + 1)
    raise GraphFormatError(
        content.path, number or None, None, "the header line is missing: vertices edges [fmt [ncon]]"
    )


def _tables(content: Content, shape: _Shape) -> Iterator[Table]:
    row, line = 0, shape.line
    for data in content.regions(shape.start):
        with kernel_threads(work=data.size // LINE):
            cuts = cut_at_lines(data, max(1, data.size // PIECE))
            rows, words = measure_rows(data, cuts)
            table = _parse(content, data, cuts, rows, words, shape, row, line)
            line += int(count_lines(data, cuts).sum())
        row += int(rows.sum())
        yield table
    if row < shape.n:
        why = f"the header says {shape.n} vertices, but {row} lines follow it; correct it or complete the file"
        raise GraphFormatError(content.path, shape.line - 1, None, why)


def _parse(
    content: Content, data: np.ndarray, cuts: np.ndarray, rows: np.ndarray, words: np.ndarray, shape: _Shape,
    row: int, line: int,
) -> Table:  # fmt: skip
    room = words // np.uint64(2) if shape.weighted else words
    ends = np.cumsum(room)
    slot_starts, row_starts = ends - room, np.cumsum(rows) - rows + np.uint64(row)
    size = int(ends[-1])
    dtype = vertex_dtype(shape.n)
    # one more than needed: a bad line is noticed only behind its last number
    edges = EdgeColumns(
        np.empty(size + 1, dtype),
        np.empty(size + 1, dtype),
        np.empty(size + 1 if shape.weighted else 0, np.float64),
    )
    stops, slots = parse_rows(data, cuts, row_starts, slot_starts, shape.leads, shape.n, edges)
    bad = np.flatnonzero(stops < cuts[1:])
    if bad.size:
        at = int(stops[bad[0]])
        rows_before = int(row_starts[bad[0]]) + int(measure_rows(data, np.array([cuts[bad[0]], at], np.uint64))[0][0])
        _explain(content, data, at, shape, line, rows_before)
    src, dst, weights = closed_up(edges, slot_starts, slots)
    beyond = weights is not None and weights.size and weights.max() > 2**32 - 1
    kind = BEYOND_UINT32 | BEYOND_FLOAT32 if beyond else 0
    return Table(src, dst, weights, 0, kind, 0, data.size)


def _explain(content: Content, data: np.ndarray, begin: int, shape: _Shape, first_line: int, rows_before: int) -> None:
    """Raise the error for the bad line at `begin`."""
    text = data[begin : begin + line_length(data, begin)].tobytes()
    words = text.split()
    why = f"the header says {shape.n} vertices, but this is the line of one more; correct the header"
    if rows_before < shape.n:
        why = _what_is_wrong(words, shape)
    raise GraphFormatError(content.path, line_number(data, begin, first_line), text, why)


def _what_is_wrong(words: list[bytes], shape: _Shape) -> str:
    if len(words) < shape.leads:
        return f"the header promises {shape.leads} sizes and weights of the vertex at the start of every line"
    for place, word in enumerate(words):
        neighbour = place >= shape.leads and not (shape.weighted and (place - shape.leads) % 2)
        if not word.isdigit() or len(word) > 18:
            return f"{word[:20].decode('utf-8', 'replace')!r} is not a whole number from 0 to 10**18"
        if neighbour and not 1 <= int(word) <= shape.n:
            return f"vertex {int(word)} is out of range: the header says vertices are 1 to {shape.n}"
    return "the header promises a weight behind each neighbour, and the last neighbour has none"
