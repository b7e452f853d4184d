"""Any Arrow data as an Arrow table: tables, batches, readers, and whatever offers the Arrow C stream interface.

pyarrow, polars, DuckDB's relations and query results, ADBC readers and others hand over columns without copying them;
see arrow.apache.org on the PyCapsule interface. What comes in batches is held against the memory budget as it grows.
"""

from __future__ import annotations

from typing import Any

from nearly.base.errors import InvalidArgumentError, MissingDependencyError
from nearly.base.memory import require


def arrow_table(data: Any) -> Any:
    """The data as a pyarrow.Table."""
    try:
        import pyarrow
    except ImportError:
        raise MissingDependencyError("Arrow data need pyarrow: pip install 'nearly[parquet]'") from None
    if isinstance(data, pyarrow.Table):
        return data
    if isinstance(data, pyarrow.RecordBatch):
        return pyarrow.Table.from_batches([data])
    reader = data if isinstance(data, pyarrow.RecordBatchReader) else None
    if reader is None and hasattr(data, "__arrow_c_stream__"):
        reader = pyarrow.RecordBatchReader.from_stream(data)
    elif reader is None:  # a DuckDB connection after execute()
        fetch = getattr(data, "to_arrow_reader", None) or getattr(data, "fetch_record_batch", None)
        reader = fetch() if callable(fetch) else None
    if reader is None:
        raise InvalidArgumentError(
            f"expected Arrow data (a table, a reader, a DuckDB result), not {type(data).__name__}; see Graph.from_frame"
        )
    kept, size = [], 0
    for batch in reader:
        kept.append(batch)
        size += batch.nbytes
        require(2 * size, "the edges of the Arrow data")
    return pyarrow.Table.from_batches(kept, reader.schema)
