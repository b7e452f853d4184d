"""From the regions of a text to tables of edges: the compiled parser, with Python for the odd lines.

Each region is cut at line ends into pieces that are parsed side by side into one set of arrays. A piece
stops at a line the kernel does not take; that line is read here, by rules that name what is wrong, and
the piece goes on. So the common line costs nanoseconds and the odd one gets a sentence. The first bad
line of the file is the one reported, whatever the number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from nearly.base.errors import GraphFormatError
from nearly.base.threads import kernel_threads
from nearly.graph.build import pack_left
from nearly.graph.io.content import Content, LineTooLong, line_too_long
from nearly.graph.io.header import LARGEST_ID
from nearly.graph.io.line_rules import BLANKS, BadLine, Rules, read_line
from nearly.graph.io.scan_kernels import EdgeColumns, PieceStates, count_lines, cut_at_lines, parse_pieces

PIECE = 1 << 19
_SHORTEST_LINE = 4
LINE = 8  # about how many bytes an edge takes, for the choice of threads
_NARROW = 2**32 - 1


class Table(NamedTuple):
    """The edges of one region."""

    src: np.ndarray  # ids, uint32 or uint64
    dst: np.ndarray
    weights: np.ndarray | None
    top: int  # the largest id
    kind: int  # what kinds of weights were seen, as bits
    dropped: int  # how many edges were left out
    size: int  # how many bytes of text there were


class _NeedsWide(Exception):
    """An id does not fit 32 bits."""


def read_tables(content: Content, start: int, line: int, rules: Rules) -> Iterator[Table]:
    """The edges from byte `start` on, which is at the beginning of line number `line`."""
    wide = False
    regions = content.regions(start)
    while True:
        try:
            data = next(regions, None)
        except LineTooLong:
            raise line_too_long(content, line) from None
        if data is None:
            return
        region = _Region(content, data, line, rules)
        try:
            table = region.parse(np.uint64 if wide else np.uint32)
        except _NeedsWide:
            wide = True
            table = region.parse(np.uint64)
        yield table
        line += region.lines


class _Region:
    """One region while it is being parsed."""

    def __init__(self, content: Content, data: np.ndarray, line: int, rules: Rules) -> None:
        self.content, self.data, self.line, self.rules = content, data, line, rules
        self.cuts = cut_at_lines(data, max(1, data.size // PIECE))
        with kernel_threads(work=data.size // LINE):
            counts = count_lines(data, self.cuts)
        self.lines = int(counts.sum())
        self.room = np.minimum(counts, np.diff(self.cuts).astype(np.int64) // _SHORTEST_LINE)

    def parse(self, dtype: type[np.uint32] | type[np.uint64]) -> Table:
        rules, size = self.rules, int(self.room.sum())
        self.high = min(rules.high, _NARROW if dtype == np.uint32 else LARGEST_ID)
        starts = np.zeros(self.room.size, np.uint64)
        starts[1:] = np.cumsum(self.room[:-1])
        # the kernel takes weights of length 0 as "do not read them", so there is always room for one
        weights = np.empty(max(size, 1) if rules.weights else 0, np.float64)
        self.edges = EdgeColumns(np.empty(size, dtype), np.empty(size, dtype), weights)
        self.states = PieceStates(
            at=self.cuts[:-1].copy(),
            slots=starts.copy(),
            odd=np.zeros(starts.size, np.bool_),
            tops=np.zeros(starts.size, np.int64),
            kinds=np.zeros(starts.size, np.int64),
        )
        self.dropped = 0
        with kernel_threads(work=self.data.size // LINE):
            self._run()
        top, kind = int(self.states.tops.max()), int(np.bitwise_or.reduce(self.states.kinds))
        return Table(*closed_up(self.edges, starts, self.states.slots), top, kind, self.dropped, self.data.size)

    def _run(self) -> None:
        """All pieces to their ends; raises for the first bad line."""
        rules, odd, pieces = self.rules, self.states.odd, self.states.odd.size
        marks = (rules.comments * 2)[:2]
        packed = np.array([*marks, rules.lead, rules.columns, rules.low, self.high, rules.negative == "keep"], np.int64)
        failed: GraphFormatError | None = None
        while pieces:
            parse_pieces(self.data, pieces, self.cuts[1:], self.states, packed, self.edges)
            stuck = np.flatnonzero(odd[:pieces])
            if not stuck.size:
                break
            for p in stuck:
                odd[p] = False
                try:
                    self._read_odd(int(p))
                except GraphFormatError as error:  # an earlier piece may hold an earlier one
                    failed, pieces = error, int(p)
                    break
        if failed:
            raise failed

    def _read_odd(self, p: int) -> None:
        """The line at which piece `p` stopped."""
        states, edges = self.states, self.edges
        begin = int(states.at[p])
        end = begin + line_length(self.data, begin)
        text = self.data[begin:end].tobytes()
        try:
            edge = read_line(text, self.rules)
        except BadLine as bad:
            number = line_number(self.data, begin, self.line)
            raise GraphFormatError(self.content.path, number, text.strip(BLANKS), str(bad)) from None
        if edge is None:
            self.dropped += 1
        else:
            u, v, weight, kind = edge
            if max(u, v) > self.high:
                raise _NeedsWide
            slot = int(states.slots[p])
            edges.src[slot], edges.dst[slot] = u - self.rules.low, v - self.rules.low
            if self.rules.weights:
                edges.weights[slot] = weight
            states.slots[p] += np.uint64(1)
            states.tops[p] = max(int(states.tops[p]), u, v)
            states.kinds[p] |= kind
        states.at[p] = end + 1


def closed_up(
    edges: EdgeColumns, starts: np.ndarray, ends: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """The edges between `starts` and `ends`, moved together: the room that comments left over is gone."""
    src, dst, weights = edges
    size = pack_left((src, dst, weights) if weights.size else (src, dst), starts, ends - starts)
    return src[:size], dst[:size], weights[:size] if weights.size else None


def line_number(data: np.ndarray, begin: int, first: int) -> int:
    """The number of the line at `begin` where `data` starts with line `first`."""
    return first + int(np.count_nonzero(data[:begin] == ord("\n")))


def line_length(data: np.ndarray, begin: int) -> int:
    """How many bytes the line at `begin` has before its newline."""
    step = 256
    while True:
        ends = np.flatnonzero(data[begin : begin + step] == ord("\n"))
        if ends.size:
            return int(ends[0])
        step *= 16
