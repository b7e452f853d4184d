"""Files of the GAP benchmark suite: .sg (a graph) and .wsg (a graph with whole weights), as its converter writes them.

A byte that says whether the graph is directed, the number of arcs and of vertices (8 bytes each), the n + 1 offsets
of the out-arcs (8 bytes each), their targets (4 bytes each; in a .wsg each followed by its weight, 4 bytes), and if
the graph is directed offsets and sources of the in-arcs in the same way. Everything is little-endian and signed.
"""

from __future__ import annotations

import os
from typing import Any, BinaryIO

import numpy as np

from nearly.base.errors import FileAccessError, GraphFormatError, InvalidArgumentError, InvalidGraphError
from nearly.base.memory import require
from nearly.base.progress import Progress, silent
from nearly.graph.csr import NO_WEIGHTS, Graph
from nearly.graph.io.read_options import Options, adjusted
from nearly.graph.validate import checked_arrays

_HEAD = np.dtype([("directed", "u1"), ("m", "<i8"), ("n", "<i8")])
_ARC = np.dtype([("target", "<i4"), ("weight", "<i4")])
_LARGEST = 2**31 - 1


def read_sg(path: str | os.PathLike[str], options: Options) -> Graph:
    """The graph in a .sg file."""
    return _read(path, options, np.dtype("<i4"))


def read_wsg(path: str | os.PathLike[str], options: Options) -> Graph:
    """The graph in a .wsg file, with its weights."""
    return _read(path, options, _ARC)


def _read(path: str | os.PathLike[str], options: Options, arc: np.dtype) -> Graph:
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            directed, n, m = _head(path, file, size, arc)
            require((16 * (n + 1) + 2 * arc.itemsize * m) * 2, f"a graph of {n:,} vertices and {m:,} arcs")
            offsets = np.fromfile(file, "<i8", n + 1)
            arcs = np.fromfile(file, arc, m)
    except OSError as error:
        if isinstance(error, FileAccessError):
            raise
        why = f"cannot read {os.fspath(path)}: {error.strerror or error}"
        raise FileAccessError(error.errno, why) from None
    graph = _graph(path, directed, offsets, arcs, options)
    return adjusted(graph, options)


def _head(path: str | os.PathLike[str], file: BinaryIO, size: int, arc: np.dtype) -> tuple[bool, int, int]:
    """Whether the graph is directed, its vertices and arcs; the file must be as long as they say."""
    if size < _HEAD.itemsize:
        raise GraphFormatError(path, None, None, f"the file has {size} bytes, fewer than the head of a .sg file")
    head = np.frombuffer(file.read(_HEAD.itemsize), _HEAD)[0]
    directed, n, m = int(head["directed"]), int(head["n"]), int(head["m"])
    sides = 2 if directed else 1
    sound = directed in (0, 1) and 0 <= n <= _LARGEST and m >= 0
    if not sound or size != _HEAD.itemsize + sides * (8 * (n + 1) + arc.itemsize * m):
        why = (
            f"the head says {n} vertices and {m} arcs, which does not fit {size:,} bytes; "
            "a .sg file has no weights, a .wsg file has weights of 4 bytes"
        )
        raise GraphFormatError(path, None, None, why)
    return bool(directed), n, m


def _graph(
    path: str | os.PathLike[str], directed: bool, offsets: np.ndarray, arcs: np.ndarray, options: Options
) -> Graph:
    """The graph of these arrays, whose content is checked."""
    targets = arcs if arcs.dtype.names is None else np.ascontiguousarray(arcs["target"])
    weights = NO_WEIGHTS
    if arcs.dtype.names is not None and options.weights:
        weights = np.ascontiguousarray(arcs["weight"])
        if weights.size and int(weights.min()) < 0:
            if options.negative == "reject":
                raise GraphFormatError(path, None, None, "a weight is negative; pass negative='keep' to read it")
            weights = weights.astype(np.float64)
        else:
            weights = weights.view(np.uint32)
    try:
        csr = checked_arrays(offsets, targets, weights if weights.size else None)
    except InvalidGraphError as error:
        raise GraphFormatError(path, None, None, str(error)) from None
    return Graph._trusted(csr, directed)


def write_sg(graph: Graph, file: BinaryIO, progress: Progress = silent) -> None:
    """Write the graph without its weights."""
    _write(graph, file, progress, lambda side: side.arrays.targets.astype("<i4"))


def write_wsg(graph: Graph, file: BinaryIO, progress: Progress = silent) -> None:
    """Write the graph with its weights, which must be whole; 1 where it has none."""
    _write(graph, file, progress, _with_weights)


def _write(graph: Graph, file: BinaryIO, progress: Progress, arcs_of: Any) -> None:
    if graph.n > _LARGEST:
        raise InvalidArgumentError(f"a .sg file holds at most {_LARGEST:,} vertices; the graph has {graph.n:,}")
    head = np.zeros(1, _HEAD)
    head["directed"], head["m"], head["n"] = graph.directed, graph.m, graph.n
    file.write(head.tobytes())
    sides = (graph, graph.reverse) if graph.directed else (graph,)
    for done, side in enumerate(sides):
        progress("writing", done, len(sides))
        for array in (side.arrays.offsets.astype("<i8"), arcs_of(side)):
            file.write(array.view(np.uint8).data)


def _with_weights(side: Graph) -> np.ndarray:
    arcs = np.empty(side.m, _ARC)
    arcs["target"] = side.arrays.targets
    arcs["weight"] = 1
    if side.weighted:
        weights = side.arrays.weights
        whole = weights.dtype.kind == "u" or bool((weights == np.floor(weights)).all())
        if not whole or (weights.size and float(weights.max()) > _LARGEST):
            raise InvalidArgumentError(f"a .wsg file holds whole weights of at most {_LARGEST:,}; round or scale them")
        arcs["weight"] = weights
    return arcs
