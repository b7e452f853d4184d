"""The bytes of a text file, plain or gzipped, handed out in regions that end at a line's end.

A plain file is memory-mapped, so that regions are views and reading twice costs little; what has been read is let go,
so that a process never holds more of a text than a region. A gzipped one
is unpacked block by block and never held as a whole, so that a small file that unpacks to a great deal takes
no more memory than a region. Whether a file is gzipped is told by its first two bytes. What cannot
be mapped (a pipe) is read into memory under the budget.
"""

from __future__ import annotations

import errno
import gzip
import io
import mmap
import os
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from nearly.base.errors import FileAccessError, GraphFormatError
from nearly.base.memory import require

REGION = 1 << 25
LONGEST_LINE = 1 << 20
_HEAD_REGION = 1 << 16
_GZIP, _BOM = b"\x1f\x8b", b"\xef\xbb\xbf"
_UNPACKING = 4  # text is about so many times larger than its .gz


class HeadLine(NamedTuple):
    """A line before a file's edges."""

    number: int  # from 1
    begin: int  # its first byte
    end: int  # the byte behind its newline
    text: bytes  # without blanks around it


class LineTooLong(Exception):
    """The line that begins the next region has no end within the limit."""


def line_too_long(content: Content, line: int) -> GraphFormatError:
    """The error for it."""
    return GraphFormatError(
        content.path, line, None, f"the line has more than {content.longest_line:,} bytes; break it up"
    )


class Content:
    """A text file's bytes.

    Parameters
    ----------
    path : str or os.PathLike
        The file.
    longest_line : int or None
        The most bytes a line may have; None where only memory limits it.
    """

    def __init__(self, path: str | os.PathLike[str], longest_line: int | None = LONGEST_LINE) -> None:
        self.path, self.longest_line = Path(path), longest_line
        self._buffer = _mapped(self.path)
        self.gzipped = self._buffer[:2] == _GZIP
        self.hint = len(self._buffer) * (_UNPACKING if self.gzipped else 1)
        """About how many bytes of text there are; for limits, never for allocation."""
        self.size = None if self.gzipped else len(self._buffer)
        """How many bytes of text there are, where that is known before reading them."""

    def regions(self, start: int = 0, size: int | None = None) -> Iterator[np.ndarray]:
        """The bytes from `start` in arrays of about `size`, each ending with a newline (the last one's is added)."""
        walk = self._unpacked(start, size or REGION) if self.gzipped else self._sliced(start, size or REGION)
        for region in walk:
            yield np.frombuffer(region, np.uint8)

    def blocks(self, size: int) -> Iterator[bytes]:
        """The bytes in pieces of at most `size`, wherever lines end."""
        if self.gzipped:
            yield from self._blocks(0, size)
            return
        for low in range(0, len(self._buffer), size):
            yield self._buffer[low : low + size]

    def lines(self) -> Iterator[HeadLine]:
        """The lines one by one, for the heads of files."""
        begin = number = 0
        try:
            for region in self.regions(size=_HEAD_REGION):
                for line in region.tobytes().split(b"\n")[:-1]:
                    number += 1
                    mark = len(_BOM) if begin == 0 and line.startswith(_BOM) else 0
                    end = begin + len(line) + 1
                    yield HeadLine(number, begin + mark, end, line[mark:].strip())
                    begin = end
        except LineTooLong:
            raise line_too_long(self, number + 1) from None

    def _sliced(self, start: int, size: int) -> Iterator[memoryview | bytes]:
        buffer, end = self._buffer, len(self._buffer)
        view = memoryview(buffer)
        while start < end:
            cut = end if start + size >= end else start + size
            last = buffer.rfind(b"\n", start, cut)
            if last < 0:
                last = buffer.find(b"\n", cut, self._line_limit(start, end))
            if last < 0:
                if self._line_limit(start, end) < end:
                    raise LineTooLong
                yield bytes(view[start:end]) + b"\n"
                return
            yield view[start : last + 1]
            _let_go(buffer, start, last + 1)
            start = last + 1

    def _unpacked(self, start: int, size: int) -> Iterator[memoryview | bytes]:
        kept = b""
        for block in self._blocks(start, size):
            kept = kept + block if kept else block
            cut = kept.rfind(b"\n") + 1
            if cut:
                yield memoryview(kept)[:cut]
                kept = kept[cut:]
            elif self.longest_line is not None and len(kept) > self.longest_line:
                raise LineTooLong
            else:
                require(3 * len(kept), f"a line of more than {len(kept):,} bytes in {self.path}")
        if kept:
            yield kept + b"\n"

    def _blocks(self, start: int, size: int) -> Iterator[bytes]:
        with self._opened() as file, gzip.GzipFile(fileobj=file) as stream:
            try:
                while start:
                    skipped = len(stream.read(min(start, size)))
                    if not skipped:
                        return
                    start -= skipped
                while block := stream.read(size):
                    yield block
            except EOFError:
                raise GraphFormatError(
                    self.path, None, None, "the gzip data end too early; fetch the file again"
                ) from None
            except (zlib.error, gzip.BadGzipFile) as error:
                raise GraphFormatError(
                    self.path, None, None, f"the gzip data are damaged ({error}); fetch the file again"
                ) from None

    def _line_limit(self, start: int, end: int) -> int:
        return end if self.longest_line is None else min(end, start + self.longest_line)

    def _opened(self) -> IO[bytes]:
        return io.BytesIO(self._buffer) if isinstance(self._buffer, bytes) else open(self.path, "rb")


def _let_go(buffer: Any, start: int, end: int) -> None:
    """Let the process forget the pages of a region; the system may keep them, and they can be read again."""
    if isinstance(buffer, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        low, high = start // mmap.PAGESIZE * mmap.PAGESIZE, end // mmap.PAGESIZE * mmap.PAGESIZE
        if high > low:
            buffer.madvise(mmap.MADV_DONTNEED, low, high - low)


def _mapped(path: Path) -> mmap.mmap | bytes:
    """The file's bytes, mapped where it is a plain file, else read into memory under the budget."""
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                return _drained(file, path)
            if status.st_size == 0:
                return b""
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise unreadable(path, error) from None


def unreadable(path: str | os.PathLike[str], error: OSError) -> FileAccessError:
    """The error for a file that cannot be opened."""
    return FileAccessError(
        error.errno, f"cannot read {os.fspath(path)}: {error.strerror}; check the path and its permissions"
    )


def require_regular(path: str | os.PathLike[str]) -> None:
    """An error for a pipe or a device, where a format needs a file that can be read from any place."""
    try:
        kind = os.stat(path).st_mode
    except OSError as error:
        raise unreadable(path, error) from None
    if stat.S_ISDIR(kind):
        raise unreadable(path, IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)))
    if not stat.S_ISREG(kind):
        why = f"cannot read {os.fspath(path)}: it is no plain file, which this format needs; copy it to one first"
        raise FileAccessError(errno.ESPIPE, why)


def _drained(file: IO[bytes], path: Path) -> bytes:
    blocks, size = [], 0
    while block := file.read(REGION):
        blocks.append(block)
        size += len(block)
        require(2 * size, f"the text read from {path}")
    return b"".join(blocks)
