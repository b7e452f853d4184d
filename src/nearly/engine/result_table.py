"""A small table with named columns, as `result.top(10)` gives it: it prints, shows itself in notebooks, and converts.

It iterates as rows of what a row is about and its value: `for name, score in result.top(10)`. Columns are NumPy arrays.
pandas, polars and Arrow are imported when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from nearly.base.errors import MissingDependencyError
from nearly.base.html import html_table
from nearly.base.plain_text import cell, columns_in_text
from nearly.engine.result_columns import Columns

SHOWN = 60  # rows of a longer table that are printed


class ResultTable:
    """Named columns of equal length.

    Attributes
    ----------
    columns : dict of str to numpy.ndarray
        The columns by name, in order.
    note : str
        What should be known about the values, such as their guarantee.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2], [2, 2, 0])
    >>> table = nearly.kcore(g).top(2)
    >>> list(table), table["core"].tolist(), len(table)
    ([(0, 1), (1, 1)], [1, 1], 2)
    """

    def __init__(self, made: Columns, note: str = "") -> None:
        self.columns, self._keys, self._value = made
        self.note = note

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        values = self.columns[self._value].tolist() if self._value in self.columns else [None] * len(self)
        yield from zip(self.labels(), values)

    def labels(self) -> list[Any]:
        """What each row is about: a vertex, or the two ends of an arc; its number where it is about neither."""
        held = [self.columns[name].tolist() for name in self._keys]
        if not held:
            return list(range(len(self)))
        return held[0] if len(held) == 1 else list(zip(*held))

    def __getitem__(self, which: int | str) -> Any:
        if isinstance(which, str):
            return self.columns[which]
        return tuple(column[which].item() if hasattr(column[which], "item") else column[which]
                     for column in self.columns.values())  # fmt: skip

    def to_dict(self) -> dict[Any, Any]:
        """The value of each row by what the row is about; the numbers by name where it is one row about nothing."""
        if not self._keys and len(self) == 1:
            return {name: column.tolist()[0] for name, column in self.columns.items()}
        return dict(self)

    def to_pandas(self) -> Any:
        """A pandas data frame."""
        return _imported("pandas", "pandas").DataFrame(self.columns)

    def to_polars(self) -> Any:
        """A polars data frame."""
        polars = _imported("polars", "polars")
        return polars.DataFrame({name: _for_arrow(column) for name, column in self.columns.items()})

    def to_arrow(self) -> Any:
        """An Arrow table."""
        arrow = _imported("pyarrow", "parquet")
        return arrow.table({name: arrow.array(_for_arrow(column)) for name, column in self.columns.items()})

    def __repr__(self) -> str:
        rows = [[cell(value) for value in self[i]] for i in range(min(len(self), SHOWN))]
        more = [f"... {len(self) - SHOWN:,} more rows"] if len(self) > SHOWN else []
        numbers = [column.dtype.kind in "iuf" for column in self.columns.values()]
        return "\n".join([*columns_in_text(list(self.columns), rows, numbers), *more, *([self.note] * bool(self.note))])

    def _repr_html_(self) -> str:
        rows = [[cell(value) for value in self[i]] for i in range(min(len(self), SHOWN))]
        return html_table(list(self.columns), rows, self.note)


def _for_arrow(column: np.ndarray) -> Any:
    """Arrow knows no arrays of Python objects or of fixed-width text."""
    return column.tolist() if column.dtype.kind in "OU" else np.ascontiguousarray(column)


def _imported(module: str, extra: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise MissingDependencyError(f"this needs {module}: pip install 'nearly[{extra}]'") from None
