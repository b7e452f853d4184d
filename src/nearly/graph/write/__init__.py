"""`write`: a graph to a file, in the format its extension names; the file appears whole or not at all."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, cast

from nearly.base.errors import FileAccessError, InvalidArgumentError
from nearly.base.files import replacing
from nearly.base.progress import Progress, silent
from nearly.graph.csr import Graph
from nearly.graph.read import format_of

WRITERS = {
    "text": ("nearly.graph.write.text", "write_text"),
    "csv": ("nearly.graph.write.tables", "write_csv"),
    "mtx": ("nearly.graph.write.text", "write_mtx"),
    "parquet": ("nearly.graph.write.tables", "write_parquet"),
    "npz": ("nearly.graph.store", "write_npz"),
}
_PLAIN_ONLY = ("parquet", "npz")  # they hold their own compression, or must not be compressed at all


def write(
    graph: Graph, path: str | os.PathLike[str], *, format: str | None = None, progress: Progress | None = None
) -> None:
    """Write a graph so that `nearly.read` gives back an equal one.

    Parameters
    ----------
    graph : the graph.
    path : the file; its extension says the format: .npz (ours, memory-mappable), .txt .el .wel .edges .tsv (edge
        list), .csv and .parquet (edge tables), .mtx (Matrix Market); text ones may end in .gz.
    format : `"text"`, `"csv"`, `"mtx"`, `"parquet"` or `"npz"`, where the extension does not tell.
    progress : a callback `progress(stage, done, total)`.

    Examples
    --------
    >>> import pathlib, tempfile, nearly
    >>> path = pathlib.Path(tempfile.mkdtemp(), "pair.txt")
    >>> write(Graph.from_edges([0], [1], n=3), path)
    >>> path.read_text().splitlines()
    ['# nearly graph: vertices=3 directed=1 weights=none ids=none', '0\\t1']
    >>> nearly.read(path).n
    3
    """
    kind = writable_format(path, format)
    packed = Path(path).name.lower().endswith(".gz")
    module, name = WRITERS[kind]
    with _appearing(path, packed) as file:
        getattr(import_module(module), name)(graph, file, progress or silent)


def writable_format(path: str | os.PathLike[str], format: str | None = None) -> str:
    """The format in which `path` would be written; an error where it cannot be."""
    kind = format or format_of(path)
    if kind not in WRITERS:
        raise InvalidArgumentError(
            f"{os.fspath(path)}: cannot write the format {kind!r}; use one of {', '.join(WRITERS)}"
        )
    if kind in _PLAIN_ONLY and Path(path).name.lower().endswith(".gz"):
        raise InvalidArgumentError(f"{os.fspath(path)}: {kind} files are not gzipped; leave out the .gz")
    return kind


@contextmanager
def _appearing(path: str | os.PathLike[str], packed: bool) -> Iterator[BinaryIO]:
    """A file that becomes `path` when all is written; trouble with the place is told as such."""
    try:
        with replacing(path) as file:
            if packed:  # no name and no time inside, so that equal graphs give equal files
                with gzip.GzipFile("", "wb", 6, file, mtime=0) as stream:
                    yield cast(BinaryIO, stream)
            else:
                yield file
    except OSError as error:
        if isinstance(error, FileAccessError):
            raise
        why = f"cannot write {os.fspath(path)}: {error.strerror or error}; choose another place or make room there"
        raise FileAccessError(error.errno, why) from None
