"""Arrays in an .npz, uncompressed and aligned, so that opening the file is a memory map.

The file is a zip of `meta.json` and an `.npy` for each array, all stored plainly; a padding field in each member's
header puts its data at a multiple of 64 bytes. numpy's own `load` opens it too. Opening reads the zip's directory and
some short headers, whatever the size. The map is private: nothing in this process can change the file. Like any
memory map it must not be truncated by others while it is open.

Nothing in a file is believed: names, types, shapes and places are checked against the file's real size, headers
are matched against the one spelling numpy writes, and no object is ever unpickled.
"""

from __future__ import annotations

import json
import mmap
import os
import re
import struct
import sys
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any, BinaryIO, NamedTuple

import numpy as np

from nearly.base.errors import GraphFormatError
from nearly.base.memory import require
from nearly.base.progress import Progress
from nearly.graph.io.content import require_regular, unreadable

_ALIGNMENT = 64
_PAD_TAG = 0x4E47  # an extra field that other programs skip
_LOCAL_HEADER = struct.Struct("<4s5H3L2H")
_ZIP64_EXTRA = 20
_BLOCK = 1 << 24
_MOST_META = 1 << 16
_MOST_HEADER = 1 << 12
_MOST_RATIO = 1100  # deflate packs at most about 1,030 to 1
_NPY = re.compile(rb"\{'descr': '([^']*)', 'fortran_order': (True|False), 'shape': \((\d*(?:, ?\d+)*,?)\), \}\s*")
_TEXT = re.compile(r"<U[1-9]\d{0,7}")  # what the type "<U" allows
_NUMBERS = ("<u4", "<u8", "<i8", "<f4", "<f8")
_NORESERVE = 0x4000 if sys.platform == "linux" else 0


def write_arrays(file: BinaryIO, meta: dict[str, Any], arrays: dict[str, np.ndarray], progress: Progress) -> None:
    """Write the zip: `meta.json`, then the arrays, plain and aligned."""
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
    begin = archive.fp.tell() + _LOCAL_HEADER.size + len(name) + _ZIP64_EXTRA  # type: ignore[union-attr]
    pad = -(begin + 4) % _ALIGNMENT
    info.extra = struct.pack("<HH", _PAD_TAG, pad) + bytes(pad)
    with archive.open(info, "w", force_zip64=True) as member:
        np.lib.format.write_array_header_1_0(member, np.lib.format.header_data_from_array_1_0(array))
        flat = array.view(np.uint8).data if array.size else memoryview(b"")
        for low in range(0, len(flat), _BLOCK):
            member.write(flat[low : low + _BLOCK])
            progress(f"writing {name}", min(low + _BLOCK, len(flat)), len(flat))


class _Member(NamedTuple):
    """An array in the file."""

    dtype: np.dtype
    size: int
    at: int | None  # where its data begin; None: compressed


@contextmanager
def open_arrays(path: str | os.PathLike[str]) -> Iterator[ArrayFile]:
    """The file, open for reading; damage is told as such."""
    require_regular(path)
    try:
        with open(path, "rb") as file, zipfile.ZipFile(file) as archive:
            yield ArrayFile(path, file, archive)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, struct.error, UnicodeDecodeError) as error:
        why = f"this is no .npz of ours, or a damaged one ({error}); write it again with nearly"
        raise GraphFormatError(path, None, None, why) from None
    except OSError as error:
        raise unreadable(path, error) from None


