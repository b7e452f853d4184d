"""Our own file: an .npz whose arrays lie uncompressed and aligned, so that opening it is a memory map.

A zip of `meta.json`, `offsets.npy`, `targets.npy` and, where there are any, `weights.npy` and `ids.npy`, all
stored plainly; a padding field in each member's header puts its data at a multiple of 64 bytes. numpy's own
`load` opens it too. Opening reads the zip's directory and four short headers, whatever the size; the
arrays are checked when they are first used (see `Graph.arrays`). The map is private: nothing in this process
can change the file. Like any memory map it must not be truncated by others while it is open.

Nothing in the file is believed: names, types, shapes and places are checked against the file's real size,
headers are matched against the one spelling numpy writes, and no object is ever unpickled.
"""

from __future__ import annotations

import json
import mmap
import os
import re
import struct
import sys
import zipfile
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np

from nearly.base.errors import FileAccessError, GraphFormatError, InvalidArgumentError
from nearly.base.memory import require
from nearly.graph.csr import NO_WEIGHTS, Arrays, Graph

if TYPE_CHECKING:
    from nearly.graph.read.options import Options

ALIGNMENT = 64
VERSION = 1
_PAD_TAG = 0x4E47  # an extra field that other programs skip
_LOCAL_HEADER = struct.Struct("<4s5H3L2H")
_ZIP64_EXTRA = 20
_BLOCK = 1 << 24
_MOST_META = 1 << 16
_MOST_HEADER = 1 << 12
_NPY = re.compile(rb"\{'descr': '([^']*)', 'fortran_order': (True|False), 'shape': \((\d*(?:, ?\d+)*,?)\), \}\s*")
_TYPES = {
    "offsets": ("<u8",),
    "targets": ("<u4", "<u8"),
    "weights": ("<u4", "<f4", "<f8"),
    "ids": ("<i8", "<u8", "<U"),
}
_NORESERVE = 0x4000 if sys.platform == "linux" else 0


class Member(NamedTuple):
    """An array in the file: its type, its length, where its data begin (None: compressed)."""

    dtype: np.dtype
    size: int
    at: int | None


def write_npz(graph: Graph, file: BinaryIO) -> None:
    """Write `graph` to an open file."""
    offsets, targets, weights = graph.arrays
    arrays = {"offsets": offsets, "targets": targets}
    if graph.weighted:
        arrays["weights"] = weights
    if graph.ids is not None:
        arrays["ids"] = _plain_ids(graph.ids)
    meta = {"format": "nearly graph", "version": VERSION, "directed": graph.directed, "weighted": graph.weighted}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        archive.writestr(_info("meta.json"), json.dumps({**meta, "n": graph.n, "m": graph.m}))
        for name, array in arrays.items():
            _write_array(archive, f"{name}.npy", np.ascontiguousarray(array, array.dtype.newbyteorder("<")))


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # no clock, so that equal graphs give equal files
    info.external_attr = 0o644 << 16
    return info


def _write_array(archive: zipfile.ZipFile, name: str, array: np.ndarray) -> None:
    info = _info(name)
    begin = archive.fp.tell() + _LOCAL_HEADER.size + len(name) + _ZIP64_EXTRA  # type: ignore[union-attr]
    pad = -(begin + 4) % ALIGNMENT
    info.extra = struct.pack("<HH", _PAD_TAG, pad) + bytes(pad)
    with archive.open(info, "w", force_zip64=True) as member:
        np.lib.format.write_array_header_1_0(member, np.lib.format.header_data_from_array_1_0(array))
        flat = memoryview(array.view(np.uint8)) if array.size else memoryview(b"")
        for low in range(0, len(flat), _BLOCK):
            member.write(flat[low : low + _BLOCK])


def _plain_ids(ids: np.ndarray) -> np.ndarray:
    if ids.dtype.kind == "i":
        return ids.astype(np.int64)
    if ids.dtype.kind == "u":
        return ids.astype(np.uint64)
    if ids.dtype.kind == "U":
        return ids
    raise InvalidArgumentError(f"vertex ids of type {ids.dtype} cannot be written to a file; use whole numbers or strings")


def read_npz(path: str | os.PathLike[str], options: Options) -> Graph:
    """The graph in an .npz of ours."""
    from nearly.graph.read.options import adjusted

    try:
        with open(path, "rb") as file, zipfile.ZipFile(file) as archive:
            graph = _opened(os.fspath(path), file, archive, options)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, struct.error, UnicodeDecodeError) as error:
        raise _bad(path, f"this is no .npz of ours, or a damaged one ({error}); write it again with nearly") from None
    except OSError as error:
        if isinstance(error, FileAccessError):
            raise
        why = f"cannot read {os.fspath(path)}: {error.strerror or error}; check the path and its permissions"
        raise FileAccessError(error.errno, why) from None
    return adjusted(graph, options)


def _opened(path: str, file: BinaryIO, archive: zipfile.ZipFile, options: Options) -> Graph:
    meta = _read_meta(path, archive)
    size = os.fstat(file.fileno()).st_size
    wanted = {name: meta["m"] for name in ("targets", *(("weights",) if meta["weighted"] else ()))}
    wanted["offsets"] = meta["n"] + 1
    if "ids.npy" in archive.namelist():
        wanted["ids"] = meta["n"]
    if not options.weights:
        wanted.pop("weights", None)
    members = {name: _member(path, file, archive, name, count, size) for name, count in wanted.items()}
    buffer = _map(file) if options.mmap else None
    arrays = {name: _array(path, archive, name, member, buffer) for name, member in members.items()}
    csr = Arrays(arrays["offsets"], arrays["targets"], arrays.get("weights", NO_WEIGHTS))
    return Graph._trusted(csr, meta["directed"], arrays.get("ids"), checked=False)
