"""The lines of a text file of numbers: headers, and tables of a known number of rows.

The last fields of a header may be left out. Errors name the file and the line.
"""

from __future__ import annotations

import gzip
import warnings
import zlib
from pathlib import Path

import numpy as np

from nearly.base.errors import GraphFormatError
from nearly.base.memory import memory_budget, require

_PIECE = 1 << 24
_OVERHEAD = 12  # bytes of memory a byte of text takes while it is split into lines and numbers


class Lines:
    """The lines of a file that are not empty, without comments (from `#` on)."""

    def __init__(self, file: Path) -> None:
        self.file = file
        text = _content(file).split(b"\n")
        held = [(i, line.partition(b"#")[0].strip()) for i, line in enumerate(text, 1)]
        self._lines = [(i, line) for i, line in held if line]
        self._at = 0

    def more(self) -> bool:
        """Whether there are lines left."""
        return self._at < len(self._lines)

    def error(self, why: str) -> GraphFormatError:
        """An error about the line that was read last."""
        number, line = self._lines[max(self._at - 1, 0)] if self._lines else (1, b"")
        return GraphFormatError(self.file, number, line, why)

    def header(self, least: int, most: int, what: str) -> np.ndarray:
        """A line of whole numbers, `most` of them, zeros for those left out."""
        if not self.more():
            raise GraphFormatError(self.file, None, None, f"the file ends where {what} should stand")
        words = self._lines[self._at][1].split()
        self._at += 1
        fields = words[:most]
        if len(fields) < least or not all(word.isdigit() and len(word) < 18 for word in fields):
            raise self.error(f"expected {what}")
        numbers = np.zeros(most, np.int64)
        numbers[: len(fields)] = [int(word) for word in fields]
        return numbers

    def block(self, rows: int, columns: int, what: str) -> np.ndarray:
        """A table of numbers; where a row holds more than `columns`, the rest is ignored."""
        lines = self._lines[self._at : self._at + rows]
        if len(lines) < rows:
            raise GraphFormatError(
                self.file, None, None, f"{rows:,} lines for {what} each are announced, {len(lines):,} are there"
            )
        with warnings.catch_warnings():
            warnings.simplefilter("error", DeprecationWarning)
            try:
                numbers = np.fromstring(b" ".join(line for _, line in lines), np.float64, sep=" ")
            except (ValueError, DeprecationWarning):
                numbers = np.empty(0)
        if numbers.size == rows * columns and all(
            line.count(b" ") >= columns - 1 or b"\t" in line for _, line in lines
        ):
            self._at += rows
            return numbers.reshape(rows, columns)
        return self._row_by_row(rows, columns, what)

    def _row_by_row(self, rows: int, columns: int, what: str) -> np.ndarray:
        table = np.empty((rows, columns))
        for row in range(rows):
            words = self._lines[self._at][1].split()
            self._at += 1
            try:
                table[row] = [float(word) for word in words[:columns]]
            except ValueError:
                raise self.error(f"{what} is {columns} numbers") from None
        return table


def _content(file: Path) -> bytes:
    """The file's bytes, unpacked if it is gzip."""
    if not file.name.lower().endswith(".gz"):
        require(file.stat().st_size * _OVERHEAD, f"reading {file}")
        return file.read_bytes()
    budget, pieces, size = memory_budget() // _OVERHEAD, [], 0
    try:
        with gzip.open(file) as source:
            while piece := source.read(_PIECE):
                size += len(piece)
                if size > budget:
                    require(size * _OVERHEAD, f"reading {file}")
                pieces.append(piece)
    except (OSError, EOFError, zlib.error) as error:
        raise GraphFormatError(file, None, None, f"cannot be unpacked: {error}") from None
    return b"".join(pieces)
