"""The tables of a graph's vertices and edges, and how columns come to be there; see `attributes.py`.

`Graph` inherits these. A graph never changes: `with_vertices` and `with_edges` give another one with the same arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.graph.attributes import EdgeColumns, Table, checked_column, vertex_columns
from nearly.graph.vertex_views import VertexViews


class AttributeViews(VertexViews):
    """`vertices`, `edges`, `with_vertices` and `with_edges` of `Graph`."""

    @property
    def vertices(self) -> Table | None:
        """What is known of the vertices besides their ids.

        Returns
        -------
        Table or None
            A mapping from names to columns with a value a vertex, `vertex` (the ids) first; None where nothing is
            known. `to_pandas()`, `to_polars()` and `to_arrow()` make frames of it.

        Examples
        --------
        >>> import nearly
        >>> g = nearly.Graph.from_edges([0], [1]).with_vertices({"size": [3, 5]})
        >>> g.vertices["size"].tolist(), nearly.Graph.from_edges([0], [1]).vertices
        ([3, 5], None)
        """
        if self.vertex_columns is None:
            return None
        return Table({"vertex": np.arange(self.n) if self.ids is None else self.ids}, self.vertex_columns)

    @property
    def edges(self) -> Table | None:
        """What is known of the edges besides their ends and weights.

        Returns
        -------
        Table or None
            A mapping from names to columns with a value an edge (of an undirected graph each edge once), `source` and
            `target` (the ids) first, then `weight` where there are weights; None where nothing is known.

        Examples
        --------
        >>> import nearly
        >>> g = nearly.Graph.from_edges([0, 1], [1, 2]).with_edges({"year": [2019, 2021]})
        >>> g.edges["target"].tolist(), g.edges["year"].tolist()
        ([1, 2], [2019, 2021])
        """
        known = self.edge_columns
        if known is None:
            return None
        src, dst = self.arc_sources(), self.targets  # type: ignore[attr-defined]
        arcs = slice(None) if self.directed else np.flatnonzero(src <= dst)
        keys = {"source": self.ids_of(src[arcs]), "target": self.ids_of(dst[arcs])}
        weights = {} if self.weights is None else {"weight": self.weights[arcs]}
        rows = known.rows[arcs]
        return Table(keys, {**weights, **{name: column[rows] for name, column in known.columns.items()}})

    def with_vertices(self, table: Any) -> Self:
        """The same graph with a table of its vertices.

        Parameters
        ----------
        table : dict of arrays, pandas.DataFrame, polars.DataFrame or Arrow table
            Arrays hold a value a vertex, in the order of indices. A frame has a column `vertex` of ids or names (of a
            pandas frame its index does as well); vertices that it lacks have missing values, others are left out.

        Returns
        -------
        Graph

        Examples
        --------
        >>> import nearly, pandas
        >>> g = nearly.Graph([0, 1, 1], [1], ids=["a", "b"])
        >>> g.with_vertices(pandas.DataFrame({"size": [5, 3]}, index=["b", "a"])).vertices["size"].tolist()
        [3, 5]
        """
        made = self._copied()
        made.vertex_columns = vertex_columns(self, table) or None  # type: ignore[arg-type]
        return made

    def with_edges(self, table: Mapping[str, Any]) -> Self:
        """The same graph with columns for its edges.

        Parameters
        ----------
        table : dict of arrays
            A value an edge, in the order of `arc_sources()` and `targets`; of an undirected graph a value for each arc
            that leads to a vertex of the same or a higher index.

        Returns
        -------
        Graph

        Examples
        --------
        >>> import nearly
        >>> g = nearly.Graph.from_edges([0, 1], [1, 2], directed=False).with_edges({"year": [2019, 2021]})
        >>> g.edges["year"].tolist()
        [2019, 2021]
        """
        if not isinstance(table, Mapping):
            raise InvalidArgumentError(f"expected {{name: array}}, not {type(table).__name__}")
        rows = self._edge_rows()
        count = int(rows.max(initial=-1)) + 1
        made = self._copied()
        columns = {name: checked_column(name, values, count) for name, values in table.items()}
        made.edge_columns = EdgeColumns(columns, rows) if columns else None
        return made

    def _edge_rows(self) -> np.ndarray:
        """The number of the edge each arc stands for."""
        if self.directed:
            return np.arange(self.m)
        from nearly.graph.opposite_arcs import opposite_arcs

        src, dst = self.arc_sources(), self.targets  # type: ignore[attr-defined]
        first = src <= dst
        number = np.cumsum(first) - 1
        number[~first] = number[opposite_arcs(self)[~first].astype(np.int64)]  # type: ignore[arg-type]
        return number

    def _copied(self) -> Self:
        made = self._trusted(self._arrays, self.directed, self.labels, self._checked)
        made.vertex_columns, made.edge_columns = self.vertex_columns, self.edge_columns
        return made
