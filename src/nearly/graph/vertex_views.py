"""What a person asks of single vertices: index and id, neighbours, degrees, edges, the way along a search.

`Graph` inherits these. A vertex is given by index or by name, and what comes back speaks as the question did: a name is
answered with names, an index with indices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.base.arguments import is_whole, shown
from nearly.base.errors import InvalidArgumentError
from nearly.graph.csr_arrays import signed
from nearly.graph.names import Names, taken
from nearly.graph.stored_graph import StoredGraph
from nearly.graph.vertex_lookup import find, graph_label, index_of, vertex_index


class VertexViews(StoredGraph):
    """Single vertices of a graph; see the top of the file."""

    def __len__(self) -> int:
        return self.n

    def __bool__(self) -> bool:
        return True  # a graph without vertices is a graph

    def __contains__(self, v: Any) -> bool:
        """Whether this is a vertex: a name, or an index."""
        if isinstance(v, str):
            return find(self, v) is not None
        return is_whole(v) and 0 <= int(v) < self.n

    def index(self, id: Any) -> int:
        """The index of the vertex with this original id or name.

        Parameters
        ----------
        id : int, str or any label
            The id as it was in the file or the table.

        Returns
        -------
        int

        Raises
        ------
        InvalidArgumentError
            There is none; names that look alike are named.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph([0, 1, 1], [1], ids=[10, 20]).index(20)
        1
        """
        return index_of(self, id)

    def id(self, i: int) -> Any:
        """The original id or name of the vertex with this index.

        Parameters
        ----------
        i : int
            The index, as in `values[i]`.

        Returns
        -------
        int, str or any label
            The index itself where the vertices have no other ids.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph([0, 1, 1], [1], ids=["a", "b"]).id(1)
        'b'
        """
        return graph_label(self, vertex_index(self, "i", i))

    def ids_of(self, indices: Any) -> np.ndarray:
        """The original ids or names of many vertices.

        Parameters
        ----------
        indices : array_like of int
            Their indices.

        Returns
        -------
        numpy.ndarray
            An array of the same shape: numbers, strings or other labels.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph([0, 1, 1], [1], ids=["a", "b"]).ids_of([1, 1, 0]).tolist()
        ['b', 'b', 'a']
        """
        which = np.asarray(indices)
        if which.size == 0:
            which = which.astype(np.int64)
        if which.dtype.kind not in "iu" or (which.size and (which.min() < 0 or which.max() >= self.n)):
            raise InvalidArgumentError(f"indices must be whole numbers from 0 to {self.n - 1}, not {shown(indices)}")
        which = which.astype(np.int64)
        if isinstance(self.labels, Names) and "ids" not in self.__dict__ and which.size * 4 < self.n:
            labels: Any = taken(self.labels, which.ravel())
            return labels.array.reshape(which.shape)
        return which if self.ids is None else self.ids[which]

    def neighbors(self, v: Any) -> np.ndarray:
        """The vertices that arcs of this one lead to, ascending, parallel arcs included.

        Parameters
        ----------
        v : int or str
            The vertex, by index or by name.

        Returns
        -------
        numpy.ndarray
            Indices, or names where the vertex was given by name.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0, 0, 1], [1, 2, 2]).neighbors(0).tolist()
        [1, 2]
        """
        at = vertex_index(self, "v", v)
        offsets, targets, _ = self.arrays
        row = signed(targets[int(offsets[at]) : int(offsets[at + 1])], self.n)
        return self.ids_of(row) if isinstance(v, str) else row

    def degree(self, v: Any) -> int:
        """How many arcs leave this vertex.

        Parameters
        ----------
        v : int or str
            The vertex, by index or by name.

        Returns
        -------
        int

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0, 0, 1], [1, 2, 2]).degree(0)
        2
        """
        at = vertex_index(self, "v", v)
        return int(self.arrays.offsets[at + 1]) - int(self.arrays.offsets[at])

    def has_edge(self, u: Any, v: Any) -> bool:
        """Whether an arc leads from one vertex to another; of an undirected graph, whether an edge joins them.

        Parameters
        ----------
        u, v : int or str
            The vertices, by index or by name.

        Returns
        -------
        bool

        Examples
        --------
        >>> import nearly
        >>> g = nearly.Graph.from_edges([0], [1])
        >>> g.has_edge(0, 1), g.has_edge(1, 0)
        (True, False)
        """
        begin, end = vertex_index(self, "u", u), vertex_index(self, "v", v)
        offsets, targets, _ = self.arrays
        row = targets[int(offsets[begin]) : int(offsets[begin + 1])]
        at = int(np.searchsorted(row, row.dtype.type(end)))
        return at < row.size and int(row[at]) == end

    def path(self, result: Any, target: Any) -> list[Any]:
        """The way from a search's source to a vertex.

        Parameters
        ----------
        result : Result
            What `nearly.bfs` or `nearly.sssp` returned for this graph.
        target : int or str
            The vertex, by index or by name.

        Returns
        -------
        list of int or str
            The vertices from the source to the target, by name where the target was given by name; empty where there
            is no way.

        Examples
        --------
        >>> import nearly
        >>> g = nearly.Graph.from_edges([0, 1, 0], [1, 2, 3], n=5)
        >>> r = nearly.bfs(g, 0)
        >>> g.path(r, 2), g.path(r, 4)
        ([0, 1, 2], [])
        """
        at, parents = vertex_index(self, "target", target), getattr(result, "parents", None)
        source = getattr(result, "source", None)
        if parents is None or source is None or np.shape(parents) != (self.n,):
            raise InvalidArgumentError("path needs the result of a bfs or sssp on this graph, which has parents")
        way = [at]
        while way[-1] != source and len(way) <= self.n:
            before = int(parents[way[-1]])
            if not 0 <= before < self.n or before == way[-1]:
                return []
            way.append(before)
        if way[-1] != source:
            raise InvalidArgumentError("the parents of this result go round in circles; run the search again")
        way.reverse()
        return self.ids_of(way).tolist() if isinstance(target, str) else way