class ArrayFile:
    """An open file of arrays."""

    def __init__(self, path: str | os.PathLike[str], file: BinaryIO, archive: zipfile.ZipFile) -> None:
        self._path, self._file, self._archive = path, file, archive
        self.names = archive.namelist()

    def bad(self, why: str) -> GraphFormatError:
        """The error for this file."""
        return GraphFormatError(self._path, None, None, why)

    def meta(self) -> dict[str, Any]:
        """What `meta.json` says; nothing where it is missing or makes no sense."""
        try:
            with self._archive.open("meta.json") as stream:
                meta = json.loads(stream.read(_MOST_META))
        except (KeyError, ValueError, RecursionError):
            meta = None
        return meta if isinstance(meta, dict) else {}

    def arrays(
        self, sizes: Mapping[str, int], types: Mapping[str, tuple[str, ...]], mapped: bool = True
    ) -> dict[str, np.ndarray]:
        """The arrays named in `sizes`, which must be that long; numbers of any type where `types` name none."""
        members = {name: self._member(name, size, types.get(name, _NUMBERS)) for name, size in sizes.items()}
        buffer = _map(self._file) if mapped else None
        return {name: self._array(name, member, buffer) for name, member in members.items()}

    def _member(self, name: str, count: int, types: tuple[str, ...]) -> _Member:
        """The array `name`, which must hold `count` numbers and lie inside the file."""
        try:
            info = self._archive.getinfo(f"{name}.npy")
        except KeyError:
            raise self.bad(f"{name}.npy is missing; write the file again with nearly") from None
        if info.compress_type == zipfile.ZIP_STORED:
            begin = data_start(self._file, info)
            end = os.fstat(self._file.fileno()).st_size
            if begin + info.file_size > end or info.compress_size != info.file_size:
                raise self.bad(f"{name}.npy is said to lie beyond the end of the file; write it again with nearly")
            self._file.seek(begin)
            dtype, header = self._array_header(name, self._file, count, types)
            at = begin + header
        else:
            if info.compress_type != zipfile.ZIP_DEFLATED or info.file_size > _MOST_RATIO * (info.compress_size + 1):
                raise self.bad(f"{name}.npy is compressed in a way no graph is; write the file again with nearly")
            with self._archive.open(info) as stream:
                dtype, header = self._array_header(name, stream, count, types)
            at = None
        if info.file_size != header + count * dtype.itemsize:
            room = info.file_size - header
            raise self.bad(
                f"{name}.npy claims {count} numbers of {dtype.itemsize} bytes, but has {room} bytes for them"
            )
        return _Member(dtype, count, at)

    def _array_header(self, name: str, stream: IO[bytes], count: int, types: tuple[str, ...]) -> tuple[np.dtype, int]:
        """The type of the array at the head of `stream`, and the length of the header."""
        start = stream.read(12)
        wide = start[6:7] != b"\x01"
        length = int.from_bytes(start[8 : 12 if wide else 10], "little")
        if start[:6] != b"\x93NUMPY" or len(start) < 12 or length > _MOST_HEADER:
            raise self.bad(f"{name}.npy is no numpy array; write the file again with nearly")
        text = (start[12:] if wide else start[10:]) + stream.read(length - (0 if wide else 2))
        found = _NPY.fullmatch(text)
        described = found[1].decode("ascii", "replace") if found else ""
        if not found or ("<U" if _TEXT.fullmatch(described) else described) not in types or described == "<U":
            kind = "an object array" if described == "|O" else f"of type {described or text[:40]!r}"
            raise self.bad(f"{name}.npy is {kind}, but must be one of {', '.join(types)}")
        if found[2] != b"False" or found[3] != b"%d," % count:
            shape = found[3].decode()
            why = f"{name}.npy has the shape ({shape}), but meta.json says it holds {count} numbers in one row"
            raise self.bad(why)
        return np.dtype(described), (12 if wide else 10) + length

    def _array(self, name: str, member: _Member, buffer: mmap.mmap | None) -> np.ndarray:
        if buffer is not None and member.at is not None and member.size and member.at % _ALIGNMENT == 0:
            array = np.frombuffer(buffer, member.dtype, member.size, member.at)
        else:
            array = _loaded(self._archive, f"{name}.npy", member)
        if array.dtype.kind == "U" and array.size and array.dtype.itemsize:
            points = array.view(np.uint32)
            if int(points.max()) > sys.maxunicode or ((points >= 0xD800) & (points < 0xE000)).any():
                raise self.bad(f"{name}.npy holds what is no text; write the file again with nearly")
        return array


def data_start(file: BinaryIO, info: zipfile.ZipInfo) -> int:
    """Where a member's data begin."""
    file.seek(info.header_offset)
    signature, *_, name_length, extra_length = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
    if signature != b"PK\x03\x04":
        raise zipfile.BadZipFile("a member's header is not where the directory says")
    return info.header_offset + _LOCAL_HEADER.size + name_length + extra_length


def _map(file: BinaryIO) -> mmap.mmap:
    if hasattr(mmap, "MAP_PRIVATE"):
        # writeable and private, because kernels are compiled for writeable arrays; no swap is set aside for it
        return mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE | _NORESERVE, prot=mmap.PROT_READ | mmap.PROT_WRITE)
    return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)


def _loaded(archive: zipfile.ZipFile, name: str, member: _Member) -> np.ndarray:
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
