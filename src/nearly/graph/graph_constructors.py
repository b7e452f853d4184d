"""The ways to make a `Graph` from other things in memory; `nearly.read` and `nearly.generate` are the others.

`Graph` inherits these as class methods. Each one only names what it takes: the work is done in `build`,
`scipy_matrix`, `networkx_graph` and `data_frame`, which are imported when they are needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nearly.base.signatures import typed

if TYPE_CHECKING:
    import networkx
    import scipy.sparse

    from nearly.graph.csr import Graph


class GraphConstructors:
    """The class methods `from_...` of `Graph`."""

    @classmethod
    @typed
    def from_edges(  # noqa: PLR0913
        cls,
        src: Any,
        dst: Any,
        weights: Any = None,
        n: int | None = None,
        directed: bool = True,
        *,
        duplicates: str | None = None,
        self_loops: str = "keep",
        negative: str = "reject",
        nan: str = "reject",
        weight_dtype: Any = None,
    ) -> Graph:
        """Build a graph from edge arrays.

        Parameters
        ----------
        src, dst : array_like of int
            The ends of each edge, numbered from 0.
        weights : array_like of float, optional
            One number an edge.
        n : int, optional
            The number of vertices; the largest end plus one when left out.
        directed : bool, default True
            False stores each edge both ways.
        duplicates : {"keep", "first", "min", "sum"}, optional
            What becomes of parallel edges; "min" and "sum" speak of their weights. When left out it is "first", and
            "min" where there are weights.
        self_loops : {"keep", "drop"}, default "keep"
            What becomes of edges from a vertex to itself.
        negative : {"reject", "keep"}, default "reject"
            Whether negative weights are an error.
        nan : {"reject", "drop"}, default "reject"
            Whether a weight that is NaN or infinite is an error, or its edge is left out.
        weight_dtype : {"uint32", "float32", "float64"}, optional
            The type of the weights; when left out it is uint32 for whole numbers that fit, else float32.

        Returns
        -------
        Graph

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0, 1], [1, 0], weights=[3, 2], directed=False).weights.tolist()
        [2, 2]
        """
        from nearly.graph.build import from_edges

        return from_edges(
            src, dst, weights, n, directed, duplicates, self_loops, negative=negative, nan=nan, dtype=weight_dtype
        )  # fmt: skip

    @classmethod
    @typed
    def from_scipy(
        cls, matrix: scipy.sparse.sparray, *, directed: bool | None = None, weighted: bool | None = None
    ) -> Graph:
        """Build a graph from a square sparse matrix; entry (u, v) is the arc from u to v, its value the weight.

        Parameters
        ----------
        matrix : scipy.sparse.sparray or scipy.sparse.spmatrix
            Entries stored twice are summed, as SciPy does; stored zeros are arcs.
        directed : bool, optional
            True unless told; False stores every entry both ways and merges (weights: minimum).
        weighted : bool, optional
            Whether values are weights; by default where not all of them are 1.

        Returns
        -------
        Graph

        Examples
        --------
        >>> import nearly, scipy.sparse
        >>> nearly.Graph.from_scipy(scipy.sparse.csr_array([[0, 2], [1, 0]])).weights.tolist()
        [2, 1]
        """
        from nearly.graph.scipy_matrix import from_scipy

        return from_scipy(matrix, directed, weighted)

    @classmethod
    @typed
    def from_networkx(cls, graph: networkx.Graph, *, weight: str | None = "weight") -> Graph:
        """Build a graph from a NetworkX one of any class; parallel edges are merged (weights: minimum).

        Parameters
        ----------
        graph : networkx.Graph
            The NetworkX graph.
        weight : str or None, default "weight"
            The edge attribute that holds weights, 1 where an edge lacks it. The graph is unweighted if all edges lack
            it, or if this is None.

        Returns
        -------
        Graph
            Its `ids` hold the node labels where these are not 0..n-1 in order: whole numbers as int64, strings as a
            unicode array, anything else as an object array.

        Examples
        --------
        >>> import nearly, networkx
        >>> g = nearly.Graph.from_networkx(networkx.Graph([("a", "b"), ("b", "c")]))
        >>> g.m, g.directed, g.ids.tolist()
        (4, False, ['a', 'b', 'c'])
        """
        from nearly.graph.networkx_graph import from_networkx

        return from_networkx(graph, weight)

    @classmethod
    @typed
    def from_frame(
        cls,
        frame: Any,
        source: str | None = None,
        target: str | None = None,
        weight: str | None = None,
        *,
        attributes: Any = False,
        **policies: Any,
    ) -> Graph:
        """Build a graph from a pandas, polars or Arrow table of edges, a row an edge.

        Parameters
        ----------
        frame : pandas.DataFrame, polars.DataFrame, pyarrow.Table or pyarrow.RecordBatch
            The table. The ends are whole numbers or strings; the distinct ones, ascending, become the vertices.
        source, target : str, optional
            The columns of the ends; by default those called source and target, src and dst, or from and to, else the
            first two.
        weight : str, optional
            The column of the weights; by default the one called weight or w, else the third where it holds numbers.
        attributes : bool or list of str, default False
            Which other columns are kept as attributes of edges (`Graph.edges`): True for all of them. Where edges are
            merged, those of the first count.
        **policies : Any
            `directed` (default True), `weights` (False ignores them), `duplicates`, `self_loops`, `negative`, `nan`
            and `weight_dtype`, as in `Graph.from_edges`.

        Returns
        -------
        Graph
            Its `ids` hold the ends' names where these are not 0..n-1 already.

        Examples
        --------
        >>> import nearly, pandas
        >>> g = nearly.Graph.from_frame(pandas.DataFrame({"src": ["b", "a"], "dst": ["a", "c"]}))
        >>> g.ids.tolist(), g.arc_sources().tolist(), g.targets.tolist()
        (['a', 'b', 'c'], [0, 1], [2, 0])
        """
        from nearly.graph.data_frame import from_frame

        return from_frame(frame, source, target, weight, attributes, **policies)

    @classmethod
    def from_arrow(
        cls,
        data: Any,
        source: str | None = None,
        target: str | None = None,
        weight: str | None = None,
        *,
        attributes: Any = False,
        **policies: Any,
    ) -> Graph:
        """Build a graph from Arrow data of any origin, a row an edge.

        Columns are read where they lie: ends that are 32-bit whole numbers 0..n-1 are not copied before the graph is
        built.

        Parameters
        ----------
        data : object
            A pyarrow table, batch or reader, or anything with the Arrow C stream interface, such as a polars frame or
            the result of a DuckDB query.
        source, target, weight : str, optional
            The columns, as in `Graph.from_frame`.
        attributes : bool or list of str, default False
            Which other columns are kept as attributes of edges, as in `Graph.from_frame`.
        **policies : Any
            As in `Graph.from_frame`.

        Returns
        -------
        Graph

        Examples
        --------
        >>> import nearly, pyarrow
        >>> g = nearly.Graph.from_arrow(pyarrow.table({"src": ["b", "a"], "dst": ["a", "c"], "w": [2, 5]}))
        >>> g.ids.tolist(), g.targets.tolist(), g.weights.tolist()
        (['a', 'b', 'c'], [2, 0], [5, 2])
        """
        from nearly.graph.arrow_tables import arrow_table
        from nearly.graph.data_frame import from_frame

        return from_frame(arrow_table(data), source, target, weight, attributes, **policies)
