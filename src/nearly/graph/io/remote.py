"""Files elsewhere: `https://...`, `s3://...` and whatever else fsspec knows, fetched into a temporary file first.

The readers map files and look at them more than once, so a remote file is copied, in blocks, and the copy removed when
the graph is made. A name that is no address costs nothing and imports nothing.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from nearly.base.errors import FileAccessError, MissingDependencyError
from nearly.base.memory import human_bytes
from nearly.base.progress import Progress

_ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+://")  # two letters at least: C:// is a drive
_BLOCK = 1 << 22
_SPARE = 1 << 28  # bytes of disk that are left free
_PACKAGES = {"http": "aiohttp", "https": "aiohttp", "s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs", "gcs": "gcsfs"}


def is_remote(path: str | os.PathLike[str]) -> bool:
    """Whether this is an address rather than a file's name."""
    return isinstance(path, str) and _ADDRESS.match(path) is not None


def name_of(address: str) -> str:
    """The name of the file at an address, without queries."""
    plain = re.split(r"[?#]", address)[0] if address.lower().startswith("http") else address
    return plain.rstrip("/").rpartition("/")[2] or "graph"


@contextmanager
def fetched(address: str, progress: Progress) -> Iterator[Path]:
    """A copy of the file at an address, under its name, while the block runs."""
    try:
        import fsspec  # type: ignore[import-untyped]
    except ImportError:
        raise MissingDependencyError(f"reading {address} needs fsspec: pip install 'nearly[remote]'") from None
    with tempfile.TemporaryDirectory(prefix="nearly-") as folder:
        copy = Path(folder, name_of(address))
        try:
            with fsspec.open(address, "rb", compression=None) as source, open(copy, "wb") as target:
                _copy(source, target, address, getattr(source, "size", None), progress)
        except (FileAccessError, MissingDependencyError):
            raise
        except ImportError as error:
            package = _PACKAGES.get(urlsplit(address).scheme, "the package that fsspec names")
            raise MissingDependencyError(
                f"reading {address} needs {package}: pip install {package} ({error})"
            ) from None
        except Exception as error:  # each kind of store has errors of its own
            first = (str(error).splitlines() or [type(error).__name__])[0][:200]
            raise FileAccessError(getattr(error, "errno", None), f"cannot read {address}: {first}") from None
        yield copy


def _copy(source: Any, target: Any, address: str, size: int | None, progress: Progress) -> None:
    done = 0
    while block := source.read(_BLOCK):
        done += len(block)
        if shutil.disk_usage(os.path.dirname(target.name)).free < _SPARE + len(block):
            why = f"cannot read {address}: there is no room for {human_bytes(size or done)} in the temporary folder"
            raise FileAccessError(28, why)
        target.write(block)
        progress("fetching", done, size)
