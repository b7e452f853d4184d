"""Edge tables: pandas, polars and Arrow frames, and with them Parquet and CSV files.

A row is an edge. The ends are the columns called source and target, src and dst, or from and to, else the
first two; the weight is the column called weight or w, else the third where it holds numbers. Ends are
whole numbers or strings; either way the distinct ones, ascending, become the vertices and are kept in `ids`
(strings as a numpy unicode array) unless they are 0..n-1 already.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np

from nearly.base.errors import InvalidArgumentError, InvalidGraphError
from nearly.base.memory import require
from nearly.graph.attributes import EdgeColumns, checked_column
from nearly.graph.build import from_edges
from nearly.graph.csr import Graph, vertex_dtype
from nearly.graph.edge_rows import edge_rows
from nearly.graph.frame_columns import Frame, Strings, framed
from nearly.graph.io.header import LARGEST_ID, Header
from nearly.graph.io.ids import IdCollector
from nearly.graph.io.read_options import Options
from nearly.graph.names import Labels, Names
from nearly.graph.validate import one_type

ENDS = (("source", "target"), ("src", "dst"), ("from", "to"))
WEIGHTS = ("weight", "w")


class Columns(NamedTuple):
    """The names of the columns that make the edges."""

    source: str
    target: str
    weight: str | None


def from_frame(
    frame: Any,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    attributes: Any = False,
    **policies: Any,
) -> Graph:
    """See `Graph.from_frame`."""
    unknown = set(policies) - set(Options._fields)
    if unknown:
        raise InvalidArgumentError(f"from_frame does not know {', '.join(sorted(unknown))}; see Graph.from_edges")
    options = Options(**policies)
    options.check()
    table = framed(frame)
    columns = pick_columns(table, source, target, weight)
    return graph_from_columns(table, columns, options, Header(), _wanted(table, columns, attributes))


def _wanted(table: Frame, columns: Columns, attributes: Any) -> list[str]:
    """The columns that are to be attributes of edges."""
    if attributes is True:
        return [name for name in table.names if name not in columns]
    wanted = [] if attributes is False or attributes is None else list(attributes)
    for name in wanted:
        if name not in table.names:
            listed = ", ".join(map(str, table.names))
            raise InvalidArgumentError(f"attributes: there is no column {name!r}; the columns are {listed}")
    return wanted


def pick_columns(
    table: Frame, source: str | None = None, target: str | None = None, weight: str | None = None
) -> Columns:
    """Which columns hold the ends and the weight."""
    names = table.names
    for asked in (source, target, weight):
        if asked is not None and asked not in names:
            raise InvalidArgumentError(f"there is no column {asked!r}; the columns are {', '.join(map(str, names))}")
    lower = {str(name).lower(): name for name in reversed(names)}
    if source is None or target is None:
        found = next(((lower[a], lower[b]) for a, b in ENDS if a in lower and b in lower), None)
        if found is None and len(names) < 2:
            raise InvalidGraphError("an edge table needs two columns, source and target")
        first, second = found or (names[0], names[1])
        source, target = source or first, target or second
    if weight is None:
        rest = [name for name in names if name not in (source, target)]
        named = next((lower[w] for w in WEIGHTS if w in lower and lower[w] in rest), None)
        third = rest[0] if rest and names.index(rest[0]) == 2 and table.numeric(rest[0]) else None
        weight = named or third
    return Columns(source, target, weight)


def graph_from_columns(
    table: Frame, columns: Columns, options: Options, header: Header, attributes: list[str] | None = None
) -> Graph:
    """The graph of a table's rows; `header` is what the file they come from says of itself."""
    src, dst = table.ends(columns.source), table.ends(columns.target)
    read_weights = options.weights and columns.weight is not None
    weights = table.numbers(cast(str, columns.weight)) if read_weights else None
    ids: Labels
    if isinstance(src, Strings) and isinstance(dst, Strings):
        n, ids, src, dst = _ranked(src, dst, header)
    elif isinstance(src, Strings) or isinstance(dst, Strings):
        raise InvalidGraphError("both ends must be whole numbers or both strings; convert one of the columns")
    else:
        src, dst = _whole(src), _whole(dst)
        if header.ours and header.ids in ("none", "listed"):
            n, ids = header.vertices or 0, header.listed_ids() if header.ids == "listed" else None
        else:
            n, ids, src, dst = _compacted(src, dst, header)
    if header.ours and (n != header.vertices or (ids is not None and ids.size != n)):
        raise InvalidGraphError(
            f"the header says {header.vertices} vertices, the table has {n if ids is None else ids.size}"
        )
    directed = header.directed is not False if options.directed is None else options.directed
    stated = header.weights if header.weights != "none" else None
    one_way, duplicates = directed and header.directed is not False, options.duplicates or header.duplicates
    built = from_edges(
        src, dst, weights, n, one_way, duplicates, options.self_loops,
        negative=options.negative, nan=options.nan, dtype=options.weight_dtype or stated,
    )  # fmt: skip
    graph = Graph._trusted(built.arrays, directed, ids)
    if attributes:
        kept = np.ones(src.size, bool) if weights is None else np.isfinite(weights)  # else from_edges has refused
        rows = edge_rows(src[kept], dst[kept], n, one_way, duplicates, options.self_loops)
        found = {name: checked_column(name, table.values(name), kept.size)[kept] for name in attributes}
        graph.edge_columns = EdgeColumns(found, rows)
    return graph


