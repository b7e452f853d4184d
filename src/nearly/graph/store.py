"""Our own file: an .npz whose arrays lie uncompressed and aligned, so that opening it is a memory map.

A zip of `meta.json`, `offsets.npy`, `targets.npy` and, where there are any, `weights.npy` and `ids.npy`, all
stored plainly; a padding field in each member's header puts its data at a multiple of 64 bytes. numpy's own
`load` opens it too. Opening reads the zip's directory and four short headers, whatever the size; the
arrays are checked when they are first used (see `Graph.arrays`). The map is private: nothing in this process
can change the file. Like any memory map it must not be truncated by others while it is open.
"""

from __future__ import annotations

import json
import struct
import zipfile
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress, silent
from nearly.graph.csr import Graph

ALIGNMENT = 64
VERSION = 1
_PAD_TAG = 0x4E47  # an extra field that other programs skip
LOCAL_HEADER = struct.Struct("<4s5H3L2H")
_ZIP64_EXTRA = 20
_BLOCK = 1 << 24


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
    if graph.ids is not None:
        arrays["ids"] = _plain_ids(graph.ids)
    meta = {"format": "nearly graph", "version": VERSION, "directed": graph.directed, "weighted": graph.weighted}
    meta = {**meta, "n": graph.n, "m": graph.m}
    if more is not None:
        arrays.update(more.arrays)
        meta["more"] = more.meta
    write_arrays(file, meta, arrays, progress)


def write_arrays(file: BinaryIO, meta: dict[str, Any], arrays: dict[str, np.ndarray], progress: Progress) -> None:
    """The zip itself: `meta.json`, then the arrays, plain and aligned."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        archive.writestr(_info("meta.json"), json.dumps(meta))
        for name, array in arrays.items():
            _write_array(archive, f"{name}.npy", np.ascontiguousarray(array, array.dtype.newbyteorder("<")), progress)


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # no clock, so that equal graphs give equal files
    info.external_attr = 0o644 << 16
    return info


def _write_array(archive: zipfile.ZipFile, name: str, array: np.ndarray, progress: Progress) -> None:
    info = _info(name)
    begin = archive.fp.tell() + LOCAL_HEADER.size + len(name) + _ZIP64_EXTRA  # type: ignore[union-attr]
    pad = -(begin + 4) % ALIGNMENT
    info.extra = struct.pack("<HH", _PAD_TAG, pad) + bytes(pad)
    with archive.open(info, "w", force_zip64=True) as member:
        np.lib.format.write_array_header_1_0(member, np.lib.format.header_data_from_array_1_0(array))
        flat = array.view(np.uint8).data if array.size else memoryview(b"")
        for low in range(0, len(flat), _BLOCK):
            member.write(flat[low : low + _BLOCK])
            progress(f"writing {name}", min(low + _BLOCK, len(flat)), len(flat))


def _plain_ids(ids: np.ndarray) -> np.ndarray:
    if ids.dtype.kind == "i":
        return ids.astype(np.int64)
    if ids.dtype.kind == "u":
        return ids.astype(np.uint64)
    if ids.dtype.kind == "U":
        return ids
    raise InvalidArgumentError(
        f"vertex ids of type {ids.dtype} cannot be written to a file; use whole numbers or strings"
    )
