"""The cache of transformed graphs on disk: files under hashed names in the user's cache directory.

Off in the library unless `nearly.set_cache(True)` or NEARLY_CACHE=1 says otherwise, on in the command line unless
NEARLY_CACHE=0. A file is written beside and renamed, so readers and other writers see it whole or not at all, and a
crash leaves at most a part file, which is swept up later. The files together stay below NEARLY_CACHE_SIZE (default
4G): those not used for longest go first. Each holds a digest of its name, notes and arrays, which is checked before
any of it is used: a damaged file counts as none, and is removed.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nearly.base.arguments import flag
from nearly.base.cache_dir import cache_dir, private_folder
from nearly.base.errors import GraphFormatError
from nearly.base.files import replacing, sweep
from nearly.base.memory import parsed_bytes
from nearly.base.progress import silent
from nearly.graph.io.npz import More, write_arrays

_chosen: bool | None = None


class Entry(NamedTuple):
    """A file of the cache."""

    path: Path
    nbytes: int
    used: float  # seconds since the epoch
    key: str


def set_cache(on: bool | None) -> None:
    """Whether transformed graphs are kept on disk from now on; None goes back to NEARLY_CACHE."""
    global _chosen
    _chosen = None if on is None else flag("set_cache", on)


def enabled() -> bool:
    """Whether transformed graphs are looked for and kept on disk."""
    said = os.environ.get("NEARLY_CACHE", "").strip().lower()
    if said in ("0", "off", "no", "false"):
        return False
    return _chosen if _chosen is not None else said in ("1", "on", "yes", "true")


def folder() -> Path | None:
    """Where the files are; None where there is no place for them."""
    path = cache_dir()
    return None if path is None else private_folder(os.fspath(path / "transforms"))


def _files(pattern: str) -> list[Path]:
    place = folder()
    return [] if place is None else list(place.glob(pattern))


def has(name: str) -> bool:
    """Whether something is stored under this name."""
    place = folder()
    return place is not None and (place / f"{name}.npz").exists()


def load(name: str, sizes: Callable[[Any], dict[str, int]]) -> More | None:
    """What was stored under this name; a damaged file is removed."""
    from nearly.graph.io.npz import read_more

    place = folder()
    if place is None or not (path := place / f"{name}.npz").exists():
        return None
    try:
        more = read_more(path, sizes)
        os.utime(path)
        if isinstance(more.meta, dict) and more.meta.pop("digest", "") == _digest(name, more.meta, more.arrays):
            return more
    except (GraphFormatError, OSError):
        pass
    with suppress(OSError):
        path.unlink()
    return None


def _digest(name: str, meta: dict[str, Any], arrays: dict[str, np.ndarray]) -> str:
    """A hash of all that an entry says; its name is a hash of what it was made from."""
    digest = hashlib.sha256(json.dumps([name, meta], sort_keys=True).encode())
    for key in sorted(arrays):
        array = np.ascontiguousarray(arrays[key])
        digest.update(f"{key} {array.dtype.str} {array.shape}".encode())
        digest.update(array.view(np.uint8).data if array.size else b"")
    return digest.hexdigest()


def store(name: str, meta: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """Write an entry if there is room for it, then make room; a disk that is full is no error."""
    place = folder()
    if place is None or sum(array.nbytes for array in arrays.values()) > limit():
        return
    with suppress(OSError):
        with replacing(place / f"{name}.npz") as file:
            noted = {**meta, "digest": _digest(name, meta, arrays)}
            write_arrays(file, {"format": "nearly transform", "more": noted}, arrays, silent)
        shrink(limit())


def entries() -> list[Entry]:
    """All files, last used first."""
    from nearly.graph.io.npz import read_more

    found = []
    for path in _files("*.npz"):
        with suppress(OSError, GraphFormatError):
            about = path.stat()
            meta = read_more(path, lambda meta: {}).meta or {}
            found.append(Entry(path, about.st_size, about.st_mtime, str(meta.get("key", "?"))))
    return sorted(found, key=lambda entry: -entry.used)


def shrink(most: int) -> int:
    """Remove what was not used for longest until `most` bytes are left, and part files without a writer; how many."""
    removed, total = 0, 0
    place = folder()
    if place is not None:
        sweep(place)
    files = []
    for path in _files("*.npz"):
        with suppress(OSError):
            files.append((path.stat().st_mtime, path.stat().st_size, path))
    for _, nbytes, path in sorted(files, key=lambda file: -file[0]):
        total += nbytes
        if total > most:
            with suppress(OSError):
                path.unlink()
                removed += 1
    return removed


def limit() -> int:
    """Bytes that all files together may take."""
    return parsed_bytes("NEARLY_CACHE_SIZE", os.environ.get("NEARLY_CACHE_SIZE", "").strip() or "4G")
