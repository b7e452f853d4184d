"""Opening our own .npz (see `nearly.graph.store` for what is in it): the zip's directory, short headers, a memory map.

Nothing in the file is believed: names, types, shapes and places are checked against the file's real size,
headers are matched against the one spelling numpy writes, and no object is ever unpickled. What the arrays
hold is checked when they are first used (see `Graph.arrays`), so that opening takes milliseconds.
"""

from __future__ import annotations

import json
import mmap
import os
import re
import struct
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any, BinaryIO, NamedTuple

import numpy as np

from nearly.base.errors import GraphFormatError
from nearly.base.memory import require
from nearly.graph.csr import NO_WEIGHTS, Arrays, Graph
from nearly.graph.read.content import unreadable
from nearly.graph.read.options import Options, adjusted
from nearly.graph.store import ALIGNMENT, LOCAL_HEADER, VERSION, More

_BLOCK = 1 << 24
_MOST_META = 1 << 16
_MOST_HEADER = 1 << 12
_MOST_RATIO = 1100  # deflate packs at most about 1,030 to 1
_NPY = re.compile(rb"\{'descr': '([^']*)', 'fortran_order': (True|False), 'shape': \((\d*(?:, ?\d+)*,?)\), \}\s*")
_TYPES = {
    "offsets": ("<u8",),
    "targets": ("<u4", "<u8"),
    "weights": ("<u4", "<f4", "<f8"),
    "ids": ("<i8", "<u8", "<U"),
}
_NUMBERS = ("<u4", "<u8", "<i8", "<f4", "<f8")  # what arrays beside a graph's own may hold
_NORESERVE = 0x4000 if sys.platform == "linux" else 0


class Member(NamedTuple):
    """An array in the file: its type, its length, where its data begin (None: compressed)."""

    dtype: np.dtype
    size: int
    at: int | None


def read_npz(path: str | os.PathLike[str], options: Options) -> Graph:
    """The graph in an .npz of ours."""
    with _archive(path) as (file, archive):
        graph = _opened(os.fspath(path), file, archive, options)
    return adjusted(graph, options)


def read_more(path: str | os.PathLike[str], sizes: Callable[[Any], dict[str, int]]) -> More:
    """What a file holds beside its graph; `sizes` finds in the notes which arrays there are, and how long."""
    with _archive(path) as (file, archive):
        meta = _read_json(path, archive).get("more")
        if meta is None:
            return More(None, {})
        try:
            wanted = {str(name): int(count) for name, count in sizes(meta).items()}
        except (KeyError, TypeError, ValueError, AttributeError):
            raise _bad(path, "what the file says of its arrays makes no sense; write it again with nearly") from None
        size, buffer = os.fstat(file.fileno()).st_size, _map(file)
        members = {name: _member(path, file, archive, name, count, size) for name, count in wanted.items()}
        return More(meta, {name: _array(path, archive, name, member, buffer) for name, member in members.items()})


@contextmanager
def _archive(path: str | os.PathLike[str]) -> Iterator[tuple[BinaryIO, zipfile.ZipFile]]:
    """The open file; damage is told as such."""
    try:
        with open(path, "rb") as file, zipfile.ZipFile(file) as archive:
            yield file, archive
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, struct.error, UnicodeDecodeError) as error:
        raise _bad(path, f"this is no .npz of ours, or a damaged one ({error}); write it again with nearly") from None
    except OSError as error:
        raise unreadable(path, error) from None


def _opened(path: str, file: BinaryIO, archive: zipfile.ZipFile, options: Options) -> Graph:
    meta = _read_meta(path, archive)
    size = os.fstat(file.fileno()).st_size
    wanted = dict.fromkeys(("targets", *(("weights",) if meta["weighted"] else ())), meta["m"])
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


def _read_meta(path: str, archive: zipfile.ZipFile) -> dict[str, Any]:
    names = set(archive.namelist())
    if "meta.json" not in names:
        if {"indptr.npy", "indices.npy"} <= names:
            raise _bad(
                path, "this is a SciPy matrix; open it with scipy.sparse.load_npz and pass it to Graph.from_scipy"
            )
        raise _bad(path, "meta.json is missing, so this is no .npz of ours; write it with nearly")
    meta = _read_json(path, archive)
    try:
        sound = meta["format"] == "nearly graph" and all(isinstance(meta[k], bool) for k in ("directed", "weighted"))
        sound = sound and all(type(meta[k]) is int and 0 <= meta[k] < 2**62 for k in ("version", "n", "m"))
    except (TypeError, KeyError):
        sound = False
    if not sound:
        raise _bad(path, "meta.json does not describe a graph; write the file again with nearly")
    if meta["version"] > VERSION:
        raise _bad(path, f"the file is of version {meta['version']}, this nearly reads up to {VERSION}; upgrade nearly")
    return meta


