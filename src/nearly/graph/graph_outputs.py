"""The ways from a `Graph` to other things: SciPy's matrices, NetworkX's graphs, files.

`Graph` inherits these; the work is done in `scipy_matrix`, `networkx_graph` and `io`, imported when they are needed.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from nearly.graph.stored_graph import StoredGraph

if TYPE_CHECKING:
    import networkx
    import scipy.sparse


class GraphOutputs(StoredGraph):
    """The methods `to_...` and `save` of `Graph`."""

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

        return to_scipy(self)  # type: ignore[arg-type]

    def to_networkx(self, *, ids: bool | None = None) -> networkx.Graph:
        """A simple NetworkX graph; parallel arcs are merged (weights: minimum).

        Parameters
        ----------
        ids : bool, optional
            Whether nodes are labelled with the original ids, or 0..n-1. When left out, names are kept and numbers are
            not, so that a whole number is an index there as it is here.

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

        return to_networkx(self, ids)  # type: ignore[arg-type]

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

        write(self, path)  # type: ignore[arg-type]
