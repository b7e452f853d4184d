"""`read` and `write`: a graph from and to a file, in the format its extension names.

One module a format, with its reader and its writer side by side. Text formats (edge list, .mtx, .gr, .graph)
share one parallel parser (`scan.py`) and may be gzipped; tables (.parquet, .csv) go through pyarrow; .npz is our
own format and is memory-mapped. A format's module is imported when it is first needed. A new format is a module
and an entry in the tables below.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, cast

from nearly.base.arguments import choice
from nearly.base.errors import FileAccessError, InvalidArgumentError
from nearly.base.files import replacing
from nearly.base.progress import Progress, following
from nearly.base.signatures import typed
from nearly.graph.csr import Graph
from nearly.graph.io.read_options import Options
from nearly.graph.io.remote import fetched, is_remote, name_of

EXTENSIONS = {
    ".txt": "text", ".el": "text", ".wel": "text", ".edges": "text", ".tsv": "text",
    ".mtx": "mtx", ".gr": "gr", ".graph": "metis", ".metis": "metis",
    ".csv": "csv", ".parquet": "parquet", ".pq": "parquet", ".npz": "npz",
    ".sg": "sg", ".wsg": "wsg", ".graphml": "graphml", ".gexf": "gexf", ".gml": "gml", ".net": "pajek", ".json": "json",
}  # fmt: skip
READERS = {
    "text": ("nearly.graph.io.edge_list", "read_edge_list"),
    "mtx": ("nearly.graph.io.matrix_market", "read_matrix_market"),
    "gr": ("nearly.graph.io.dimacs", "read_dimacs"),
    "metis": ("nearly.graph.io.metis", "read_metis"),
    "csv": ("nearly.graph.io.tables", "read_csv"),
    "parquet": ("nearly.graph.io.tables", "read_parquet"),
    "npz": ("nearly.graph.io.npz", "read_npz"),
    "sg": ("nearly.graph.io.gap", "read_sg"),
    "wsg": ("nearly.graph.io.gap", "read_wsg"),
    "graphml": ("nearly.graph.io.graphml", "read_graphml"),
    "gexf": ("nearly.graph.io.gexf", "read_gexf"),
    "gml": ("nearly.graph.io.gml", "read_gml"),
    "pajek": ("nearly.graph.io.pajek", "read_pajek"),
    "json": ("nearly.graph.io.node_link", "read_json"),
}
WRITERS = {
    "text": ("nearly.graph.io.edge_list", "write_edge_list"),
    "csv": ("nearly.graph.io.tables", "write_csv"),
    "mtx": ("nearly.graph.io.matrix_market", "write_matrix_market"),
    "parquet": ("nearly.graph.io.tables", "write_parquet"),
    "npz": ("nearly.graph.io.npz", "write_npz"),
    "sg": ("nearly.graph.io.gap", "write_sg"),
    "wsg": ("nearly.graph.io.gap", "write_wsg"),
    "graphml": ("nearly.graph.io.graphml", "write_graphml"),
    "gexf": ("nearly.graph.io.gexf", "write_gexf"),
    "gml": ("nearly.graph.io.gml", "write_gml"),
    "pajek": ("nearly.graph.io.pajek", "write_pajek"),
    "json": ("nearly.graph.io.node_link", "write_json"),
}
_FROM_ANY_PLACE = ("csv", "parquet", "npz", "sg", "wsg")  # read twice, or from their ends
_PLAIN_ONLY = ("parquet", "npz", "sg", "wsg")  # they hold their own compression, or must not be compressed at all


@typed
def read(  # noqa: PLR0913
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
    names: bool | None = None,
    header: bool | None = None,
    attributes: bool = False,
    progress: Progress | None = None,
) -> Graph:
    """Read a graph from a file.

    Parameters
    ----------
    path : str or os.PathLike
        The file; its extension (before a `.gz`) says the format: .txt .el .wel .edges .tsv (edge list), .mtx
        (Matrix Market), .gr (DIMACS shortest path), .graph (METIS), .csv and .parquet (edge tables), .npz (ours),
        .sg and .wsg (GAP), .graphml, .gexf, .gml, .net (Pajek), .json (node-link). With fsspec installed it may be an
        address, such as `https://...` or `s3://...`
    directed : bool, optional
        When left out, what the file says about itself, else True. False stores each edge both ways. An undirected
        file's edges go both ways even with True.
    format : str, optional
        The format, where the extension does not tell: text, mtx, gr, metis, csv, parquet, npz, sg, wsg, graphml, gexf,
        gml, pajek or json.
    duplicates : {"keep", "first", "min", "sum"}, optional
        What becomes of parallel edges; "min" and "sum" speak of their weights. When left out it is "first", and
        "min" where there are weights.
    self_loops : {"keep", "drop"}, default "keep"
        What becomes of edges from a vertex to itself.
    negative : {"reject", "keep"}, default "reject"
        Whether negative weights are an error.
    nan : {"reject", "drop"}, default "reject"
        Whether a weight that is NaN or infinite is an error, or its edge is left out.
    weight_dtype : {"uint32", "float32", "float64"}, optional
        The type of the weights; when left out, what the file says, else uint32 for whole numbers that fit, else
        float32.
    weights : bool, default True
        False ignores the file's weights.
    mmap : bool, default True
        Whether an .npz is memory-mapped rather than read.
    names : bool, optional
        Whether the ids of a text or a .csv are names even where they are numbers, or never; when left out they are
        names where the first edge's are no numbers.
    header : bool, optional
        Whether a text or a .csv begins with the names of its columns; when left out its first lines tell.
    attributes : bool, default False
        Whether further columns of a .csv or .parquet table are kept as attributes of edges (`Graph.edges`). Formats
        that name attributes always keep them.
    progress : callable, optional
        Called as `progress(stage, done, total)`.

    Returns
    -------
    Graph
        Its `ids` hold the file's vertex ids or names where these are not 0..n-1.

    Raises
    ------
    GraphFormatError
        The file breaks the rules of its format; says the line and why.
    FileAccessError
        The file cannot be opened.

    Examples
    --------
    >>> import nearly, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "small.txt")
    >>> _ = path.write_text("# Undirected graph\\n10 30\\n30 20\\n")
    >>> g = nearly.read(path)
    >>> g.n, g.m, g.directed, g.ids.tolist()
    (3, 4, False, [10, 20, 30])
    """
    with following(progress, "reading") as told:
        options = Options(
            directed, duplicates, self_loops, negative, nan, weight_dtype, bool(weights), bool(mmap), told,
            names, header, bool(attributes),
        )  # fmt: skip
        options.check()
        if is_remote(path):
            chosen = choice("format", format or format_of(name_of(str(path))), tuple(READERS))
            with fetched(str(path), options.progress) as copy:
                return _read(chosen, copy, options._replace(mmap=False))
        return _read(choice("format", format or format_of(path), tuple(READERS)), path, options)


def _read(chosen: str, path: str | os.PathLike[str], options: Options) -> Graph:
    if chosen in _FROM_ANY_PLACE:
        from nearly.graph.io.content import require_regular

        require_regular(path)
    module, name = READERS[chosen]
    return getattr(import_module(module), name)(path, options)


@typed
def write(
    graph: Graph, path: str | os.PathLike[str], *, format: str | None = None, progress: Progress | None = None
) -> None:
    """Write a graph to a file, so that `nearly.read` gives back an equal one.

    The file appears whole or not at all; an old one stays as it was until the new one is complete.

    Parameters
    ----------
    graph : Graph
        The graph.
    path : str or os.PathLike
        The file; its extension says the format: .npz (ours, memory-mappable), .txt .el .wel .edges .tsv (edge
        list), .csv and .parquet (edge tables), .mtx (Matrix Market), .sg and .wsg (GAP; without ids), .graphml, .gexf,
        .gml, .net (Pajek), .json (node-link); text ones may end in .gz.
    format : str, optional
        The format, where the extension does not tell, by a name as in `read`.
    progress : callable, optional
        Called as `progress(stage, done, total)`.

    Raises
    ------
    FileAccessError
        The file cannot be written there.

    Examples
    --------
    >>> import nearly, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "pair.txt")
    >>> nearly.write(nearly.Graph.from_edges([0], [1], n=3), path)
    >>> path.read_text().splitlines()
    ['# nearly graph: vertices=3 directed=1 weights=none ids=none', '0\\t1']
    >>> nearly.read(path).n
    3
    """
    module, name = WRITERS[writable_format(path, format)]
    with following(progress, "writing") as told, _appearing(path, _gzipped(path)) as file:
        getattr(import_module(module), name)(graph, file, told)


def format_of(path: str | os.PathLike[str]) -> str:
    """The format that the extension of `path` names."""
    name = Path(path).name.lower()
    extension = Path(name.removesuffix(".gz")).suffix
    if extension not in EXTENSIONS:
        known = " ".join(EXTENSIONS)
        raise InvalidArgumentError(f"{os.fspath(path)}: the extension says no known format ({known}); pass format=")
    return EXTENSIONS[extension]


def writable_format(path: str | os.PathLike[str], format: str | None = None) -> str:
    """The format in which `path` would be written; an error where it cannot be."""
    kind = format or format_of(path)
    if kind not in WRITERS:
        raise InvalidArgumentError(
            f"{os.fspath(path)}: cannot write the format {kind!r}; use one of {', '.join(WRITERS)}"
        )
    if kind in _PLAIN_ONLY and _gzipped(path):
        raise InvalidArgumentError(f"{os.fspath(path)}: {kind} files are not gzipped; leave out the .gz")
    return kind


def _gzipped(path: str | os.PathLike[str]) -> bool:
    return Path(path).name.lower().endswith(".gz")


@contextmanager
def _appearing(path: str | os.PathLike[str], gzipped: bool) -> Iterator[BinaryIO]:
    """A file that becomes `path` when all is written; trouble with the place is told as such."""
    try:
        with replacing(path) as file:
            if gzipped:  # no name and no time inside, so that equal graphs give equal files
                with gzip.GzipFile("", "wb", 6, file, mtime=0) as stream:
                    yield cast(BinaryIO, stream)
            else:
                yield file
    except OSError as error:
        if isinstance(error, FileAccessError):
            raise
        why = f"cannot write {os.fspath(path)}: {error.strerror or error}; choose another place or make room there"
        raise FileAccessError(error.errno, why) from None
