"""From the regions of a text to tables of edges: the compiled parser, with Python for the odd lines.

Each region is cut at line ends into pieces that are parsed side by side into one set of arrays. A piece
stops at a line the kernel does not take; that line is read here, by rules that name what is wrong, and
the piece goes on. So the common line costs nanoseconds and the odd one gets a sentence. The first bad
line of the file is the one reported, whatever the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

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


R = TypeVar("R", bound="Region")


class _NeedsWide(Exception):
    """An id does not fit 32 bits."""


def read_tables(content: Content, start: int, line: int, rules: Rules) -> Iterator[Table]:
    """The edges from byte `start` on, which is at the beginning of line number `line`."""
    wide = False
    for region in each_region(content, start, line, lambda data, at: _EdgeRegion(content, data, at, rules)):
        try:
            table = region.parse(np.uint64 if wide else np.uint32)
        except _NeedsWide:
            wide = True
            table = region.parse(np.uint64)
        yield table


def each_region(
    content: Content, start: int, line: int, make: Callable[[np.ndarray, int], R], size: int | None = None
) -> Iterator[R]:
    """What `make(data, line)` makes of each region from byte `start` on, which is at the beginning of line `line`."""
    regions = content.regions(start, size)
    while True:
        try:
            data = next(regions, None)
        except LineTooLong:
            raise line_too_long(content, line) from None
        if data is None:
            return
        region = make(data, line)
        yield region
        line += region.lines


class Region:
    """One region while it is being parsed: pieces side by side, with Python for the lines they stop at."""

    def __init__(self, content: Content, data: np.ndarray, line: int) -> None:
        self.content, self.data, self.line = content, data, line
        self.cuts = cut_at_lines(data, max(1, data.size // PIECE))
        with kernel_threads(work=data.size // LINE):
            counts = count_lines(data, self.cuts)
        self.lines = int(counts.sum())
        self.room = np.minimum(counts, np.diff(self.cuts).astype(np.int64) // _SHORTEST_LINE)
        self.size = int(self.room.sum())
        self.starts = np.zeros(self.room.size, np.uint64)
        self.starts[1:] = np.cumsum(self.room[:-1])

    def advance(self, pieces: int) -> None:
        """Let the first `pieces` go on to their ends or their next odd lines."""
        raise NotImplementedError

    def take(self, p: int, text: bytes) -> bool:
        """Read the odd line of piece `p`; whether it gave an edge, which went to the piece's slot."""
        raise NotImplementedError

    def run(self) -> None:
        """All pieces to their ends; raises for the first bad line."""
        self.states = PieceStates(
            at=self.cuts[:-1].copy(),
            slots=self.starts.copy(),
            odd=np.zeros(self.starts.size, np.bool_),
            tops=np.zeros(self.starts.size, np.int64),
            kinds=np.zeros(self.starts.size, np.int64),
        )
        self.dropped = 0
        with kernel_threads(work=self.data.size // LINE):
            self._run()

    def _run(self) -> None:
        odd, pieces = self.states.odd, self.states.odd.size
        failed: GraphFormatError | None = None
        while pieces:
            self.advance(pieces)
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
        begin = int(self.states.at[p])
        end = begin + line_length(self.data, begin)
        text = self.data[begin:end].tobytes()
        try:
            taken = self.take(p, text)
        except BadLine as bad:
            number = line_number(self.data, begin, self.line)
            raise GraphFormatError(self.content.path, number, text.strip(BLANKS), str(bad)) from None
        if taken:
            self.states.slots[p] += np.uint64(1)
        else:
            self.dropped += 1
        self.states.at[p] = end + 1

    @property
    def kind(self) -> int:
        """The kinds of weights that were seen."""
        return int(np.bitwise_or.reduce(self.states.kinds))


class _EdgeRegion(Region):
    """A region of lines of numbers."""

    def __init__(self, content: Content, data: np.ndarray, line: int, rules: Rules) -> None:
        super().__init__(content, data, line)
        self.rules = rules

    def parse(self, dtype: type[np.uint32] | type[np.uint64]) -> Table:
        rules, size = self.rules, self.size
        self.high = min(rules.high, _NARROW if dtype == np.uint32 else LARGEST_ID)
        # the kernel takes weights of length 0 as "do not read them", so there is always room for one
        weights = np.empty(max(size, 1) if rules.weights else 0, np.float64)
        self.edges = EdgeColumns(np.empty(size, dtype), np.empty(size, dtype), weights)
        marks = (rules.comments * 2)[:2]
        packed = [*marks, rules.lead, rules.columns, rules.low, self.high, rules.negative == "keep"]
        self.packed = np.array(packed, np.int64)
        self.run()
        edges = closed_up(self.edges, self.starts, self.states.slots)
        return Table(*edges, int(self.states.tops.max()), self.kind, self.dropped, self.data.size)

    def advance(self, pieces: int) -> None:
        parse_pieces(self.data, pieces, self.cuts[1:], self.states, self.packed, self.edges)

    def take(self, p: int, text: bytes) -> bool:
        edge, states, edges = read_line(text, self.rules), self.states, self.edges
        if edge is None:
            return False
        u, v, weight, kind = edge
        if max(u, v) > self.high:
            raise _NeedsWide
        slot = int(states.slots[p])
        edges.src[slot], edges.dst[slot] = u - self.rules.low, v - self.rules.low
        if self.rules.weights:
            edges.weights[slot] = weight
        states.tops[p] = max(int(states.tops[p]), u, v)
        states.kinds[p] |= kind
        return True


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
