"""Edge tables in files: Parquet, through pyarrow, and CSV, which is text and needs it only for names over two lines.

A .csv is read by the parallel readers of text: as an edge list where it holds whole numbers in two or three columns,
else by that of names. What our own writer says about the graph stands in a Parquet file's
metadata or in comments above a CSV's names (see `header.py`).
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, BinaryIO

import numpy as np

from nearly.base.errors import (
    GraphFormatError,
    InvalidArgumentError,
    InvalidGraphError,
    MissingDependencyError,
    NearlyError,
)
from nearly.base.memory import require
from nearly.base.progress import Progress
from nearly.graph.attributes import Table, checked_column
from nearly.graph.csr import Graph
from nearly.graph.data_frame import graph_from_columns, pick_columns
from nearly.graph.frame_columns import framed
from nearly.graph.io.assemble import no_edges
from nearly.graph.io.content import Content, unreadable
from nearly.graph.io.edge_list import graph_from, write_edge_list
from nearly.graph.io.format_edges import edge_chunks
from nearly.graph.io.header import Header, describe
from nearly.graph.io.named_list import named_graph, takes_names
from nearly.graph.io.read_options import Options
from nearly.graph.io.split_fields import OPEN_QUOTE
from nearly.graph.io.text_layout import read_head
from nearly.graph.names import Names

_METADATA, _ATTRIBUTES = b"nearly", b"nearly vertices"
_MOST_METADATA = 90_000_000  # readers refuse a metadata string of more than 100 MB
_ROW_BYTES = 40  # two ends and a weight as read, and the ends once more as vertices
_BLOCK = 1 << 24
_ROW = re.compile(r"Row #(\d+)")


def read_parquet(path: str | os.PathLike[str], options: Options) -> Graph:
    """A graph from a Parquet table of edges."""
    parquet = _pyarrow("pyarrow.parquet")
    with _explained(path):
        file = parquet.ParquetFile(path, page_checksum_verification=True)
        facts = file.metadata
        require(_ROW_BYTES * facts.num_rows, f"the {facts.num_rows:,} edges of {os.fspath(path)}")
        header = Header()
        for comment in (facts.metadata or {}).get(_METADATA, b"").splitlines():
            header.read_at(comment, path, 1)
        columns = pick_columns(framed(file.schema_arrow.empty_table()))
        if header.ours and header.weights == "none":  # a third column is an attribute
            columns = columns._replace(weight=None)
        kept = options.attributes or _ATTRIBUTES in (facts.metadata or {})
        more = [name for name in file.schema_arrow.names if kept and name not in columns]
        columns = columns if options.weights else columns._replace(weight=None)
        wanted = [name for name in (*columns, *more) if name is not None]
        # what a column says it unpacks to is not asked: pyarrow aborts the process on a damaged entry there
        table = _gathered(file.iter_batches(columns=wanted), file.schema_arrow, wanted, path)
        graph = graph_from_columns(framed(table), columns, options, header, more)
        _add_vertices(graph, (facts.metadata or {}).get(_ATTRIBUTES, b""), path)
        return graph


def _add_vertices(graph: Graph, kept: bytes, path: str | os.PathLike[str]) -> None:
    """Give the graph the columns of its vertices, which our writer puts into the file's metadata."""
    if not kept:
        return
    arrow = _pyarrow("pyarrow")
    stored = arrow.ipc.open_stream(base64.b64decode(kept, validate=True)).read_all()
    stored.validate(full=True)  # Arrow believes offsets that it reads, and a damaged file may have any
    table = framed(stored)
    if table.names:
        graph.vertex_columns = {name: checked_column(name, table.values(name), graph.n) for name in table.names}


def read_csv(path: str | os.PathLike[str], options: Options) -> Graph:
    """A graph from a CSV table of edges."""
    content = Content(path)
    if options.attributes:
        return _with_attributes(content, options)
    try:
        head = read_head(content, options, table=True)
        if not head.columns or (head.in_order and not head.quotes and not takes_names(head, options)):
            return graph_from(content, head, options)
        return named_graph(content, head, options, table=True)
    except GraphFormatError as error:
        if error.why != OPEN_QUOTE or find_spec("pyarrow") is None:
            raise
    with _explained(path):  # names that go over several lines, which only pyarrow reads
        table = framed(_csv_table(content, _names_line(content)))
        return graph_from_columns(table, pick_columns(table), options, Header())


def _with_attributes(content: Content, options: Options) -> Graph:
    """The graph with all other columns as attributes of its edges; pyarrow reads those."""
    with _explained(content.path):
        table = framed(_csv_table(content, _names_line(content), everything=True))
        columns = pick_columns(table)
        more = [name for name in table.names if name not in columns]
        return graph_from_columns(table, columns, options, Header(), more)


def _names_line(content: Content) -> int:
    """The number of the first line that is no comment."""
    return next((line.number for line in content.lines() if line.text and line.text[:1] not in b"#%"), 1)


