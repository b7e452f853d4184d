"""The columns of pandas, polars and Arrow tables as numpy arrays, or as strings with codes.

Each library has an adapter that answers the same four questions: which columns there are, whether one holds
numbers, what it holds as vertex ids, what it holds as weights. Libraries are recognised by name, so that none has to
be installed.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from nearly.base.errors import InvalidArgumentError, InvalidGraphError
from nearly.base.memory import require


class Strings(NamedTuple):
    """A column of strings: the distinct ones in any order, and which of them each row holds."""

    values: list[str]
    codes: np.ndarray


class Frame(Protocol):
    """A table as the graph builder sees it."""

    names: list[str]

    def numeric(self, name: str) -> bool:
        """Whether the column holds numbers."""

    def ends(self, name: str) -> np.ndarray | Strings:
        """The column as vertex ids; no value may be missing."""

    def numbers(self, name: str) -> np.ndarray:
        """The column as weights, NaN where a value is missing."""

    def values(self, name: str) -> Any:
        """The column as it is, for attributes."""


def framed(table: Any) -> Frame:
    """The adapter for `table`."""
    library, kind = type(table).__module__.split(".")[0], type(table).__name__
    if library == "pandas" and kind == "DataFrame":
        return _Pandas(table)
    if library == "polars" and kind == "DataFrame":
        return _Polars(table)
    if library == "pyarrow" and kind in ("Table", "RecordBatch"):
        return _Arrow(table)
    raise InvalidArgumentError(f"expected a pandas or polars DataFrame or an Arrow Table, not {library}.{kind}")


class _Pandas:
    def __init__(self, table: Any) -> None:
        self.table, self.names = table, list(table.columns)

    def numeric(self, name: str) -> bool:
        return self.table[name].dtype.kind in "iufb"

    def ends(self, name: str) -> np.ndarray | Strings:
        column = self.table[name]
        if column.isna().any():
            raise _missing(name)
        if column.dtype.kind in "iuf":
            return column.to_numpy(column.dtype.name.lower())
        codes, values = column.factorize()
        return Strings(list(values), codes)

    def numbers(self, name: str) -> np.ndarray:
        column = self.table[name]
        if not self.numeric(name):
            raise _no_numbers(name, column.dtype)
        return (
            column.to_numpy(np.float64, na_value=np.nan)
            if column.isna().any()
            else column.to_numpy(column.dtype.name.lower())
        )

    def values(self, name: str) -> Any:
        return self.table[name].to_numpy()


class _Polars:
    def __init__(self, table: Any) -> None:
        self.table, self.names = table, list(table.columns)

    def numeric(self, name: str) -> bool:
        return self.table[name].dtype.is_integer() or self.table[name].dtype.is_float()

    def ends(self, name: str) -> np.ndarray | Strings:
        column = self.table[name]
        if column.null_count():
            raise _missing(name)
        return column.to_numpy() if self.numeric(name) else _coded(column.to_list())

    def numbers(self, name: str) -> np.ndarray:
        if not self.numeric(name):
            raise _no_numbers(name, self.table[name].dtype)
        return self.table[name].to_numpy()

    def values(self, name: str) -> Any:
        column = self.table[name]
        return column.to_numpy() if self.numeric(name) else column.to_list()


class _Arrow:
    def __init__(self, table: Any) -> None:
        self.table, self.names = table, list(table.schema.names)

    def _column(self, name: str) -> Any:
        import pyarrow as pa

        if self.names.count(name) > 1:
            raise InvalidGraphError(f"two columns are called {name!r}; rename one")
        column = self.table.column(name)
        column = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
        if pa.types.is_decimal(column.type):  # what SQL makes of sums and of 0.5
            column = column.cast(pa.float64() if column.type.scale else pa.int64())
        return column.cast(pa.large_string()) if str(column.type) == "string_view" else column

    def numeric(self, name: str) -> bool:
        import pyarrow.types as kinds

        kind = self._column(name).type
        return kinds.is_integer(kind) or kinds.is_floating(kind)

    def ends(self, name: str) -> np.ndarray | Strings:
        import pyarrow as pa

        column = self._column(name)
        if column.null_count:
            raise _missing(name)
        if self.numeric(name):
            return column.to_numpy()
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
            raise InvalidGraphError(f"column {name!r} must hold whole numbers or strings, not {column.type}")
        require(2 * column.nbytes, "vertex ids as strings")
        coded = column.cast(pa.large_string()).dictionary_encode()
        if not coded.num_chunks:
            return Strings([], np.empty(0, np.int64))
        codes = np.concatenate([chunk.indices.to_numpy() for chunk in coded.chunks])
        return Strings(coded.chunk(coded.num_chunks - 1).dictionary.to_pylist(), codes)

    def numbers(self, name: str) -> np.ndarray:
        if not self.numeric(name):
            raise _no_numbers(name, self._column(name).type)
        return self._column(name).to_numpy()

    def values(self, name: str) -> Any:
        column = self._column(name)
        return column.to_numpy() if self.numeric(name) else column.to_pylist()


def _coded(rows: list[Any]) -> Strings:
    place: dict[Any, int] = {}
    codes = np.fromiter((place.setdefault(value, len(place)) for value in rows), np.int64, len(rows))
    return Strings(list(place), codes)


def _missing(name: str) -> InvalidGraphError:
    return InvalidGraphError(f"column {name!r} has missing values; fill them in or drop those rows")


def _no_numbers(name: str, kind: Any) -> InvalidGraphError:
    return InvalidGraphError(f"the weight column {name!r} must hold numbers, not {kind}")