def _read_json(path: str | os.PathLike[str], archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        with archive.open("meta.json") as stream:
            meta = json.loads(stream.read(_MOST_META))
    except (KeyError, ValueError, RecursionError):
        meta = None
    return meta if isinstance(meta, dict) else {}


def _member(
    path: str | os.PathLike[str], file: BinaryIO, archive: zipfile.ZipFile, name: str, count: int, size: int
) -> Member:
    """The array `name`, which must hold `count` numbers and lie inside the file's `size` bytes."""
    try:
        info = archive.getinfo(f"{name}.npy")
    except KeyError:
        raise _bad(path, f"{name}.npy is missing; write the file again with nearly") from None
    if info.compress_type == zipfile.ZIP_STORED:
        begin = _data_start(file, info)
        if begin + info.file_size > size or info.compress_size != info.file_size:
            raise _bad(path, f"{name}.npy is said to lie beyond the end of the file; write it again with nearly")
        file.seek(begin)
        dtype, header = _array_header(path, name, file, count)
        at = begin + header
    else:
        if info.compress_type != zipfile.ZIP_DEFLATED or info.file_size > _MOST_RATIO * (info.compress_size + 1):
            raise _bad(path, f"{name}.npy is compressed in a way no graph is; write the file again with nearly")
        with archive.open(info) as stream:
            dtype, header = _array_header(path, name, stream, count)
        at = None
    if info.file_size != header + count * dtype.itemsize:
        room = info.file_size - header
        raise _bad(path, f"{name}.npy claims {count} numbers of {dtype.itemsize} bytes, but has {room} bytes for them")
    return Member(dtype, count, at)


def _data_start(file: BinaryIO, info: zipfile.ZipInfo) -> int:
    file.seek(info.header_offset)
    signature, *_, name_length, extra_length = LOCAL_HEADER.unpack(file.read(LOCAL_HEADER.size))
    if signature != b"PK\x03\x04":
        raise zipfile.BadZipFile("a member's header is not where the directory says")
    return info.header_offset + LOCAL_HEADER.size + name_length + extra_length


def _array_header(path: str | os.PathLike[str], name: str, stream: IO[bytes], count: int) -> tuple[np.dtype, int]:
    """The type of the array at the head of `stream`, and the length of the header."""
    start = stream.read(12)
    wide = start[6:7] != b"\x01"
    length = int.from_bytes(start[8 : 12 if wide else 10], "little")
    if start[:6] != b"\x93NUMPY" or len(start) < 12 or length > _MOST_HEADER:
        raise _bad(path, f"{name}.npy is no numpy array; write the file again with nearly")
    text = (start[12:] if wide else start[10:]) + stream.read(length - (0 if wide else 2))
    found = _NPY.fullmatch(text)
    described = found[1].decode("ascii", "replace") if found else ""
    known = described[:2] == "<U" and described[2:].isdigit() and described[2] != "0" if name == "ids" else False
    if not found or not (known or described in _TYPES.get(name, _NUMBERS)):
        kind = "an object array" if described == "|O" else f"of type {described or text[:40]!r}"
        raise _bad(path, f"{name}.npy is {kind}, but must be one of {', '.join(_TYPES.get(name, _NUMBERS))}")
    if found[2] != b"False" or found[3] != b"%d," % count:
        shape = found[3].decode()
        raise _bad(path, f"{name}.npy has the shape ({shape}), but meta.json says it holds {count} numbers in one row")
    return np.dtype(described), (12 if wide else 10) + length


def _map(file: BinaryIO) -> mmap.mmap:
    if hasattr(mmap, "MAP_PRIVATE"):
        # writeable and private, because kernels are compiled for writeable arrays; no swap is set aside for it
        return mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE | _NORESERVE, prot=mmap.PROT_READ | mmap.PROT_WRITE)
    return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)


def _array(
    path: str | os.PathLike[str], archive: zipfile.ZipFile, name: str, member: Member, buffer: mmap.mmap | None
) -> np.ndarray:
    if buffer is not None and member.at is not None and member.size and member.at % ALIGNMENT == 0:
        array = np.frombuffer(buffer, member.dtype, member.size, member.at)
    else:
        array = _loaded(archive, f"{name}.npy", member)
    if array.dtype.kind == "U" and array.size and array.dtype.itemsize:
        points = array.view(np.uint32)
        if int(points.max()) > sys.maxunicode or ((points >= 0xD800) & (points < 0xE000)).any():
            raise _bad(path, "ids.npy holds what is no text; write the file again with nearly")
    return array


def _loaded(archive: zipfile.ZipFile, name: str, member: Member) -> np.ndarray:
    """The array read into memory; its checksum is compared on the way."""
    nbytes = member.size * member.dtype.itemsize
    require(nbytes, f"{name} of {archive.filename or 'the file'}")
    array = np.empty(member.size, member.dtype)
    with archive.open(name) as stream:
        stream.read(archive.getinfo(name).file_size - nbytes)  # the header, seen already
        flat = array.view(np.uint8).data if nbytes else memoryview(b"")
        at = 0
        while at < nbytes and (got := stream.readinto(flat[at : at + _BLOCK])):  # type: ignore[attr-defined]
            at += got
        if at < nbytes or stream.read(1):
            raise zipfile.BadZipFile(f"{name} is not as long as it says")
    return array


def _bad(path: str | os.PathLike[str], why: str) -> GraphFormatError:
    return GraphFormatError(path, None, None, why)