def _csv_table(content: Content, names_line: int, everything: bool = False) -> Any:
    """The columns of edges of a CSV, block by block under the budget."""
    arrow, csv = _pyarrow("pyarrow"), _pyarrow("pyarrow.csv")

    def opened(**conversion: Any) -> Any:
        return csv.open_csv(
            arrow.input_stream(os.fspath(content.path), compression="gzip" if content.gzipped else None),
            csv.ReadOptions(use_threads=False, skip_rows=names_line - 1, block_size=_BLOCK),
            csv.ParseOptions(newlines_in_values=True),
            csv.ConvertOptions(**conversion),
        )

    with opened() as probe:
        schema = probe.schema
    columns = schema.names if everything else pick_columns(framed(schema.empty_table()))
    types = {name: schema.field(name).type for name in columns if name is not None}
    with opened(include_columns=list(types), column_types=types) as reader:
        table = _gathered(reader, reader.schema, list(types), content.path)
    if not table.num_rows:
        raise no_edges(content.path)
    return table


def _gathered(batches: Iterable[Any], schema: Any, names: list[str], path: str | os.PathLike[str]) -> Any:
    """All batches as one table, their growth held against the budget."""
    arrow = _pyarrow("pyarrow")
    kept, size = [], 0
    for batch in batches:
        kept.append(batch)
        size += batch.nbytes
        require(2 * size, f"the edges of {os.fspath(path)}")
    return arrow.Table.from_batches(kept, None if kept else arrow.schema([schema.field(name) for name in names]))


def write_parquet(graph: Graph, file: BinaryIO, progress: Progress) -> None:
    """A Parquet file with the columns source, target and, where there are weights, weight."""
    parquet = _pyarrow("pyarrow.parquet")
    comments, ids = describe(graph, strings=True, lines=False)
    text = "\n".join(comments).encode()
    if len(text) > _MOST_METADATA:
        raise InvalidArgumentError("too many vertex ids have to be listed for a Parquet file; write an .npz")
    metadata = {_METADATA: text}
    if graph.vertex_columns is not None or graph.edge_columns is not None:
        metadata[_ATTRIBUTES] = _vertices_as_text(graph)
    schema = _schema(graph, ids).with_metadata(metadata)
    with parquet.ParquetWriter(file, schema, write_page_checksum=True) as writer:
        for batch in _batches(graph, ids, schema, progress):
            writer.write_batch(batch)


def _vertices_as_text(graph: Graph) -> bytes:
    """The columns of vertices as an Arrow stream, spelled in letters; a Parquet file has room for one table only."""
    arrow = _pyarrow("pyarrow")
    columns = {} if graph.vertices is None else graph.vertices.attributes
    table = Table({}, columns).to_arrow()
    sink = arrow.BufferOutputStream()
    with arrow.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    text = base64.b64encode(sink.getvalue())
    if len(text) > _MOST_METADATA:
        raise InvalidArgumentError("the columns of vertices are too large for a Parquet file; write an .npz")
    return text


def write_csv(graph: Graph, file: BinaryIO, progress: Progress) -> None:
    """A CSV of the same columns, comments that describe the graph above their names."""
    write_edge_list(graph, file, progress, b",", names=True)


def _schema(graph: Graph, ids: np.ndarray | Names | None) -> Any:
    arrow = _pyarrow("pyarrow")
    end = arrow.string() if isinstance(ids, Names) else arrow.int64()
    fields = [("source", end), ("target", end)]
    if graph.weighted:
        fields.append(("weight", arrow.from_numpy_dtype(graph.arrays.weights.dtype)))
    for name, column in ({} if graph.edge_columns is None else graph.edge_columns.columns).items():
        if name in ("source", "target", "weight"):
            raise InvalidArgumentError(f"a Parquet file has a column {name!r} already; rename the attribute")
        fields.append((name, arrow.string() if column.dtype.kind in "OU" else arrow.from_numpy_dtype(column.dtype)))
    return arrow.schema(fields)


def _batches(graph: Graph, ids: np.ndarray | Names | None, schema: Any, progress: Progress) -> Iterator[Any]:
    arrow, known, done = _pyarrow("pyarrow"), graph.edge_columns, 0
    if known is not None:
        once = np.arange(graph.m) if graph.directed else np.flatnonzero(graph.arc_rows() <= graph.arrays.targets)
    for src, dst, weights in edge_chunks(graph, progress):
        ends = [src.astype(np.int64), dst.astype(np.int64)]
        if ids is not None:
            ends = [graph.ids_of(end) for end in ends]
        columns = [*ends] if weights is None else [*ends, weights]
        if known is not None:
            rows = known.rows[once[done : done + src.size]]
            columns += [column[rows] for column in known.columns.values()]
            done += src.size
        yield arrow.record_batch([arrow.array(c, f.type) for c, f in zip(columns, schema)], schema=schema)


@contextmanager
def _explained(path: str | os.PathLike[str]) -> Iterator[None]:
    """Whatever pyarrow says about a file, said as our own error."""
    arrow = _pyarrow("pyarrow")
    try:
        yield
    except InvalidGraphError as error:
        raise GraphFormatError(path, None, None, str(error)) from None
    except NearlyError:
        raise
    except FileNotFoundError as error:
        raise unreadable(path, error) from None
    except (arrow.ArrowException, OSError, ValueError, KeyError, TypeError, OverflowError, IndexError) as error:
        first = (str(error).splitlines() or [""])[0]
        row = _ROW.search(first)
        why = f"cannot be read as a table of edges ({first[:200]}); correct the file or write it again"
        raise GraphFormatError(path, int(row[1]) if row else None, None, why) from None


def _pyarrow(module: str) -> Any:
    """A module of pyarrow, or the error that says how to install it."""
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        raise MissingDependencyError(
            "reading and writing tables needs pyarrow: pip install 'nearly[parquet]'"
        ) from None
