"""Columns that travel with a graph: what is known of its vertices and of its edges besides ids and weights.

`g.vertices` and `g.edges` are tables: mappings from a column's name to an array, which pandas, polars and Arrow take as
they are. A vertex's values stand at its index. An edge's values are kept once, whichever arcs stand for it: a graph
holds the row of each arc (`EdgeColumns.rows`), so that parts of a graph share their columns with the whole. Columns are
numbers, booleans, or strings, None where one is missing. They play no role in any algorithm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nearly.base.arguments import shown
from nearly.base.errors import InvalidArgumentError, MissingDependencyError
from nearly.base.memory import require
from nearly.graph.csr_arrays import read_only

if TYPE_CHECKING:
    from nearly.graph.csr import Graph

Columns = dict[str, np.ndarray]


class EdgeColumns(NamedTuple):
    """The columns of edges, and for each arc of a graph the row that is about it."""

    columns: Columns
    rows: np.ndarray


class Table(Mapping[str, np.ndarray]):
    """Columns of equal length under their names; the first ones (`keys`) say what a row is about.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0], [1]).with_vertices({"colour": ["red", "blue"]})
    >>> list(g.vertices), g.vertices["colour"].tolist()
    (['vertex', 'colour'], ['red', 'blue'])
    """

    def __init__(self, keys: Columns, columns: Columns) -> None:
        self._key_names, self._columns = list(keys), {**keys, **columns}

    def __getitem__(self, name: str) -> np.ndarray:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def attributes(self) -> Columns:
        """The columns without those that say what a row is about."""
        return {name: column for name, column in self._columns.items() if name not in self._key_names}

    def to_pandas(self) -> Any:
        """A pandas frame with the keys as its index."""
        try:
            import pandas
        except ImportError:
            raise MissingDependencyError("this needs pandas: pip install pandas") from None
        return pandas.DataFrame(self._columns).set_index(self._key_names)

    def to_polars(self) -> Any:
        """A polars frame."""
        try:
            import polars
        except ImportError:
            raise MissingDependencyError("this needs polars: pip install polars") from None
        return polars.DataFrame({name: _plain(column) for name, column in self.items()})

    def to_arrow(self) -> Any:
        """An Arrow table."""
        try:
            import pyarrow
        except ImportError:
            raise MissingDependencyError("this needs pyarrow: pip install 'nearly[parquet]'") from None
        return pyarrow.table({name: pyarrow.array(_plain(column)) for name, column in self.items()})

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        rows = len(next(iter(self._columns.values()), ()))
        kinds = ", ".join(f"{name} ({_kind(column)})" for name, column in self.items())
        return f"<nearly table of {rows:,} rows: {kinds}>"


def _plain(column: np.ndarray) -> Any:
    return column.tolist() if column.dtype.kind in "OU" else column


def _kind(column: np.ndarray) -> str:
    return "text" if column.dtype.kind in "OU" else str(column.dtype)


def checked_column(name: Any, values: Any, size: int) -> np.ndarray:
    """A column as it is kept: numbers, booleans, or strings with None."""
    if not isinstance(name, str) or not name:
        raise InvalidArgumentError(f"a column needs a name that is a string, not {shown(name)}")
    try:
        array = np.asarray(values)
    except ValueError:
        array = np.empty(0, object)
    if array.shape != (size,):
        raise InvalidArgumentError(f"the column {name!r} must hold {size:,} values, one a row, not shape {array.shape}")
    if array.dtype.kind in "biuf" and array.dtype.itemsize <= 8:
        return read_only(array)
    return read_only(_texts(name, array.tolist()))


def _texts(name: str, values: list[Any]) -> np.ndarray:
    """Values of any kind as numbers where all are, else as strings; None where one is missing."""
    none = [value is None or (isinstance(value, float) and value != value) for value in values]
    known = [value for value, missing in zip(values, none) if not missing]
    if known and all(isinstance(value, (bool, int, float, np.number, np.bool_)) for value in known):
        try:
            return np.array([np.nan if missing else value for value, missing in zip(values, none)], np.float64)
        except (OverflowError, ValueError):
            pass
    odd = next((value for value in known if not isinstance(value, (str, bool, int, float, np.generic))), None)
    if odd is not None:
        raise InvalidArgumentError(f"the column {name!r} must hold numbers, booleans or strings, not {shown(odd)}")
    require(60 * len(values), f"the column {name!r}")
    made = np.empty(len(values), object)
    made[:] = [None if missing else str(value) for value, missing in zip(values, none)]
    return made


def vertex_columns(graph: Graph, table: Any) -> Columns:
    """Columns for a graph's vertices: arrays in the order of indices, or a frame with a column or index of ids."""
    if isinstance(table, Mapping):
        named = {name: values for name, values in table.items() if name != "vertex" or not isinstance(table, Table)}
        return {name: checked_column(name, values, graph.n) for name, values in named.items()}
    if type(table).__module__.split(".")[0] == "pandas":
        ids, columns = table.index.to_numpy(), {str(name): table[name].to_numpy() for name in table.columns}
        if "vertex" in columns:
            ids = columns.pop("vertex")
    elif hasattr(table, "__arrow_c_stream__"):
        from nearly.graph.arrow_tables import arrow_table

        arrow = arrow_table(table)
        columns = {name: arrow.column(name).to_numpy() for name in arrow.column_names}
        if "vertex" not in columns:
            raise InvalidArgumentError("the table needs a column called vertex, which holds ids or names")
        ids = columns.pop("vertex")
    else:
        raise InvalidArgumentError(
            f"expected {{name: array}} or a table with a column vertex, not {type(table).__name__}"
        )
    place = _places_of(graph, ids)
    return {name: _placed(name, values, place, graph.n) for name, values in columns.items()}


def _places_of(graph: Graph, ids: np.ndarray) -> np.ndarray:
    """The index of each row's vertex, -1 where the graph has none such."""
    known = {label: v for v, label in enumerate(range(graph.n) if graph.ids is None else graph.ids.tolist())}
    return np.array([known.get(one, -1) for one in ids.tolist()], np.int64)


def _placed(name: str, values: np.ndarray, place: np.ndarray, n: int) -> np.ndarray:
    """A column's values at their vertices; missing where the table has no row for a vertex."""
    here = place >= 0
    whole = values.dtype.kind in "biuf" and np.unique(place[here]).size == n
    made: np.ndarray = np.empty(n, values.dtype) if whole else np.full(n, None, object)
    made[place[here]] = values[here]
    return checked_column(name, made, n)


def carry(graph: Graph, made: Graph, vertices: np.ndarray | None = None, arcs: np.ndarray | None = None) -> Graph:
    """Give a graph made from another one its columns: those of these vertices (all by default) and of these arcs."""
    columns, edges = graph.vertex_columns, graph.edge_columns
    if columns is not None:
        whole = vertices is None
        made.vertex_columns = columns if whole else {name: c[vertices] for name, c in columns.items()}
    if edges is not None and arcs is not None:
        made.edge_columns = EdgeColumns(edges.columns, edges.rows[arcs])
    return made
