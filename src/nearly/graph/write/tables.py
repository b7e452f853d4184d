"""Edge tables: Parquet through pyarrow, CSV as a text under column names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress
from nearly.graph.csr import Graph
from nearly.graph.read.header import describe
from nearly.graph.read.tables import METADATA, pyarrow
from nearly.graph.write.text import edge_chunks, write_text

_MOST_METADATA = 90_000_000  # readers refuse a metadata string of more than 100 MB


def write_parquet(graph: Graph, file: BinaryIO, progress: Progress) -> None:
    """A Parquet file with the columns source, target and, where there are weights, weight."""
    parquet = pyarrow("pyarrow.parquet")
    comments, ids = describe(graph, strings=True)
    text = "\n".join(comments).encode()
    if len(text) > _MOST_METADATA:
        raise InvalidArgumentError("too many vertex ids have to be listed for a Parquet file; write an .npz")
    schema = _schema(graph, ids).with_metadata({METADATA: text})
    with parquet.ParquetWriter(file, schema, write_page_checksum=True) as writer:
        for batch in _batches(graph, ids, schema, progress):
            writer.write_batch(batch)


def write_csv(graph: Graph, file: BinaryIO, progress: Progress) -> None:
    """A CSV of the same columns, comments that describe the graph above their names."""
    comments, ids = describe(graph, strings=True)
    if ids is None or ids.dtype.kind != "U":
        write_text(graph, file, progress, b",", names=True)
        return
    csv = pyarrow("pyarrow.csv")
    file.writelines(f"# {comment}\n".encode() for comment in comments)
    schema = _schema(graph, ids)
    with csv.CSVWriter(file, schema) as writer:
        for batch in _batches(graph, ids, schema, progress):
            writer.write_batch(batch)


def _schema(graph: Graph, ids: np.ndarray | None) -> Any:
    arrow = pyarrow("pyarrow")
    end = arrow.string() if ids is not None and ids.dtype.kind == "U" else arrow.int64()
    fields = [("source", end), ("target", end)]
    if graph.weighted:
        fields.append(("weight", arrow.from_numpy_dtype(graph.arrays.weights.dtype)))
    return arrow.schema(fields)


def _batches(graph: Graph, ids: np.ndarray | None, schema: Any, progress: Progress) -> Iterator[Any]:
    arrow = pyarrow("pyarrow")
    for src, dst, weights in edge_chunks(graph, progress):
        ends = [src.astype(np.int64), dst.astype(np.int64)]
        if ids is not None:
            ends = [ids[end] for end in ends]
        columns = [*ends] if weights is None else [*ends, weights]
        yield arrow.record_batch([arrow.array(c, f.type) for c, f in zip(columns, schema)], schema=schema)
