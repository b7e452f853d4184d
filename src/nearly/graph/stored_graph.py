"""What a graph holds: its arrays, its direction, its vertices' ids; and what follows from these alone.

That is the base of `Graph` (`csr.py`), apart from everything that is computed from a graph or converted. The
arrays are checked once: at once when they come from a caller, on first use when they come from a memory-mapped
file, so that opening a file is instant and no kernel ever sees an array that was not checked.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from nearly.base.arguments import flag
from nearly.base.errors import InvalidGraphError
from nearly.base.memory import human_bytes
from nearly.graph.csr_arrays import NO_WEIGHTS, Arrays, read_only, signed
from nearly.graph.names import Labels, Names, labels_of, same_labels

if TYPE_CHECKING:
    from nearly.graph.attributes import EdgeColumns


class StoredGraph:
    """CSR arrays that never change, with a direction and perhaps ids; see `Graph`."""

    directed: bool
    labels: Labels  # the ids as they are kept: an array, `Names`, or None
    vertex_columns: dict[str, np.ndarray] | None = None  # what is known of vertices besides, in the order of indices
    edge_columns: EdgeColumns | None = None  # and of edges

    def __init__(
        self, offsets: Any, targets: Any, weights: Any = None, *, directed: bool = True, ids: Any = None
    ) -> None:
        from nearly.graph.validate import checked_arrays

        self._set(checked_arrays(offsets, targets, weights), flag("directed", directed), ids, checked=True)

    @classmethod
    def _trusted(cls, arrays: Arrays, directed: bool, ids: Labels = None, checked: bool = True) -> Self:
        """For arrays this package made itself (`checked`) or will check on first use (not `checked`)."""
        graph = cls.__new__(cls)
        graph._set(arrays, directed, ids, checked)
        return graph

    def _set(self, arrays: Arrays, directed: bool, ids: Any, checked: bool) -> None:
        self._arrays, self._checked = arrays, checked
        self.directed = bool(directed)
        self.labels = labels_of(ids)
        if isinstance(self.labels, np.ndarray):
            self.labels = read_only(self.labels)
        shape = (self.n,) if self.labels is None else getattr(self.labels, "shape", (self.labels.size,))
        if shape != (self.n,):
            raise InvalidGraphError(f"ids must hold one id for each of the {self.n} vertices, not {shape}")

    @cached_property
    def ids(self) -> np.ndarray | None:
        """The original ids or names of the vertices.

        Returns
        -------
        numpy.ndarray or None
            n numbers, strings or other labels, read-only; None where they are 0..n-1.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph([0, 1, 1], [1], ids=["a", "b"]).ids.tolist()
        ['a', 'b']
        """
        return self.labels.array if isinstance(self.labels, Names) else self.labels

    @property
    def named(self) -> bool:
        """Whether the vertices have names: ids that are strings.

        Returns
        -------
        bool

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph([0, 1, 1], [1], ids=["a", "b"]).named
        True
        """
        return isinstance(self.labels, Names)

    @cached_property
    def n(self) -> int:
        """The number of vertices.

        Returns
        -------
        int

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0], [1], n=5).n
        5
        """
        return self._arrays.offsets.size - 1

    @cached_property
    def m(self) -> int:
        """The number of stored arcs; an undirected edge is two.

        Returns
        -------
        int

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0], [1], directed=False).m
        2
        """
        return self._arrays.targets.size

    @property
    def weighted(self) -> bool:
        """Whether the arcs have weights.

        Returns
        -------
        bool

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0], [1], weights=[7]).weighted
        True
        """
        return self._arrays.weights.dtype != NO_WEIGHTS.dtype

    @property
    def arrays(self) -> Arrays:
        """The arrays as kernels take them: checked, writeable to numba's type system, never written to.

        Returns
        -------
        Arrays
            A named tuple of `offsets`, `targets` and `weights` (of length 0 where there are none).

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0, 0], [1, 2]).arrays.offsets
        array([0, 2, 2, 2], dtype=uint64)
        """
        if not self._checked:
            from nearly.graph.validate import checked_arrays

            offsets, targets, weights = self._arrays
            self._arrays = checked_arrays(offsets, targets, weights if self.weighted else None)
            self._checked = True
        return self._arrays

    @cached_property
    def rows(self) -> Arrays:
        """The arrays without weights: a kernel that reads none is then compiled once, not for each type of weights.

        Returns
        -------
        Arrays
            A named tuple of `offsets`, `targets` and an empty array.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0, 0], [1, 2], weights=[3, 4]).rows.weights.size
        0
        """
        return self.arrays._replace(weights=NO_WEIGHTS)

    @property
    def offsets(self) -> np.ndarray:
        """Where each vertex's arcs begin in `targets`, and behind the last one their number.

        Returns
        -------
        numpy.ndarray
            n + 1 numbers of type int64, read-only; kernels take `arrays`, which are unsigned.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0, 0, 1], [1, 2, 2]).offsets.tolist()
        [0, 2, 3, 3]
        """
        return signed(self.arrays.offsets)

    @property
    def targets(self) -> np.ndarray:
        """The vertex each arc leads to, ascending within a vertex's arcs.

        Returns
        -------
        numpy.ndarray
            m numbers of type int32 (int64 from 2**31 vertices on), read-only; kernels take the unsigned `arrays`.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0, 0, 1], [2, 1, 2]).targets.tolist()
        [1, 2, 2]
        """
        return signed(self.arrays.targets, self.n)

    @property
    def weights(self) -> np.ndarray | None:
        """The weight of each arc, beside `targets`.

        Returns
        -------
        numpy.ndarray or None
            m numbers of type uint32, float32 or float64, read-only; None where the graph has no weights.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0, 0], [2, 1], weights=[5, 6]).weights.tolist()
        [6, 5]
        """
        return read_only(self.arrays.weights) if self.weighted else None

    @property
    def nbytes(self) -> int:
        """Bytes held by the graph's own arrays (kept derivations such as `reverse` not included).

        Returns
        -------
        int

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0], [1]).nbytes  # three offsets of 8 bytes, one target of 4
        28
        """
        return sum(a.nbytes for a in self._arrays) + (0 if self.labels is None else self.labels.nbytes)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the content, the same in every process and on every machine.

        Returns
        -------
        str
            32 hexadecimal digits.

        Examples
        --------
        >>> import nearly
        >>> nearly.Graph.from_edges([0], [1]).fingerprint == nearly.Graph.from_edges([0, 0], [1, 1]).fingerprint
        True
        """
        digest = hashlib.blake2b(digest_size=16)
        digest.update(f"nearly graph 1 {self.n} {self.m} {self.directed} {self.weighted}".encode())
        labels = self.labels
        named = () if labels is None else (labels.data, labels.bounds) if isinstance(labels, Names) else (labels,)
        for array in (*self.arrays, *named):
            if array.dtype == object:  # labels of any kind, from NetworkX
                digest.update(repr(array.tolist()).encode())
                continue
            little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
            digest.update(little.dtype.str.encode())
            digest.update(little.view(np.uint8).data)
        return digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StoredGraph):
            return NotImplemented
        if (self.n, self.m, self.directed, self.weighted) != (other.n, other.m, other.directed, other.weighted):
            return False
        if not same_labels(self.labels, other.labels):
            return False
        return all(np.array_equal(a, b) for a, b in zip(self.arrays, other.arrays))

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        weights = f"{self._arrays.weights.dtype} weights" if self.weighted else "unweighted"
        ids = "" if self.labels is None else ", names" if self.named else ", original ids kept"
        return (
            f"<nearly.Graph {kind}: {self.n:,} vertices, {self.m:,} arcs, {weights}{ids}, {human_bytes(self.nbytes)}>"
        )
