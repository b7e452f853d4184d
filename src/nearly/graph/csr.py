"""`Graph`: an immutable graph in compressed sparse rows (CSR).

Six parts, a file each: what a graph holds (`stored_graph.py`), what is asked of single vertices (`vertex_views.py`),
the tables of its vertices and edges (`attribute_views.py`), how one is made from other things in memory
(`graph_constructors.py`) and made into other things (`graph_outputs.py`), and here the graphs and arrays that follow
from one. An undirected graph stores both arcs of every edge (a self-loop once), so that `m` counts stored arcs.
`csr_arrays.py` says how the arrays lie.

Derived things (reverse, degrees, symmetrised view, fingerprint) are made on first use and kept. No graph holds itself
by way of them, so that its memory is free as soon as the last name for it is gone.
"""

from __future__ import annotations

import weakref
from functools import cached_property
from typing import Any

import numpy as np

from nearly.graph.attribute_views import AttributeViews
from nearly.graph.csr_arrays import NO_WEIGHTS, OFFSET, Arrays, read_only, signed, vertex_dtype
from nearly.graph.graph_constructors import GraphConstructors
from nearly.graph.graph_outputs import GraphOutputs

__all__ = ["NO_WEIGHTS", "OFFSET", "Arrays", "Graph", "vertex_dtype"]


