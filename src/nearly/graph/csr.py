"""`Graph`: an immutable graph in compressed sparse rows (CSR).

Row `u` is `targets[offsets[u]:offsets[u + 1]]`, ascending; `weights`, when there are any, run beside
`targets`. An undirected graph stores both arcs of every edge (a self-loop once), so that `m` counts
stored arcs. Offsets are unsigned 64-bit, targets unsigned 32-bit (64-bit only where the number of
vertices needs it), weights uint32 or float32 (float64 when asked): 4 bytes an arc unweighted, 8 weighted.

Derived things (reverse, degrees, symmetrised view, fingerprint) are made on first use and kept.
A graph opened from a memory-mapped file checks its arrays the first time somebody asks for them,
before any kernel can see them.
"""

from __future__ import annotations

import hashlib
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nearly.base.errors import InvalidGraphError
from nearly.base.memory import human_bytes

if TYPE_CHECKING:
    import networkx
    import scipy.sparse

OFFSET = np.dtype(np.uint64)
NARROW_VERTICES = 2**32 - 1  # the largest uint32 is kept free as "no vertex"; tests lower this


class Arrays(NamedTuple):
    """What kernels take. `weights` has length 0 where the graph has none. Kernels never write to these."""

    offsets: np.ndarray
    targets: np.ndarray
    weights: np.ndarray


