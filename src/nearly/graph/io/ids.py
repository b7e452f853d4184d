"""Compaction: the ids that occur in a file, in ascending order, become the vertices 0..n-1.

Where the largest id is at most about the number of edges, a table with one byte an id marks what occurs
and ranks are looked up; otherwise sorted lists of distinct ids are merged and ranks are searched for.
Which of the two is decided by a limit in bytes of text, never by the largest id alone, so that the edge
`0 1000000000000` costs nothing.
"""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np

from nearly.base.errors import GraphFormatError
from nearly.base.memory import require
from nearly.base.threads import kernel_threads
from nearly.graph.csr import vertex_dtype
from nearly.graph.io import id_kernels
from nearly.graph.io.scan import Table
from nearly.graph.names import Labels

_LEAST_LIMIT = 1 << 16
_TEXT_PER_ID = 4  # a table entry is allowed for so many bytes of text: the shortest line has 4


class Vertices(NamedTuple):
    """How many vertices there are and how a file's ids map to them; tables are None where ids are numbers already."""

    n: int
    ids: Labels = None
    table: np.ndarray | None = None
    known: np.ndarray | None = None

    def ranks(self, ids: np.ndarray, file: str | os.PathLike[str]) -> np.ndarray:
        """The vertices of `ids`."""
        dtype = vertex_dtype(self.n)
        if self.table is None and self.known is None:
            return ids.astype(dtype, copy=False)
        ranks = ids if ids.dtype == dtype else np.empty(ids.size, dtype)
        with kernel_threads(work=ids.size):
            if self.table is not None:
                found = id_kernels.ranks_by_table(ids, self.table, ranks)
            else:
                found = id_kernels.ranks_by_search(ids, self.known, ranks)
        if not found:
            raise GraphFormatError(file, None, None, "the file changed while it was being read; read it again")
        return ranks


class IdCollector:
    """Takes in ids chunk by chunk and says at the end which vertices there are.

    Parameters
    ----------
    text_bytes : int
        About how many bytes of text the ids come from, which bounds the table.
    """

    def __init__(self, text_bytes: int) -> None:
        self._limit = max(_LEAST_LIMIT, text_bytes // _TEXT_PER_ID)
        self._seen: np.ndarray | None = np.zeros(0, np.uint8)
        self._sorted: list[np.ndarray] = []

    def take(self, table: Table) -> None:
        """Take in a table's ids."""
        self.add(table.src, table.dst, top=table.top)

    def add(self, *chunks: np.ndarray, top: int) -> None:
        """Take in arrays of ids (uint32 or uint64), none above `top`."""
        if self._seen is not None and top >= self._limit:
            self._sorted = [np.flatnonzero(self._seen.view(bool)).astype(np.uint64)]
            self._seen = None
        if self._seen is not None:
            self._grow(top + 1)
            with kernel_threads(work=sum(ids.size for ids in chunks)):
                for ids in chunks:
                    id_kernels.mark(ids, self._seen)
            return
        self._sorted.append(np.unique(np.concatenate(chunks)).astype(np.uint64))
        # merge lists of like size only, so that an id takes part in few merges
        while len(self._sorted) > 1 and self._sorted[-2].size < 2 * self._sorted[-1].size:
            self._merge_last()

    def _merge_last(self) -> None:
        last = self._sorted.pop()
        require(24 * (self._sorted[-1].size + last.size), "the list of distinct vertex ids")
        self._sorted[-1] = np.union1d(self._sorted[-1], last)

    def _grow(self, size: int) -> None:
        assert self._seen is not None
        if size > self._seen.size:
            wanted = min(max(size, 2 * self._seen.size), self._limit)
            require(wanted + self._seen.size, f"the table of {size:,} vertex ids")
            grown = np.zeros(wanted, np.uint8)
            grown[: self._seen.size] = self._seen
            self._seen = grown

    def finish(self) -> Vertices:
        """The vertices, all ids taken in."""
        if self._seen is None:
            while len(self._sorted) > 1:
                self._merge_last()
            known = self._sorted[0]
            return Vertices(known.size, known.astype(np.int64), known=known)
        ids = np.flatnonzero(self._seen.view(bool))
        if ids.size == 0 or int(ids[-1]) == ids.size - 1:
            return Vertices(ids.size)
        size = int(ids[-1]) + 1
        require(size * vertex_dtype(ids.size).itemsize + ids.nbytes, f"the table of {size:,} vertex ids")
        table = np.full(
            size, ids.size, vertex_dtype(ids.size)
        )  # beyond the last vertex, so that the builder would object
        table[ids] = np.arange(ids.size, dtype=table.dtype)
        return Vertices(ids.size, ids.astype(np.int64), table=table)
