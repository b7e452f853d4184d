"""How a person gets at a result: rows, tables, single values by index or name, a picture; and how it is pickled.

The base of `Result`, apart from its fields. All of it follows from what the result's class declares. A pickled result
takes the names of the vertices along, and the ends of its arcs where rows are about arcs, but not the graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from nearly.base.arguments import whole_number
from nearly.base.errors import InvalidArgumentError

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from nearly.engine.result_table import ResultTable


class ResultAccess:
    """Rows and tables of a result; see `Result`."""

    @property
    def _me(self) -> Any:
        """The result that this is the base of."""
        return self

    def table(self) -> ResultTable:
        """All rows as a table that needs no other package.

        Returns
        -------
        ResultTable
            Its `columns` are NumPy arrays by name; vertices have the names their graph has for them.
        """
        from nearly.engine.result_columns import table_of
        from nearly.engine.result_table import ResultTable
        from nearly.engine.result_words import in_words

        return ResultTable(table_of(self._me), in_words(self._me))

    def top(self, k: int = 10) -> ResultTable:
        """The rows that matter most: greatest scores, nearest vertices, largest parts, members of a set.

        Parameters
        ----------
        k : int, default 10
            How many at most.

        Returns
        -------
        ResultTable
            Prints well, also in notebooks, and iterates as (name, value).

        Examples
        --------
        >>> import nearly
        >>> g = nearly.Graph.from_edges([0, 1, 2], [2, 2, 0])
        >>> [vertex for vertex, rank in nearly.pagerank(g).top(2)]
        [2, 0]
        """
        from nearly.engine.result_views import first_rows

        return first_rows(self._me, whole_number("k", k))

    def to_pandas(self) -> pandas.DataFrame:
        """All rows as a pandas data frame."""
        return self.table().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """All rows as a polars data frame."""
        return self.table().to_polars()

    def to_arrow(self) -> pyarrow.Table:
        """All rows as an Arrow table."""
        return self.table().to_arrow()

    def to_dict(self) -> dict[Any, Any]:
        """The value of each vertex by its name, or of each arc by its two ends; numbers by name where there are few."""
        return self.table().to_dict()

    def plot(self, ax: Any = None) -> Any:
        """Draw what a person would look at: a curve of ranks, sizes of parts, a histogram of distances, ...

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure if left out.

        Returns
        -------
        matplotlib.axes.Axes or None
            None where matplotlib is not installed: then the chart is printed as text.
        """
        from nearly.engine.result_charts import chart_of
        from nearly.engine.result_drawing import draw

        return draw(chart_of(self._me), ax)

    def __len__(self) -> int:
        """The number of rows."""
        from nearly.engine.result_columns import is_number, subject_of

        if is_number(self._me):
            return 1
        subject = subject_of(self._me, self._me._graph)
        return len(subject.indices[0]) if subject.indices else len(self._me.values)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        """Rows of (vertex, value), or ((source, target), value)."""
        return iter(self.table())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self._me.values, dtype, copy=copy)

    def __getitem__(self, which: Any) -> Any:
        """The value of a vertex, by its index or its name; of the arc from u to v as `result[u, v]`; of several."""
        from nearly.engine.result_columns import is_number
        from nearly.engine.result_rows import value_at

        if is_number(self._me):
            raise InvalidArgumentError(f"{self._me.algorithm} gives one answer for the whole graph: see .to_dict()")
        if isinstance(which, (list, np.ndarray)):
            return np.array([value_at(self._me, one) for one in which])
        if isinstance(which, slice) or (which is Ellipsis):
            raise InvalidArgumentError("result[...] takes vertices; slices are for result.values")
        found = value_at(self._me, which)
        return found.item() if isinstance(found, np.generic) else found

    def __contains__(self, which: Any) -> bool:
        """Whether there is a value for this vertex (or arc, as two vertices)."""
        from nearly.engine.result_rows import value_at

        try:
            value_at(self._me, which)
        except InvalidArgumentError:
            return False
        return True

    def _repr_html_(self) -> str:
        from nearly.engine.result_html import html_of

        return html_of(self._me)

    def __getstate__(self) -> dict[str, Any]:
        from nearly.engine.result_pickle import state_of

        return state_of(self._me)

    def __setstate__(self, state: dict[str, Any]) -> None:
        from nearly.engine.result_pickle import restore

        restore(self._me, state)
