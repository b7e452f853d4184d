"""From the regions of a text to tables of edges between names; the counterpart of `scan.py` for words.

The compiled parser (`name_kernels`) finds the words of plain lines and numbers them; a line it does not take (doubled
quotes, a missing field, an odd weight) is read here with care. Numbers of words are provisional: when all words are
known they are put in ascending order, as ids are, and a table leads from one to the other.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from nearly.base.errors import GraphFormatError, InvalidGraphError
from nearly.base.memory import require
from nearly.base.threads import get_threads, kernel_threads
from nearly.graph.csr import vertex_dtype
from nearly.graph.io.content import Content
from nearly.graph.io.ids import Vertices
from nearly.graph.io.line_rules import BadLine, Rules, weighed
from nearly.graph.io.name_kernels import (
    BLANK,
    END,
    LETTER,
    ODD,
    QUOTE,
    Shape,
    Words,
    hash_word,
    parse_name_pieces,
)
from nearly.graph.io.name_order import Stored, pack_words, sorted_words
from nearly.graph.io.name_table import NameTable, list_words, move_rows, number_words
from nearly.graph.io.scan import LINE, EdgeColumns, Region, Table, closed_up, each_region
from nearly.graph.io.split_fields import split_fields
from nearly.graph.io.word_kernels import NEWLINE, RETURN, SPACE, TAB
from nearly.graph.names import Names

_REGION = 1 << 23
_FIRST_ROOM = 1 << 12
_GROWTH = 4
_MOST_PARTS = 64
_MOST_WORDS = 2**32 - 1
_CHECKED = 1 << 24  # bytes of names that are checked at once
_SEED = np.uint64(int.from_bytes(os.urandom(7), "little") << 1 | 1)  # so that no file can be made to collide


class Layout(NamedTuple):
    """Which columns of a line are read, and how they are told apart."""

    separator: int
    columns: int
    source: int = 0
    target: int = 1
    weight: int = -1
    comments: bytes = b"#%"  # that may stand anywhere; none: only above the data


class NameCollector:
    """All words of a file, numbered as they come, whatever the number of threads that look them up."""

    def __init__(self) -> None:
        self.parts = 1
        while self.parts < min(get_threads(), _MOST_PARTS):
            self.parts *= 2
        self._at = np.zeros(self.parts, np.uint64)
        self.table = NameTable(
            np.zeros(2 * self.parts * _FIRST_ROOM, np.uint64),
            np.zeros(self.parts, np.uint64),
            np.empty(_FIRST_ROOM, np.uint8),
            np.zeros(1, np.uint64),
        )

    def number(self, data: np.ndarray, words: Words, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """The number of each word between `starts` and `ends`, uint32."""
        numbers = np.empty(words.hashes.size, np.uint32)
        self._make_room(data.size)
        self._at[:] = 0
        end = ends[-1] if ends.size else np.uint64(0)
        while True:
            number_words(data, words, starts, ends, self.table, self._at, numbers)
            if (self._at >= end).all():
                return numbers
            self._grow()

    def _make_room(self, size: int) -> None:
        """For the bytes of as many new words as a region can hold."""
        needed = int(self.table.used[0]) + size + 8
        if needed > self.table.store.size:
            needed = max(needed, self.table.store.size + self.table.store.size // 2)
            require(needed + self.table.store.size, "the names of the vertices")
            store = np.empty(needed, np.uint8)
            store[: self.table.store.size] = self.table.store
            self.table = self.table._replace(store=store)

    def _grow(self) -> None:
        old = self.table.rows
        if int(self.table.counts.max()) * self.parts > _MOST_WORDS:
            raise InvalidGraphError("there are more than 2**32 different names, which is more than can be numbered")
        require(8 * (_GROWTH + 1) * old.size, "the table of names")
        rows = np.zeros(_GROWTH * old.size, np.uint64)
        move_rows(old, rows, self.parts)
        self.table = self.table._replace(rows=rows)

    def add(self, words: list[bytes]) -> None:
        """Take in words that stand elsewhere."""
        data, sizes = np.frombuffer(b"".join(words) or b"\0", np.uint8), [len(word) for word in words]
        begins = np.cumsum([0, *sizes])[:-1].astype(np.uint32)
        hashes = [hash_word(data, np.uint64(b), np.uint64(b + s), _SEED) for b, s in zip(begins.tolist(), sizes)]
        made = Words(np.array(hashes, np.uint64), begins, np.array(sizes, np.uint32))
        self.number(data, made, np.zeros(1, np.uint64), np.array([len(words)], np.uint64))

    def listed(self) -> tuple[Stored, np.ndarray]:
        """All words by number, and which numbers there are (parts may have different numbers of words)."""
        counts = self.table.counts.astype(np.int64)
        size = int(counts.max()) * self.parts
        require(40 * size, "the list of names")
        begins, sizes = np.zeros(size, np.uint64), np.zeros(size, np.uint64)
        with kernel_threads(work=self.table.rows.size // LINE):
            list_words(self.table.rows, self.parts, begins, sizes)
        there = np.arange(size) // self.parts < counts[np.arange(size) % self.parts]
        return Stored(self.table.store, begins, sizes), np.flatnonzero(there)

    def finish(self, path: str | os.PathLike[str]) -> tuple[Names, np.ndarray]:
        """The names, ascending, and the place of each number among them."""
        words, numbers = self.listed()
        mine = Stored(words.store, words.begins[numbers], words.sizes[numbers])
        require(64 * numbers.size + int(mine.sizes.sum()), f"the names of {numbers.size:,} vertices")
        order = sorted_words(mine)
        bounds = np.zeros(numbers.size + 1, np.uint64)
        np.cumsum(mine.sizes[order] + np.uint64(1), out=bounds[1:])
        data = np.empty(int(bounds[-1]), np.uint8)
        with kernel_threads(work=data.size // LINE):
            pack_words(*mine, order, bounds, data)
        names = Names(data, bounds, ascending=True)
        _check_letters(names, path)
        ranks = np.full(words.begins.size, numbers.size, vertex_dtype(numbers.size))
        ranks[numbers[order]] = np.arange(numbers.size, dtype=ranks.dtype)
        return names, ranks


def named_vertices(names: Names, ranks: np.ndarray) -> Vertices:
    """How numbers of words map to vertices."""
    return Vertices(names.size, names, table=ranks)


def _check_letters(names: Names, path: str | os.PathLike[str]) -> None:
    """Names must be UTF-8."""
    bounds, low = names.bounds, 0
    while low < names.size:
        high = int(np.searchsorted(bounds, bounds[low] + np.uint64(_CHECKED)))
        high = min(max(high, low + 1), names.size)
        try:
            names.data[int(bounds[low]) : int(bounds[high])].tobytes().decode()
        except UnicodeDecodeError as error:
            at = int(np.searchsorted(bounds, bounds[low] + np.uint64(error.start), side="right")) - 1
            name = names.data[int(bounds[at]) : int(bounds[at + 1]) - 1].tobytes()
            why = "a name is no text in UTF-8; convert the file, as with iconv -f latin1 -t utf-8"
            raise GraphFormatError(path, None, name, why) from None
        low = high


def read_name_tables(
    content: Content, start: int, line: int, layout: Layout, rules: Rules, collector: NameCollector
) -> Iterator[Table]:
    """The edges from byte `start` on, which is at the beginning of line number `line`, as numbers of words."""

    def make(data: np.ndarray, at: int) -> _NameRegion:
        return _NameRegion(content, data, at, layout, rules)

    for region in each_region(content, start, line, make, _REGION):
        yield region.parse(collector)


@cache
def _kinds(separator: int) -> np.ndarray:
    """The kind of each byte in a line with this separator."""
    kinds = np.full(256, LETTER, np.uint8)
    kinds[[SPACE, TAB, RETURN]] = BLANK
    kinds[[NEWLINE, separator]] = END
    if separator == SPACE:
        kinds[TAB] = END
    kinds[[QUOTE, 0]] = ODD
    return kinds


class _NameRegion(Region):
    """A region of lines of names."""

    def __init__(self, content: Content, data: np.ndarray, line: int, layout: Layout, rules: Rules) -> None:
        super().__init__(content, data, line)
        self.layout, self.rules, self.more = layout, rules, bytearray()
        first, second = (*layout.comments, NEWLINE, NEWLINE)[:2]
        self.shape = Shape(
            _kinds(layout.separator), layout.separator, first, second, layout.columns, layout.source, layout.target,
            layout.weight if rules.weights else -1, int(rules.negative == "keep"), _SEED,
        )  # fmt: skip
        room = self.size + 1  # a line too short to be an edge may have its first word written before it is refused
        self.src, self.dst = (
            Words(np.empty(room, np.uint64), np.empty(room, np.uint32), np.empty(room, np.uint32)) for _ in range(2)
        )
        self.weights = np.empty(room if rules.weights else 0, np.float64)

    def parse(self, collector: NameCollector) -> Table:
        """The edges, their words numbered by the collector."""
        self.run()
        data, ends = self.data, self.states.slots
        if self.more:
            data = np.concatenate([data, np.frombuffer(bytes(self.more), np.uint8)])
        with kernel_threads(work=data.size // LINE):
            src, dst = (collector.number(data, words, self.starts, ends) for words in (self.src, self.dst))
        edges = closed_up(EdgeColumns(src, dst, self.weights), self.starts, ends)
        return Table(*edges, 0, self.kind, self.dropped, self.data.size)

    def advance(self, pieces: int) -> None:
        parse_name_pieces(
            self.data, pieces, self.cuts[1:], self.states, self.shape, self.src, self.dst, self.weights
        )  # fmt: skip

    def take(self, p: int, text: bytes) -> bool:
        layout, slot = self.layout, int(self.states.slots[p])
        fields = split_fields(text, layout.separator)
        if len(fields) != layout.columns:
            raise BadLine(
                f"expected {layout.columns} columns here, found {len(fields)}; "
                "give every line the columns of the first, and put names that hold separators in quotes"
            )
        for which in (layout.source, layout.target):
            if not fields[which].text and not fields[which].quoted:
                raise BadLine("a name is missing; write one between the separators")
            if b"\0" in fields[which].text:
                raise BadLine("a name holds a zero byte; is this a text file?")
        if self.rules.weights:
            found = weighed(0, 0, fields[layout.weight].text or b"nan", self.rules)
            if found is None:
                return False
            self.weights[slot] = found[2]
            self.states.kinds[p] |= found[3]
        self._note(self.src, slot, fields[layout.source].text)
        self._note(self.dst, slot, fields[layout.target].text)
        return True

    def _note(self, words: Words, slot: int, word: bytes) -> None:
        """A word that does not stand in the text as it is."""
        begin, data = len(self.more), np.frombuffer(word or b"\0", np.uint8)
        self.more += word
        words.hashes[slot] = hash_word(data, np.uint64(0), np.uint64(len(word)), _SEED)
        words.begins[slot], words.sizes[slot] = self.data.size + begin, len(word)
