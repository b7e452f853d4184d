"""Files are written beside and renamed, so a reader sees the old file or the new one, never half of it.

What is being written has the name `.NAME.xxxxxxxx.part` in the folder of the file, and its writer holds a lock on it.
A writer that was killed leaves its part behind, without the lock; the next one that writes NAME removes it, and
`sweep` those of a whole folder. Two writers of one name each write their own part: the last to finish wins.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # no such locks: nothing is swept
    fcntl = None  # type: ignore[assignment]

_PART, _LONGEST = ".part", 200  # of a name, in bytes; a folder's entries have at most 255


@contextmanager
def replacing(path: str | os.PathLike[str], *, durable: bool = True) -> Iterator[BinaryIO]:
    """A binary file that becomes `path` when the block ends well; on any error nothing is left behind.

    `durable` waits for the disk, so that after a power cut too the file is the old or the new one.
    """
    final = Path(path)
    name = os.fsdecode(os.fsencode(final.name)[:_LONGEST])
    sweep(final.parent, f".{escape(name)}.*{_PART}")
    descriptor, beside = _locked_part(final.parent, f".{name}.")
    try:
        with os.fdopen(descriptor, "w+b") as file:
            yield file
            file.flush()
            if durable:
                os.fsync(file.fileno())
            os.chmod(beside, 0o666 & ~_umask())
            os.replace(beside, final)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise
    if durable:
        _sync_directory(final.parent)


def _locked_part(folder: Path, prefix: str) -> tuple[int, str]:
    """A new part file, open and locked; one that was swept before the lock was had is made again."""
    while True:
        descriptor, beside = tempfile.mkstemp(prefix=prefix, suffix=_PART, dir=folder)
        if fcntl is None:
            return descriptor, beside
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:  # swept at this very moment, or a file system without locks
            if os.path.exists(beside):
                return descriptor, beside
        if os.path.exists(beside):
            return descriptor, beside
        os.close(descriptor)


def sweep(folder: str | os.PathLike[str], pattern: str = f".*{_PART}") -> int:
    """Remove the parts in a folder that writers have left behind; how many."""
    removed = 0
    if fcntl is None:
        return removed
    for part in Path(folder).glob(pattern):
        with suppress(OSError):
            descriptor = os.open(part, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # an error where a writer is at work
                part.unlink()
                removed += 1
            finally:
                os.close(descriptor)
    return removed


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _sync_directory(folder: Path) -> None:
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
