"""`Graph`: an immutable graph in compressed sparse rows (CSR).

Three parts, a file each: what a graph holds (`stored_graph.py`), how one is made from other things in memory
(`graph_constructors.py`), and here what is computed from a graph or made of it. An undirected graph stores both
arcs of every edge (a self-loop once), so that `m` counts stored arcs. `csr_arrays.py` says how the arrays lie.

Derived things (reverse, degrees, symmetrised view, fingerprint) are made on first use and kept.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from nearly.graph.csr_arrays import NO_WEIGHTS, OFFSET, Arrays, read_only, vertex_dtype
from nearly.graph.graph_constructors import GraphConstructors
from nearly.graph.stored_graph import StoredGraph

if TYPE_CHECKING:
    import networkx
    import scipy.sparse

__all__ = ["NO_WEIGHTS", "OFFSET", "Arrays", "Graph", "vertex_dtype"]


class Graph(StoredGraph, GraphConstructors):
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
    def out_degrees(self) -> np.ndarray:
        """The number of arcs leaving each vertex.

        Returns
        -------
        numpy.ndarray
            n numbers of type uint64, read-only.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0, 0, 1], [1, 2, 2]).out_degrees.tolist()
        [2, 1, 0]
        """
        return read_only(np.diff(self.arrays.offsets))

    @cached_property
    def in_degrees(self) -> np.ndarray:
        """The number of arcs entering each vertex.

        Returns
        -------
        numpy.ndarray
            n numbers of type uint64, read-only.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0, 0, 1], [1, 2, 2]).in_degrees.tolist()
        [0, 1, 2]
        """
        if not self.directed:
            return self.out_degrees
        if "reverse" in self.__dict__:
            return self.reverse.out_degrees
        from nearly.graph.derived_graphs import count_targets

        return read_only(count_targets(self))

    @cached_property
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
        from nearly.graph.derived_graphs import reversed_graph

        reverse = reversed_graph(self)
        reverse.__dict__["reverse"] = self
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

    def to_scipy(self) -> scipy.sparse.csr_array:
        """The adjacency matrix as a SciPy array of its own.

        Returns
        -------
        scipy.sparse.csr_array
            n rows and n columns of weights, or of float32 ones where the graph has none.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0, 1], [1, 1]).to_scipy().toarray().tolist()
        [[0.0, 1.0], [0.0, 1.0]]
        """
        from nearly.graph.scipy_matrix import to_scipy

        return to_scipy(self)

    def to_networkx(self) -> networkx.Graph:
        """A simple NetworkX graph labelled 0..n-1; parallel arcs are merged (weights: minimum).

        Returns
        -------
        networkx.Graph or networkx.DiGraph
            With `weight` attributes where the graph has weights.

        Examples
        --------
        >>> import nearly
        >>> sorted(nearly.Graph.from_edges([0, 1], [1, 2], weights=[3, 4]).to_networkx().edges(data="weight"))
        [(0, 1, 3), (1, 2, 4)]
        """
        from nearly.graph.networkx_graph import to_networkx

        return to_networkx(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the graph to a file, so that `nearly.read` gives back an equal one; see `nearly.write`.

        Parameters
        ----------
        path : str or os.PathLike
            The file; its extension says the format.

        Examples
        --------
        >>> import nearly, pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "pair.npz")
        >>> nearly.Graph.from_edges([0], [1]).save(path)
        >>> nearly.read(path).m
        1
        """
        from nearly.graph.io import write

        write(self, path)

    def _repr_html_(self) -> str:
        from nearly.graph.graph_html import html_of

        return html_of(self)
