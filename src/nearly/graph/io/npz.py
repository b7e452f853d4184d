"""Our own file, .npz: the arrays of a graph as they lie in memory, so that opening it takes milliseconds.

Beside `meta.json` it holds `offsets.npy`, `targets.npy` and, where there are any, `weights.npy`, `ids.npy`, names and
columns of attributes (`npz_columns.py`); `npz_arrays.py` says how arrays lie in it. A file may hold more than a graph
(`More`): what a transform of the graph has to remember. What a graph's arrays hold is checked when they are first used
(see `Graph.arrays`).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress, silent
from nearly.graph.attributes import EdgeColumns
from nearly.graph.csr import NO_WEIGHTS, Arrays, Graph
from nearly.graph.io.npz_arrays import ArrayFile, open_arrays, write_arrays
from nearly.graph.io.npz_columns import column_arrays, name_arrays, read_columns, read_names
from nearly.graph.io.read_options import Options, adjusted
from nearly.graph.names import Labels, Names

__all__ = ["More", "read_more", "read_npz", "write_arrays", "write_npz"]

_VERSION = 2  # 1 where a file has neither names nor columns
_TYPES = {
    "offsets": ("<u8",),
    "targets": ("<u4", "<u8"),
    "weights": ("<u4", "<f4", "<f8"),
    "ids": ("<i8", "<u8", "<U"),
}


class More(NamedTuple):
    """What a file holds beside its graph: notes that JSON can say, and arrays, which the notes name."""

    meta: Any
    arrays: dict[str, np.ndarray]


def write_npz(graph: Graph, file: BinaryIO, progress: Progress = silent, more: More | None = None) -> None:
    """Write `graph` to an open file, and with it what else is to be kept there."""
    offsets, targets, weights = graph.arrays
    arrays = {"offsets": offsets, "targets": targets}
    if graph.weighted:
        arrays["weights"] = weights
    meta: dict[str, Any] = {"format": "nearly graph", "version": 1}
    meta |= {"directed": graph.directed, "weighted": graph.weighted, "n": graph.n, "m": graph.m}
    if isinstance(graph.labels, Names):
        meta["names"], named = name_arrays("names", graph.labels)
        arrays.update(named)
    elif graph.labels is not None:
        arrays["ids"] = _plain_ids(graph.labels)
    if graph.vertex_columns is not None:
        meta["vertices"], columns = column_arrays("vertex", graph.vertex_columns)
        arrays.update(columns)
    if graph.edge_columns is not None:
        told, columns = column_arrays("edge", graph.edge_columns.columns)
        rows = len(next(iter(graph.edge_columns.columns.values())))
        meta["edges"] = {"columns": told, "rows": rows}
        arrays.update(columns, edge_rows=graph.edge_columns.rows.astype(np.uint64))
    if meta.keys() & {"names", "vertices", "edges"}:
        meta["version"] = _VERSION
    if more is not None:
        arrays.update(more.arrays)
        meta["more"] = more.meta
    write_arrays(file, meta, arrays, progress)


def _plain_ids(ids: np.ndarray) -> np.ndarray:
    if ids.dtype.kind == "i":
        return ids.astype(np.int64)
    if ids.dtype.kind == "u":
        return ids.astype(np.uint64)
    raise InvalidArgumentError(
        f"vertex ids of type {ids.dtype} cannot be written to a file; use whole numbers or strings"
    )


def read_npz(path: str | os.PathLike[str], options: Options) -> Graph:
    """The graph in an .npz of ours."""
    with open_arrays(path) as file:
        meta = _graph_meta(file)
        sizes = dict.fromkeys(("targets", *(("weights",) if meta["weighted"] else ())), meta["m"])
        sizes["offsets"] = meta["n"] + 1
        if "ids.npy" in file.names:
            sizes["ids"] = meta["n"]
        if not options.weights:
            sizes.pop("weights", None)
        arrays = file.arrays(sizes, _TYPES, options.mmap)
        labels: Labels = arrays.get("ids")
        if "names" in meta:
            labels = read_names(file, "names", meta["names"], meta["n"], options.mmap)
        csr = Arrays(arrays["offsets"], arrays["targets"], arrays.get("weights", NO_WEIGHTS))
        graph = Graph._trusted(csr, meta["directed"], labels, checked=False)
        _add_columns(file, graph, meta, options.mmap)
    return adjusted(graph, options)


def _add_columns(file: ArrayFile, graph: Graph, meta: dict[str, Any], mapped: bool) -> None:
    """Give the graph the columns of its vertices and edges that the file has."""
    if "vertices" in meta:
        graph.vertex_columns = read_columns(file, "vertex", meta["vertices"], graph.n, mapped)
    if "edges" not in meta:
        return
    told = meta["edges"] if isinstance(meta["edges"], dict) else {}
    count = told.get("rows")
    if type(count) is not int or not 0 <= count < 2**62:
        raise file.bad("what the file says of its edges' columns makes no sense; write it again with nearly")
    rows = file.arrays({"edge_rows": graph.m}, {"edge_rows": ("<u8",)}, mapped)["edge_rows"]
    if rows.size and int(rows.max()) >= count:
        raise file.bad("edge_rows.npy is out of range; write the file again with nearly")
    columns = read_columns(file, "edge", told.get("columns"), count, mapped)
    graph.edge_columns = EdgeColumns(columns, rows.astype(np.int64)) if columns else None


def _graph_meta(file: ArrayFile) -> dict[str, Any]:
    """What the file says of its graph: the size, and whether it has directions and weights."""
    names = set(file.names)
    if "meta.json" not in names:
        if {"indptr.npy", "indices.npy"} <= names:
            raise file.bad("this is a SciPy matrix; open it with scipy.sparse.load_npz and pass it to Graph.from_scipy")
        raise file.bad("meta.json is missing, so this is no .npz of ours; write it with nearly")
    meta = file.meta()
    try:
        sound = meta["format"] == "nearly graph" and all(isinstance(meta[k], bool) for k in ("directed", "weighted"))
        sound = sound and all(type(meta[k]) is int and 0 <= meta[k] < 2**62 for k in ("version", "n", "m"))
    except (TypeError, KeyError):
        sound = False
    if not sound:
        raise file.bad("meta.json does not describe a graph; write the file again with nearly")
    if meta["version"] > _VERSION:
        raise file.bad(f"the file is of version {meta['version']}, this nearly reads up to {_VERSION}; upgrade nearly")
    return meta


def read_more(path: str | os.PathLike[str], sizes: Callable[[Any], dict[str, int]]) -> More:
    """What a file holds beside its graph; `sizes` finds in the notes which arrays there are, and how long."""
    with open_arrays(path) as file:
        meta = file.meta().get("more")
        if meta is None:
            return More(None, {})
        try:
            wanted = {str(name): int(count) for name, count in sizes(meta).items()}
        except (KeyError, TypeError, ValueError, AttributeError):
            raise file.bad("what the file says of its arrays makes no sense; write it again with nearly") from None
        return More(meta, file.arrays(wanted, _TYPES))
