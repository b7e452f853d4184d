"""Edge tables in files, through pyarrow: Parquet, and CSV that is more than a list of numbers.

A .csv of plain numbers, with or without the names of an edge list above them, is read by the text parser,
which is faster and needs no pyarrow. What our own writer says about the graph stands in a Parquet file's
metadata or in comments above a CSV's names (see `header.py`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from nearly.base.errors import GraphFormatError, InvalidGraphError, MissingDependencyError, NearlyError
from nearly.base.memory import require
from nearly.graph.columns import framed
from nearly.graph.csr import Graph
from nearly.graph.frames import graph_from_columns, pick_columns
from nearly.graph.read.content import Content, unreadable
from nearly.graph.read.header import Header
from nearly.graph.read.options import Options
from nearly.graph.read.text import Head, graph_from, is_edge_list, read_head

METADATA = b"nearly"
_ROW_BYTES = 40  # two ends and a weight as read, and the ends once more as vertices
_BLOCK = 1 << 24
_ROW = re.compile(r"Row #(\d+)")


def read_parquet(path: str | os.PathLike[str], options: Options) -> Graph:
    """A graph from a Parquet table of edges."""
    parquet = pyarrow("pyarrow.parquet")
    with _explained(path):
        file = parquet.ParquetFile(path, page_checksum_verification=True)
        facts = file.metadata
        require(_ROW_BYTES * facts.num_rows, f"the {facts.num_rows:,} edges of {os.fspath(path)}")
        header = Header()
        for comment in (facts.metadata or {}).get(METADATA, b"").splitlines():
            header.read_at(comment, path, 1)
        columns = pick_columns(framed(file.schema_arrow.empty_table()))
        columns = columns if options.weights else columns._replace(weight=None)
        wanted = [name for name in columns if name is not None]
        # what a column says it unpacks to is not asked: pyarrow aborts the process on a damaged entry there
        table = _gathered(file.iter_batches(columns=wanted), file.schema_arrow, wanted, path)
        return graph_from_columns(framed(table), columns, options, header)


def read_csv(path: str | os.PathLike[str], options: Options) -> Graph:
    """A graph from a CSV table of edges."""
    content = Content(path)
    head = read_head(content, named=True)
    if head.names is None or (is_edge_list(head) and head.header.ids != "text"):
        return graph_from(content, head, options)
    with _explained(path):
        table = framed(_csv_table(content, head))
        return graph_from_columns(table, pick_columns(table), options, head.header)


def _csv_table(content: Content, head: Head) -> Any:
    """The columns of edges of a CSV, block by block under the budget."""
    arrow, csv = pyarrow("pyarrow"), pyarrow("pyarrow.csv")

    def opened(**conversion: Any) -> Any:
        return csv.open_csv(
            arrow.input_stream(os.fspath(content.path), compression="gzip" if content.gzipped else None),
            csv.ReadOptions(use_threads=False, skip_rows=head.names_line - 1, block_size=_BLOCK),
            csv.ParseOptions(newlines_in_values=True),
            csv.ConvertOptions(**conversion),
        )

    with opened() as probe:
        schema = probe.schema
    columns = pick_columns(framed(schema.empty_table()))
    types = {name: schema.field(name).type for name in columns if name is not None}
    if head.header.ids == "text":
        types[columns.source] = types[columns.target] = arrow.string()
    with opened(include_columns=list(types), column_types=types) as reader:
        return _gathered(reader, reader.schema, list(types), content.path)


def _gathered(batches: Iterable[Any], schema: Any, names: list[str], path: str | os.PathLike[str]) -> Any:
    """All batches as one table, their growth held against the budget."""
    arrow = pyarrow("pyarrow")
    kept, size = [], 0
    for batch in batches:
        kept.append(batch)
        size += batch.nbytes
        require(2 * size, f"the edges of {os.fspath(path)}")
    return arrow.Table.from_batches(kept, None if kept else arrow.schema([schema.field(name) for name in names]))


@contextmanager
def _explained(path: str | os.PathLike[str]) -> Iterator[None]:
    """Whatever pyarrow says about a file, said as our own error."""
    arrow = pyarrow("pyarrow")
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


def pyarrow(module: str) -> Any:
    """A module of pyarrow, or the error that says how to install it."""
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        raise MissingDependencyError(
            "reading and writing tables needs pyarrow: pip install 'nearly[parquet]'"
        ) from None
