"""Triangles on parts: rows of neighbours of higher degree go from part to part, one sender at a time.

Every edge is directed to its end of higher degree (then larger number), so that no row is longer than sqrt(2m), and
each triangle has one vertex u with arcs to both others, v and w, of which v has an arc to w. The part that owns u finds
it: it knows the row of u, v and w are in it, and needs the row of v. In round r each part gets the rows that it needs
from the part r places before it, looks them through and lets them go: it never has more than two parts' rows. Corners
are counted where they are seen; counts at ghosts go to their owners at the end. (Schank and Wagner 2005 on one machine;
rows are exchanged as by Arifuzzaman, Khan and Marathe, "PATRIC", 2013.)
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from nearly.distributed.messages import Arrays, Got, Send, all_values, receive
from nearly.distributed.part import Part
from nearly.distributed.programs.kernels import close


class Triangles:
    """The triangles at a part's vertices; see the top of the file."""

    view = "undirected"

    def __init__(self, part: Part, arguments: dict[str, Any], kept: dict[str, Any] | None) -> None:
        self.part, self.kept = part, kept
        thinned = arguments.get("thinned")
        self.chance = 1.0 if thinned is None else thinned.chance**3  # that all three edges of a triangle stayed
        self.counts = np.zeros(part.graph.n, np.uint64)
        self.next = 0
        if kept is not None:
            self.counts[:], self.next = kept["counts"], int(kept["next"])
        self.facts: dict[str, Any] = {}

    def keep(self) -> dict[str, Any]:
        """The triangles found so far, and the round."""
        return {"counts": self.counts, "next": np.array(self.next)}

    def rounds(self) -> Generator[Send, Got, None]:
        part = self.part
        degree = np.diff(part.graph.arrays.offsets).astype(np.int64)
        got = yield Send(all_values(part, degree[part.own].astype(np.uint32)))
        receive(part, got, degree)
        offsets, targets = self._directed(degree)
        names, marks, own = part.globals(), np.zeros(part.graph.n, np.uint64), part.own
        if self.next == 0:
            self._close((offsets, targets), (offsets, targets), own, marks)
        ends = names[targets]
        for r in range(max(self.next, 1), part.parts):
            self.next = r
            reader, sender = (part.index + r) % part.parts, (part.index - r) % part.parts
            message = self._rows_for(reader, offsets, ends)
            got = yield Send({} if message is None else {reader: message}, (), 0, part.size, True)
            if sender in got.values:
                self._close(
                    (offsets, targets), self._mapped(got.values[sender], names), part.ghost_slices[sender], marks
                )
        got = yield Send({q: (self.counts[there],) for q, there in part.ghost_slices.items()})
        values = self.counts[own].astype(np.int64)
        for q in sorted(got.values):
            np.add.at(values, part.needed[q], got.values[q][0].astype(np.int64))
        got = yield Send({}, (values.sum(),))
        total = round(got.total(0)) // 3
        if self.chance < 1:
            values, total = np.rint(values / self.chance).astype(np.int64), round(total / self.chance)
        self.facts = {"total": total}
        self.values = values

    def _directed(self, degree: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The owned vertices' neighbours of higher degree, each once: where rows begin, and the local numbers."""
        part, (offsets, targets, _) = self.part, self.part.graph.arrays
        rows = part.graph.arc_rows()
        keep = (degree[targets] > degree[rows]) | ((degree[targets] == degree[rows]) & (targets > rows))
        keep[1:] &= (rows[1:] != rows[:-1]) | (targets[1:] != targets[:-1])
        ends = np.concatenate([np.zeros(1, np.uint64), np.cumsum(keep, dtype=np.uint64)])
        return ends[offsets[part.own.start : part.own.stop + 1]], targets[keep]

    def _rows_for(self, reader: int, offsets: np.ndarray, targets: np.ndarray) -> Arrays | None:
        """The rows of the owned vertices that a part reads: their sizes, and global numbers."""
        wanted = self.part.needed.get(reader)
        if wanted is None:
            return None
        sizes = np.diff(offsets).astype(np.int64)[wanted]
        begins = offsets[:-1].astype(np.int64)[wanted]
        before = np.cumsum(sizes) - sizes
        places = np.repeat(begins - before, sizes) + np.arange(int(sizes.sum()))
        kind = np.uint32 if self.part.n <= 2**32 else np.uint64
        return sizes.astype(np.uint32), targets[places].astype(kind)

    def _mapped(self, message: Arrays, names: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rows that came, as local numbers; what is not known here closes no triangle here."""
        sizes, ends = message
        at = np.searchsorted(names, ends)
        known = names[np.minimum(at, names.size - 1)] == ends
        rows = np.repeat(np.arange(sizes.size), sizes.astype(np.int64))
        kept = np.bincount(rows[known], minlength=sizes.size)
        begins = np.concatenate([np.zeros(1, np.uint64), np.cumsum(kept, dtype=np.uint64)])
        return begins, at[known].astype(self.part.graph.arrays.targets.dtype)

    def _close(self, rows: Arrays, others: Arrays, there: slice, marks: np.ndarray) -> None:
        own = self.part.own
        bounds = np.array([own.start, own.stop, there.start, there.stop], np.uint64)
        marks[:] = 0
        close(rows, others, bounds, marks, self.counts)