class Graph(AttributeViews, GraphConstructors, GraphOutputs):
    """A graph over CSR arrays, which are checked and then never change.

    Most users build one with `Graph.from_edges`, `nearly.read` or `nearly.generate`.

    Parameters
    ----------
    offsets : array_like of int
        n + 1 numbers, ascending, from 0 to m.
    targets : array_like of int
        m numbers below n, ascending within a row.
    weights : array_like of float, optional
        m numbers.
    directed : bool, default True
        False promises that every arc has its mirror image (`validate()` checks it).
    ids : array_like, optional
        The n original vertex ids where they were not 0..n-1.

    Attributes
    ----------
    directed : bool
        Whether an arc may lack its mirror image.
    ids : numpy.ndarray or None
        The original vertex ids, read-only; None where they are 0..n-1.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 0, 1], [1, 2, 2])
    >>> g.n, g.m, g.targets.tolist()
    (3, 3, [1, 2, 2])
    """

    @cached_property
    def row_sizes(self) -> np.ndarray:
        """The number of arcs leaving each vertex as kernels take them, unsigned; for people there is `out_degrees`.

        Returns
        -------
        numpy.ndarray
            n numbers of type uint64, read-only.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0, 0, 1], [1, 2, 2]).row_sizes
        array([2, 1, 0], dtype=uint64)
        """
        return read_only(np.diff(self.arrays.offsets))

    @cached_property
    def out_degrees(self) -> np.ndarray:
        """The number of arcs leaving each vertex.

        Returns
        -------
        numpy.ndarray
            n numbers of type int64, read-only.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0, 0, 1], [1, 2, 2]).out_degrees.tolist()
        [2, 1, 0]
        """
        return signed(self.row_sizes)

    @cached_property
    def in_degrees(self) -> np.ndarray:
        """The number of arcs entering each vertex.

        Returns
        -------
        numpy.ndarray
            n numbers of type int64, read-only.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0, 0, 1], [1, 2, 2]).in_degrees.tolist()
        [0, 1, 2]
        """
        if not self.directed:
            return self.out_degrees
        if "_reverse" in self.__dict__:
            return self.reverse.out_degrees
        from nearly.graph.derived_graphs import count_targets

        return signed(count_targets(self))

    @property
    def reverse(self) -> Graph:
        """The graph with every arc turned round; an undirected graph is its own reverse.

        Returns
        -------
        Graph

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0, 0, 1], [1, 2, 2]).reverse.targets.tolist()
        [0, 0, 1]
        """
        if not self.directed:
            return self
        made_from = self.__dict__.get("_made_from")
        before: Graph | None = None if made_from is None else made_from()
        return self._reverse if before is None else before

    @cached_property
    def _reverse(self) -> Graph:
        from nearly.graph.derived_graphs import reversed_graph

        reverse = reversed_graph(self)
        reverse.__dict__["_made_from"] = weakref.ref(self)  # not the graph itself, or neither would be freed at once
        return reverse

    def symmetrized(self) -> Graph:
        """The undirected graph with an edge where there is an arc either way; duplicates merged (weights: minimum).

        Returns
        -------
        Graph
            The graph itself where it is undirected.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0, 1], [1, 2]).symmetrized().targets.tolist()
        [1, 0, 2, 1]
        """
        return self._symmetrized if self.directed else self

    @cached_property
    def _symmetrized(self) -> Graph:
        from nearly.graph.derived_graphs import symmetrized_graph

        return symmetrized_graph(self)

    def arc_sources(self) -> np.ndarray:
        """The vertex each arc comes from, beside `targets`.

        Returns
        -------
        numpy.ndarray
            m numbers of the type of `targets`.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0, 0, 1], [1, 2, 2]).arc_sources().tolist()
        [0, 0, 1]
        """
        return signed(self.arc_rows(), self.n)

    def arc_rows(self) -> np.ndarray:
        """The same as kernels take it: unsigned, an array of its own.

        Returns
        -------
        numpy.ndarray
            m numbers of the type of `arrays.targets`.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0, 0, 1], [1, 2, 2]).arc_rows()
        array([0, 0, 1], dtype=uint32)
        """
        return np.repeat(
            np.arange(self.n, dtype=self.arrays.targets.dtype), np.diff(self.arrays.offsets).astype(np.int64)
        )

    def subgraph(self, mask: Any) -> Graph:
        """The graph on the vertices where `mask` is true, renumbered in order.

        Parameters
        ----------
        mask : array_like of bool
            One value a vertex.

        Returns
        -------
        Graph
            Its `ids` say which vertices they were.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0, 1], [1, 2]).subgraph([False, True, True]).ids.tolist()
        [1, 2]
        """
        from nearly.graph.derived_graphs import subgraph

        return subgraph(self, mask)

    def relabel(self, permutation: Any) -> Graph:
        """The same graph with vertex `v` renamed `permutation[v]`; original ids move along.

        Parameters
        ----------
        permutation : array_like of int
            Each number from 0 to n - 1 once.

        Returns
        -------
        Graph

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0], [1], n=3).relabel([2, 0, 1]).arc_sources().tolist()
        [2]
        """
        from nearly.graph.derived_graphs import relabel

        return relabel(self, permutation)

    def validate(self) -> None:
        """Check everything a kernel relies on, symmetry of undirected graphs included.

        Raises
        ------
        InvalidGraphError
            Says which rule is broken, and where.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph([0, 1, 1], [1], directed=False).validate()
        Traceback (most recent call last):
        nearly.base.errors.InvalidGraphError: the graph says it is undirected, but some arc has no mirror image; \
use directed=True
        """
        from nearly.graph.validate import check_symmetry, checked_arrays

        offsets, targets, weights = self._arrays
        checked_arrays(offsets, targets, weights if self.weighted else None)
        if not self.directed:
            check_symmetry(self)

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: the arrays, names and columns; what was derived from them is made again."""
        columns = {name: getattr(self, name, None) for name in ("vertex_columns", "edge_columns")}
        return {
            "arrays": tuple(np.asarray(array) for array in self._arrays),
            "directed": self.directed,
            "ids": None if self.ids is None else np.asarray(self.ids),
            "columns": {name: held for name, held in columns.items() if held is not None},
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._set(Arrays(*state["arrays"]), state["directed"], state["ids"], checked=False)
        vars(self).update(state["columns"])

    def _repr_html_(self) -> str:
        from nearly.graph.graph_html import html_of

        return html_of(self)
