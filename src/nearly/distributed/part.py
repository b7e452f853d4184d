"""A part of a graph: the arcs into a contiguous range of vertices, numbered so that local kernels can work on it.

A part owns the vertices [first, last) and holds the arcs that lead into them. The vertices outside the range from
which such arcs come are its ghosts. Its local numbers are the owned and the ghost vertices in ascending order of their
global numbers: ghosts below the range, the owned ones, ghosts above it. So local order is global order (rows stay
sorted, sums keep their order, the smallest local number is the smallest global one), the owned vertices lie in one
stretch, and so do the ghosts of each other part: what arrives from a part is copied to one slice.

`graph` has for every owned vertex the row of vertices it reads from; rows of ghosts are empty. `push` is its
reverse: from each local vertex to the owned vertices that read it. `needed[q]` lists which owned vertices part q reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from nearly.base.threads import kernel_threads
from nearly.graph.csr import Graph, vertex_dtype
from nearly.graph.names import Labels

_SPARSE = 8  # times as many vertices as arcs: a table of all vertices would be larger than the part


@dataclass
class Part:
    """One part of a graph; see the top of the file."""

    index: int
    bounds: np.ndarray  # int64[parts + 1]: part p owns the vertices bounds[p] to bounds[p + 1] - 1
    directed: bool
    graph: Graph
    ghosts: np.ndarray  # int64, global, ascending
    below: int  # how many of them lie below the range
    ids: Labels = None  # of the owned vertices; None where these are their numbers
    needed: dict[int, np.ndarray] = field(default_factory=dict)  # by part: which owned vertices it reads, from 0

    @property
    def n(self) -> int:
        """The vertices of the whole graph."""
        return int(self.bounds[-1])

    @property
    def first(self) -> int:
        return int(self.bounds[self.index])

    @property
    def size(self) -> int:
        """How many vertices it owns."""
        return int(self.bounds[self.index + 1]) - self.first

    @property
    def own(self) -> slice:
        """The local numbers of the owned vertices."""
        return slice(self.below, self.below + self.size)

    @property
    def parts(self) -> int:
        return self.bounds.size - 1

    @property
    def boundary(self) -> int:
        """How many values other parts read from this one, each counted once for each part that does."""
        return sum(wanted.size for wanted in self.needed.values())

    @cached_property
    def push(self) -> Graph:
        """From every local vertex to the owned vertices that read it."""
        with kernel_threads(1, work=0):
            return self.graph.reverse

    @cached_property
    def ghost_slices(self) -> dict[int, slice]:
        """Where the ghosts of each other part lie among the local numbers; parts without any are left out."""
        cuts = np.searchsorted(self.ghosts, self.bounds)
        places = {q: (int(cuts[q]), int(cuts[q + 1])) for q in range(self.parts) if q != self.index}
        shift = {q: 0 if q < self.index else self.size for q in places}
        return {q: slice(low + shift[q], high + shift[q]) for q, (low, high) in places.items() if low < high}

    def ghosts_of(self, q: int) -> np.ndarray:
        """The ghosts that part q owns, as numbers from its first vertex on."""
        low, high = np.searchsorted(self.ghosts, self.bounds[[q, q + 1]])
        return (self.ghosts[low:high] - self.bounds[q]).astype(np.uint32 if self.n < 2**32 else np.uint64)

    def globals(self) -> np.ndarray:
        """The global number of each local vertex."""
        own = np.arange(self.first, self.first + self.size)
        return np.concatenate([self.ghosts[: self.below], own, self.ghosts[self.below :]])

    def local(self, vertex: int) -> int | None:
        """The local number of a vertex that it owns; None for another."""
        inside = self.first <= vertex < self.first + self.size
        return vertex - self.first + self.below if inside else None

    def rows(self) -> np.ndarray:
        """The local number of the owned end of each arc."""
        return self.graph.arc_rows()


def build_part(
    index: int, bounds: np.ndarray, pieces: list[Any], directed: bool, ids: Labels, policies: dict[str, Any]
) -> Part:
    """A part from the arcs that lead into it, given as pieces (owned end, other end, weights or None), global.

    `policies` are those of `Graph.from_edges` for parallel arcs and self-loops; arcs come in the order that counts.
    """
    first, last, n = int(bounds[index]), int(bounds[index + 1]), int(bounds[-1])
    ends = [np.concatenate([piece[k] for piece in pieces]) if pieces else np.empty(0, np.int64) for k in (0, 1)]
    weighted = bool(pieces) and pieces[0][2] is not None
    weights = np.concatenate([piece[2] for piece in pieces]) if weighted else None
    pieces.clear()
    numbering = Numbering(first, last, n, ends[1])
    rows = (ends[0] - first + numbering.below).astype(vertex_dtype(numbering.count))
    ends[0] = rows
    ends[1] = numbering.local(ends[1])
    with kernel_threads(1, work=0):
        graph = Graph.from_edges(
            ends[0], ends[1], weights, n=numbering.count, negative="keep",
            weight_dtype=None if weights is None else weights.dtype, **policies,
        )  # fmt: skip
    return Part(index, bounds, directed, graph, numbering.ghosts, numbering.below, ids)


class Numbering:
    """Local numbers for the vertices of a part, from the other ends of its arcs; by a table unless it is too large."""

    def __init__(self, first: int, last: int, n: int, others: np.ndarray) -> None:
        self.first, self.last = first, last
        if n <= _SPARSE * (others.size + last - first) + 1024:
            marks = np.zeros(n, bool)
            marks[others] = True
            marks[first:last] = False
            self.ghosts = np.flatnonzero(marks)
            marks[first:last] = True
            self.table: np.ndarray | None = np.cumsum(marks, dtype=vertex_dtype(n))
        else:
            outside = others[(others < first) | (others >= last)]
            self.ghosts, self.table = np.unique(outside).astype(np.int64), None
        self.below = int(np.searchsorted(self.ghosts, first))
        self.count = self.ghosts.size + last - first

    def local(self, vertices: np.ndarray) -> np.ndarray:
        """The local numbers of owned vertices and ghosts."""
        if self.table is not None:
            found = self.table[vertices]
            found -= 1
            return found.astype(vertex_dtype(self.count), copy=False)
        own = (vertices >= self.first) & (vertices < self.last)
        found = np.searchsorted(self.ghosts, vertices)
        found += np.where(vertices >= self.last, self.last - self.first, 0)
        found[own] = vertices[own] - self.first + self.below
        return found.astype(vertex_dtype(self.count))


def cut_bounds(arcs: np.ndarray, parts: int, starts: np.ndarray) -> np.ndarray:
    """Where parts begin, so that each gets about as many arcs.

    `arcs[i]` is the number of arcs into the vertices `starts[i]` to `starts[i + 1] - 1`. A vertex counts as an arc too.
    """
    weight = np.concatenate([[0], np.cumsum(arcs + np.diff(starts))])
    targets = weight[-1] * np.arange(1, parts) / parts
    inner = starts[np.clip(np.searchsorted(weight, targets), 0, starts.size - 1)]
    return np.concatenate([[starts[0]], inner, [starts[-1]]]).astype(np.int64)


def parts_of(graph: Graph, parts: int) -> Iterator[Part]:
    """A graph's parts, one after the other."""
    reverse = graph.reverse
    offsets, targets, weights = reverse.arrays
    starts = np.arange(graph.n + 1)
    bounds = cut_bounds(np.diff(offsets).astype(np.int64), parts, starts)
    for p in range(parts):
        first, last = int(bounds[p]), int(bounds[p + 1])
        low, high = int(offsets[first]), int(offsets[last])
        counts = np.diff(offsets[first : last + 1]).astype(np.int64)
        rows = np.repeat(np.arange(first, last), counts)
        piece = (rows, targets[low:high], weights[low:high] if graph.weighted else None)
        ids = None if graph.labels is None else _some(graph.labels, first, last)
        yield build_part(p, bounds, [piece], graph.directed, ids, {"duplicates": "keep"})


def _some(labels: Any, first: int, last: int) -> Labels:
    from nearly.graph.names import taken

    return taken(labels, np.arange(first, last))