class Graph:
    """A graph over CSR arrays, which are checked and then never change.

    Most users build one with `Graph.from_edges`, `nearly.read` or `nearly.generate`.

    Parameters
    ----------
    offsets : n + 1 integers, ascending, from 0 to m.
    targets : m integers below n, ascending within a row.
    weights : m numbers, or None.
    directed : False promises that every arc has its mirror image (`validate()` checks it).
    ids : the n original vertex ids where they were not 0..n-1, else None.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 0, 1], [1, 2, 2])
    >>> g.n, g.m, g.targets.tolist()
    (3, 3, [1, 2, 2])
    """

    def __init__(
        self, offsets: Any, targets: Any, weights: Any = None, *, directed: bool = True, ids: Any = None
    ) -> None:
        from nearly.graph.validate import checked_arrays

        self._set(checked_arrays(offsets, targets, weights), directed, ids, checked=True)

    @classmethod
    def _trusted(cls, arrays: Arrays, directed: bool, ids: np.ndarray | None = None, checked: bool = True) -> Graph:
        """For arrays this package made itself (`checked`) or will check on first use (not `checked`)."""
        graph = cls.__new__(cls)
        graph._set(arrays, directed, ids, checked)
        return graph

    def _set(self, arrays: Arrays, directed: bool, ids: Any, checked: bool) -> None:
        self._arrays, self._checked = arrays, checked
        self.directed = bool(directed)
        self.ids = None if ids is None else _read_only(np.asarray(ids))
        if self.ids is not None and self.ids.shape != (self.n,):
            raise InvalidGraphError(f"ids must hold one id for each of the {self.n} vertices, not {self.ids.shape}")

    @property
    def n(self) -> int:
        """The number of vertices."""
        return self._arrays.offsets.size - 1

    @property
    def m(self) -> int:
        """The number of stored arcs; an undirected edge is two."""
        return self._arrays.targets.size

    @property
    def weighted(self) -> bool:
        return self._arrays.weights.dtype != NO_WEIGHTS.dtype

    @property
    def arrays(self) -> Arrays:
        """The arrays as kernels take them: checked, writeable to numba's type system, never written to."""
        if not self._checked:
            from nearly.graph.validate import checked_arrays

            offsets, targets, weights = self._arrays
            self._arrays = checked_arrays(offsets, targets, weights if self.weighted else None)
            self._checked = True
        return self._arrays

    @property
    def offsets(self) -> np.ndarray:
        return _read_only(self.arrays.offsets)

    @property
    def targets(self) -> np.ndarray:
        return _read_only(self.arrays.targets)

    @property
    def weights(self) -> np.ndarray | None:
        return _read_only(self.arrays.weights) if self.weighted else None

    @cached_property
    def out_degrees(self) -> np.ndarray:
        """The number of arcs leaving each vertex."""
        return _read_only(np.diff(self.arrays.offsets))

    @cached_property
    def in_degrees(self) -> np.ndarray:
        """The number of arcs entering each vertex."""
        if not self.directed:
            return self.out_degrees
        if "reverse" in self.__dict__:
            return self.reverse.out_degrees
        from nearly.graph.build import count_targets

        return _read_only(count_targets(self))

    @cached_property
    def reverse(self) -> Graph:
        """The graph with every arc turned round; an undirected graph is its own reverse."""
        if not self.directed:
            return self
        from nearly.graph.build import reversed_graph

        reverse = reversed_graph(self)
        reverse.__dict__["reverse"] = self
        return reverse

    def symmetrized(self) -> Graph:
        """The undirected graph with an edge where there is an arc either way; duplicates merged (weights: minimum)."""
        return self._symmetrized if self.directed else self

    @cached_property
    def _symmetrized(self) -> Graph:
        from nearly.graph.build import symmetrized_graph

        return symmetrized_graph(self)

    def arc_sources(self) -> np.ndarray:
        """The source vertex of every arc, beside `targets`."""
        return np.repeat(
            np.arange(self.n, dtype=self.arrays.targets.dtype), np.diff(self.arrays.offsets).astype(np.int64)
        )

    def subgraph(self, mask: Any) -> Graph:
        """The graph on the vertices where `mask` is true, renumbered in order; `ids` remember where they came from."""
        from nearly.graph.reorder import subgraph

        return subgraph(self, mask)

    def relabel(self, permutation: Any) -> Graph:
        """The same graph with vertex `v` renamed `permutation[v]`."""
        from nearly.graph.reorder import relabel

        return relabel(self, permutation)

    def validate(self) -> None:
        """Check everything a kernel relies on, symmetry of undirected graphs included; raise `InvalidGraphError`."""
        from nearly.graph.validate import check_symmetry, checked_arrays

        offsets, targets, weights = self._arrays
        checked_arrays(offsets, targets, weights if self.weighted else None)
        if not self.directed:
            check_symmetry(self)

    @property
    def nbytes(self) -> int:
        """Bytes held by the graph's own arrays (kept derivations such as `reverse` not included)."""
        return sum(a.nbytes for a in self._arrays) + (0 if self.ids is None else self.ids.nbytes)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the content, the same in every process and on every machine."""
        digest = hashlib.blake2b(digest_size=16)
        digest.update(f"nearly graph 1 {self.n} {self.m} {self.directed} {self.weighted}".encode())
        for array in (*self.arrays, *(() if self.ids is None else (self.ids,))):
            if array.dtype == object:  # labels of any kind, from NetworkX
                digest.update(repr(array.tolist()).encode())
                continue
            little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
            digest.update(little.dtype.str.encode())
            digest.update(little.view(np.uint8).data)
        return digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        if (self.n, self.m, self.directed, self.weighted) != (other.n, other.m, other.directed, other.weighted):
            return False
        if (self.ids is None) != (other.ids is None) or not np.array_equal(self.ids, other.ids):  # type: ignore[arg-type]
            return False
        return all(np.array_equal(a, b) for a, b in zip(self.arrays, other.arrays))

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        weights = f"{self._arrays.weights.dtype} weights" if self.weighted else "unweighted"
        ids = "" if self.ids is None else ", original ids kept"
        return (
            f"<nearly.Graph {kind}: {self.n:,} vertices, {self.m:,} arcs, {weights}{ids}, {human_bytes(self.nbytes)}>"
        )

    @classmethod
    def from_edges(
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
        src, dst : the endpoints, integers from 0.
        weights : one number an edge, or None.
        n : the number of vertices; the largest endpoint plus one when left out.
        directed : False stores each edge both ways.
        duplicates : what becomes of parallel edges: `"keep"`, `"first"`, `"min"`, `"sum"` (of weights);
            None means `"first"`, and `"min"` where there are weights.
        self_loops : `"keep"` or `"drop"`.
        negative : `"reject"` (an error) or `"keep"` negative weights.
        nan : `"reject"` (an error) or `"drop"` edges whose weight is NaN or infinite.
        weight_dtype : `"float32"`, `"float64"` or `"uint32"`; default: uint32 for whole numbers that fit, else float32.

        Examples
        --------
        >>> Graph.from_edges([0, 1], [1, 0], weights=[3, 2], directed=False).weights.tolist()
        [2, 2]
        """
        from nearly.graph.build import from_edges

        return from_edges(src, dst, weights, n, directed, duplicates, self_loops, negative, nan, weight_dtype)

    @classmethod
    def from_scipy(
        cls, matrix: scipy.sparse.sparray, *, directed: bool | None = None, weighted: bool | None = None
    ) -> Graph:
        """From a square sparse matrix, entry (u, v) being the arc's weight; see `nearly.graph.conversions.from_scipy`."""
        from nearly.graph.conversions import from_scipy

        return from_scipy(matrix, directed, weighted)

    @classmethod
    def from_networkx(cls, graph: networkx.Graph, *, weight: str | None = "weight") -> Graph:
        """From a NetworkX graph; `ids` hold the node labels where they are not 0..n-1 in order."""
        from nearly.graph.conversions import from_networkx

        return from_networkx(graph, weight)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        source: str | None = None,
        target: str | None = None,
        weight: str | None = None,
        **policies: Any,
    ) -> Graph:
        """From a pandas, polars or Arrow table of edges; see `nearly.graph.frames`."""
        from nearly.graph.frames import from_frame

        return from_frame(frame, source, target, weight, **policies)

    def to_scipy(self) -> scipy.sparse.csr_array:
        """The adjacency matrix (weights, or ones) as a SciPy CSR array."""
        from nearly.graph.conversions import to_scipy

        return to_scipy(self)

    def to_networkx(self) -> networkx.Graph:
        """A simple NetworkX Graph or DiGraph labelled 0..n-1, with `weight` attributes where the graph has weights."""
        from nearly.graph.conversions import to_networkx

        return to_networkx(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the graph in the format of the file's extension; see `nearly.write`."""
        from nearly.graph.write import write

        write(self, path)


def vertex_dtype(n: int) -> np.dtype:
    """The type of a vertex number in a graph of `n` vertices."""
    return np.dtype(np.uint32 if n <= NARROW_VERTICES else np.uint64)


NO_WEIGHTS = np.empty(0, np.uint8)  # stands for "unweighted" in `Arrays`, so that kernels always get three arrays


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view