def _whole(ends: np.ndarray) -> np.ndarray:
    if ends.size == 0:
        return np.empty(0, np.uint32)
    if ends.dtype.kind not in "iu":
        raise InvalidGraphError(f"vertex ids must be whole numbers or strings, not {ends.dtype}; convert the column")
    if ends.dtype.kind == "i" and ends.min() < 0:
        raise InvalidGraphError(f"vertex ids must not be negative, but {ends.min()} occurs; renumber them from 0")
    if int(ends.max()) > LARGEST_ID:
        raise InvalidGraphError("vertex ids must be below 2**63; renumber them")
    kind = np.dtype(np.uint32 if int(ends.max()) < 2**32 else np.uint64)
    same = ends.dtype.itemsize == kind.itemsize and ends.flags.c_contiguous
    return one_type(ends.view(kind)) if same else ends.astype(kind)


def _compacted(src: np.ndarray, dst: np.ndarray, header: Header) -> tuple[int, Labels, np.ndarray, np.ndarray]:
    """Vertices, their ids, and the ends as vertices."""
    collector = IdCollector(16 * src.size)
    if src.size:
        collector.add(src, dst, top=int(max(src.max(), dst.max())))
    if header.listed:
        listed = _whole(header.listed_ids())
        collector.add(listed, top=int(listed.max()))
    vertices = collector.finish()
    if vertices.ids is not None:  # ranks are put in place of ids, which may be the caller's memory
        src, dst = src.copy(), dst.copy()
    return vertices.n, vertices.ids, vertices.ranks(src, "the table"), vertices.ranks(dst, "the table")


def _ranked(src: Strings, dst: Strings, header: Header) -> tuple[int, Names, np.ndarray, np.ndarray]:
    """The same for strings."""
    distinct = {*src.values, *dst.values, *header.listed}
    odd = next((value for value in distinct if not isinstance(value, str)), None)
    if odd is not None:
        raise InvalidGraphError(f"vertex ids must all be strings or all whole numbers, but {odd!r} occurs")
    ordered = sorted(cast("set[str]", distinct))
    require(200 * len(ordered), f"the names of {len(ordered):,} vertices")
    rank = {value: place for place, value in enumerate(ordered)}
    dtype = vertex_dtype(len(ordered))
    ranks = [np.array([rank[value] for value in ends.values], dtype)[ends.codes] for ends in (src, dst)]
    return len(ordered), Names.of(ordered, ascending=True), ranks[0], ranks[1]
