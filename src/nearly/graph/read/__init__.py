"""`read`: a graph from a file, in the format its extension names.

Text formats (edge list, .mtx, .gr, .graph) share one parallel parser (`scan.py`) and may be gzipped;
tables (.parquet, .csv) go through pyarrow; .npz is our own format and is memory-mapped. Each reader is
imported when it is first needed.
"""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any

from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress, silent
from nearly.graph.csr import Graph

EXTENSIONS = {
    ".txt": "text", ".el": "text", ".wel": "text", ".edges": "text", ".tsv": "text",
    ".mtx": "mtx", ".gr": "gr", ".graph": "metis", ".metis": "metis",
    ".csv": "csv", ".parquet": "parquet", ".pq": "parquet", ".npz": "npz",
}  # fmt: skip
_READERS = {
    "text": ("nearly.graph.read.text", "read_text"),
    "mtx": ("nearly.graph.read.mtx", "read_mtx"),
    "gr": ("nearly.graph.read.dimacs", "read_dimacs"),
    "metis": ("nearly.graph.read.metis", "read_metis"),
    "csv": ("nearly.graph.read.tables", "read_csv"),
    "parquet": ("nearly.graph.read.tables", "read_parquet"),
    "npz": ("nearly.graph.read.npz", "read_npz"),
}


def read(
    path: str | os.PathLike[str],
    directed: bool | None = None,
    *,
    format: str | None = None,
    duplicates: str | None = None,
    self_loops: str = "keep",
    negative: str = "reject",
    nan: str = "reject",
    weight_dtype: Any = None,
    weights: bool = True,
    mmap: bool = True,
    progress: Progress | None = None,
) -> Graph:
    """Read a graph.

    Parameters
    ----------
    path : the file; its extension (before a `.gz`) says the format: .txt .el .wel .edges .tsv (edge list), .mtx
        (Matrix Market), .gr (DIMACS shortest path), .graph (METIS), .csv and .parquet (edge tables), .npz (ours).
    directed : None reads what the file says about itself, else directed; False stores each edge both ways.
        An undirected file's edges go both ways even with `directed=True`.
    format : `"text"`, `"mtx"`, `"gr"`, `"metis"`, `"csv"`, `"parquet"` or `"npz"`, where the extension does not tell.
    duplicates, self_loops, negative, nan, weight_dtype : the policies of `Graph.from_edges`.
    weights : False ignores the file's weights.
    mmap : whether an .npz is memory-mapped rather than read.
    progress : a callback `progress(stage, done, total)`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "small.txt")
    >>> _ = path.write_text("# Undirected graph\\n10 30\\n30 20\\n")
    >>> g = read(path)
    >>> g.n, g.m, g.directed, g.ids.tolist()
    (3, 4, False, [10, 20, 30])
    """
    from nearly.graph.read.options import Options

    reader = format or format_of(path)
    if reader not in _READERS:
        raise InvalidArgumentError(f"format must be one of {', '.join(_READERS)}, not {format!r}")
    options = Options(
        directed, duplicates, self_loops, negative, nan, weight_dtype, bool(weights), bool(mmap), progress or silent
    )
    options.check()
    module, name = _READERS[reader]
    return getattr(import_module(module), name)(path, options)


def format_of(path: str | os.PathLike[str]) -> str:
    """The format that the extension of `path` names."""
    name = Path(path).name.lower()
    extension = Path(name.removesuffix(".gz")).suffix
    if extension not in EXTENSIONS:
        known = " ".join(EXTENSIONS)
        raise InvalidArgumentError(f"{os.fspath(path)}: the extension says no known format ({known}); pass format=")
    return EXTENSIONS[extension]
